"""The recorded runs of programs on other releases: they are complete, each difference has its
change, and each change its words, which stand under the program. A program that was edited since
its run is a warning, or an error if STRICT_RELEASES is set."""

import json
import os
import warnings
from collections.abc import Callable, Iterator

import pytest
from problems import report
from rendered import readable_programs

from builder.content import differences, pages, snippets
from builder.content.paths import CHANGES, LANGUAGES, rows, shown
from builder.publishing import configuration, other_releases

WORDS = configuration.read("mkdocs.en.yml")["extra"]
PROGRAM = snippets.Program("a.md", "print(1)\n", "1\n2\n", None)

CHANGED = """??? differs "torch 2.11.0: it prints 3"

{}

[What changed, and what to write.](../reference/releases.md#a-change) 2.12 wasn't run."""

# By rule what PROGRAM did on torch 2.11.0, before it was moved, and what is under it.
NOTES = {
    "the same output is not mentioned": ({}, ""),
    "an output with lines in common is a difference": (
        {"output": "1\n3\n"},
        CHANGED.format("``` {.diff .no-copy}\n 1\n-2\n+3\n```"),
    ),
    "an error is shown as it is": (
        {"output": "", "error": "ValueError: no"},
        CHANGED.format("``` {.diff .no-copy}\nValueError: no\n```"),
    ),
    "of a long output, the beginning and the last line are shown": (
        {"output": "\n".join(["1", "3", *"abcdefghijklmnop", ""])},
        CHANGED.format(
            "``` {.diff .no-copy}\n 1\n-2\n+3\n+a\n+b\n+c\n+d\n+e\n+f\n+g\n+h\n+i\n…\n+p\n```"
        ),
    ),
    "an empty output is said": ({"output": ""}, CHANGED.format("It prints nothing there.")),
    "a missing name is said as such": (
        {"output": "", "error": "AttributeError: module 'torch' has no attribute 'new'"},
        CHANGED.replace("\n\n{}", "")
        .replace("it prints 3", "`new` doesn't exist there yet")
        .replace("a-change", differences.NOT_THERE_YET),
    ),
    "a program that was changed says that it was not run": (
        {"digest": "another"},
        "[not run in this form on other releases yet](../reference/releases.md#matrix)\n{ .differs }",
    ),
}

# By rule the releases of a difference, and their label.
LABELS = {
    "all older": (["2.12.1", "2.10.0", "2.0.1"], "2.12.1 and older"),
    "the last of the older": (["2.10.0", "2.0.1"], "2.10.0 and older"),
    "the oldest alone": (["2.0.1"], "2.0.1"),
    "some in the middle": (["2.12.1", "2.10.0"], "2.12.1, 2.10.0"),
    "the first and the last": (["2.12.1", "2.0.1"], "2.12.1, 2.0.1"),
    "all newer": (["2.14.1", "2.15.0"], "2.14.1 and newer"),
    "the newest alone": (["2.15.0"], "2.15.0"),
    "in any order": (["2.0.1", "2.12.1", "2.10.0"], "2.12.1 and older"),
    "another Python": (["2.13.0-3.13"], "2.13.0 (Python 3.13)"),
}
RECORDED = ["2.15.0", "2.14.1", "2.13.0-3.13", "2.13.0", "2.12.1", "2.10.0", "2.0.1"]


@pytest.fixture(scope="module")
def programs() -> list[snippets.Program]:
    return [*readable_programs()]


