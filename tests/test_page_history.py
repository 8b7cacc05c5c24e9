"""What the history and the table of members say of a release is what the programs that list members
printed there."""

import re
from itertools import pairwise

import pytest
from problems import report

from handbook import changes, pages, snippets
from handbook.places import LANGUAGES, SNIPPETS, TABLES

HISTORY = TABLES / "history.md"
NO_MEMBER = {"traceable"}
"""A function of the module, which no list of members has."""

ROW = re.compile(r"\| (?:≤ )?(?P<release>[\d.]+)<br>.*? \| (?P<sign>[+−]) (?P<names>.*) \|")
MEMBER = re.compile(r"\| \[`(?P<name>\w+)`\].*? \| `[rw()]+` (?P<since>[\d.]+) \|")


MEMBERS = "reference/history/members-now.md"
PYTHON_MEMBERS = "reference/history/python-members-now.md"


def printed(name: str, release: str) -> str:
    program = snippets.read(SNIPPETS / name)
    return changes.run(release, program).get("output") or program.output


def members(release: str) -> set[str]:
    """What _FunctionBase, FunctionCtx and Function had on a release, by its run."""
    listed = printed(MEMBERS, release)
    in_c = re.search(r"members:\n(.*?)removed:", listed, re.DOTALL)[1]
    in_python = re.sub(r"\w+:", "", printed(PYTHON_MEMBERS, release))
    return {*in_c.split(), *in_python.split()}


def releases() -> list[str]:
    """The releases on which both programs have been run as they are, the oldest first."""
    not_run = {
        release
        for name in (MEMBERS, PYTHON_MEMBERS)
        for release in changes.not_run(snippets.read(SNIPPETS / name))
    }
    return [one for one in changes.recorded()[::-1] if "-" not in one and one not in not_run]


@pytest.mark.parametrize(("old", "new"), [*pairwise(releases())])
def test_what_came_and_went_between_two_releases_has_its_row(old, new):
    said = {"+": set(), "−": set()}
    for row in ROW.finditer(HISTORY.read_text(encoding="utf-8")):
        if changes.number(old) < changes.number(row["release"]) <= changes.number(new):
            said[row["sign"]] |= {*re.findall(r"`(\w+)`", row["names"])} - NO_MEMBER
    came, went = members(new) - members(old), members(old) - members(new)
    assert said == {"+": came, "−": went}, f"docs/tables/history.md:1: from {old} to {new}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_member_is_there_since_the_release_that_its_row_names(lang):
    page = pages.pages(lang)["reference/function-base/index.md"]
    rows = [*MEMBER.finditer(page.text)]
    assert len(rows) == 25
    report(
        f"{page.shown}:{page.line_of(row[0])}: {row['name']} since {row['since']}: "
        f"on {release} the run says otherwise"
        for row in rows
        for release in releases()
        if (changes.number(release) >= changes.number(row["since"]))
        != (row["name"] in members(release))
    )
