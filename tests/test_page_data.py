"""What pages say agrees with the data behind it: the history with the members that programs
listed on each release."""

import functools
import re
import zlib
from itertools import pairwise

import pytest
from problems import report
from rendered import readable_programs

from builder.content import differences, pages, snippets
from builder.content.paths import LANGUAGES, SNIPPETS, TABLES, shown

HISTORY = TABLES / "history.md"
NO_MEMBER = {"traceable"}
"""A function of the module, which no list of members has."""

ROW = re.compile(r"\| (?:≤ )?(?P<release>[\d.]+)<br>.*? \| (?P<sign>[+−]) (?P<names>.*) \|")
MEMBER = re.compile(r"\| \[`(?P<name>\w+)`\].*? \| `[rw()]+` (?P<since>[\d.]+) \|")
FOLDER = SNIPPETS / "reference/history"
PROGRAMS = [snippets.read(FOLDER / name) for name in ("members-now.md", "python-members-now.md")]
"""They list the members of _FunctionBase, and those of FunctionCtx and Function."""


def members_in_c(output: str) -> set[str]:
    """The members of _FunctionBase, by what the program printed."""
    return {*re.search(r"members:\n(.*?)removed:", output, re.DOTALL)[1].split()}


@functools.cache
def members() -> dict[str, set[str]]:
    """What _FunctionBase, FunctionCtx and Function had on each release on which both programs have
    been run as they are, the oldest first."""
    not_run = {release for program in PROGRAMS for release in differences.not_run(program)}
    of_releases = {}
    for release in reversed(differences.recorded()):
        if "-" not in release and release not in not_run:
            c, python = (
                differences.run_of(program, release).get("output") or program.output
                for program in PROGRAMS
            )
            of_releases[release] = members_in_c(c) | {*re.sub(r"\w+:", "", python).split()}
    return of_releases


def test_members_added_or_removed_by_a_release_have_their_row():
    listed = [*ROW.finditer(HISTORY.read_text(encoding="utf-8"))]
    for (old, before), (new, after) in pairwise(members().items()):
        rows = {"+": set(), "−": set()}
        for row in listed:
            release = differences.number(row["release"])
            if differences.number(old) < release <= differences.number(new):
                rows[row["sign"]] |= {*re.findall(r"`(\w+)`", row["names"])} - NO_MEMBER
        assert rows == {"+": after - before, "−": before - after}, f"{shown(HISTORY)}: {new}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_member_exists_since_the_release_that_its_row_names(lang):
    page = pages.pages(lang)["reference/function-base/index.md"]
    since = {row["name"]: row["since"] for row in MEMBER.finditer(page.text)}
    assert since.keys() == members_in_c(PROGRAMS[0].output), shown(page.path)
    report(
        f"{shown(page.path)}:{page.line_of(f'| [`{name}`]')}: {name} since {first}: on {release} the "
        "run says otherwise"
        for name, first in since.items()
        for release, existing in members().items()
        if (differences.number(release) >= differences.number(first)) != (name in existing)
    )


def test_what_type_checkers_report_was_recorded_for_the_programs_as_they_are():
    numbers = [
        f"{program.path.stem} {zlib.crc32(program.code.encode())}"
        for program in readable_programs("practice/types")
    ]
    recorded = (TABLES / "types/programs.txt").read_text(encoding="utf-8").splitlines()
    assert recorded == numbers, "docs/tables/types: of other programs; make types"