@pytest.fixture
def note(tmp_path, monkeypatch) -> Iterator[Callable[[dict], str]]:
    """Says what is under PROGRAM if nothing is recorded but its run on torch 2.11.0, under another
    name, and 2.13.0 is pinned."""
    for module in (differences, other_releases):
        monkeypatch.setattr(module, "pinned", lambda package: "2.13.0")
    monkeypatch.setattr(differences, "FOLDER", tmp_path)
    monkeypatch.setattr(differences, "CHANGES", tmp_path / "changes.csv")
    monkeypatch.setattr(other_releases, "changes", lambda lang: {"a-change": "it prints 3"})
    snippets.write(differences.CHANGES, "program,side,change\na.md,older,a-change\n")

    def of_run(run: dict) -> str:
        run = {"digest": differences.digest(PROGRAM.code)} | run
        data = {
            "torch": "2.11.0",
            "python": "3.11.5",
            "numpy": "2.0.0",
            "programs": {"moved.md": run},
        }
        snippets.write(differences.FOLDER / "2.11.0.json", json.dumps(data))
        differences.forget()
        return other_releases.notes(PROGRAM, "en", WORDS, "../").replace("\n    ", "\n")

    yield of_run
    differences.forget()


def test_every_program_was_run_in_its_present_form_on_every_release(only):
    problems = [
        f"{program.where}: not run on {', '.join(map(differences.label, missing))} in its present "
        f"form; make releases ONLY={program.name.removesuffix('.md')}"
        for program in readable_programs(only)
        if (missing := differences.not_run(program))
    ]
    if os.environ.get("STRICT_RELEASES"):
        report(problems)
    elif problems:
        warnings.warn("\n".join(["not run on other releases yet", *problems]), stacklevel=1)


def test_every_difference_has_a_change_and_every_row_a_difference(programs):
    listed, used, problems = differences.change_names(), set(), []
    for program in programs:
        for difference in differences.of_program(program):
            releases = difference.releases
            keys = [(program.name, key) for key in (*releases, differences.side(releases[0]))]
            used |= {key for key in keys if listed.get(key) == difference.change}
            if not difference.change:
                text = f"{program.name} differs on {', '.join(releases)}; give it its change"
                problems.append(f"{shown(CHANGES)}:1: {text}")
    edited = {program.name for program in programs if differences.not_run(program)}
    problems += [
        f"{shown(CHANGES)}:{number}: {row['program']} does not differ there; delete the row"
        for number, row in enumerate(rows(CHANGES), 2)
        if (row["program"], row["side"]) not in used and row["program"] not in edited
    ]
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_change_has_words_and_every_bullet_is_a_change_or_is_linked(lang):
    page = pages.pages(lang)[other_releases.PAGE]
    written = other_releases.changes(page)
    problems = [
        f"{shown(CHANGES)}:{number}: no words for {row['change']!r}; begin a bullet of {shown(page.path)} "
        f"with **words**{{ #{row['change']} }}"
        for number, row in enumerate(rows(CHANGES), 2)
        if row["change"] not in written
    ]
    texts = [other.text for other in pages.pages(lang).values()]
    problems += [
        f"{shown(page.path)}:{page.line_of(f'#{change} ')}: {change!r} is no change, and no link leads here"
        for change in written.keys() - {*differences.change_names().values()}
        if change != differences.NOT_THERE_YET
        if not any(f"#{change})" in text for text in texts)
    ]
    report(problems)


@pytest.mark.parametrize(("releases", "expected"), LABELS.values(), ids=LABELS)
def test_a_group_of_releases_has_its_label(monkeypatch, releases, expected):
    monkeypatch.setattr(differences, "pinned", lambda package: "2.13.0")
    monkeypatch.setattr(differences, "recorded", lambda: RECORDED)
    assert other_releases.releases(releases, WORDS["releases"]) == f"torch {expected}"


@pytest.mark.parametrize(("run", "expected"), NOTES.values(), ids=NOTES)
def test_what_is_recorded_of_a_release_is_under_its_program(note, run, expected):
    assert note(run) == expected


def test_after_an_edit_everything_that_was_read_of_the_runs_is_read_again(programs):
    for program in programs:
        differences.of_program(program)
    kept = [value for value in vars(differences).values() if hasattr(value, "cache_info")]
    assert differences.digest in kept and len(kept) > 1
    differences.forget()
    names = {function.__name__ for function in kept if function.cache_info().currsize}
    assert names == {"digest"}, "add the others to differences.forget"
