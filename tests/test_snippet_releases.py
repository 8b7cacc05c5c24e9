"""The recorded runs of programs on other releases: they are complete, each program that
differs has its change, and each change its section. A program that was edited since its run is
a warning, or an error if STRICT_RELEASES is set."""

import os
import re
import warnings
from dataclasses import replace

from problems import report

from builder.content import differences, pages, parts, snippets
from builder.content.paths import CHANGES, LANGUAGES, SNIPPETS, shown
from builder.publishing import other_releases
from builder.running import releases, runner

PAGE = "reference/releases.md"


def test_every_program_was_run_in_its_present_form_on_every_release(only):
    problems = []
    for path in snippets.paths(only):
        program = snippets.read(path)
        missing = differences.not_run(program)
        if missing:
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
    every = map(snippets.read, snippets.paths())
    program = next(program for program in every if not differences.not_run(program))
    moved = replace(program, name="elsewhere/moved.md", code=f"# a comment\n{program.code}")
    release = differences.recorded()[0]
    assert differences.run_of(moved, release) == differences.run_of(program, release) != None  # noqa: E711
    changed = replace(program, code=f"{program.code}print('one more')\n")
    words = {
        "differs": "on {releases}", "not_run": "not on {releases}", "others": "others", "comma": ", "
    }  # fmt: skip
    assert differences.not_run(changed) == differences.recorded()
    assert "[not on others](there/#matrix)" in other_releases.note(changed, words, "there/")
    (name, side), differing_on = next(iter(differences.differing().items()))
    release = max(differing_on, key=differences.number)
    line = other_releases.note(snippets.read(SNIPPETS / name), words, "there/")
    change = differences.change_names()[name, side]
    assert re.search(rf"^on \[{re.escape(differences.label(release))}\]\(there/#{change}\)", line)


def test_every_program_that_differs_has_a_change_and_every_change_a_program():
    wanted, listed = differences.differing().keys(), differences.change_names().keys()
    there = {path.relative_to(SNIPPETS).as_posix(): path for path in snippets.paths()}
    problems = [
        f"{shown(CHANGES)}:1: {name} differs on a {side} release; give it its change"
        for name, side in sorted(wanted - listed)
    ]
    for name, side in sorted(listed - wanted):
        if name not in there:
            problems.append(f"{shown(CHANGES)}:1: there is no {name}; delete its row")
        elif not differences.not_run(snippets.read(there[name])):
            problems.append(
                f"{shown(CHANGES)}:1: {name} differs on no {side} release; delete its row"
            )
    report(problems)


def test_every_change_has_its_section():
    named = set(differences.change_names().values())
    fixed = {"releases", "matrix", "newer", "older", "python", "your-own", "next"}
    problems = []
    for lang in LANGUAGES:
        sections = {heading.id for heading in pages.pages(lang)[PAGE].headings}
        problems += [
            f"docs/{lang}/{PAGE}:1: the section {change!r} is missing, or no change of "
            f"{shown(CHANGES)}"
            for change in sorted((named - sections) | (sections - named - fixed))
        ]
    report(problems)


def test_a_program_is_known_by_its_lines_without_blank_ones_and_comments():
    code = "import torch\n\n\nprint(1)\n"
    same = "# why\nimport torch\n    # here\nprint(1)\n"
    others = ("import torch\nprint(2)\n", "import torch\nprint(1)  # one\n", "import torch\n")
    assert differences.digest(code) == differences.digest(same) == "67e7bbf8b3cb"
    assert differences.digest(code) not in [differences.digest(other) for other in others]
    digests = [differences.digest(snippets.read(path).code) for path in snippets.paths()]
    assert len(digests) == len({*digests})


def test_a_run_stays_until_a_new_one_replaces_it_or_its_program_is_gone():
    edited, moved = {"digest": "1"}, {"digest": "2", "output": "2\n"}
    recorded = {"edited.md": edited, "old/moved.md": moved, "gone.md": {"digest": "3"}}
    runs = {"edited.md": None, "new/moved.md": moved, "new.md": None, "c.md": differences.LEFT_OUT}
    assert releases.kept(runs, recorded) == {"edited.md": edited, "new/moved.md": moved}


def test_what_a_change_makes_different_is_composed_in_each_language():
    ((include,), _) = parts.parse('--8<-- "releases/no-keywords.md"', CHANGES)
    for lang, title in (("zh", "apply"), ("en", "apply")):
        text = other_releases.table(include, lang, {})
        assert title in text and "torch 2.13.0 → 2." in text and "<del>" in text and "<ins>" in text
        assert "<span" not in text
    _, (problem,) = parts.parse('--8<-- "releases/no-such-change.md"', CHANGES)
    assert "no change" in problem.text and "changes.csv" in problem.text


def test_after_an_edit_everything_that_was_read_of_the_runs_is_read_again():
    differences.differing()
    kept = [one for one in vars(differences).values() if hasattr(one, "cache_info")]
    assert differences.digest in kept and len(kept) > 1
    differences.forget()
    names = {one.__name__ for one in kept if one.cache_info().currsize}
    assert names == {"digest"}, "add the others to differences.forget"


def test_a_recorded_error_holds_nothing_that_differs_by_machine():
    program = snippets.Program("a.md", "print(1)\n", "1\n", None)
    raised = "Traceback\n  File …\nValueError: at 0x7f00aa11bbcc in /usr/lib/torch/x.py\n"
    assert releases.entry_of(program, runner.Outcome("1\n", None)).keys() == {"digest"}
    entry = releases.entry_of(program, runner.Outcome("2\n", raised))
    assert (entry["output"], entry["error"]) == ("2\n", "ValueError: at 0x… in …/x.py")
