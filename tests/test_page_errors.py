"""Error messages: the index lists every section, and each is that of a message of the table."""

import csv

from problems import report

from handbook import pages
from handbook.places import LANGUAGES, TABLES

FOLDER = "troubleshooting/errors/"
INDEX = f"{FOLDER}index.md"


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
