"""Zensical, Material's successor, builds the same site from the same configs and pages: nothing of
what the pages say, show and link to is lost on the way. What is lost, README.md says.

Skipped only where Zensical can't be installed; then a warning says so."""

import html
import os
import re
import shutil
import signal
import subprocess
import sys
import warnings
from itertools import zip_longest
from pathlib import Path

import pytest
from documents import document
from problems import report
from test_site_links import (  # noqa: F401 - what holds of our site holds of this one
    test_a_missing_page_is_answered_in_both_languages,
    test_every_internal_link_leads_somewhere,
)
from test_site_marks import test_every_line_that_is_marked_shows_it  # noqa: F401

from conftest import Site
from handbook import pages, snippets
from handbook.pages import Page
from handbook.places import CACHE, LANGUAGES, ROOT, SNIPPETS

NOT_TO_BE_HAD = re.compile(
    r"^ERROR: (?:No matching distribution|Could not install packages|HTTP error).*", re.MULTILINE
)
BLOCK = re.compile(
    r'<div class="language-(python|text) highlight"><pre>(.*?)</pre></div>', re.DOTALL
)


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
def test_every_page_and_the_id_of_every_heading_is_there(public, lang):
    problems = []
    for page in pages.pages(lang).values():
        file = built(public, page)
        if not file.is_file():
            problems.append(f"{page.shown}:1: there is no {file.relative_to(ROOT)}")
            continue
        there = {(tag.name, tag.given.get("id")) for tag in document(file).tags}
        for level, identifier, text in page.headings:
            if (f"h{level}", identifier) not in there:
                line = page.line_of("#", text.strip())
                problems.append(f"{page.shown}:{line}: no h{level} there has #{identifier}")
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_program_is_there_with_its_output_in_order(public, lang):
    problems = []
    for page in pages.pages(lang).values():
        shown = [(kind, lines(text(block))) for kind, block in BLOCK.findall(read(public, page))]
        wanted = []
        for one in page.includes:
            if one.is_program:
                program = snippets.read(SNIPPETS / one.target)
                wanted.append((one, "python", lines(program.code)))
                if program.output:
                    wanted.append((one, "text", lines(program.output)))
        for (one, *recorded), there in zip_longest(wanted, shown[: len(wanted)]):
            if there != tuple(recorded):
                problems.append(
                    f"{page.shown}:{one.line}: {one.target}: its {recorded[0]} block is not there"
                )
                break  # those that follow have moved
        if len(shown) > len(wanted):
            problems.append(f"{page.shown}:1: more blocks there than the page includes")
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_figure_formula_and_table_of_steps_is_there(public, lang):
    problems, kinds = [], set()
    for page in pages.pages(lang).values():
        there = bare(read(public, page))
        for one in page.includes:
            if one.file.suffix != ".md":
                kinds.add(one.target.rpartition("/")[2].partition(".")[2])
                if bare(one.file.read_text(encoding="utf-8")) not in there:
                    problems.append(f"{page.shown}:{one.line}: {one.target} is not there")
    report(problems)
    assert kinds == {"svg", "html", "steps.html"}


def built(site: Site, page: Page) -> Path:
    return site.folder / page.lang / pages.url(page.uri, "") / "index.html"


def read(site: Site, page: Page) -> str:
    """The page as it was built; empty where it was not, which one test says."""
    file = built(site, page)
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def text(fragment: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", fragment))


def lines(block: str) -> list[str]:
    """The lines of a block, as Markdown keeps them: no blanks at their ends, nor empty at its."""
    return [line.rstrip() for line in block.strip("\n").splitlines()]


def bare(fragment: str) -> str:
    """The text with no white space, where Markdown may differ."""
    return re.sub(r"\s+", "", text(fragment))
