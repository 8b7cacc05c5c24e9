"""Folded exceptions open for whoever looks for them: from a search result, in print, in copies."""

import re

import pytest

from handbook import pages
from handbook.pages import EXCEPTIONS, Page
from handbook.places import LANGUAGES


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z_]{5,}", text.lower()))


def folded_word(page: Page) -> tuple[str, str] | None:
    """A section of a page with exceptions, and a word that only its folded block has."""
    for block in page.soup.select("details.exceptions"):
        rest = []
        for before in block.find_previous_siblings():
            rest.append(before.get_text())
            if re.fullmatch("h[1-6]", before.name):
                # What the section includes is on the page and not in this soup: programs, tables.
                only = sorted(words(block.get_text()) - words(" ".join(rest)))
                plain = [word for word in only if "program" not in word and "_" not in word]
                if plain:
                    return before["id"], plain[0]
                break
    return None


@pytest.fixture(params=LANGUAGES)
def example(request: pytest.FixtureRequest) -> tuple[str, str, str]:
    """The address of a page, a section of it, and a word of its folded exceptions."""
    lang = request.param
    for uri, page in pages.pages(lang).items():
        found = folded_word(page)
        if found:
            return (f"{lang}/{pages.url(uri, '')}", *found)
    pytest.fail(f"no page of {lang} has folded exceptions")


def is_open(page: object, section: str) -> bool:
    return page.evaluate(
        """id => {
          let element = document.getElementById(id).nextElementSibling
          while (!element.matches("details.exceptions")) element = element.nextElementSibling
          return element.open
        }""",
        section,
    )


def test_a_search_result_in_folded_exceptions_opens_them(reader, public, example):
    url, section, word = example
    page = reader(public)
    page.goto(f"{public.url}{url}#{section}", wait_until="networkidle")
    assert not is_open(page, section)
    page.goto("about:blank")
    page.goto(f"{public.url}{url}?h={word}#{section}", wait_until="networkidle")
    assert is_open(page, section), word
    page.goto("about:blank")
    page.goto(f"{public.url}{url}?h=nosuchword#{section}", wait_until="networkidle")
    assert not is_open(page, section)


def test_folded_exceptions_open_in_print_and_without_javascript(reader, public, example):
    url, *_ = example
    page = reader(public, java_script_enabled=False)
    page.goto(f"{public.url}{url}")
    bullet = page.locator("details.exceptions li").first
    assert not bullet.is_visible()
    page.locator("details.exceptions summary").first.click()
    assert bullet.is_visible()
    page.locator("details.exceptions summary").first.click()
    page.emulate_media(media="print")
    assert bullet.is_visible()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_copy_of_a_page_has_its_exceptions(public, lang):
    for uri, page in pages.pages(lang).items():
        titles = [tag.summary.get_text() for tag in page.soup.select("details.exceptions")]
        folder = public.folder / lang
        copies = [
            folder / pages.url(uri, "") / "index.md",
            folder / "notebooks" / uri.replace(".md", ".ipynb"),
        ]
        for copy in copies if titles else ():
            text = copy.read_text(encoding="utf-8")
            assert text.count(f"**{EXCEPTIONS[lang]}") == len(titles), copy
            assert "??? exceptions" not in text, copy
