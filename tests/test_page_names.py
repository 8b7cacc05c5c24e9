"""A page has one name: its title, which the navigation repeats."""

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


def test_the_navigation_calls_a_page_by_its_title(uris):
    problems = []
    for lang in LANGUAGES:
        there = [page for page in pages.readable(lang, uris) if page.headings]
        title = {page.uri: page.headings[0][2] for page in there}
        named = [(f"mkdocs.{lang}.yml:1: nav", *pair) for pair in sections(lang)]
        problems += [
            f"{where} calls {uri} {name!r}; its title is {title[uri]!r}"
            for where, name, uri in named
            if name != title.get(uri, name)
        ]
    report(problems)
