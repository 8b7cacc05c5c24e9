"""Name the sections whose other language was not touched with them, as git has it: `make drift`.

A list to look through, never a failure: a comma put right in one language asks nothing of the
other. What one language has newer is settled by the next commit that touches the other. What was
only deleted leaves no line behind, and is not seen.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from handbook import pages
from handbook.places import LANGUAGES, ROOT, shown

HEADING = re.compile(r"#{1,6} .*\{[^}]*#(?P<id>[\w.-]+)[^}]*\}\s*$")
BLAMED = re.compile(r"([0-9a-f]{40,}) \d+ \d+")
UNCOMMITTED = "no commit yet"

History = dict[str, str]
"""Every commit with its short name and date, the newest first: the one that is still to be made."""


@dataclass(frozen=True, eq=False)
class Section:
    """A section of a page: where its heading stands, and the commits that its lines are from."""

    file: Path
    line: int
    commits: set[str]

    def newest(self, history: History) -> str:
        return next(commit for commit in history if commit in self.commits)


class NoHistory(Exception):
    """There is nothing to compare; the message is one line that says why."""


def git(folder: Path, *arguments: str) -> str:
    """What git prints in a folder. Raises NoHistory if it fails."""
    command = ["git", *arguments]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    except FileNotFoundError:
        raise NoHistory("git is not installed") from None
    if done.returncode:
        raise NoHistory(done.stderr.strip().partition("\n")[0])
    return done.stdout


def read(folder: Path) -> History:
    """The commits of a checkout. Raises NoHistory if there are none, or not all."""
    if git(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
        raise NoHistory("the history is cut short here; git fetch --unshallow gets it")
    log = git(folder, "log", "--date-order", "--format=%H %h (%cs)").splitlines()
    return {UNCOMMITTED: UNCOMMITTED, **dict(line.split(" ", 1) for line in log)}


def sections(file: Path) -> dict[str, Section]:
    """The sections of a page by id; what stands above its title belongs to the title."""
    found: dict[str, Section] = {}
    commits: set[str] = set()
    commit, number = "", 0
    for line in git(file.parent, "blame", "-w", "--porcelain", "--", file.name).splitlines():
        blamed = BLAMED.match(line)
        if blamed:
            commit = blamed[1] if blamed[1].strip("0") else UNCOMMITTED
        elif line.startswith("\t"):
            number += 1
            heading = HEADING.match(line[1:])
            if heading:
                commits = set() if found else commits
                found[heading["id"]] = Section(file, number, commits)
            if line.strip():
                commits.add(commit)
    return found


def drifts(one: Path, other: Path, history: History) -> dict[str, tuple[Section, Section]]:
    """By id, the sections of two pages that one has newer: the newer and the older."""
    here, there = sections(one), sections(other)
    found = {}
    for name in (name for name in here if name in there):
        sides = here[name], there[name]
        ahead = None
        for commit in reversed(history):
            touched = [side for side in sides if commit in side.commits]
            if len(touched) == 1:
                ahead = touched[0] if ahead in (None, touched[0]) else None
            elif touched:
                ahead = None
        if ahead:
            found[name] = ahead, sides[ahead is sides[0]]
    return found


def main() -> None:
    only = os.environ.get("ONLY", "")
    uris = pages.concerned(only)
    found = []
    try:
        if not uris:
            raise NoHistory(f"ONLY={only!r} names no page; name one as in ONLY=learn/ctx-vs-self")
        history = read(ROOT)
        known = git(ROOT, "ls-files", "docs").splitlines()
        for uri in uris:
            pair = [page for lang in LANGUAGES if (page := pages.pages(lang).get(uri))]
            if [page.shown in known for page in pair] == [True, True]:
                found += drifts(*(page.path for page in pair), history).items()
    except NoHistory as error:
        print(f"drift: nothing to compare: {error}")
        return
    found.sort(key=lambda one: list(history).index(one[1][0].newest(history)))
    for name, (newer, older) in found:
        since = history[older.newest(history)]
        print(
            f"{shown(newer.file)}:{newer.line}: #{name} touched in "
            f"{history[newer.newest(history)]}, "
            f"its counterpart {shown(older.file)}:{older.line} not since {since}"
        )
    print(f"Sections that one language has newer: {len(found)}, the newest first")


if __name__ == "__main__":
    main()
