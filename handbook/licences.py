"""`make licences`: what of the site others have written, and under which licence: what is vendored
in overrides/, each folder with its licence beside it, and what the theme adds to a built site."""

from importlib import metadata
from pathlib import Path

from handbook.places import ROOT, shown

OVERRIDES = ROOT / "overrides"
COPIED = "Copied from "
"""How a template of the theme says that it is one, with the version."""

THEME = "mkdocs-material"
KNOWN = {
    "Icons: CC BY 4.0": "CC BY 4.0",
    "CC0 1.0 Universal": "CC0 1.0",
    "Pictogrammers Free License": "Apache 2.0, as the Pictogrammers Free License says",
    "Permission is hereby granted, free of charge": "MIT",
}
"""By words of its text, a licence."""


def vendored() -> list[tuple[str, str]]:
    """Folders with a licence of their own and templates copied from the theme, with the licence."""
    found = [(shown(file.parent), _name(file)) for file in sorted(OVERRIDES.rglob("LICENSE*"))]
    for file in sorted(OVERRIDES.rglob("*.html")):
        if COPIED in file.read_text(encoding="utf-8"):
            found.append((shown(file), f"{_theirs()}, as the theme"))
    return found


def of_the_theme() -> list[tuple[str, str]]:
    """What the theme adds to a built site: its own files and those that it brings; the licences
    stand in its package."""
    files = metadata.files(THEME) or []
    icons = [file for file in files if file.name.startswith("LICENSE") and ".icons" in file.parts]
    found = [(f"{THEME} {metadata.version(THEME)}: scripts, styles, templates", _theirs())]
    return found + [(f"its icons: {file.parent.name}", _name(file.locate())) for file in icons]


def _theirs() -> str:
    said = metadata.metadata(THEME)
    return said.get("License-Expression") or said.get("License") or "see its package"


def _name(file: Path) -> str:
    """The licence that a text is, or its first line."""
    text = file.read_text(encoding="utf-8")
    known = (name for sign, name in KNOWN.items() if sign in text)
    return next(known, text.strip().splitlines()[0])


if __name__ == "__main__":
    for what, licence in [*vendored(), *of_the_theme()]:
        print(f"{what}: {licence}")
