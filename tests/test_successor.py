"""Zensical, Material's successor, builds the same site from the same composed pages: nothing that
the pages say, show and link to is lost. README.md names what is lost beside that.

Skipped only where Zensical can't be installed, with a warning."""

import os
import re
import subprocess
import sys
import warnings
from urllib.parse import urljoin

import pytest
from documents import Document
from problems import first_difference, report
from test_site_html import MARKED, link_problems, missing_page_problems

from conftest import Site
from handbook import pages
from handbook.pages import Page
from handbook.places import CACHE, LANGUAGES, ROOT

NOT_AVAILABLE = re.compile(
    "^ERROR: (?:No matching distribution|Could not install packages|HTTP error).*", re.MULTILINE
)
BLOCKS = {"div", "details", "table", "figure"}


@pytest.fixture(scope="session")
def zensical() -> Site:
    """The site as `make zensical` builds it."""
    made = subprocess.run(
        ["make", "zensical", f"PYTHON={sys.executable}"],
        cwd=ROOT, env={**os.environ, "NO_COLOR": "1"}, timeout=400,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    reason = NOT_AVAILABLE.search(made.stdout)
    if made.returncode and reason:
        message = f"not tested: Zensical can't be installed: {reason[0]}"
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    if made.returncode:
        pytest.fail(f"make zensical:\n{made.stdout}", pytrace=False)
    address = os.environ.get("SITE_URL", "http://127.0.0.1:8000/")
    return Site(CACHE / "zensical" / "site", address)


def test_every_link_leads_to_a_page_and_404_to_both_languages(zensical):
    problems = [problem for file in zensical.html() for problem in link_problems(zensical, file)]
    report([*problems, *missing_page_problems(zensical)])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_says_shows_and_links_to_the_same(public, zensical, lang):
    problems = []
    for page in pages.pages(lang).values():
        theirs = facts(zensical, page)
        problems += [
            f"{page.shown}:1: {what} differ, at {first_difference(ours, theirs[what])}"
            for what, ours in facts(public, page).items()
            if ours != theirs[what]
        ]
    names = ("notebooks/**/*.ipynb", "programs/**/*.py", "**/index.md")
    folder = public.folder / lang
    files = [file.relative_to(folder) for name in names for file in folder.glob(name)]
    assert len(files) > len(pages.pages(lang))
    for file in files:
        copy = zensical.folder / lang / file
        if not copy.is_file() or copy.read_bytes() != (folder / file).read_bytes():
            problems.append(f"{lang}/{file} is missing or differs")
    report(problems)


def facts(site: Site, page: Page) -> dict[str, list]:
    """What a built page has, by kind; nothing where it was not built."""
    file = site.folder / page.lang / pages.url(page.uri, "") / "index.html"
    address = site.address(file)
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    head, _, rest = text.partition("<article")
    article = rest.partition("</article>")[0]
    article = re.sub(r'<form class="paste">.*?</form>', "", article, flags=re.DOTALL)
    tags = [tag for tag in Document(article).tags if tag.given.get("id") != "__skip"]
    head_tags = Document(head).tags
    return {
        "words": re.sub(r"<[^>]+>", " ", article).split(),
        "ids": [tag.given["id"] for tag in tags if "id" in tag.given],
        "links": [urljoin(address, tag.given.get("href", "")) for tag in tags if tag.name == "a"],
        "kinds of block": [tag.given.get("class") for tag in tags if tag.name in BLOCKS],
        "marked lines": MARKED.findall(article),
        "pictures": [tag.given.get("class") for tag in tags if tag.name in ("svg", "math")],
        "addresses in the head": [tag.given.get("href") for tag in head_tags if "rel" in tag.given
                                  and tag.rel & {"canonical", "alternate"}],
        "properties in the head": [tag.given for tag in head_tags if "property" in tag.given],
    }  # fmt: skip
