"""How a test reports problems: one message for each, with file, line and remedy."""

import os
import warnings
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import zip_longest
from typing import NoReturn

import pytest

from builder.content.paths import Problem, pinned


def report(problems: Iterable[str | Problem]) -> None:
    """Fail with the problems, if there are any."""
    messages = list(dict.fromkeys(map(str, problems)))
    if messages:
        pytest.fail("\n".join(messages), pytrace=False)


def report_of_torch(problems: Iterable[str]) -> None:
    """Fail with the problems; with another torch than the pinned one, warn."""
    messages = list(dict.fromkeys(problems))
    if messages and version("torch").partition("+")[0] != pinned("torch"):
        message = "\n".join(messages)
        warnings.warn(f"torch {version('torch')} is not the pinned one: {message}", stacklevel=2)
    else:
        report(messages)


def skip(reason: str) -> NoReturn:
    """Skip a test for what the machine lacks. With CI set, that is an error."""
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def differing(what: str, wanted: list, shown: list) -> Iterator[str]:
    """The first place where two lists differ, in words, if they do."""
    for ours, theirs in zip_longest(wanted, shown, fillvalue="nothing"):
        if ours != theirs:
            yield f"{what}: {ours!r}, which is {theirs!r} there"
            return
