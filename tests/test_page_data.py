"""What pages say agrees with the data behind it: error pages with the table of messages, the
history with the members that programs listed on each release, formulas with their LaTeX."""

import re
import zlib
from itertools import pairwise

import pytest
from problems import report

from builder.content import differences, formulas, pages, snippets
from builder.content.parts import Kind
from builder.content.paths import FORMULAS, LANGUAGES, SNIPPETS, TABLES, rows, shown
from builder.publishing import notebooks

ERRORS = "troubleshooting/errors/"
INDEX = f"{ERRORS}index.md"
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


def members(release: str) -> set[str]:
    """What _FunctionBase, FunctionCtx and Function had on a release, by its run."""
    c, python = (differences.run_of(one, release).get("output") or one.output for one in PROGRAMS)
    return members_in_c(c) | {*re.sub(r"\w+:", "", python).split()}


def releases() -> list[str]:
    """The releases on which both programs have been run as they are, the oldest first."""
    not_run = {release for program in PROGRAMS for release in differences.not_run(program)}
    return [one for one in differences.recorded()[::-1] if "-" not in one and one not in not_run]


def test_members_added_or_removed_by_a_release_have_their_row():
    listed = [*ROW.finditer(HISTORY.read_text(encoding="utf-8"))]
    for old, new in pairwise(releases()):
        rows = {"+": set(), "−": set()}
        for row in listed:
            if (
                differences.number(old)
                < differences.number(row["release"])
                <= differences.number(new)
            ):
                rows[row["sign"]] |= {*re.findall(r"`(\w+)`", row["names"])} - NO_MEMBER
        wanted = {"+": members(new) - members(old), "−": members(old) - members(new)}
        assert rows == wanted, f"docs/tables/history.md:1: from {old} to {new}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_member_exists_since_the_release_that_its_row_names(lang):
    page = pages.pages(lang)["reference/function-base/index.md"]
    rows = [*MEMBER.finditer(page.text)]
    named, there = {row["name"] for row in rows}, members_in_c(PROGRAMS[0].output)
    assert named == there, f"{page.shown}:1: rows of the table: {named ^ there}"
    report(
        f"{page.shown}:{page.line_of(row[0])}: {row['name']} since {row['since']}: "
        f"on {release} the run says otherwise"
        for row in rows
        for release in releases()
        if (differences.number(release) >= differences.number(row["since"]))
        != (row["name"] in members(release))
    )


def test_every_section_of_an_error_page_is_in_the_table_of_messages():
    """The table also names sections that are still to be written."""
    messages = rows(TABLES / "messages.csv")
    known = {row["which"] for row in messages if row["verdict"] == "section"}
    problems = []
    for lang in LANGUAGES:
        for page in pages.readable(lang, [uri for uri in pages.pages(lang) if ERRORS in uri]):
            for heading in page.headings if page.uri != INDEX else ():
                where = f"docs/{lang}/{page.uri}#{heading.id}"
                if heading.level != 2 or heading.id == "next":
                    continue
                if heading.id not in known:
                    problems.append(f"{where}: not in docs/tables/messages.csv; add a row")
            problems += [
                f"{page.shown}:{page.line_of(tag.get_text())}: {tag.parent.get_text()!r} has "
                "emphasis, which a printed message has not; write \\_ or \\*"
                for tag in page.soup.select(":is(h2, h3, td) :is(strong, em)")
            ]
    report(problems)


def test_every_formula_is_made_from_its_latex_which_a_notebook_has():
    report(
        f"{shown(path)}:1: not what its LaTeX makes; make record ONLY=index"
        for path in FORMULAS.glob("*.html")
        if formulas.made(path) != path.read_text(encoding="utf-8")
    )
    page = pages.pages("en")["cookbook/linear.md"]
    book = str(
        notebooks.compose(page, pages.config("en").extra, "https://example.org/en/", "").cells
    )
    files = [one.file for one in page.includes if one.kind is Kind.FORMULA]
    used = [formulas.latex(file.read_text(encoding="utf-8")) for file in files]
    assert len(used) == 2
    assert all(repr(f"$$\n{latex}\n$$")[1:-1] in book for latex in used)


def test_what_type_checkers_report_was_recorded_for_the_programs_as_they_are():
    programs = snippets.fit("practice/types")
    numbers = [f"{one.path.stem} {zlib.crc32(one.code.encode())}" for one in programs]
    recorded = (TABLES / "types/programs.txt").read_text(encoding="utf-8").splitlines()
    assert recorded == numbers, "docs/tables/types: of other programs; make types"
