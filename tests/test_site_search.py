"""The search of each language: what its index holds, what the browser fetches, and which pages
and sections the queries of tests/searches.csv and error messages find."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from problems import report

from builder.content import pages
from builder.content.paths import LANGUAGES, rows
from builder.publishing import error_pages

TABLE = Path(__file__).with_name("searches.csv")
FIRST, SECTIONS = 2, 3
"""The page has to be among the first results, its section among the first that a result lists."""

MOST = 160_000
"""Bytes of an index, gzipped."""

MOST_AT_FIRST = 2_000
"""Bytes of the settings and of the worker, which come with every page."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_index_is_small_and_has_every_page_in_its_language_only(public, lang):
    text = public.text(f"{lang}/search/index.js")
    size = len(gzip.compress(text.encode()))
    assert size <= MOST, f"{size} bytes; let results show less: SHOWN of search_index.py"
    assert not (public.folder / "search").exists(), "the root page needs no index"
    shown: dict[str, str] = {}
    for entry in json.loads(text.removeprefix("self.INDEX="))["entries"]:
        address = entry["location"].partition("#")[0]
        shown[address] = shown.get(address, "") + entry["text"]
    assert shown.keys() == {pages.url(uri, "") for uri in pages.pages(lang)}
    chinese = {address for address, words in shown.items() if re.search("[一-鿿]", words)}
    assert chinese == ({"glossary/"} if lang == "en" else shown.keys())


def test_the_index_is_fetched_with_the_first_query_and_a_result_marks_what_was_asked(visit, public):
    requests = []
    page = visit("en/")
    page.on("request", lambda request: requests.append(request.url.removeprefix(public.url)))

    def of_the_search() -> list[str]:
        return sorted(name for name in requests if "search" in name and "?" not in name)

    at_first = ["en/assets/search/worker.js", "en/search/search_index.json"]
    page.goto(f"{public.url}en/learn/ctx-vs-self/", wait_until="networkidle")
    box = page.locator("[data-md-component=search-query]")
    box.click()
    page.wait_for_load_state("networkidle")
    assert of_the_search() == at_first
    for name in at_first:
        assert (public.folder / name).stat().st_size <= MOST_AT_FIRST, name
    box.press_sequentially("mark_di")
    expect(page.locator("[data-md-component=search-suggest]")).to_have_text("mark_dirty")
    box.press_sequentially("rty")
    first = page.locator(".md-search-result__link").first
    expect(first).to_have_attribute("href", re.compile("h=mark_dirty$|h=mark_dirty#"))
    later = ["en/assets/minisearch/minisearch.js", "en/assets/search/query.js"]
    assert of_the_search() == sorted([*at_first, *later, "en/search/index.js"])
    address = first.get_attribute("href")
    first.click()  # by instant navigation
    expect(page).to_have_url(address)
    requests.clear()
    page.goto(address, wait_until="networkidle")
    page.locator("article mark").first.wait_for()
    assert of_the_search() == at_first


def wanted(lang: str) -> Iterator[tuple[str, str, int, int]]:
    """Every query, the address that answers it, and among how many results and their links it is:
    those of the table, and each message that is a heading, as readers paste it."""
    for row in rows(TABLE):
        if row["language"] == lang:
            section = row["section"] and f"#{row['section']}"
            yield row["query"], pages.url(row["page"], "") + section, FIRST, 1 + SECTIONS
    for page in filter(error_pages.is_one, pages.pages(lang).values()):
        for section in error_pages.sections(page):
            yield section.message, f"{pages.url(page.uri, '')}#{section.heading.id}", 1, 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_query_leads_to_the_page_and_the_section_that_answer(visit, lang):
    """Of a message, as readers paste it, the page itself always stands before its sections."""
    queries = [*wanted(lang)]
    answers = visit(f"{lang}/").evaluate("looks.answers", [query for query, *_ in queries])
    report(
        f"tests/searches.csv, docs/{lang}: {query!r} leads to {links}, not {address!r}"
        for (query, address, first, most), answer in zip(queries, answers, strict=True)
        if address not in (links := [link for links in answer[:first] for link in links[:most]])
    )
