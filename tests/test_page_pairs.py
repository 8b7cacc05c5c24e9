"""Both languages have the same pages, built alike, and the navigation names each of them once."""

import difflib
from itertools import zip_longest

import pytest
from problems import report

from handbook import pages
from handbook.pages import Page
from handbook.places import LANGUAGES, ROOT

PAIRED = {
    "headings": lambda page: [(level, identifier) for level, identifier, _ in page.headings],
    "includes": lambda page: ["\n".join((*one.marks, one.target)) for one in page.includes],
    "links": lambda page: [f"{uri}#{anchor}" for uri, anchor, _ in page.links],
    "blocks": lambda page: page.blocks,
}
"""What both languages have alike, in the same order; compared where nothing is wrong with it."""


def test_both_languages_have_the_same_pages(uris):
    report(
        f"docs/{lang}/{uri}:1: has no counterpart; write docs/{other}/{uri} too"
        for lang, other in (LANGUAGES, LANGUAGES[::-1])
        for uri in uris
        if uri in pages.pages(lang) and uri not in pages.pages(other)
    )


@pytest.mark.parametrize("aspect", PAIRED)
def test_both_languages_have_the_same(aspect, uris):
    problems = []
    for uri in uris:
        pair = [page for lang in LANGUAGES for page in pages.readable(lang, [uri])]
        wrong = any(getattr(page, f"{aspect.removesuffix('s')}_problems") for page in pair)
        if wrong or len(pair) < len(LANGUAGES):
            continue
        for number, sides in enumerate(zip_longest(*map(PAIRED[aspect], pair)), 1):
            if sides[0] != sides[1]:
                places = [
                    f"  {page.shown}:{line_of(page, side)}: {side if side else 'nothing more'}"
                    for page, side in zip(pair, sides, strict=True)
                ]
                problems.append(
                    f"{aspect} differ at number {number}; make them the same:\n" + "\n".join(places)
                )
                break
    report(problems)


def line_of(page: Page, side: object) -> int:
    """The line of a page to look at."""
    if side is None:
        return len(page.text.splitlines())
    if isinstance(side, tuple):
        return page.line_of("#", f"#{side[1]}")
    return page.line_of(str(side).rstrip("#").rpartition("/")[2])


def test_the_navigation_names_every_page_once(uris):
    named = pages.navigation()
    lines = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").splitlines()

    def where(text: str) -> str:
        line = next((n for n, line in enumerate(lines, 1) if text in line), 1)
        return f"mkdocs.yml:{line}: navigation"

    there = {uri for lang in LANGUAGES for uri in pages.pages(lang)}
    missing = sorted(there - {*named})
    problems = [
        f"{where(uri)} names {uri} twice; once is enough"
        for uri in sorted({*named})
        if named.count(uri) > 1
    ]
    for uri in [uri for uri in named if uri not in there]:
        meant = difflib.get_close_matches(uri, missing, 1)
        missing = [other for other in missing if other not in meant]
        guess = "".join(f"; is it {other}?" for other in meant)
        problems.append(f"{where(uri)} names {uri}; there is no such page{guess}")
    problems += [
        f"{where('navigation:')} does not name {uri}; add it" for uri in missing if uri in uris
    ]
    report(problems)
