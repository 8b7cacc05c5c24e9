"""What readers type leads to the page that answers: among the first two results, as
tests/searches.csv has it."""

import csv
from pathlib import Path

import pytest
from problems import report

from handbook import pages
from handbook.places import LANGUAGES

TABLE = Path(__file__).with_name("searches.csv")
FIRST = 2
RESULTS = """() => [...document.querySelectorAll(".md-search-result__item")].map(
  item => item.querySelector(".md-search-result__link").href.replace(/[?#].*/, ""))"""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_search_leads_to_the_page_that_answers(reader, public, lang):
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [
            (n, row) for n, row in enumerate(csv.DictReader(file), 2) if row["language"] == lang
        ]
    page = reader(public, viewport={"width": 1280, "height": 900})
    page.goto(f"{public.url}{lang}/", wait_until="networkidle")
    box = page.locator("[data-md-component=search-query]")
    box.click()
    problems = []
    for number, row in rows:
        box.fill("")
        page.wait_for_function("!document.querySelector('.md-search-result__item')")
        box.fill(row["query"])
        box.dispatch_event("keyup")
        page.locator(".md-search-result__item").first.wait_for()
        found = page.evaluate(RESULTS)[:FIRST]
        wanted = f"{public.url}{lang}/{pages.url(row['page'], '')}"
        if wanted not in found:
            names = ", ".join(address.removeprefix(f"{public.url}{lang}/") for address in found)
            problems.append(f"tests/searches.csv:{number}: {row['query']!r} leads to {names}")
    report(problems)
