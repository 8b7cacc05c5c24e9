"""The recorded runs of programs on other releases: they are complete, each program that
differs has its change, and each change its section. A program that was edited since its run is
a warning, or an error if STRICT_RELEASES is set."""

import os
import warnings
from dataclasses import replace

from problems import report

from builder.content import differences, snippets


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


def test_a_program_keeps_its_runs_unless_it_is_changed():
    programs = map(snippets.read, snippets.paths())
    program = next(program for program in programs if not differences.not_run(program))
    moved = replace(program, name="elsewhere/moved.md", code=f"# a comment\n{program.code}")
    release = differences.recorded()[0]
    assert differences.run_of(moved, release) == differences.run_of(program, release) != None  # noqa: E711
    changed = replace(program, code=f"{program.code}print('one more')\n")
    assert differences.not_run(changed) == differences.recorded()


def test_after_an_edit_everything_that_was_read_of_the_runs_is_read_again():
    for path in snippets.paths():
        differences.of_program(snippets.read(path))
    kept = [value for value in vars(differences).values() if hasattr(value, "cache_info")]
    assert differences.digest in kept and len(kept) > 1
    differences.forget()
    names = {function.__name__ for function in kept if function.cache_info().currsize}
    assert names == {"digest"}, "add the others to differences.forget"
