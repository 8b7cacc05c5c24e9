"""Zensical, Material's successor, builds the composed pages: each is there, with its words. Skipped
where Zensical can't be installed. README.md names what is lost."""

import re
import subprocess
import sys

import pytest
from problems import report

from builder.content import pages
from builder.content.paths import CACHE, ROOT


def words(html: str) -> list[str]:
    article = html.partition("<article")[2].partition("</article>")[0]
    return re.sub(r'<form class="paste">.*?</form>|<[^>]+>', " ", article, flags=re.DOTALL).split()


def test_zensical_builds_every_page_with_its_words(public):
    command = ["make", "zensical", f"PYTHON={sys.executable}"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400)
    if made.returncode and "No matching distribution" in made.stderr:
        pytest.skip("Zensical can't be installed")
    assert not made.returncode, made.stdout + made.stderr
    files = [f"{page.lang}/{pages.url(page.uri, '')}index.html" for page in pages.every()]
    ours, theirs = public.folder, CACHE / "zensical" / "site"
    report(
        f"{file} is missing or has other words"
        for file in files
        if not (theirs / file).is_file()
        or words((theirs / file).read_text("utf-8")) != words((ours / file).read_text("utf-8"))
    )
