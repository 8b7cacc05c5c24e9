"""Zensical, Material's successor, builds the same site from the same composed pages: nothing that
the pages say, show and link to is lost. README.md names what is lost beside that.

Skipped only where Zensical can't be installed, with a warning."""

import os
import re
import shutil
import signal
import subprocess
import sys
import warnings
from itertools import zip_longest
from urllib.parse import urljoin

import pytest
from documents import Document
from problems import report
from test_site_html import JSON_LD, MARKED, link_problems, missing_page_problems

from conftest import Site
from handbook import pages
from handbook.pages import Page
from handbook.places import CACHE, LANGUAGES, ROOT

NOT_AVAILABLE = re.compile(
    r"^(?:ERROR: (?:No matching distribution|Could not install packages|HTTP error)|no make).*",
    re.MULTILINE,
)
BLOCKS = {"div", "details", "table", "figure"}


def make(target: str) -> tuple[int, str]:
    """The exit status of make and all that it printed. After 200 seconds make and all that it
    started are killed, and the status is 1."""
    if not shutil.which("make"):
        return 1, "no make"
    process = subprocess.Popen(
        ["make", target, f"PYTHON={sys.executable}"],
        cwd=ROOT, env={**os.environ, "NO_COLOR": "1"}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=200)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return 1, f"{process.communicate()[0]}\nno make {target} within 200 seconds"
    return process.returncode, output


@pytest.fixture(scope="session")
def zensical() -> Site:
    """The site as `make zensical` builds it."""
    status, output = make(".cache/zensical-env/installed")
    reason = NOT_AVAILABLE.search(output)
    if status and reason:
        message = f"not tested: Zensical can't be installed: {reason[0]}"
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    if not status:
        status, output = make("zensical")
    if status:
        pytest.fail(f"make zensical:\n{output}", pytrace=False)
    address = os.environ.get("SITE_URL", "http://127.0.0.1:8000/")
    return Site(CACHE / "zensical" / "site", address)


def test_every_link_leads_to_a_page_and_404_to_both_languages(zensical):
    problems = [problem for file in zensical.html() for problem in link_problems(zensical, file)]
    report([*problems, *missing_page_problems(zensical)])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_says_shows_and_links_to_the_same(public, zensical, lang):
    report(
        f"{page.shown}:1: {what} differ, at {difference(ours, theirs)}"
        for page in pages.pages(lang).values()
        for (what, ours), theirs in zip(
            facts(public, page).items(), facts(zensical, page).values(), strict=True
        )
        if ours != theirs
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_notebook_script_and_copy_is_there(public, zensical, lang):
    folder = public.folder / lang
    names = ("notebooks/**/*.ipynb", "programs/**/*.py", "**/index.md")
    files = [file.relative_to(folder) for name in names for file in folder.glob(name)]
    assert len(files) > len(pages.pages(lang))
    report(
        f"{lang}/{file} is missing or differs"
        for file in files
        if not (zensical.folder / lang / file).is_file()
        or (zensical.folder / lang / file).read_bytes() != (folder / file).read_bytes()
    )


def facts(site: Site, page: Page) -> dict[str, list]:
    """What a built page has, by kind; nothing where it was not built."""
    file = site.folder / page.lang / pages.url(page.uri, "") / "index.html"
    address = site.address(file)
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    head, _, rest = text.partition("<article")
    article = rest.partition("</article>")[0]
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
        "answers for search engines": JSON_LD.findall(head),
    }  # fmt: skip


def difference(ours: list, theirs: list) -> str:
    pairs = zip_longest(ours, theirs, fillvalue="nothing")
    one, other = next(pair for pair in pairs if pair[0] != pair[1])
    return f"{one!r}, which is {other!r} there"
