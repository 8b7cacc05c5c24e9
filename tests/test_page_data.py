"""What pages say agrees with the data behind it: error pages with the table of messages, the
history with the members that programs listed on each release, formulas with their LaTeX."""

import csv
import re
from itertools import pairwise

import pytest
from problems import report

from handbook import changes, formulas, notebooks, pages, parts, snippets
from handbook.places import FORMULAS, LANGUAGES, SNIPPETS, TABLES

ERRORS = "troubleshooting/errors/"
INDEX = f"{ERRORS}index.md"
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
def test_members_added_or_removed_by_a_release_have_their_row(old, new):
    rows = {"+": set(), "−": set()}
    for row in ROW.finditer(HISTORY.read_text(encoding="utf-8")):
        if changes.number(old) < changes.number(row["release"]) <= changes.number(new):
            rows[row["sign"]] |= {*re.findall(r"`(\w+)`", row["names"])} - NO_MEMBER
    added, removed = members(new) - members(old), members(old) - members(new)
    assert rows == {"+": added, "−": removed}, f"docs/tables/history.md:1: from {old} to {new}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_member_exists_since_the_release_that_its_row_names(lang):
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


def test_every_section_of_an_error_page_is_in_the_index_and_in_the_table_of_messages():
    """The table also names sections that are still to be written."""
    with (TABLES / "messages.csv").open(encoding="utf-8", newline="") as file:
        known = {row["which"] for row in csv.DictReader(file) if row["verdict"] == "section"}
    problems = []
    for lang in LANGUAGES:
        index = pages.pages(lang)[INDEX]
        linked = {f"{uri}#{anchor}" for uri, anchor, _ in index.links}
        for uri, page in pages.pages(lang).items():
            if not uri.startswith(ERRORS) or page.problem:
                continue
            for level, identifier, _ in page.headings if uri != INDEX else ():
                if level != 2 or identifier == "next":
                    continue
                if f"{uri}#{identifier}" not in linked:
                    problems.append(f"{index.shown}:1: does not list {uri}#{identifier}; add a row")
                if identifier not in known:
                    problems.append(
                        f"docs/*/{uri}#{identifier}: no message of docs/tables/messages.csv has "
                        "this section; give one it"
                    )
            problems += [
                f"{page.shown}:{page.line_of(tag.get_text())}: {tag.parent.get_text()!r} has "
                "emphasis, which a printed message has not; write \\_ or \\*"
                for tag in page.soup.select(":is(h2, h3, td) :is(strong, em)")
            ]
    report(problems)


def test_every_formula_is_made_from_its_latex():
    report(problem for problem in map(formulas.problem, formulas.paths()) if problem)


def test_a_notebook_has_the_latex_of_its_formulas():
    page = pages.pages("en")["cookbook/linear.md"]
    book = notebooks.compose(page.text, page.uri, "en", "https://example.org/en/", "")
    prose = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    for include in parts.includes(page.text):
        if include.file.parent == FORMULAS:
            latex = formulas.latex(include.file.read_text(encoding="utf-8"))
            assert f"$$\n{latex}\n$$" in prose
    assert prose.count("$$") == 4
