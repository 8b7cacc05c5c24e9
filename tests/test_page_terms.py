"""One Chinese term for each concept: those of docs/tables/terms.csv, in both glossaries and, where
a variant is ruled out, on every page; and a glossary explains what the pages say."""

import csv
import re

import pytest
from bs4 import Tag
from markdown.extensions.toc import slugify
from problems import report

from handbook import pages
from handbook.places import LANGUAGES, TABLES, shown

TABLE = TABLES / "terms.csv"


@pytest.fixture(scope="module")
def terms() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def entries(lang: str) -> dict[tuple[str, str], Tag]:
    """The entries of a glossary by their English and Chinese."""
    page = pages.pages(lang)["glossary.md"]
    found = {}
    for entry in page.soup.find_all("dt"):
        term = entry.strong.get_text()
        other = entry.get_text().removeprefix(term).rstrip(" ★").strip()[1:-1]
        found[(term, other) if lang == "en" else (other, term)] = entry
    return found


def place(page: pages.Page, entry: Tag) -> str:
    term = entry.strong.get_text()
    return f"{page.shown}:{page.line_of(f'**{term}**')}: {term!r}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_glossary_has_the_terms_of_the_table(lang, terms):
    page = pages.pages(lang)["glossary.md"]
    known = {(term["English"], term["中文"]) for term in terms}
    there = entries(lang)
    assert there
    report(
        f"{place(page, entry)} is not so in {shown(TABLE)}"
        for pair, entry in there.items()
        if pair not in known
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_entry_of_a_glossary_has_the_id_that_its_english_name_gives(lang):
    page = pages.pages(lang)["glossary.md"]
    wanted = {pair: slugify(pair[0].partition(",")[0], "-") for pair in entries(lang)}
    report(
        f"{place(page, entry)} has the id {entry.get('id')!r}; end it with {{ #{wanted[pair]} }}"
        for pair, entry in entries(lang).items()
        if entry.get("id") != wanted[pair]
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_entry_of_a_glossary_is_a_word_that_a_page_uses(lang):
    page = pages.pages(lang)["glossary.md"]
    others = [other for uri, other in pages.pages(lang).items() if uri != "glossary.md"]
    text = " ".join(other.text.lower() for other in others if not other.problem)
    problems = []
    for entry in page.soup.find_all("dt"):
        names = re.split("[、,] *", re.sub("（.*?）", "", entry.strong.get_text()).lower())
        problems += [
            f"{place(page, entry)}: no page says {name!r}; take it out, or use the word"
            for name in names
            if name not in text
        ]
    report(problems)


def test_no_chinese_page_uses_a_variant_that_is_ruled_out(uris, terms):
    """Headings that are messages of torch, and links to them, stay as torch prints them."""
    problems = []
    for page in pages.readable("zh", uris):
        for number, line in enumerate(page.text.splitlines(), 1):
            if page.uri.startswith("troubleshooting/errors/") and re.match(r"## |\| \[", line):
                continue
            for term in terms:
                for variant in filter(None, term["ruled out"].split("|")):
                    if variant in line:
                        problems.append(
                            f"{page.shown}:{number}: {variant!r}; write {term['中文']!r} "
                            f"({term['English']})"
                        )
    report(problems)
