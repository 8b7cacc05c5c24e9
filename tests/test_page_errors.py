"""The pages of errors: every message stands as it is printed, with a cause, and a row in the table
of messages. The lines to change, where a page shows them, were read and approved by someone."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations

import pytest
from problems import report
from rendered import readable, soup

from builder.content import pages
from builder.content.parts import OF_MESSAGES, includes
from builder.content.paths import LANGUAGES, TABLES, Problem, rows
from builder.publishing import error_pages
from builder.publishing.error_pages import Section

MOVED = {"needs-setup-context", "leaf-in-place"}
"""Sections in which a line goes into another method, or into a `with`."""


def unchanged(section: Section) -> Iterator[Problem]:
    """The marked lines that the other program has, too. The page would show them as a change."""
    for this, other in permutations(section.programs[:2]):
        lines = this.program.code.splitlines()
        counts, others = Counter(lines), Counter(other.program.code.splitlines())
        for line in {lines[number - 1] for number in this.marked}:
            if counts[line] <= others[line] and section.heading.id not in MOVED:
                text = f"both programs have {line.strip()!r}; mark only the lines to change"
                yield Problem(this.page, this.line, text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_has_a_cause_and_a_row_and_an_approved_change_changes_something(uris, lang):
    """The table also names sections that are still to be written."""
    table = rows(TABLES / "messages.csv")
    known = {row["which"] for row in table if row["verdict"] == "section"}
    problems = []
    for page in filter(error_pages.is_one, readable(lang, uris)):
        sections = {section.heading.id: section for section in error_pages.sections(page)}
        for name, section in sections.items():
            line = section.heading.line
            if not section.cause:
                problems.append(
                    page.problem_at(line, "no cause; begin with a sentence that has it")
                )
            if section.paragraph.endswith((":", "：")):
                text = "what follows the first paragraph is folded; begin another one for it"
                problems.append(page.problem_at(line, text))
            if name not in known:
                text = f"{name!r} is not in docs/tables/messages.csv; add a row"
                problems.append(page.problem_at(line, text))
        for name in page.meta.get("fixes", []):
            if name not in sections:
                text = f"fixes: no section has the id {name!r}; correct it, or delete it"
                problems.append(page.problem_at(page.line_of("fixes:"), text))
            elif not any(sections[name].changed):
                text = f"fixes: {name!r} has no two programs with marked lines; mark, or delete it"
                problems.append(page.problem_at(page.line_of("fixes:"), text))
            else:
                problems += unchanged(sections[name])
        for tag in soup(page).select(":is(h2, h3, td) :is(strong, em)"):
            text = f"{tag.parent.get_text()!r} has emphasis; as it is printed, it has \\_ or \\*"
            problems.append(page.problem_at(page.line_of(tag.get_text()), text))
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_list_of_messages_has_every_page_of_errors_once(lang):
    listed = [include.target for include in pages.pages(lang)[error_pages.LIST].includes]
    written = filter(error_pages.is_one, pages.pages(lang).values())
    names = [page.uri.replace(error_pages.FOLDER, OF_MESSAGES) for page in written]
    assert sorted(listed) == sorted(names)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_message_that_another_page_explains_is_printed_there_and_has_a_cause(lang):
    """Front matter names these messages: `answers`, each by its section."""
    problems, compared = [], 0
    for page in pages.pages(lang).values():
        causes = {section.heading.id: section.cause for section in error_pages.sections(page)}
        outputs = {
            heading.id: "".join(one.program.output or "" for one in includes(parts) if one.program)
            for heading, parts in page.sections
        }
        front = page.text.partition("\n---\n")[0]
        for name, count in Counter(re.findall(r"(?m)^  ([\w-]+): ", front)).items():
            if count > 1:  # YAML keeps the last one and says nothing
                text = f"{name!r} stands {count} times in `answers`; put its messages into one row"
                problems.append(page.problem_at(page.line_of(f"{name}: "), text))
        for name, words in page.meta.get("answers", {}).items():
            compared += 1
            texts = words.split("; ")
            printed = [
                re.search(error_pages.pattern(text), outputs.get(name, "")) for text in texts
            ]
            if not all(printed) or not causes.get(name):
                text = (
                    f"the section #{name} begins with no sentence, or no program of it prints "
                    f"{words!r}; correct `answers`"
                )
                problems.append(page.problem_at(page.line_of(f"{name}: "), text))
    report(problems)
    assert compared


def test_a_line_to_change_is_indented_only_within_the_one_before_it():
    pages_of_errors = filter(error_pages.is_one, pages.pages("en").values())
    sections = [one for page in pages_of_errors for one in error_pages.sections(page)]
    sides = [(section.heading.id, side) for section in sections for side in section.changed]
    assert (
        "class-state-in-compile",
        ["FACTOR = 2", "return FACTOR * x", "return FACTOR * grad_output"],
    ) in sides
    opening = (":", "(", "[", "{", ",")
    report(
        f"#{name}: {line!r} is indented, and {before!r} is above it"
        for name, side in sides
        for before, line in pairwise(["", *side])
        if line.startswith(" ") and not before.startswith(" ") and not before.endswith(opening)
    )
