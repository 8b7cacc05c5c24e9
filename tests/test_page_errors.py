"""Error messages: the index lists every section, and an id that forums may link to stays.

tests/error_ids.txt has the ids. One may leave it only with a line that says where it went:
`troubleshooting/errors/old.md#id -> troubleshooting/errors/new.md#id`.
"""

import csv
from pathlib import Path

from problems import report

from handbook import pages
from handbook.places import LANGUAGES, TABLES

FOLDER = "troubleshooting/errors/"
INDEX = f"{FOLDER}index.md"
PUBLIC = Path(__file__).with_name("error_ids.txt")


def sections(lang: str) -> dict[str, int]:
    """The level of every section of an error page, by its address."""
    return {
        f"{uri}#{identifier}": level
        for uri, page in pages.pages(lang).items()
        if uri.startswith(FOLDER) and uri != INDEX and not page.problem
        for level, identifier, _ in page.headings
        if level > 1 and identifier != "next"
    }


def test_the_index_lists_every_section():
    problems = []
    for lang in LANGUAGES:
        index = pages.pages(lang)[INDEX]
        linked = {f"{uri}#{anchor}" for uri, anchor, _ in index.links}
        problems += [
            f"{index.shown}:1: does not list {address}; add a row"
            for address, level in sections(lang).items()
            if level == 2 and address not in linked
        ]
    report(problems)


def test_every_section_is_that_of_a_message_of_the_table():
    """docs/tables/messages.csv, which names the sections that are still to be written, too."""
    with (TABLES / "messages.csv").open(encoding="utf-8", newline="") as file:
        known = {row["which"] for row in csv.DictReader(file) if row["verdict"] == "section"}
    report(
        f"docs/*/{address}: no message of docs/tables/messages.csv has this section; give one it"
        for address, level in sections("en").items()
        if level == 2 and address.partition("#")[2] not in known
    )


def test_a_public_id_stays_or_says_where_it_went():
    there = sections("en")
    listed = PUBLIC.read_text(encoding="utf-8").split("\n")[:-1]
    problems = []
    for number, line in enumerate(listed, 1):
        old, _, new = line.partition(" -> ")
        if (new or old) not in there:
            problems.append(f"tests/error_ids.txt:{number}: there is no {new or old}")
    known = {line.partition(" -> ")[0] for line in listed}
    problems += [
        f"tests/error_ids.txt:1: {address} is new; add its line"
        for address in there
        if address not in known
    ]
    report(problems)


def test_a_message_stands_as_it_is_printed():
    """Underscores and stars of a message are no emphasis."""
    report(
        f"{page.shown}:{page.line_of(tag.get_text())}: "
        f"{tag.parent.get_text()!r} has emphasis; write \\_ or \\*"
        for lang in LANGUAGES
        for uri, page in pages.pages(lang).items()
        if uri.startswith(FOLDER) and not page.problem
        for tag in page.soup.select(":is(h2, h3, td) :is(strong, em)")
    )
