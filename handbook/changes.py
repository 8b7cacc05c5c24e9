"""What programs do on other releases of torch, as `make releases` recorded it, and why: the data
in docs/tables/releases/, the change that makes each program differ, and what pages show of it."""

import ast
import csv
import difflib
import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from handbook import pages, snippets
from handbook.places import SNIPPETS, TABLES, pinned

FOLDER = TABLES / "releases"
CHANGES = TABLES / "changes.csv"
SIDES = ("newer", "older", "python")
"""Of the pinned release: newer and older torch, and the same torch on another Python."""


def tree(code: str) -> str:
    """What a program is known by: its syntax tree, which formatting and comments don't change."""
    return hashlib.sha256(ast.dump(ast.parse(code)).encode()).hexdigest()[:12]


def file(release: str) -> Path:
    return FOLDER / f"{release}.json"


def forget() -> None:
    """Read the data anew from now on: it has been written, or the site is built whole again."""
    for kept in (read, differing, changes):
        kept.cache_clear()


@functools.cache
def read(release: str) -> dict:
    """The data of a release: what ran, and by program its tree and, where it differs, what it
    printed or the type and last line of its error. In the file, a tree alone stands for a program
    that prints the same."""
    if not file(release).exists():
        return {"torch": "", "python": "", "numpy": "", "programs": {}}
    data = json.loads(file(release).read_text(encoding="utf-8"))
    for name, entry in data["programs"].items():
        if isinstance(entry, str):
            data["programs"][name] = {"tree": entry}
    return data


def checksum(data: dict) -> str:
    """Tells data that was recorded from data that was changed by hand."""
    parts = {key: value for key, value in data.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]


def number(release: str) -> tuple[int, ...]:
    return tuple(map(int, re.split("[.-]", release)))


def label(release: str) -> str:
    """A release as a reader has it; 2.13.0-3.13 is 2.13.0 on Python 3.13."""
    return release.replace("-", ", Python ")


def recorded() -> list[str]:
    """The releases that there is data of, the newest first."""
    return sorted((path.stem for path in FOLDER.glob("*.json")), key=number, reverse=True)


def kind(entry: dict) -> str:
    """What a program did on a release: the same, different, or error."""
    return "error" if "error" in entry else "different" if "output" in entry else "same"


def side(release: str) -> str:
    if "-" in release:
        return "python"
    return "newer" if number(release) > number(pinned("torch")) else "older"


@functools.cache
def differing() -> dict[tuple[str, str], list[str]]:
    """By program and side of the pinned release, where it does something else; the nearest first:
    the change that is named is the one that comes first on the way from the pin."""
    found: dict[tuple[str, str], list[str]] = {}
    for release in recorded():
        for name, entry in read(release)["programs"].items():
            if kind(entry) != "same":
                found.setdefault((name, side(release)), []).append(release)
    pin = number(pinned("torch"))
    for releases in found.values():
        releases.sort(key=number, reverse=number(releases[0]) < pin)
    return found


@functools.cache
def changes() -> dict[tuple[str, str], str]:
    """By program and side the change that makes it differ, as docs/tables/changes.csv has it."""
    with CHANGES.open(encoding="utf-8", newline="") as table:
        return {(row["program"], row["side"]): row["change"] for row in csv.DictReader(table)}


def line(program: str, words: dict[str, str], page: str) -> str:
    """What stands under a program that differs somewhere: the newest such release first, three at
    most, each with a link to its change on the page of changes. Empty for the others."""
    where = sorted(
        ((release, at) for at in SIDES for release in differing().get((program, at), ())),
        key=lambda pair: number(pair[0]),
        reverse=True,
    )
    said = [
        f'<a data-search-exclude="1" href="{page}#{changes().get((program, at), "")}">{release}: '
        f"{words[kind(read(release)['programs'][program])]}</a>"
        for release, at in where[:3]
    ]
    if not said:
        return ""
    return f"torch {' · '.join(said + ['…'] * (len(where) > 3))}{words['then']}"


def tables() -> dict[str, str]:
    """What the page of changes includes, by file name: the matrix, and for each change the programs
    that it touches and what one of them prints before and after."""
    rows = ["| torch | = | ≠ | ✗ | Python | numpy |", "|---|---|---|---|---|---|"]
    for release in recorded():
        data = read(release)
        count = Counter(kind(entry) for entry in data["programs"].values())
        cells = (count["same"], count["different"], count["error"], data["python"], data["numpy"])
        rows.append(f"| {data['torch']} | {' | '.join(map(str, cells))} |")
    made = {"matrix.md": "\n".join(rows) + "\n"}
    by_change: dict[str, list[tuple[str, str]]] = {}
    for pair in sorted(differing()):
        by_change.setdefault(changes().get(pair, ""), []).append(pair)
    by_change.pop("", None)
    for change, pairs in by_change.items():
        made[f"{change}.md"] = _table(pairs)
    return made


def _by_page(names: list[str]) -> Iterator[str]:
    """Programs after a link to the page that shows them: that of their folder, if it is one."""
    showing: dict[str, list[str]] = {}
    for uri, page in pages.pages("en").items():
        for one in page.includes:
            showing.setdefault(one.target.removesuffix(".md"), []).append(uri)
    by_page: dict[str, list[str]] = {}
    for name in names:
        folder = name.rpartition("/")[0]
        there = showing.get(name, [f"{folder}.md"])
        uri = min(there, key=lambda uri: (_path(uri) != folder, uri))
        by_page.setdefault(uri, []).append(name.removeprefix(_path(uri) + "/"))
    for uri, those in by_page.items():
        yield f"[{_path(uri)}](../{uri}): {', '.join(those)}"


def _path(uri: str) -> str:
    return uri.removesuffix(".md").removesuffix("/index")


def _table(pairs: list[tuple[str, str]]) -> str:
    shown = pairs[0]
    release = differing()[shown][0]
    entry = read(release)["programs"][shown[0]]
    program = snippets.read(SNIPPETS / shown[0])
    after = entry["output"] + entry.get("error", "")
    lines = difflib.unified_diff(
        (program.output or "").splitlines(), after.splitlines(), lineterm="", n=1
    )
    difference = [
        text if len(text) <= 300 else f"{text[:299]}…"
        for text in lines
        if not text.startswith(("---", "+++", "@@"))
    ][:14]
    names = " · ".join(_by_page([name.removesuffix(".md") for name, _ in pairs]))
    which = f"`{shown[0].removesuffix('.md')}`: " if len(pairs) > 1 else ""
    title = f"{which}− {pinned('torch')}, + {label(release)}"
    parts = [names, "", title, "", "```diff", *difference, "```", ""]
    return "\n".join(
        ['<div class="no-copy" data-search-exclude markdown>', "", *parts, "</div>", ""]
    )


def write_tables() -> None:
    for name, text in tables().items():
        snippets.write(FOLDER / name, text)
