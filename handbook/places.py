"""Where things are, which languages there are, and what a build reads."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("zh", "en")

DOCS = ROOT / "docs"
SNIPPETS = ROOT / "snippets"
PICTURES = DOCS / "pictures"
TABLES = DOCS / "tables"
FORMULAS = DOCS / "formulas"
INCLUDED = (SNIPPETS, PICTURES, TABLES, FORMULAS)
"""Where the include lines of pages look; the Markdown extension has the same list in mkdocs.yml."""

CACHE = ROOT / ".cache"
"""What a command can make again: git ignores it."""

REQUIREMENTS = ROOT / "requirements-test.txt"

INPUTS = (
    "docs",
    "snippets",
    "overrides",
    "handbook",
    "hooks",
    "mkdocs.yml",
    "mkdocs.zh.yml",
    "mkdocs.en.yml",
    "search-terms.txt",
    "requirements-test.txt",
)
"""What a build reads: while serving, an edit there shows."""


def inputs(lang: str) -> Iterator[Path]:
    """Every file that the build of one language reads, itself included."""
    others = {other for other in LANGUAGES if other != lang} | {"root"}
    not_read = {DOCS / other for other in others} | {ROOT / f"mkdocs.{o}.yml" for o in others}
    for name in INPUTS:
        path = ROOT / name
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            left_by_an_editor = file.name.startswith(".") or file.name.endswith("~")
            if file.suffix == ".pyc" or left_by_an_editor or not_read & {file, *file.parents}:
                continue
            if file.is_file():
                yield file


def shown(path: Path) -> str:
    """A file as messages name it: from the root of the project."""
    return path.relative_to(ROOT).as_posix()


def pinned(package: str) -> str:
    """The version of a package that the requirements name."""
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith(f"{package}==")).partition("==")[2]
