"""The reference has a section for every name that concerns a Function on the installed torch, or
a line of the list on one page says why it has none."""

import inspect
import re

import pytest
import torch
from problems import report_of_torch
from rendered import readable, soup
from torch.autograd import Function, function, graph

from builder.content import pages
from builder.content.paths import LANGUAGES
from builder.publishing import search_index

LIST = "reference/function-base/index.md", "without-section"
GONE = "reference/function-base/gone.md"


def defined(module: object) -> set[str]:
    """The names that a module defines itself, at the beginnings of its lines, and has."""
    names = re.findall(r"(?m)^(?:class |def )?(\w+)", inspect.getsource(module))
    return {*names} & vars(module).keys()


def belonging(thing: object) -> set[str]:
    """The names of a class or an object, without those that every object has as they are."""
    return {*dir(thing)} - {*dir(type("Empty", (), {}))} | {*vars(thing)} & {"__init__"}


def names() -> dict[str, set[str]]:
    """The names that concern a Function, by what has them."""
    plain = type("Plain", (Function,), {"forward": staticmethod(lambda ctx, x: x.clone())})
    live = plain.apply(torch.ones(1, requires_grad=True)).grad_fn
    return {
        "torch.autograd.function": defined(function),
        "torch.autograd.graph": defined(graph),
        "torch.autograd.Function": belonging(Function),
        "a live ctx": belonging(live),
    }


def sections(lang: str) -> dict[str, str]:
    """Id and title of each section of the reference but for those of what is gone."""
    uris = [uri for uri in pages.pages(lang) if uri.startswith("reference/") and uri != GONE]
    return {
        heading.id: search_index.plain(heading.words).strip("()")
        for page in readable(lang, uris)
        for heading in page.headings
        if heading.level > 1 and heading.id
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_name_has_a_section_or_a_line_that_says_why_not_and_is_there(lang):
    uri, identifier = LIST
    place = f"docs/{lang}/{uri}#{identifier}"
    titles, existing = {*sections(lang).values()}, set().union(*names().values())
    bold = soup(pages.pages(lang)[uri]).select(f"#{identifier} ~ ul > li > strong code")
    listed = {code.get_text() for code in bold}
    problems = [
        f"docs/{lang}/reference: no section for `{name}` of {owner}, and no line in {place}"
        for owner, of_owner in names().items()
        for name in sorted(of_owner - titles - listed)
    ]
    problems += [
        f"docs/{lang}/reference: `{title}` is no longer there; move its section to gone.md"
        for key, title in sections(lang).items()
        if key == title.lower() and title not in existing
    ]
    problems += [
        f"{place}: `{name}` is not there, or has a section" for name in listed - (existing - titles)
    ]
    report_of_torch(problems)
