"""The reference has a section for every member there is on the installed torch."""

import warnings
from importlib.metadata import version

import pytest
import torch
from problems import report
from torch.autograd.function import Function, FunctionCtx

from handbook import pages
from handbook.places import pinned

# Members of Python's own object protocol, which every class has.
OBJECT = set(vars(type("Empty", (), {}))) | {"__new__", "__init__", "__repr__"}


# On the page of the class, but functions beside it.
AROUND = {"once_differentiable"}


def members(*classes: type) -> set[str]:
    """What the classes themselves define, object's own protocol left out."""
    return {name for cls in classes for name in vars(cls)} - OBJECT


def function_members() -> set[str]:
    """What one may define, set or use on a Function class, its private bases included."""
    bases = [
        cls
        for cls in Function.__mro__
        if cls.__module__.startswith("torch.") and cls is not FunctionCtx
        and cls.__name__ in ("Function", "_SingleLevelFunction")
    ]  # fmt: skip
    return {name for name in members(*bases) if not name.startswith("_")}


EXPECTED = {
    "reference/function-base/": members(torch._C._FunctionBase),
    "reference/function-ctx.md": members(FunctionCtx),
    "reference/function.md": function_members(),
}


def sections(uri: str) -> dict[str, str]:
    """Id and title of each section of a page, or of the pages of a folder."""
    return {
        identifier: text
        for page in pages.readable("en", [*pages.pages("en")])
        if page.uri.startswith(uri) and page.uri != "reference/function-base/gone.md"
        for level, identifier, text in page.headings
        if level > 1
    }


@pytest.mark.parametrize("uri", EXPECTED)
def test_every_member_has_a_section_and_no_section_a_member_that_is_gone(uri):
    found = sections(uri)
    described = {name for name, title in found.items() if title.strip("()") == name}
    problems = [
        f"docs/*/{uri}: no section {{ #{name} }} for `{name}`"
        for name in sorted(EXPECTED[uri] - found.keys())
    ]
    problems += [
        f"docs/*/{uri}: `{name}` is no longer there; move it to gone.md"
        for name in sorted(described - EXPECTED[uri] - AROUND)
    ]
    if problems and version("torch").partition("+")[0] != pinned("torch"):
        told = "\n".join(problems)
        warnings.warn(f"torch {torch.__version__} is not the pinned one: {told}", stacklevel=1)
        return
    report(problems)
