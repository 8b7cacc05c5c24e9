"""How a rule says what breaks it: one message for each problem, with file, line and remedy."""

from collections.abc import Iterable

import pytest


def report(problems: Iterable[str]) -> None:
    """Fail with the problems, if there are any."""
    found = list(dict.fromkeys(problems))
    if found:
        pytest.fail("\n".join(found), pytrace=False)
