"""What imports what, and what is copied from the theme."""

import ast
import hashlib
from pathlib import Path

import material
from problems import report

from handbook.places import ROOT

FLOORS = [
    {
        "archive",
        "bench",
        "drift",
        "language",
        "record",
        "releases",
        "successor",
    },
    {"compose"},
    {"cells", "search"},
    {"addresses", "changes", "hosting", "notebooks", "preview", "recording"},
    {"formulas", "pages", "runner"},
    {"parts"},
    {"snippets"},
    {"figures", "places"},
]
"""The modules of handbook/, from the highest to the lowest: each imports only those below it."""


def imported(file: Path) -> set[str]:
    """The modules of the package that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("handbook"):
            room = node.module.partition(".")[2]
            found |= {room} if room else {name.name for name in node.names}
    return found


def test_no_import_runs_up_and_every_room_has_a_floor():
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    files = {file.stem: file for file in (ROOT / "handbook").glob("[!_]*.py")}
    assert files.keys() == floor.keys()
    report(
        f"handbook/{room}.py:1: imports {other}, which does not stand below it"
        for room, file in files.items()
        for other in imported(file)
        if floor[other] <= floor[room]
    )


def test_what_is_copied_from_the_theme_is_as_it_was_when_it_was_copied():
    """A copy says what of: its first comment ends in the first half of the original's SHA-256."""
    theme = Path(material.__file__).parent / "templates"
    problems = []
    for copy in (ROOT / "overrides").rglob("*.html"):
        name = copy.relative_to(ROOT / "overrides").as_posix()
        original = theme / name
        if original.exists() and "{% extends" not in copy.read_text(encoding="utf-8"):
            digest = hashlib.sha256(original.read_bytes()).hexdigest()[:32]
            if digest not in copy.read_text(encoding="utf-8"):
                problems.append(f"overrides/{name}:1: the theme's is now {digest}; copy it anew")
    report(problems)
