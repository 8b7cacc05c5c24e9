"""The names of snippet files, and what is common to them. ../conftest.py checks the form of each, by
which pytest-codeblocks runs every line, runs the programs and checks their outputs."""

import re

from problems import report
from pytest_codeblocks.main import extract_from_file
from rendered import readable_programs

from builder.content import differences, snippets
from builder.content.paths import SNIPPETS, shown

NAME = re.compile(r"(?:[a-z0-9]+(?:-[a-z0-9]+)*/)*[a-z0-9]+(?:-[a-z0-9]+)*\.md")
PART_OF_A_MESSAGE = re.compile(
    r"str\((?:\w+\.)?(?:error|message)\)(?:\[|\.(?:r?partition|r?split))"
)
"""Readers search for messages. What differs by machine, or is endless, re.sub replaces."""


def test_every_program_has_its_name_is_read_whole_stands_once_and_prints_whole_messages(only):
    problems = [
        f"{shown(path)}:1: rename it: lower case, digits and hyphens, then .md"
        for path in snippets.paths(only)
        if not NAME.fullmatch(path.relative_to(SNIPPETS).as_posix())
    ]
    first = {}
    for snippet in readable_programs(only):
        blocks = [(block.code, block.expected_output) for block in extract_from_file(snippet.path)]
        if blocks != [(snippet.code, snippet.output)]:
            problems.append(f"{shown(snippet.path)}:1: pytest-codeblocks reads {blocks}")
        same = first.setdefault(differences.digest(snippet.code), snippet)
        if same is not snippet:
            problems.append(f"{snippet.where}: the same program as {shown(same.path)}; keep one")
        problems += [
            f"{shown(snippet.path)}:{number}: prints a part of a message; print(error), the page wraps"
            for number, line in enumerate(snippet.code.splitlines(), 2)
            if PART_OF_A_MESSAGE.search(line)
        ]
    report(problems)
