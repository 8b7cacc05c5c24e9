"""The house: what imports what, what a build reads, and what is copied from the theme."""

import ast
import hashlib
from pathlib import Path

import material
from problems import report

from handbook import pages
from handbook.places import INCLUDED, ROOT, shown

FLOORS = [
    {
        "addresses",
        "archive",
        "bench",
        "drift",
        "record",
        "releases",
        "language",
        "lengths",
        "licences",
        "search",
    },
    {"cells"},
    {"changes", "hosting", "notebooks", "preview", "recording"},
    {"formulas", "pages", "runner", "snippets"},
    {"figures", "marks", "places"},
]
"""The rooms of handbook/; each imports from lower floors, and snippets from nothing but places."""


def imported(file: Path) -> set[str]:
    """The rooms that a module of the package imports."""
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


def test_the_markdown_extension_looks_where_we_look():
    for lang in pages.LANGUAGES:
        base = pages.config(lang).mdx_configs["pymdownx.snippets"]["base_path"]
        assert base == [shown(folder) for folder in INCLUDED], "mkdocs.yml and places.py differ"


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
