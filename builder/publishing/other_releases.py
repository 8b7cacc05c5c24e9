"""What pages show of programs on other releases: a line under a program, and the tables of the page
about changes."""

import difflib
import html
import re
from collections import Counter

from builder.content import differences, pages, snippets
from builder.content.differences import differing_runs, label, not_run, outcome, run_of, side
from builder.content.parts import OF_RUNS, Include
from builder.content.paths import SNIPPETS, pinned
from builder.content.snippets import Program

MOST_NAMED = 3
"""How many releases the line under a program names."""

MOST_LINES, MOST_COLUMNS = 14, 300
"""How much of a difference a table shows."""


def note(program: Program, words: dict[str, str], page: str) -> str:
    """What is under a program about other releases, as Markdown; empty if it is the same on all.

    A program that is left out there names the pinned torch. Of another, first the releases where it
    does something else, the newest first, each with a link to its change on the page of changes.
    Then those where its present form has not been run.
    """
    differing, unknown = list(differing_runs(program)), not_run(program)
    changes = differences.change_names()
    notes = []
    if snippets.extra(program.code):
        notes.append(f"[{words['pinned_only'].format(release=pinned('torch'))}]({page}#matrix)")
    if differing:
        links = words["comma"].join(
            f"[{label(release)}]({page}#{changes.get((program.name, side(release)), '')})"
            for release in differing[:MOST_NAMED]
        )
        more = " …" if len(differing) > MOST_NAMED else ""
        notes.append(words["differs"].format(releases=links + more))
    if unknown:
        is_everywhere = len(unknown) == len(differences.recorded())
        where = words["others"] if is_everywhere else words["comma"].join(map(label, unknown))
        notes.append(f"[{words['not_run'].format(releases=where)}]({page}#matrix)")
    return " · ".join(notes)


def table(include: Include, lang: str, words: dict) -> str:
    """What an include line stands for that is made from the recorded runs. It is empty if no
    program shows the change in its present form. words: `extra` of mkdocs.<lang>.yml."""
    name = include.target.removeprefix(OF_RUNS).removesuffix(".md")
    if name == "matrix":
        return _matrix()
    if name == "proof":
        return proof(words)
    pairs = sorted(pair for pair, change in differences.change_names().items() if change == name)
    pairs = [pair for pair in pairs if pair in differences.differing()]
    return _difference(*pairs[0], lang) if pairs else ""


def proof(words: dict) -> str:
    """How many programs were run, and how many print the same on the newest recorded release."""
    newest = differences.recorded()[0]
    programs = [snippets.read(path) for path in snippets.paths()]
    same = sum(outcome(run_of(program, newest)) == "same" for program in programs)
    return words["releases"]["proof"].format(
        programs=len(programs), torch=pinned("torch"), same=same, newest=label(newest)
    )


def _matrix() -> str:
    """How many programs do what on each release."""
    rows = ["| torch | = | ≠ | ✗ | – | ? | Python | numpy |", "|---|---|---|---|---|---|---|---|"]
    programs = [snippets.read(path) for path in snippets.paths()]
    for release in differences.recorded():
        data = differences.read(release)
        count = Counter(outcome(run_of(program, release)) for program in programs)
        names = ("same", "different", "error", "left out", "not run")
        cells = [data["torch"], *(count[name] for name in names), data["python"], data["numpy"]]
        rows.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(rows) + "\n"


def _difference(name: str, side: str, lang: str) -> str:
    """What a program prints before and after the change on a side of the pinned release."""
    release = differences.differing()[name, side][0]
    program = snippets.read(SNIPPETS / name)
    run = run_of(program, release)
    before, after = program.output or "", run["output"] + run.get("error", "")
    lines = [
        _changed(line if len(line) <= MOST_COLUMNS else f"{line[: MOST_COLUMNS - 1]}…")
        for line in difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
        if not line.startswith(("---", "+++", "@@"))
    ]
    title = f"{_link(name, lang)}: torch {pinned('torch')} → {label(release)}"
    difference = "\n".join(lines[:MOST_LINES])
    return f'{title}\n\n<pre class="diff">{difference}</pre>\n'


def _changed(line: str) -> str:
    """A line of a difference, as HTML."""
    text = html.escape(line, quote=False)
    tag = {"-": "del", "+": "ins"}.get(line[0])
    return f"<{tag}>{text}</{tag}>" if tag else text


def _link(name: str, lang: str) -> str:
    """A link to the section that shows a program, on the page of its folder if that does."""
    folder = name.rpartition("/")[0]
    own = f"{folder}.md", f"{folder}/index.md"
    places = [
        (uri, section.heading.id)
        for uri, page in pages.pages(lang).items()
        for section in page.sections
        if any(program.name == name for program in section.programs)
    ]
    uri, anchor = min(places or [(own[0], "")], key=lambda place: (place[0] not in own, place))
    title = re.sub(r"[`\\]", "", pages.pages(lang)[uri].title or uri)
    title = html.escape(title, quote=False).replace("_", "\\_")
    return f"[{title}](../{uri}#{anchor})"
