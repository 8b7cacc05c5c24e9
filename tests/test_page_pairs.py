"""Both languages have the same pages, built alike, in the same order; each page has one name. That
the navigation names every page, and only pages that exist, MkDocs's strict build says."""

from collections.abc import Iterator
from itertools import zip_longest

import pytest
from problems import report

from handbook import pages
from handbook.pages import Page
from handbook.places import LANGUAGES

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


def test_the_navigation_has_one_order_in_both_languages_and_names_a_page_once():
    zh, en = map(pages.navigation, LANGUAGES)
    problems = [
        f"mkdocs.{lang}.yml:1: nav names {uri} twice; once is enough"
        for lang, named in (("zh", zh), ("en", en))
        for uri in dict.fromkeys(named)
        if named.count(uri) > 1
    ]
    if not problems and zh != en:
        ours, theirs = next(sides for sides in zip_longest(zh, en) if sides[0] != sides[1])
        problems = [f"mkdocs.zh.yml, mkdocs.en.yml: nav differs: {ours} here, {theirs} there"]
    report(problems)


def sections(items: list) -> Iterator[tuple[str, str]]:
    """The names that the navigation gives to sections with a page of their own, and that page."""
    for item in items:
        for name, inner in item.items() if isinstance(item, dict) else ():
            if isinstance(inner, list):
                if str(inner[0]).endswith("/index.md"):
                    yield name, inner[0]
                yield from sections(inner)


def test_the_navigation_calls_a_page_by_its_title(readable):
    title = {(page.lang, page.uri): page.headings[0][2] for page in readable if page.headings}
    report(
        f"mkdocs.{lang}.yml:1: nav calls {uri} {name!r}; its title is {title[lang, uri]!r}"
        for lang in LANGUAGES
        for name, uri in sections(pages.config(lang).nav)
        if name != title.get((lang, uri), name)
    )
