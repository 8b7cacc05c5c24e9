"""Zensical, Material's successor, builds the same site from the same composed pages: nothing that
the pages say, show and link to is lost. README.md says what is.

Skipped only where Zensical can't be installed. Then a warning says so."""

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
from test_site_links import (  # noqa: F401 - what holds of our site holds of this one
    test_a_missing_page_is_answered_in_both_languages,
    test_every_internal_link_leads_somewhere,
)

from conftest import Site, built_site
from handbook import pages
from handbook.pages import Page
from handbook.places import CACHE, LANGUAGES, ROOT

NOT_TO_BE_HAD = re.compile(
    r"^ERROR: (?:No matching distribution|Could not install packages|HTTP error).*", re.MULTILINE
)
SPAN = re.compile(r"</?span[^>]*>")
TAG = re.compile(r"<[^>]+>")
MARKED = re.compile(r'<span class="hll">(.*?)\n</span>', re.DOTALL)
JSON_LD = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
BLOCKS = {"div", "details", "table", "figure"}


def make(target: str, seconds: int) -> tuple[int, str]:
    """The exit status and all that was said. Raises TimeoutExpired, and then nothing is left."""
    process = subprocess.Popen(
        ["make", target, f"PYTHON={sys.executable}"],
        cwd=ROOT, env={**os.environ, "NO_COLOR": "1"}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, said


def not_installed() -> str | None:
    """Why Zensical can't be installed here, if so; a failure of any other kind is one."""
    if not shutil.which("make"):
        return "make is missing"
    try:
        status, said = make(".cache/zensical-env/installed", 200)
    except subprocess.TimeoutExpired:
        return "pip did not end within 200 seconds"
    if status == 0:
        return None
    reason = NOT_TO_BE_HAD.search(said)
    if not reason:
        pytest.fail(said, pytrace=False)
    return reason[0]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site as MkDocs builds it."""
    return built_site(tmp_path_factory)


@pytest.fixture(scope="session")
def public() -> Site:
    """The site as `make zensical` builds it."""
    reason = not_installed()
    if reason:
        told = f"not tested: Zensical can't be installed: {reason}"
        warnings.warn(told, stacklevel=1)
        pytest.skip(told)
    status, said = make("zensical", 200)
    if status:
        pytest.fail(f"make zensical:\n{said}", pytrace=False)
    address = os.environ.get("SITE_URL", "http://127.0.0.1:8000/")
    return Site(CACHE / "zensical" / "site", address)


@pytest.fixture(scope="session")
def site(public: Site) -> Site:
    return public


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_says_shows_and_links_to_the_same(made, public, lang):
    problems = []
    for page in pages.pages(lang).values():
        ours, theirs = (facts(site, page) for site in (made, public))
        problems += [
            f"{page.shown}:1: {what} differ, at {difference(ours[what], theirs[what])}"
            for what in ours
            if ours[what] != theirs[what]
        ]
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_notebook_script_and_copy_is_there(made, public, lang):
    folder = made.folder / lang
    names = ("notebooks/**/*.ipynb", "programs/**/*.py", "**/index.md")
    files = [file.relative_to(folder) for name in names for file in folder.glob(name)]
    assert len(files) > len(pages.pages(lang))
    report(
        f"{lang}/{file} is missing or differs"
        for file in files
        if not (public.folder / lang / file).is_file()
        or (public.folder / lang / file).read_bytes() != (folder / file).read_bytes()
    )


def facts(site: Site, page: Page) -> dict[str, list]:
    """What a built page has, by kind; nothing where it was not built."""
    file = site.folder / page.lang / pages.url(page.uri, "") / "index.html"
    address = site.address(file)
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    head, _, rest = text.partition("<article")
    article = rest.partition("</article>")[0]
    tags = [tag for tag in Document(SPAN.sub("", article)).tags if tag.given.get("id") != "__skip"]
    head_tags = Document(head).tags
    return {
        "words": TAG.sub(" ", article).split(),
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
