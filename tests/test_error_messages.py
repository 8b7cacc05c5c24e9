"""Each mistake of an author gives one message: file, line, what is wrong, what to do."""

import re

import pytest
from projects import copy_pages, copy_project, edit, failing

from builder.content.paths import ROOT

PROGRAM = '--8<-- "learn/graph-networks/sparse-index-by-rows.md"'
MARKED = f"<!-- mark: nowhere -->\n{PROGRAM}"

ON_PAGES = [
    ("docs/zh/learn/ctx-vs-self.md", "n: ", "n: a: b ", "ctx-vs-self.md:4:", "front matter"),
    ("docs/en/about.md", " { #outputs }", "", "docs/en/about.md:", "has no id"),
    ("docs/zh/about.md", " { #outputs }", " { #verified }", "docs/zh/about.md:", "is used twice"),
    ("docs/en/reference/history.md", "\n## ", "\n#### ", "history.md:", "level 4 below level 1"),
    ("docs/en/reference/function-ctx.md", ".md\"", ".mdd\"", "function-ctx.md:", "correct the name"),
    ("docs/zh/labs/index.md", "description", "descripton", "labs/index.md:4:", "unknown front-matter"),
    ("docs/en/learn/graph-networks.md", PROGRAM, MARKED, "networks.md:", "begins with 'nowhere'"),
    ("docs/zh/learn/first-function.md", "</figure>", "", "first-function.md:", "</figure>; close each"),
    ("docs/zh/labs/autograd-graph.md", "\n## ", "\n<!-- mark: x -->\n## ", "graph.md:", "no program"),
    ("docs/zh/labs/three-tiers.md", "aria-label=", "title=", "three-tiers.md:", "no aria-label"),
    ("docs/en/learn/once-differentiable.md", "\"Exceptions: ", "\"", "differentiable.md:", "plain title"),
    ("docs/en/learn/returning-gradients.md", "    - **", "    - ", "gradients.md:", "condition in bold"),
]  # fmt: skip
"""A file, what is replaced in it, once, by what, and two parts of the message that follows."""

IN_BUILDS = [
    [
        ("mkdocs.yml", "- about.md", "- abut.md", "en: A reference", "'abut.md'"),
        (
            "mkdocs.yml",
            "- abut.md",
            "- abut.md",
            "en: The following pages",
            'not included in the "nav"',
        ),
        ("docs/en/index.md", "](about", "](abut", "en: docs/en/index.md:", "abut"),
        ("docs/zh/index.md", "about.md#", "about.md#un", "zh: docs/zh/index.md:", "#un"),
    ],
    [("mkdocs.yml", "- about.md", "- more:\n        - about.md", "mkdocs.zh.yml:", "'more'")],
    [
        ("docs/en/index.md", 'ctx.md"', 'ctx.mdd"', "docs/en/index.md:", "correct the name"),
        ("snippets/index/self-and-ctx.md", "```python", "```py", "snippets/index/", ":1: not"),
    ],
    [
        ("docs/zh/index.md", "\n## ", '\n--8<-- "power.tex"\n\n## ', "power.tex:1:", "the LaTeX"),
        ("docs/formulas/power.tex", "{dy}{dx}", "{dy}{dx", "docs/formulas/", "; correct it"),
    ],
]
"""The same for strict builds. What is wrong with a page ends the build of its language."""


def reported_once(output: str, edits: list) -> None:
    assert "Traceback" not in output
    for *_, where, what in edits:
        lines = [line for line in output.splitlines() if where in line and what in line]
        assert len(lines) == 1, f"{where} {what}: {lines}\n{output}"


def test_a_check_reports_each_mistake_on_a_page_once(tmp_path):
    folder = copy_project(tmp_path, "conftest.py", "pyproject.toml", "tests")
    for name, old, new, *_ in ON_PAGES:
        edit(folder / name, old, new)
    output = failing(folder, "pytest", "tests/test_page_form.py")
    reported_once(output, ON_PAGES)
    assert len(re.findall(r"^\S+:\d+: ", output, re.MULTILINE)) == len(ON_PAGES), output


@pytest.mark.parametrize("edits", IN_BUILDS)
def test_a_strict_build_reports_each_mistake_once(tmp_path, edits):
    folder = copy_pages(tmp_path, "index.md", "about.md")
    for name, old, new, *_ in edits:
        edit(folder / name, old, new)
    reported_once(failing(folder, "mkdocs", "build", "--strict"), edits)


@pytest.mark.parametrize("address", ["", "example.org/ctx"])
def test_a_wrong_address_stops_the_build(tmp_path, address):
    output = failing(copy_pages(tmp_path, "index.md"), "mkdocs", "build", SITE_URL=address)
    reported_once(output.lower(), [("site_url", "")])


@pytest.mark.parametrize(
    ("command", "only"),
    [("pytest --only", "learn/nowhere"), ("builder.running.record", "learn/ctx-vs-self index")],
)
def test_an_unknown_folder_is_reported(command, only):
    output = failing(ROOT, *command.split(), only)
    reported_once(output, [(f"ONLY={only!r}", "no such snippet")])
