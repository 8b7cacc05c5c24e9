"""The lines to change that a page of errors shows are the whole change: put into the program that
fails, they leave neither its message nor another error."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from problems import report
from rendered import readable

from builder.content.snippets import Program
from builder.publishing import error_pages
from builder.publishing.error_pages import Section
from builder.publishing.red_lines import messages
from builder.running import runner

READ = {
    "device-type-not-a-str", "forward-called", "leaf-in-place", "needs-setup-context",
    "not-a-module", "not-floating-point",
}  # fmt: skip
"""Sections whose programs are not laid out alike, so that the lines can't be put in their places:
someone has read them."""


def put_in(section: Section) -> Program:
    """The program that fails, with only the lines changed that the page shows."""
    failing, repaired = section.programs[:2]
    before, after = (include.program.code.splitlines() for include in (failing, repaired))
    lines: list[str] = []
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += before[i:j]
            continue
        new = [line for number, line in enumerate(after[k:m], k + 1) if number in repaired.marked]
        for number, line in enumerate(before[i:j], i + 1):
            if number not in failing.marked:
                lines.append(line)
            elif new:
                lines += indented_like(line, new)
                new = []
        lines += new
    return replace(failing.program, code="\n".join([*lines, ""]))


def indented_like(line: str, new: list[str]) -> Iterator[str]:
    """Lines of which the first is indented like another one: its program has a `try` around it."""
    more = indentation(line) - indentation(new[0])
    return (" " * (indentation(one) + more) + one.lstrip() for one in new)


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def test_the_lines_to_change_are_the_whole_change(uris):
    pages = filter(error_pages.is_one, readable("en", uris))
    every = [(page, section) for page in pages for section in error_pages.sections(page)]
    shown = [(page, one) for page, one in every if any(one.changed) and one.heading.id not in READ]
    programs = [put_in(section) for _, section in shown]
    tasks = [runner.Task(runner.as_script, program) for program in programs]
    problems = []
    for (page, section), program, outcome in zip(
        shown, programs, runner.outcomes(tasks), strict=True
    ):
        left = (outcome.error or "").strip().splitlines()[-1:]
        if not left:
            expected = messages(section.programs[1].program)
            printed = messages(replace(program, output=outcome.output))
            left = [message for message in printed if message not in expected]
        if left:
            text = f"who changes only the lines shown gets {left[0]!r}; mark what else they change"
            problems.append(page.problem_at(section.heading.line, text))
    report(problems)
