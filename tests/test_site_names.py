"""A long name in a table may break after an underscore: on a phone no column is lost to it."""

import re

import pytest
from problems import report

from handbook import pages
from handbook.places import LANGUAGES

CELL = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_of_several_words_may_break_in_a_table(public, lang):
    problems, broken = [], 0
    for uri in pages.pages(lang):
        html = (public.folder / lang / pages.url(uri, "") / "index.html").read_text("utf-8")
        cells = "".join(cell[0] for cell in CELL.finditer(html))
        broken += cells.count("_<wbr>")
        problems += [
            f"{lang}/{uri}: {name} can't break"
            for name in re.findall(r"<code>([a-z]+_[a-z]+_[a-z_]+)</code>", cells)
        ]
    report(problems)
    assert broken
