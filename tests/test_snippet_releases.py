"""The recorded runs of programs on other releases: they are complete, each program that
differs has its change, and each change its section. A program that was edited since its run is
a warning, or an error if STRICT_RELEASES is set."""

import os
import re
import warnings
from dataclasses import replace

from problems import report

from handbook import changes, pages, releases, runner, snippets
from handbook.places import LANGUAGES, SNIPPETS, shown

PAGE = "reference/releases.md"


def test_every_program_was_run_in_its_present_form_on_every_release(only):
    problems = []
    for path in snippets.paths(only):
        program = snippets.read(path)
        missing = changes.not_run(program)
        if missing:
            every = len(missing) == len(changes.recorded())
            where = "any other release" if every else ", ".join(map(changes.label, missing))
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
    every = map(snippets.read, snippets.paths())
    program = next(program for program in every if not changes.not_run(program))
    moved = replace(program, name="elsewhere/moved.md", code=f"# a comment\n{program.code}")
    release = changes.recorded()[0]
    assert changes.run(release, moved) == changes.run(release, program) != None  # noqa: E711
    changed = replace(program, code=f"{program.code}print('one more')\n")
    words = {
        "differs": "on {releases}", "not_run": "not on {releases}", "others": "others", "comma": ", "
    }  # fmt: skip
    assert changes.not_run(changed) == changes.recorded()
    assert "[not on others](there/#matrix)" in changes.line(changed, words, "there/")
    (name, side), (*_, release) = next(iter(changes.differing().items()))
    line = changes.line(snippets.read(SNIPPETS / name), words, "there/")
    change = changes.changes()[name, side]
    assert re.search(rf"^on \[{re.escape(changes.label(release))}\]\(there/#{change}\)", line)


def test_every_program_that_differs_has_a_change_and_every_change_a_program():
    wanted, listed = changes.differing().keys(), changes.changes().keys()
    there = {path.relative_to(SNIPPETS).as_posix(): path for path in snippets.paths()}
    problems = [
        f"{shown(changes.CHANGES)}:1: {name} differs on a {side} release; give it its change"
        for name, side in sorted(wanted - listed)
    ]
    for name, side in sorted(listed - wanted):
        if name not in there:
            problems.append(f"{shown(changes.CHANGES)}:1: there is no {name}; delete its row")
        elif not changes.not_run(snippets.read(there[name])):
            problems.append(
                f"{shown(changes.CHANGES)}:1: {name} differs on no {side} release; delete its row"
            )
    report(problems)


def test_every_change_has_its_section():
    named = set(changes.changes().values())
    fixed = {"releases", "matrix", "newer", "older", "python", "your-own", "next"}
    problems = []
    for lang in LANGUAGES:
        sections = {identifier for _, identifier, _ in pages.pages(lang)[PAGE].headings}
        problems += [
            f"docs/{lang}/{PAGE}:1: the section {change!r} is missing, or no change of "
            f"{shown(changes.CHANGES)}"
            for change in sorted((named - sections) | (sections - named - fixed))
        ]
    report(problems)


def test_the_tables_are_made_from_the_data():
    made = changes.tables()
    there = {path.name: path.read_text("utf-8") for path in changes.FOLDER.glob("*.md")}
    report(
        f"{shown(changes.FOLDER / name)}:1: not what the data makes; make record ONLY=index"
        for name in made.keys() | there.keys()
        if made.get(name) != there.get(name)
    )


def test_a_recorded_error_holds_nothing_that_differs_by_machine():
    program = snippets.Snippet("a.md", "print(1)\n", "1\n", None)
    raised = "Traceback\n  File …\nValueError: at 0x7f00aa11bbcc in /usr/lib/torch/x.py\n"
    assert releases.outcome(program, runner.Outcome("1\n", None)).keys() == {"tree"}
    entry = releases.outcome(program, runner.Outcome("2\n", raised))
    assert (entry["output"], entry["error"]) == ("2\n", "ValueError: at 0x… in …/x.py")
    assert changes.tree("print(1)  # one\n") == entry["tree"] != changes.tree("print(2)\n")
