"""No page is longer than a reader gets through."""

from copy import copy

from problems import report

from handbook import pages, parts

PROGRAMS = 20
WORDS = 1200
"""Of English prose on a page of learn/."""
PROSE = ["p", "li", "dt", "dd"]


def words(page: pages.Page) -> int:
    """How many words of prose a page has; code, tables, headings, pictures and folded blocks don't
    count."""
    body = copy(page.soup)
    for tag in body(["pre", "table", "figure", "details"]):
        tag.decompose()
    prose = [tag.get_text() for tag in body(PROSE) if not tag.find(PROSE)]
    return sum(len(text.split()) for text in prose if "--8<--" not in text)


def test_no_page_has_more_than_twenty_programs(readable):
    report(
        f"{page.shown}:1: has {count} programs; at most {PROGRAMS} fit a page, move some or split"
        for page in readable
        if (count := len(parts.programs(page.text))) > PROGRAMS
    )


def test_no_page_of_learn_has_more_than_1200_english_words(readable):
    report(
        f"{page.shown}:1: has {count} words; at most {WORDS} fit a page, shorten or fold some"
        for page in readable
        if page.lang == "en" and page.uri.startswith("learn/") and (count := words(page)) > WORDS
    )
