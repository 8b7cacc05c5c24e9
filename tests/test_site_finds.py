"""What readers type leads to the page that answers, among the first two results, and to its
section, if tests/searches.csv names one, among the first three that the result lists below it.
The beginning of an error's message leads to its section at once."""

import csv
import re
from pathlib import Path

import pytest
from problems import report

from handbook import pages
from handbook.places import LANGUAGES

TABLE = Path(__file__).with_name("searches.csv")
FIRST, SECTIONS = 2, 3
SEARCH = """async queries => {
  const { base, search } = JSON.parse(document.getElementById("__config").textContent)
  const worker = new Worker(new URL(search, location))
  const ask = message => new Promise((then, failed) => {
    worker.onmessage = answer => then(answer.data)
    worker.onerror = failed
    worker.postMessage(message)
  })
  const index = await fetch(new URL(`${base}/search/search_index.json`, location))
  await ask({ type: 0, data: { ...await index.json(), options: {} } })
  const found = []
  for (const query of queries) {
    const { items } = (await ask({ type: 2, data: query })).data
    found.push(items.map(sections => sections.map(section => section.location)
      .sort((a, b) => a.includes("#") - b.includes("#"))))
  }
  return found
}"""
"""Asks the search worker as the theme's script does. Of an answer the theme shows each page with its
best sections and folds the others away under "more on this page", where a reader looks at a few."""


@pytest.fixture
def search(reader, public):
    """Answers, for one language, what the search finds for each of some queries."""

    def of(lang: str, queries: list[str]) -> list[list[list[str]]]:
        page = reader(public)
        page.goto(f"{public.url}{lang}/", wait_until="networkidle")
        return page.evaluate(SEARCH, queries)

    return of


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_search_leads_to_the_page_and_the_section_that_answer(search, lang):
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [
            (n, row) for n, row in enumerate(csv.DictReader(file), 2) if row["language"] == lang
        ]
    answers = search(lang, [row["query"] for _, row in rows])
    problems = []
    for (number, row), found in zip(rows, answers, strict=True):
        seen = [link for links in found[:FIRST] for link in links[: 1 + SECTIONS]]
        wanted = pages.url(row["page"], "") + (row["section"] and f"#{row['section']}")
        if wanted not in seen:
            problems.append(
                f"tests/searches.csv:{number}: {row['query']!r} leads not to {wanted or '/'} "
                f"but to {', '.join(seen) or 'nothing'}"
            )
    report(problems)


def beginnings(lang: str) -> dict[str, str]:
    """Of every message that is a heading, the shortest beginning that ends at a word and is that
    of no other, forty characters at least where it has them; by the address of its section."""
    messages = {
        f"{pages.url(uri, '')}#{identifier}": text.strip()
        for uri, page in pages.pages(lang).items()
        if uri.startswith("troubleshooting/errors/") and not uri.endswith("index.md")
        for level, identifier, text in page.headings
        if level == 2 and identifier != "next"
    }
    said = {where: re.findall(r"\w+", message) for where, message in messages.items()}
    found = {}
    for address, message in messages.items():
        others = [words for where, words in said.items() if where != address]
        ends = [word.end() for word in re.finditer(r"\w+", message)]
        found[address] = next(
            (
                message[:end]
                for n, end in enumerate(ends, 1)
                if end >= 40 and not any(words[:n] == said[address][:n] for words in others)
            ),
            message,
        )
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_beginning_of_a_message_leads_to_its_section(search, lang):
    """The page itself always stands before its sections."""
    wanted_of = beginnings(lang)
    answers = search(lang, list(wanted_of.values()))
    problems = []
    for (wanted, query), found in zip(wanted_of.items(), answers, strict=True):
        first = next(iter(found), [])[:2]
        if wanted not in first:
            problems.append(f"{lang}: {query!r} leads not to {wanted} but to {', '.join(first)}")
    report(problems)
