"""What programs do on other releases of torch, as `make releases` recorded it, and why: the data
in docs/tables/releases/, the change that makes each program differ, and what pages show of it."""

import difflib
import functools
import hashlib
import html
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from builder.content import pages, snippets
from builder.content.parts import OF_RUNS, Heading, Include, in_language
from builder.content.paths import CHANGES, LANGUAGES, SNIPPETS, TABLES, pinned, rows
from builder.content.snippets import Snippet

FOLDER = TABLES / "releases"
LEFT_OUT = {"left out": ""}
"""The run of a program that needs a package besides torch, numpy and matplotlib. It is run on the
pinned torch only."""


@functools.cache
def digest(code: str) -> str:
    """What a program is known by: a hash of its lines, without blank ones and whole-line comments.
    It is the same on every Python."""
    lines = [line for line in code.splitlines() if not re.match(r"\s*(#|$)", line)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def file(release: str) -> Path:
    return FOLDER / f"{release}.json"


def forget() -> None:
    """Read the data again from now on."""
    for kept in (read, by_digest, differing, changes, tables, _sections):
        kept.cache_clear()


@functools.cache
def read(release: str) -> dict:
    """The data of a release: what ran, and by name of a program its digest and, where it differs,
    what it printed or the type and last line of its error. In the file, a digest alone stands for a
    program that prints the same."""
    if not file(release).exists():
        return {"torch": "", "python": "", "numpy": "", "programs": {}}
    data = json.loads(file(release).read_text(encoding="utf-8"))
    programs = {
        name: {"digest": entry} if isinstance(entry, str) else entry
        for name, entry in data["programs"].items()
    }
    return data | {"programs": programs}


@functools.cache
def by_digest(release: str) -> dict[str, dict]:
    """What programs did on a release, by the digest of the program that ran."""
    return {entry["digest"]: entry for entry in read(release)["programs"].values()}


def run(release: str, program: Snippet) -> dict | None:
    """What a program did on a release, or None if it has not been run there in its present form.

    It is known by its digest, so one that was moved keeps its run.
    """
    if snippets.extra(program.code):
        return LEFT_OUT
    return by_digest(release).get(digest(program.code))


def not_run(program: Snippet) -> list[str]:
    """The recorded releases on which a program has not been run in its present form."""
    return [release for release in recorded() if run(release, program) is None]


def number(release: str) -> tuple[int, ...]:
    return tuple(map(int, re.split("[.-]", release)))


def label(release: str) -> str:
    """A release as readers write it: 2.13.0-3.13 is 2.13.0 on Python 3.13."""
    return release.replace("-", ", Python ")


def recorded() -> list[str]:
    """The releases that there is data of, the newest first."""
    return sorted((path.stem for path in FOLDER.glob("*.json")), key=number, reverse=True)


def kind(entry: dict) -> str:
    """What a program did on a release: the same, different, error, or left out."""
    if entry is LEFT_OUT:
        return "left out"
    return "error" if "error" in entry else "different" if "output" in entry else "same"


def differs(entry: dict | None) -> bool:
    """Whether a program did something else on a release."""
    return kind(entry or {}) in ("different", "error")


def side(release: str) -> str:
    if "-" in release:
        return "python"
    return "newer" if number(release) > number(pinned("torch")) else "older"


@functools.cache
def differing() -> dict[tuple[str, str], list[str]]:
    """By program and side of the pinned release, the releases where its present form does something
    else. The nearest comes first: the change named for the program is the first on the way from the
    pin."""
    found: dict[tuple[str, str], list[str]] = {}
    programs = [snippets.read(path) for path in snippets.paths()]
    for release in recorded():
        for program in programs:
            if differs(run(release, program)):
                found.setdefault((program.name, side(release)), []).append(release)
    pin = number(pinned("torch"))
    for releases in found.values():
        releases.sort(key=number, reverse=number(releases[0]) < pin)
    return found


@functools.cache
def changes() -> dict[tuple[str, str], str]:
    """By program and side the change that makes it differ, as docs/tables/changes.csv has it."""
    return {(row["program"], row["side"]): row["change"] for row in rows(CHANGES)}


def line(program: Snippet, words: dict[str, str], page: str) -> str:
    """What is under a program about other releases, as Markdown; empty if it is the same on all.

    A program that is left out there names the pinned torch. Of another, first the releases where it
    does something else, the newest first, three at most, each with a link to its change on the page
    of changes. Then those where its present form has not been run.
    """
    runs = [(release, run(release, program)) for release in recorded()]
    others = [release for release, entry in runs if differs(entry)]
    links = [
        f"[{label(release)}]({page}#{changes().get((program.name, side(release)), '')})"
        for release in others[:3]
    ]
    unknown = [label(release) for release, entry in runs if entry is None]
    parts = []
    if snippets.extra(program.code):
        parts.append(f"[{words['pinned_only'].format(release=pinned('torch'))}]({page}#matrix)")
    if links:
        more = " …" if len(others) > len(links) else ""
        parts.append(words["differs"].format(releases=words["comma"].join(links) + more))
    if unknown:
        where = words["others"] if len(unknown) == len(runs) else words["comma"].join(unknown)
        parts.append(f"[{words['not_run'].format(releases=where)}]({page}#matrix)")
    return " · ".join(parts)


def text_of(include: Include, lang: str) -> str:
    """What an include line stands for in a language. A table of runs is made from the data. It is
    empty if no program shows the change in its present form."""
    if not include.is_of_runs:
        return include.text_in(lang)
    return in_language(tables().get(include.target.removeprefix(OF_RUNS), ""), lang)


@functools.cache
def tables() -> dict[str, str]:
    """What the page of changes includes, by file name: the matrix, and for each change what one of
    the programs that it touches prints before and after."""
    rows = ["| torch | = | ≠ | ✗ | – | ? | Python | numpy |", "|---|---|---|---|---|---|---|---|"]
    programs = [snippets.read(path) for path in snippets.paths()]
    for release in recorded():
        data, runs = read(release), [run(release, program) for program in programs]
        count = Counter(kind(entry) if entry else "not run" for entry in runs)
        cells = [count[kind] for kind in ("same", "different", "error", "left out", "not run")]
        rows.append(
            f"| {data['torch']} | {' | '.join(map(str, cells))} "
            f"| {data['python']} | {data['numpy']} |"
        )
    made = {"matrix.md": "\n".join(rows) + "\n"}
    for pair in sorted(differing().keys() & changes().keys()):
        name = f"{changes()[pair]}.md"
        made[name] = made.get(name) or _difference(*pair)
    return made


@functools.cache
def _sections() -> dict[str, list[tuple[str, str]]]:
    """By program the pages and sections that show it."""
    showing: dict[str, list[tuple[str, str]]] = {}
    for uri, page in pages.pages("en").items():
        section = ""
        for part in page.parts:
            if isinstance(part, Heading):
                section = part.id or section
            elif isinstance(part, Include) and part.is_program:
                showing.setdefault(part.target, []).append((uri, section))
    return showing


def _link(name: str) -> str:
    """A link to the section that shows a program: the title of its page, in both languages."""
    folder = name.rpartition("/")[0]
    own = f"{folder}.md", f"{folder}/index.md"
    shown = _sections().get(name, [(own[0], "")])
    uri, section = min(shown, key=lambda place: (place[0] not in own, place))
    return f"[{_either(_title, uri)}](../{uri}#{section})"


def _title(lang: str, uri: str) -> str:
    """The title of a page, as Markdown without code."""
    words = re.sub(r"[`\\]", "", pages.pages(lang)[uri].title or uri)
    return html.escape(words, quote=False).replace("_", "\\_")


def _either(words: Callable[..., str], *arguments: object) -> str:
    """Words in both languages; a page has those of its own."""
    return "".join(f'<span lang="{lang}">{words(lang, *arguments)}</span>' for lang in LANGUAGES)


def _difference(name: str, side: str) -> str:
    """What a program prints before and after the change on a side of the pinned release."""
    release = differing()[name, side][0]
    program = snippets.read(SNIPPETS / name)
    entry = run(release, program)
    after = entry["output"] + entry.get("error", "")
    before = (program.output or "").splitlines()
    lines = difflib.unified_diff(before, after.splitlines(), lineterm="", n=1)
    difference = [
        _changed(text if len(text) <= 300 else f"{text[:299]}…")
        for text in lines
        if not text.startswith(("---", "+++", "@@"))
    ][:14]
    title = f"{_link(name)}: torch {pinned('torch')} → {label(release)}"
    shown = "\n".join(difference)
    return f'{title}\n\n<pre class="diff">{shown}</pre>\n'


def _changed(line: str) -> str:
    """A line of a difference, as HTML."""
    text = html.escape(line, quote=False)
    tag = {"-": "del", "+": "ins"}.get(line[0])
    return f"<{tag}>{text}</{tag}>" if tag else text
