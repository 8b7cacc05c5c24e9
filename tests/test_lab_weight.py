"""A lab is a page like any other: mkdocs-jupyter's stylesheet and scripts are not on it."""

from __future__ import annotations

import gzip
import re

import pages
import pytest

from conftest import UNDER_A_PATH

pytestmark = pytest.mark.parametrize("site", [UNDER_A_PATH], ids=["under-a-path"], indirect=True)
LABS = [
    f"{page.lang}/{page.uri.removesuffix('.md')}"
    for page in pages.all_pages()
    if page.uri.startswith("labs/") and not page.uri.endswith("index.md")
]
KILOBYTES = 60


@pytest.mark.parametrize("lab", LABS)
def test_a_lab_weighs_little_and_is_made_of_notebook_cells(site, lab):
    html = (site.folder / lab / "index.html").read_text(encoding="utf-8")
    assert html.count("jp-CodeCell"), "not rendered as a notebook"
    without_figures = re.sub(r"<svg[^>]*class=\"plot\".*?</svg>", "", html, flags=re.DOTALL)
    weight = len(gzip.compress(without_figures.encode("utf-8"))) / 1000
    assert weight <= KILOBYTES, f"{lab}: {weight:.0f} kB gzipped without its figures"
    assert "<style" not in html.partition("<article")[2].partition("</article>")[0]
