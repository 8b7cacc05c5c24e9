"""What a snippet file looks like, so that nothing in it is left unrun. Whether each is fit to be
shown, and runs, is judged where the programs are collected: in conftest.py."""

import re

import pytest
from problems import report
from pytest_codeblocks.main import extract_from_file

from handbook import snippets
from handbook.places import SNIPPETS, shown
from handbook.snippets import SnippetError


@pytest.fixture(scope="module")
def fit(only):
    """The snippets that can be read."""
    found = []
    for path in snippets.paths(only):
        try:
            found.append(snippets.read(path))
        except SnippetError:
            continue
    return found


def test_pytest_codeblocks_finds_the_program_and_the_output_that_we_read(fit):
    problems = []
    for snippet in fit:
        blocks = [(block.code, block.expected_output) for block in extract_from_file(snippet.path)]
        if blocks != [(snippet.code, snippet.output)]:
            problems.append(f"{shown(snippet.path)}:1: pytest-codeblocks reads {blocks}")
    report(problems)


def test_a_snippet_has_a_lower_case_name_with_hyphens(only):
    report(
        f"{shown(path)}:1: rename it: lower case, digits and hyphens, then .md"
        for path in snippets.paths(only)
        if not snippets.NAME.fullmatch(path.relative_to(SNIPPETS).as_posix())
    )


def test_no_two_snippets_have_the_same_program(fit):
    first: dict[str, snippets.Snippet] = {}
    report(
        f"{snippet.where}: the same program as {shown(first[snippet.code].path)}; keep one"
        for snippet in fit
        if first.setdefault(snippet.code, snippet) is not snippet
    )


def test_a_program_prints_messages_whole(fit):
    """Readers search for them. What differs by machine, or is endless, re.sub replaces visibly."""
    cut = re.compile(r"str\((?:\w+\.)?(?:error|message)\)(?:\[|\.(?:r?partition|r?split))")
    report(
        f"{shown(snippet.path)}:{number}: prints a part of a message; print(error), the page wraps"
        for snippet in fit
        for number, line in enumerate(snippet.code.splitlines(), 2)
        if cut.search(line)
    )


def test_every_recorded_figure_has_its_program():
    report(
        f"{shown(path)}:1: a figure whose program is gone; delete it"
        for path in SNIPPETS.rglob("*.svg")
        if not path.with_suffix(".md").exists()
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("``` python\nprint(1)\n```\n", 1),
        ("```py\nprint(1)\n```\n", 1),
        ('```python title="x"\nprint(1)\n```\n', 1),
        ("~~~python\nprint(1)\n~~~\n", 1),
        ("    print(1)\n", 1),
        ("\ufeff```python\nprint(1)\n```\n", 1),
        ("<!--pytest.mark.skip-->\n```python\nprint(1)\n```\n", 1),
        ("<!--pytest-codeblocks:skipfile-->\n```python\nprint(1)\n```\n", 1),
        ("```python\nprint(1)\n", 2),
        ("```python\nprint(1)\n  ```\n```\n", 2),
        ("```python\nprint(1)\n```\n\nprose\n", 4),
        ("```python\nprint(1)\n```\n<!--pytest-codeblocks:cont-->\n```python\n2\n```\n", 4),
        ("```python\n```\n\n<!--pytest-codeblocks:expected-output-->\n\n```text\n1\n```\n", 6),
        (snippets.text_of("print(1)\n", "1\n") + "more\n", 10),
    ],
)
def test_the_form_refuses_what_pytest_codeblocks_overlooks(text, line, tmp_path, monkeypatch):
    monkeypatch.setattr("handbook.places.ROOT", tmp_path)
    path = tmp_path / "snippet.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SnippetError, match=rf"snippet\.md:{line}: "):
        snippets.read(path)


@pytest.mark.parametrize(
    "output",
    ["", " \n", "1", "```\n", "0x7f3a5c2e91d0\n", "/tmp/x\n", '  File "x"\n', "12:30:01\n", "3 ms\n",
     "\x1b[1m1\n", "2.13.0+cpu\n", "1\n" * 61, "x" * 7000 + "\n"],
)  # fmt: skip
def test_an_output_that_cannot_be_shown_is_told_apart(output):
    assert snippets.unshowable(output)
    assert not snippets.unshowable("tensor([1., 2.])\n")
