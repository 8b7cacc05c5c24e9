"""Under a program that does something else on other releases stands which, and a link to why."""

import re

import pytest
from problems import report

from handbook import changes, pages, snippets
from handbook.places import LANGUAGES, SNIPPETS


def expected(name: str) -> list[tuple[str, str]]:
    """The change and the label of each release on which a program differs, the newest first."""
    releases = [
        (release, side)
        for side in changes.SIDES
        for release in changes.differing().get((name, side), ())
    ]
    releases.sort(key=lambda pair: changes.number(pair[0]), reverse=True)
    return [(changes.changes()[name, side], changes.label(release)) for release, side in releases]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_program_that_differs_says_so_and_leads_to_its_change(public, lang):
    assert changes.differing()
    problems = []
    for uri, page in pages.pages(lang).items():
        html = (public.folder / lang / pages.url(uri, "") / "index.html").read_text("utf-8")
        lines = re.findall(r'<p class="script">(.*?)</p>', html, re.DOTALL)
        programs = [one.target for one in page.includes if one.is_program]
        if len(lines) != len(programs):
            problems.append(f"{page.shown}:1: {len(lines)} lines under {len(programs)} programs")
            continue
        for name, line in zip(programs, lines, strict=True):
            told = re.findall(r'href="[^"#]*#([\w-]*)">torch (.*?): ', line)
            if told != expected(name)[:3]:
                problems.append(f"{page.shown}:1: under {name} stands {line!r}")
            not_run = changes.not_run(snippets.read(SNIPPETS / name))
            if bool(not_run) != ('#matrix">' in line):
                problems.append(f"{page.shown}:1: {name}, not run on {not_run}, has {line!r}")
    report(problems)


def test_the_pinned_torch_on_another_python_is_named_as_readers_write_it(public):
    """Without this the line could show the name of the file of data, 2.13.0-3.13."""
    for (name, side), releases in changes.differing().items():
        if side == "python":
            assert (changes.changes()[name, side], "2.13.0, Python 3.13") in expected(name)
            assert "-" in releases[0]
            break
    else:
        pytest.fail("no program differs on another Python; this rule has nothing to look at")
    for file in public.html():
        assert "2.13.0-3.13" not in file.read_text("utf-8"), file
