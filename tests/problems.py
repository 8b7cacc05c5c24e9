"""How a rule says what breaks it: one message for each problem, with file, line and remedy."""

import warnings
from collections.abc import Iterable
from importlib.metadata import version

import pytest

from handbook.places import pinned


def report(problems: Iterable[str]) -> None:
    """Fail with the problems, if there are any."""
    found = list(dict.fromkeys(problems))
    if found:
        pytest.fail("\n".join(found), pytrace=False)


def report_of_torch(problems: Iterable[str]) -> None:
    """Fail with the problems; with another torch than the pinned one, warn."""
    found = list(dict.fromkeys(problems))
    if found and version("torch").partition("+")[0] != pinned("torch"):
        message = "\n".join(found)
        warnings.warn(f"torch {version('torch')} is not the pinned one: {message}", stacklevel=2)
    else:
        report(found)
