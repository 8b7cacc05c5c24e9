"""Under a program that does something else on other releases stands which, and a link to why."""

import re

import pytest
from problems import report

from handbook import changes, pages
from handbook.places import LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_program_that_differs_says_so_and_leads_to_its_change(public, lang):
    assert changes.differing()
    problems = []
    for uri, page in pages.pages(lang).items():
        html = (public.folder / lang / pages.url(uri, "") / "index.html").read_text("utf-8")
        lines = re.findall(r'<p class="script">(.*?)</p>', html, re.DOTALL)
        programs = [one.target for one in page.includes if one.is_program]
        if len(lines) != len(programs):
            problems.append(f"{page.shown}:1: {len(lines)} lines under {len(programs)} programs")
            continue
        for program, line in zip(programs, lines, strict=True):
            sides = [side for side in ("newer", "older") if (program, side) in changes.differing()]
            newest = sides and max(
                (release for side in sides for release in changes.differing()[program, side]),
                key=changes.number,
            )
            change = sides and changes.changes()[program, changes.side(newest)]
            told = re.search(r'href="[^"#]*#([\w-]+)">([\d.]+): ', line)
            if (told and [*told.groups()]) != (sides and [change, newest] or None):
                problems.append(f"{page.shown}:1: under {program} stands {line!r}")
    report(problems)
