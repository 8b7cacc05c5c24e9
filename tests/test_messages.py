"""One problem, one message, once: file, line, what is wrong and what to do; and no traceback where
the mistake is the writer's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from handbook.preview import MKDOCS, copy_project, keep_pages

PROGRAM = '--8<-- "learn/graph-networks/sparse-index-by-rows.md"'
NOWHERE = '<!-- mark: nowhere -->\n--8<-- "i'
MARKED = f"<!-- mark: nowhere -->\n{PROGRAM}"

# A file, what is replaced in it, once, by what, and the message that follows.
ON_PAGES = [
    ("docs/en/index.md", "](learn/", "](lern/", "docs/en/index.md:", "there is no docs/en/lern/"),
    ("docs/zh/learn/double-backward.md", ".md#", ".md#un", "double-backward.md:", "has no { #un"),
    ("docs/en/learn/ctx-vs-self.md", "---\n", "\ufeff---\n", "ctx-vs-self.md:1:", "byte-order mark"),
    ("docs/zh/learn/ctx-vs-self.md", "n: ", "n: a: b ", "ctx-vs-self.md:4:", "front matter"),
    ("docs/en/about.md", " { #outputs }", "", "docs/en/about.md:", "has no id"),
    ("docs/zh/about.md", " { #outputs }", " { #verified }", "docs/zh/about.md:", "is used twice"),
    ("docs/en/reference/history.md", "\n## ", "\n#### ", "history.md:", "level 4 below level 1"),
    ("docs/en/reference/function-ctx.md", ".md\"", ".mdd\"", "function-ctx.md:", "correct the name"),
    ("docs/zh/labs/index.md", "description", "descripton", "labs/index.md:4:", "unknown front-matter"),
    ("docs/en/learn/graph-networks.md", PROGRAM, MARKED, "networks.md:", "begins with 'nowhere'"),
    ("docs/zh/learn/first-function.md", "</figure>", "", "first-function.md:", "</figure>; close each"),
    ("docs/zh/labs/autograd-graph.md", "\n## ", "\n<!-- mark: x -->\n## ", "graph.md:", "no program"),
    ("mkdocs.yml", "labs/three-tiers.md", "labs/tree-tiers.md", "mkdocs.yml:", "names labs/tree"),
    ("mkdocs.yml", "    - about.md\n", "", "mkdocs.yml:", "does not name about.md"),
]  # fmt: skip

# The same of a strict build: what is replaced, and what it says.
IN_BUILDS = {
    "links": [
        ("docs/en/index.md", "](about", "](abut", "en: docs/en/index.md:", "abut"),
        ("docs/zh/index.md", "about.md#", "about.md#un", "zh: docs/zh/index.md:", "#un"),
    ],
    "includes-and-snippets": [
        ("docs/en/index.md", '.md"', '.mdd"', "docs/en/index.md:", "correct the name"),
        ("snippets/index/self-and-ctx.md", "```python", "```py", "snippets/index/", ":1: not"),
    ],
    "marks": [("docs/zh/index.md", '--8<-- "i', NOWHERE, "index.md:", "begins with 'nowhere'")],
    "template": [("overrides/main.html", "{% if", "{% iff", "overrides/main.html:", "iff")],
}


def broken(folder: Path, edits: list) -> Path:
    for name, old, new, *_ in edits:
        file = folder / name
        before, found, after = file.read_text(encoding="utf-8").partition(old)
        assert found, f"{old!r} is not in {name}"
        file.write_text(before + new + after, encoding="utf-8")
    return folder


def run(folder: Path, *command: str, **environment: str) -> str:
    """What a command prints, which must fail and not by an exception of ours."""
    result = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, timeout=200,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    )  # fmt: skip
    assert result.returncode != 0, result.stdout
    assert "Traceback" not in result.stdout
    return result.stdout


def assert_told_once(said: str, edits: list) -> None:
    for *_, where, what in edits:
        lines = [line for line in said.splitlines() if where in line and what in line]
        assert len(lines) == 1, f"{where} {what}: {lines}\n{said}"


def test_a_check_says_each_mistake_on_a_page_once(tmp_path):
    folder = copy_project(tmp_path, "conftest.py", "pyproject.toml", "tests")
    broken(folder, ON_PAGES)
    tests = sorted(file.as_posix() for file in Path("tests").glob("test_page_[flp]*.py"))
    said = run(folder, sys.executable, "-m", "pytest", *tests, "tests/test_page_code.py")
    assert_told_once(said, ON_PAGES)
    assert len(re.findall(r"^\S+:\d+: ", said, re.MULTILINE)) == len(ON_PAGES), said


@pytest.mark.parametrize("kind", IN_BUILDS)
def test_a_strict_build_says_each_mistake_once(tmp_path, kind):
    folder = keep_pages(copy_project(tmp_path), "index.md", "about.md")
    broken(folder, IN_BUILDS[kind])
    assert_told_once(run(folder, *MKDOCS, "build", "--strict"), IN_BUILDS[kind])


@pytest.mark.parametrize("address", ["", "example.org/ctx"])
def test_an_incomplete_address_stops_the_build(tmp_path, address):
    said = run(copy_project(tmp_path), *MKDOCS, "build", SITE_URL=address)
    assert "site_url" in said.lower()


@pytest.mark.parametrize("only", ["learn/nowhere", "learn/ctx-vs-self index"])
@pytest.mark.parametrize("command", ["pytest --only", "handbook.record"])
def test_an_unknown_folder_is_told(tmp_path, command, only):
    said = run(Path.cwd(), sys.executable, "-m", *command.split(), only)
    assert f"ONLY={only!r}: no such snippet" in said
