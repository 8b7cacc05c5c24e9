"""The reference has a section for every name that concerns a Function on the installed torch, or
a line of the list on one page says why it has none."""

import ast
import functools
import inspect
from importlib import import_module

import torch
from problems import report_of_torch
from torch.autograd.function import Function

from builder.content import pages
from builder.content.paths import LANGUAGES
from builder.publishing import search_index

MODULES = ("torch.autograd.function", "torch.autograd.graph")
LIST = "reference/function-base/index.md", "without-section"
GONE = "reference/function-base/gone.md"


def defined(module: str) -> set[str]:
    """The names that a module defines itself, and has."""
    loaded = import_module(module)
    found = set()
    for node in ast.parse(inspect.getsource(loaded)).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            if isinstance(target, ast.Name):
                found.add(target.id)
    return found & {*dir(loaded)}


def belonging(thing: object) -> set[str]:
    """The names of a class or an object, without those that every object has as they are."""
    return {*dir(thing)} - {*dir(type("Empty", (), {}))} | {*vars(thing)} & {"__init__"}


@functools.cache
def names() -> dict[str, set[str]]:
    plain = type("Plain", (Function,), {"forward": staticmethod(lambda ctx, x: x.clone())})
    live = plain.apply(torch.ones(1, requires_grad=True)).grad_fn
    return {module: defined(module) for module in MODULES} | {
        "torch.autograd.Function": belonging(Function),
        "a live ctx": belonging(live),
    }


@functools.cache
def sections() -> dict[str, str]:
    """Id and title of each section of the reference but for those of what is gone."""
    reference = [uri for uri in pages.pages("en") if uri.startswith("reference/") and uri != GONE]
    return {
        heading.id: search_index.plain(heading.words).strip("()")
        for page in pages.readable("en", reference)
        for heading in page.headings
        if heading.level > 1 and heading.id
    }


def listed(lang: str) -> set[str]:
    """The names in bold at the heads of the lists of what has no section."""
    uri, identifier = LIST
    found = set()
    heading = pages.pages(lang)[uri].soup.find(id=identifier)
    for tag in heading.find_next_siblings() if heading else ():
        if tag.name == "h2":
            break
        found |= {code.get_text() for code in tag.select("li > strong code")}
    return found


def test_every_name_has_a_section_or_a_line_that_says_why_not_and_is_there():
    uri, identifier = LIST
    titles, there = {*sections().values()}, set().union(*names().values())
    problems = [
        f"docs/{lang}/reference: no section for `{name}` of {of}, and no line for it in "
        f"docs/{lang}/{uri}#{identifier}"
        for lang in LANGUAGES
        for of, them in names().items()
        for name in sorted(them - titles - listed(lang))
    ]
    problems += [
        f"docs/*/reference: `{title}` is no longer there; move its section to gone.md"
        for key, title in sections().items()
        if key == title.lower() and title not in there
    ]
    problems += [
        f"docs/*/{uri}#{identifier}: `{name}` is not there, or has a section"
        for lang in LANGUAGES
        for name in listed(lang) - (there - titles)
    ]
    report_of_torch(problems)
