"""The form of snippet files, by which pytest-codeblocks runs every line. ../conftest.py runs the
programs and checks their outputs."""

import re
from pathlib import Path

import pytest
from problems import report
from pytest_codeblocks.main import extract_from_file

from builder.content import snippets
from builder.content.paths import SNIPPETS, Mistake, rows, shown


def test_every_program_has_its_name_is_read_whole_stands_once_and_prints_whole_messages(only):
    """Readers search for messages. What differs by machine, or is endless, re.sub replaces."""
    cut = re.compile(r"str\((?:\w+\.)?(?:error|message)\)(?:\[|\.(?:r?partition|r?split))")
    problems = [
        f"{shown(path)}:1: rename it: lower case, digits and hyphens, then .md"
        for path in snippets.paths(only)
        if not snippets.NAME.fullmatch(path.relative_to(SNIPPETS).as_posix())
    ]
    first = {}
    for snippet in snippets.fit(only):
        blocks = [(block.code, block.expected_output) for block in extract_from_file(snippet.path)]
        if blocks != [(snippet.code, snippet.output)]:
            problems.append(f"{shown(snippet.path)}:1: pytest-codeblocks reads {blocks}")
        same = first.setdefault(snippet.code, snippet)
        if same is not snippet:
            problems.append(f"{snippet.where}: the same program as {shown(same.path)}; keep one")
        problems += [
            f"{shown(snippet.path)}:{number}: prints a part of a message; print(error), the page wraps"
            for number, line in enumerate(snippet.code.splitlines(), 2)
            if cut.search(line)
        ]
    report(problems)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("``` python\nprint(1)\n```\n", 1),
        ("    print(1)\n", 1),
        ("\ufeff```python\nprint(1)\n```\n", 1),
        ("<!--pytest-codeblocks:skipfile-->\n```python\nprint(1)\n```\n", 1),
        ("```python\nprint(1)\n", 2),
        ("```python\nprint(1)\n```\n\nprose\n", 4),
        ("```python\nprint(1)\n```\n<!--pytest-codeblocks:cont-->\n```python\n2\n```\n", 4),
        ("```python\n```\n\n<!--pytest-codeblocks:expected-output-->\n\n```text\n1\n```\n", 6),
        (snippets.text_of("print(1)\n", "1\n") + "more\n", 10),
    ],
)
def test_a_file_that_pytest_codeblocks_would_not_run_is_rejected(text, line, tmp_path, monkeypatch):
    monkeypatch.setattr("builder.content.paths.ROOT", tmp_path)
    path = tmp_path / "snippet.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Mistake, match=rf"snippet\.md:{line}: "):
        snippets.read(path)


@pytest.mark.parametrize(
    "output",
    ["", " \n", "1", "```\n", "0x7f3a5c2e91d0\n", "/tmp/x\n", '  File "x"\n', "12:30:01\n", "3 ms\n",
     "\x1b[1m1\n", "2.13.0+cpu\n", "1\n" * 61, "x" * 7000 + "\n"],
)  # fmt: skip
def test_an_output_that_cannot_be_shown_is_recognised(output):
    assert snippets.unshowable(output)
    assert not snippets.unshowable("tensor([1., 2.])\n")


def test_the_programs_that_stock_pytest_does_not_run_are_there():
    """`make stock` runs all others."""
    report(
        f"tests/stock.csv:{number}: there is no program {row['program']}; delete its row"
        for number, row in enumerate(rows(Path(__file__).with_name("stock.csv")), 2)
        if not (SNIPPETS / row["program"]).is_file()
    )
