"""Each mistake of an author gives one message, once: file, line, what is wrong and what to do; and
no traceback."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_serve import edit

from handbook.preview import MKDOCS, copy_project, keep_pages

PROGRAM = '--8<-- "learn/graph-networks/sparse-index-by-rows.md"'
NOWHERE = '<!-- mark: nowhere -->\n--8<-- "i'
MARKED = f"<!-- mark: nowhere -->\n{PROGRAM}"

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
"""A file, what is replaced in it, once, by what, and two parts of the message that follows."""

IN_BUILDS = {
    "navigation": [("mkdocs.yml", "- about.md", "- abut.md", "en: mkdocs.yml:", "'abut.md'")],
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
"""The same for a strict build."""


def broken(folder: Path, edits: list) -> Path:
    for name, old, new, *_ in edits:
        edit(folder / name, old, new)
    return folder


def run(folder: Path, *command: str, **environment: str) -> str:
    """What a command prints, which has to fail, and without a traceback."""
    result = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, timeout=200,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    )  # fmt: skip
    assert result.returncode != 0, result.stdout
    assert "Traceback" not in result.stdout
    return result.stdout


def assert_reported_once(output: str, edits: list) -> None:
    for *_, where, what in edits:
        lines = [line for line in output.splitlines() if where in line and what in line]
        assert len(lines) == 1, f"{where} {what}: {lines}\n{output}"


def test_a_check_reports_each_mistake_on_a_page_once(tmp_path):
    folder = copy_project(tmp_path, "conftest.py", "pyproject.toml", "tests")
    broken(folder, ON_PAGES)
    tests = ["tests/test_page_form.py", "tests/test_page_length.py", "tests/test_page_pairs.py"]
    output = run(folder, sys.executable, "-m", "pytest", *tests)
    assert_reported_once(output, ON_PAGES)
    assert len(re.findall(r"^\S+:\d+: ", output, re.MULTILINE)) == len(ON_PAGES), output


@pytest.mark.parametrize("kind", IN_BUILDS)
def test_a_strict_build_reports_each_mistake_once(tmp_path, kind):
    folder = keep_pages(copy_project(tmp_path), "index.md", "about.md")
    broken(folder, IN_BUILDS[kind])
    assert_reported_once(run(folder, *MKDOCS, "build", "--strict"), IN_BUILDS[kind])


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SITE_URL", "", "site_url"),
        ("SITE_URL", "example.org/ctx", "site_url"),
        ("VERIFIED_ON", "yesterday", "verified_on='yesterday' is not a date"),
    ],
)
def test_a_wrong_setting_stops_the_build(tmp_path, name, value, message):
    output = run(copy_project(tmp_path), *MKDOCS, "build", **{name: value})
    assert message in output.lower()


@pytest.mark.parametrize("only", ["learn/nowhere", "learn/ctx-vs-self index"])
@pytest.mark.parametrize("command", ["pytest --only", "handbook.record"])
def test_an_unknown_folder_is_reported(command, only):
    output = run(Path.cwd(), sys.executable, "-m", *command.split(), only)
    assert f"ONLY={only!r}: no such snippet" in output
