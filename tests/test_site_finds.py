"""What readers type leads to the page that answers, among the first two results, and to its
section, if tests/searches.csv names one, among the first three that the result lists below it."""

import csv
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError
from problems import report

from handbook import pages
from handbook.places import LANGUAGES

TABLE = Path(__file__).with_name("searches.csv")
FIRST, SECTIONS = 2, 3
RESULTS = """() => [...document.querySelectorAll(".md-search-result__item")].map(
  item => [...item.querySelectorAll(".md-search-result__link")].map(
    link => link.href.replace(/[?][^#]*/, "")))"""
"""The addresses of each result: the page, then its sections, the best first; all but that are
folded away under "more on this page", where a reader looks at a few."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_search_leads_to_the_page_and_the_section_that_answer(reader, public, lang):
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [
            (n, row) for n, row in enumerate(csv.DictReader(file), 2) if row["language"] == lang
        ]
    start = f"{public.url}{lang}/"
    page = reader(public, viewport={"width": 1280, "height": 900})
    page.goto(start, wait_until="networkidle")
    box = page.locator("[data-md-component=search-query]")
    box.click()
    problems = []
    for number, row in rows:
        box.fill("")
        page.wait_for_function("!document.querySelector('.md-search-result__item')")
        box.fill(row["query"])
        box.dispatch_event("keyup")
        with suppress(TimeoutError):
            page.locator(".md-search-result__item").first.wait_for()
        found = page.evaluate(RESULTS)[:FIRST]
        seen = [link.removeprefix(start) for links in found for link in links[: 1 + SECTIONS]]
        wanted = pages.url(row["page"], "") + (row["section"] and f"#{row['section']}")
        if wanted not in seen:
            problems.append(
                f"tests/searches.csv:{number}: {row['query']!r} leads not to {wanted or '/'} "
                f"but to {', '.join(seen) or 'nothing'}"
            )
    report(problems)
