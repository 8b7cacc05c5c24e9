"""The lines that a page marks are marked where a reader sees them, in labs too."""

import html
import re

import pytest
from problems import report

from handbook import pages
from handbook.places import LANGUAGES

MARKED = re.compile(r'<span class="hll">(.*?)\n</span>', re.DOTALL)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_line_that_is_marked_shows_it(public, lang):
    problems, all_marked = [], []
    for uri, page in pages.pages(lang).items():
        wanted = []
        for one in (one for one in page.includes if one.is_program):
            code = one.file.read_text(encoding="utf-8").splitlines()
            wanted += [code[number].strip() for number in one.marked()]
        built = (public.folder / lang / pages.url(uri, "") / "index.html").read_text("utf-8")
        found = [
            html.unescape(re.sub(r"<[^>]+>", "", line)).strip() for line in MARKED.findall(built)
        ]
        all_marked += found
        if found != wanted:
            problems.append(f"{page.shown}:1: marks {wanted}, the site {found}")
    report(problems)
    assert all_marked, "no page marks a line"
