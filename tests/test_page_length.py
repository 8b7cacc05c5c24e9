"""No page holds more programs than a reader gets through."""

from problems import report

from handbook import parts

PROGRAMS = 20


def test_no_page_has_more_than_twenty_programs(readable):
    report(
        f"{page.shown}:1: has {count} programs; at most {PROGRAMS} fit a page, move some or split"
        for page in readable
        if (count := len(parts.programs(page.text))) > PROGRAMS
    )
