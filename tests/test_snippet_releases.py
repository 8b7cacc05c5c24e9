"""The recorded runs of programs on other releases: they are complete, each program that
differs has its change, and each change its section. A program that was edited since its run is
a warning, or an error if STRICT_RELEASES is set."""

import os
import warnings
from dataclasses import replace

import pytest
from problems import report

from builder.content import differences, pages, parts, snippets
from builder.content.paths import CHANGES, LANGUAGES, SNIPPETS, shown

PAGE = "reference/releases.md"
FIXED = {"releases", "matrix", "newer", "older", "python", "your-own", "next"}
"""The sections of that page that are about no change."""


def test_every_program_was_run_in_its_present_form_on_every_release(only):
    problems = []
    for program in map(snippets.read, snippets.paths(only)):
        if missing := differences.not_run(program):
            every = len(missing) == len(differences.recorded())
            where = "any other release" if every else ", ".join(map(differences.label, missing))
            problems.append(
                f"{program.where}: not run on {where} in its present form; "
                f"make releases ONLY={program.name.removesuffix('.md')}"
            )
    if os.environ.get("STRICT_RELEASES"):
        report(problems)
    elif problems:
        message = "\n".join(["not run on other releases yet", *problems])
        warnings.warn(message, stacklevel=1)


def test_a_program_keeps_its_runs_unless_it_is_changed_and_its_line_says_where_it_differs():
    programs = map(snippets.read, snippets.paths())
    program = next(program for program in programs if not differences.not_run(program))
    moved = replace(program, name="elsewhere/moved.md", code=f"# a comment\n{program.code}")
    release = differences.recorded()[0]
    assert differences.run(release, moved) == differences.run(release, program) != None  # noqa: E711
    changed = replace(program, code=f"{program.code}print('one more')\n")
    words = dict(differs="on {releases}", not_run="not on {releases}", others="others", comma=", ")
    assert differences.not_run(changed) == differences.recorded()
    assert "[not on others](there/#matrix)" in differences.line(changed, words, "there/")
    (name, side), (*_, release) = next(iter(differences.differing().items()))
    line = differences.line(snippets.read(SNIPPETS / name), words, "there/")
    change = differences.changes()[name, side]
    assert line.startswith(f"on [{differences.label(release)}](there/#{change})")


def test_every_program_that_differs_has_a_change_and_every_change_a_program():
    differing, listed = differences.differing().keys(), differences.changes().keys()
    programs = map(snippets.read, snippets.paths())
    not_run = {program.name for program in programs if differences.not_run(program)}
    problems = [
        f"{shown(CHANGES)}:1: {name} differs on a {side} release; give it its change"
        for name, side in sorted(differing - listed)
    ]
    problems += [
        f"{shown(CHANGES)}:1: {name} is gone, or differs on no {side} release; delete its row"
        for name, side in sorted(listed - differing)
        if name not in not_run
    ]
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_change_has_its_section(lang):
    named = {*differences.changes().values()}
    sections = {identifier for _, identifier, _ in pages.pages(lang)[PAGE].headings}
    assert sections - FIXED == named, f"docs/{lang}/{PAGE}: sections and {shown(CHANGES)} differ"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_change_makes_different_is_composed_in_each_language(lang):
    (include,) = parts.parse('--8<-- "releases/no-keywords.md"')
    text = differences.text_of(include, lang)
    assert all(part in text for part in ("apply", "torch 2.13.0 → 2.", "<del>", "<ins>"))
    assert "<span" not in text


def test_after_an_edit_everything_that_was_read_of_the_runs_is_read_again():
    differences.tables()
    kept = [value for value in vars(differences).values() if hasattr(value, "cache_info")]
    assert differences.digest in kept and len(kept) > 1
    differences.forget()
    names = {function.__name__ for function in kept if function.cache_info().currsize}
    assert names == {"digest"}, "add the others to differences.forget"
