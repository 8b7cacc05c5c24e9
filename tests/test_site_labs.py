"""A lab is a page like any other: mkdocs-jupyter's stylesheet and scripts are not on it."""

import gzip
import re

import pytest

from handbook import pages
from handbook.places import LANGUAGES

KILOBYTES = 60


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("uri", [*filter(pages.is_lab, pages.pages("en"))])
def test_a_lab_weighs_little_and_is_made_of_notebook_cells(public, lang, uri):
    html = (public.folder / lang / pages.url(uri, "") / "index.html").read_text(encoding="utf-8")
    assert html.count("jp-CodeCell"), "not rendered as a notebook"
    without_figures = re.sub(r"<svg[^>]*class=\"plot\".*?</svg>", "", html, flags=re.DOTALL)
    weight = len(gzip.compress(without_figures.encode("utf-8"))) / 1000
    assert weight <= KILOBYTES, f"{uri}: {weight:.0f} kB gzipped without its figures"
    assert "<style" not in html.partition("<article")[2].partition("</article>")[0]
