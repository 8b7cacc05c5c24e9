"""What programs do on other releases of torch, as `make releases` recorded it in
docs/tables/releases/, and the change that makes each program differ, from docs/tables/changes.csv.

A run is what a program did on a release: its digest and, where it differs from what is recorded
under the program, its output and the type and last line of its error.
"""

import functools
import hashlib
import json
import re
from dataclasses import dataclass

from builder.content import paths, snippets
from builder.content.paths import CHANGES, TABLES, pinned, rows
from builder.content.snippets import Program

FOLDER = TABLES / "releases"
NOT_THERE_YET = "not-there-yet"
"""The change that a name is missing. It needs no row in changes.csv."""

_MISSING = re.compile(
    r"(?:(?:module '[\w.]+'|'Tensor' object) has no attribute|cannot import name|No module named)"
    r" '([\w.]+)'"
)


@dataclass(frozen=True)
class Difference:
    """What a program does on some releases, all newer or all older than the pinned one, or all on
    another Python.

    releases: the nearest to the pinned one first; output, error: what it prints on that one, and
    type and last line of the error, if it ends in one; missing: the name that isn't there, if that
    is the change; change: its name, as the page of changes has it as an id.
    """

    releases: list[str]
    output: str
    error: str
    missing: str
    change: str


@functools.cache
def digest(code: str) -> str:
    """What a program is known by: a hash of its lines and those of its modules, without blank ones
    and whole-line comments. It is the same on every Python."""
    lines = [line for line in code.splitlines() if not re.match(r"\s*(#|$)", line)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def forget() -> None:
    """Read files again from now on."""
    data = recorded, read, by_digest, of_program, change_names, number
    for kept in (paths.read_text, paths.pinned, snippets.read, *data):
        kept.cache_clear()


@functools.cache
def read(release: str) -> dict:
    """The data of a release: what ran, and the run of each program by its name. In the file, a
    digest alone stands for a program that prints the same."""
    file = FOLDER / f"{release}.json"
    if not file.exists():
        return {"torch": "", "python": "", "numpy": "", "programs": {}}
    data = json.loads(file.read_text("utf-8"))
    for name, run in data["programs"].items():
        if isinstance(run, str):
            data["programs"][name] = {"digest": run}
    return data


@functools.cache
def by_digest(release: str) -> dict[str, dict]:
    """The runs on a release, by the digest of the program that ran."""
    return {run["digest"]: run for run in read(release)["programs"].values()}


@functools.cache
def change_names() -> dict[tuple[str, str], str]:
    """By program and side, or by program and release, the change that makes it differ."""
    return {(row["program"], row["side"]): row["change"] for row in rows(CHANGES)}


@functools.cache
def recorded() -> list[str]:
    """The releases that there is data of, the newest first."""
    return sorted((path.stem for path in FOLDER.glob("*.json")), key=number, reverse=True)


@functools.cache
def number(release: str) -> tuple[int, ...]:
    return tuple(map(int, re.split("[.-]", release)))


def label(release: str) -> str:
    """A release as readers write it: 2.13.0-3.13 is 2.13.0 (Python 3.13)."""
    torch, _, python = release.partition("-")
    return f"{torch} (Python {python})" if python else torch


def side(release: str) -> str:
    """Where a release is, seen from the pinned one: newer, older, or python for another Python."""
    if "-" in release:
        return "python"
    return "newer" if number(release) > number(pinned("torch")) else "older"


def is_left_out(program: Program) -> bool:
    """Whether a program is run on the pinned torch only, because it needs more packages."""
    return bool(snippets.extra(program.code))


def run_of(program: Program, release: str) -> dict | None:
    """What a program did on a release, or None if it has not been run there in its present form."""
    return by_digest(release).get(digest(program.whole_code))


def outcome(run: dict) -> str:
    """What came of a run: same, different, or error."""
    return "error" if "error" in run else "different" if "output" in run else "same"


def not_run(program: Program) -> list[str]:
    """The recorded releases on which a program has not been run in its present form, but should."""
    releases = [] if is_left_out(program) else recorded()
    return [release for release in releases if run_of(program, release) is None]


@functools.cache
def of_program(program: Program) -> list[Difference]:
    """What a program does elsewhere, the nearest to the pinned release first: newer ones, older
    ones, other Pythons. Where names are missing, it does the same.

    The change is the one that changes.csv has for the program and the nearest release, or that a
    name is missing, or the one for the program and the side; empty if there is none.
    """
    found: dict[tuple, Difference] = {}
    for release in sorted(recorded(), key=distance):
        run, where = run_of(program, release), side(release)
        if run and outcome(run) != "same":
            output, error = run.get("output", ""), run.get("error", "")
            own, of_side = (change_names().get((program.name, at), "") for at in (release, where))
            missing = [*_MISSING.findall(error), ""][0]
            change = own or (NOT_THERE_YET if missing else of_side)
            difference = Difference([], output, error, "" if own else missing, change)
            # Some releases write a hyphen that doesn't break.
            key = where, bool(missing) or (output + error).replace("\u2011", "-")
            found.setdefault(key, difference).releases.append(release)
    return [*found.values()]


def distance(release: str) -> tuple:
    """What to sort releases by, so that the nearest to the pinned one comes first."""
    where = side(release)
    steps = [step if where == "newer" else -step for step in number(release)]
    return ("newer", "older", "python").index(where), steps
