"""A page has one name: its title, which the cards of the start page and the navigation repeat."""

from collections.abc import Iterator

from problems import report

from handbook import pages
from handbook.places import LANGUAGES


def sections(lang: str) -> Iterator[tuple[str, str]]:
    """What the navigation calls a section that has a page of its own, and that page."""

    def below(items: list) -> Iterator[tuple[str, str]]:
        for item in items:
            for name, inner in item.items() if isinstance(item, dict) else ():
                if isinstance(inner, list):
                    if str(inner[0]).endswith("/index.md"):
                        yield name, inner[0]
                    yield from below(inner)

    yield from below(pages.config(lang).nav)


def test_navigation_and_cards_call_a_page_by_its_title(uris):
    problems = []
    for lang in LANGUAGES:
        there = [page for page in pages.readable(lang, uris) if page.headings]
        title = {page.uri: page.headings[0][2] for page in there}
        named = [(f"mkdocs.{lang}.yml:1: nav", *pair) for pair in sections(lang)]
        for start in pages.readable(lang, ["index.md"]):
            for link in start.soup.select(".grid :is(li, .card) > p:first-child > a"):
                where = f"{start.shown}:{start.line_of('](' + link['href'])}: a card"
                named.append((where, link.get_text(), link["href"]))
        problems += [
            f"{where} calls {uri} {name!r}; its title is {title[uri]!r}"
            for where, name, uri in named
            if name != title.get(uri, name)
        ]
    report(problems)
