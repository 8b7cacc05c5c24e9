"""What programs do on other releases is data that was recorded, of the programs as they are; each
that differs has its change, and each change its section."""

import pytest
from problems import report

from handbook import changes, pages, releases, runner, snippets
from handbook.places import LANGUAGES, shown

PAGE = "reference/releases.md"


@pytest.fixture(scope="module")
def trees() -> dict[str, str]:
    programs = (snippets.read(path) for path in snippets.paths(""))
    return {program.name: changes.tree(program.code) for program in programs}


@pytest.mark.parametrize("release", changes.recorded())
def test_the_data_of_a_release_is_as_it_was_recorded(release):
    data = changes.read(release)
    assert data["checksum"] == changes.checksum(data), (
        f"{shown(changes.file(release))}:1: changed by hand; make releases RELEASES={release}"
    )


@pytest.mark.parametrize("release", changes.recorded())
def test_every_program_has_been_run_on_every_release(release, trees):
    known = {name: entry["tree"] for name, entry in changes.read(release)["programs"].items()}
    report(
        f"snippets/{name}:2: not run on {release} as it is; "
        f"make releases ONLY={name.rpartition('/')[0]}"
        for name in trees.keys() | known.keys()
        if known.get(name) != trees.get(name)
    )


def test_every_program_that_differs_has_a_change_and_every_change_a_program():
    wanted, there = changes.differing().keys(), changes.changes().keys()
    report(
        [
            f"{shown(changes.CHANGES)}:1: {name} differs on a {side} release; give it its change"
            for name, side in sorted(wanted - there)
        ]
        + [
            f"{shown(changes.CHANGES)}:1: {name} differs on no {side} release; delete its row"
            for name, side in sorted(there - wanted)
        ]
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_change_has_its_section(lang):
    sections = {identifier for _, identifier, _ in pages.pages(lang)[PAGE].headings}
    named = set(changes.changes().values())
    fixed = {"releases", "matrix", "newer", "older", "python", "your-own", "next"}
    report(
        f"{shown(changes.CHANGES)}:1: no section {change!r} in docs/{lang}/{PAGE}"
        for change in sorted(named - sections)
    )
    report(
        f"docs/{lang}/{PAGE}:1: the section {section!r} is no change of the table"
        for section in sorted(sections - named - fixed)
    )


def test_the_tables_are_made_from_the_data():
    made = changes.tables()
    there = {path.name: path.read_text("utf-8") for path in changes.FOLDER.glob("*.md")}
    report(
        f"{shown(changes.FOLDER / name)}:1: not what the data makes; make releases"
        for name in made.keys() | there.keys()
        if made.get(name) != there.get(name)
    )


@pytest.mark.parametrize("release", ["2.6", "newest", "../2.6.0"])
def test_what_is_no_release_is_refused_in_a_line(release):
    with pytest.raises(releases.ReleaseError, match="name it as"):
        releases.record(release, "", again=False)


def test_what_a_release_does_is_recorded_without_what_differs_by_machine():
    program = snippets.Snippet("a.md", "print(1)\n", "1\n", None)
    raised = "Traceback\n  File …\nValueError: at 0x7f00aa11bbcc in /usr/lib/torch/x.py\n"
    assert releases.outcome(program, runner.Outcome("1\n", None)).keys() == {"tree"}
    entry = releases.outcome(program, runner.Outcome("2\n", raised))
    assert (entry["output"], entry["error"]) == ("2\n", "ValueError: at 0x… in …/x.py")
    assert changes.tree("print(1)  # one\n") == entry["tree"] != changes.tree("print(2)\n")
