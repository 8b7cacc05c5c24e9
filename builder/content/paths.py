"""Where things are, which languages there are, what a build reads, and how mistakes are told."""

import csv
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("zh", "en")

DOCS = ROOT / "docs"
SNIPPETS = ROOT / "snippets"
TABLES = DOCS / "tables"
CHANGES = TABLES / "changes.csv"
INCLUDED = (SNIPPETS, DOCS / "pictures", TABLES, DOCS / "formulas")
"""Where the include lines of pages look."""

LICENCES = tuple(ROOT / name for name in ("LICENSE", "LICENSE-CC-BY-4.0", "NOTICE"))
"""Of programs and build, of pages and pictures, and of what others made."""

CACHE = ROOT / ".cache"
"""What a command can make again: git ignores it."""

REQUIREMENTS = ROOT / "requirements-test.txt", ROOT / "requirements-torch.txt"

INPUTS = (
    "docs", "snippets", "overrides", "builder", "mkdocs.yml", "mkdocs.zh.yml",
    "mkdocs.en.yml", *(file.name for file in (*REQUIREMENTS, *LICENCES)),
)  # fmt: skip
"""What a build reads: while serving, an edit there builds again what it changes. Edits of builder/
and of search-terms.txt show after a restart."""


def shown(path: Path) -> str:
    """A file as messages name it: from the root of the project."""
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Problem:
    """Something to correct in a file: what is wrong, and what to do."""

    file: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{shown(self.file)}:{self.line}: {self.text}"


class Mistake(Exception):
    """Ends a command: a Problem, or words where no file is at fault."""


def stamps(files: Iterable[Path]) -> tuple:
    """The files that are there, with time of change and size."""
    stats = ((file, file.stat()) for file in sorted({*files}) if file.is_file())
    return tuple((file, stat.st_mtime_ns, stat.st_size) for file, stat in stats)


@functools.cache
def read_text(file: Path) -> str:
    """What a file holds. It is read once, until `differences.forget`."""
    return file.read_text("utf-8")


def rows(table: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, each by the names of the columns."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@functools.cache
def pinned(package: str) -> str:
    """The version of a package that the requirements name."""
    text = "".join(file.read_text("utf-8") for file in REQUIREMENTS)
    return dict(re.findall(r"(?m)^([\w.-]+)==([\w.]+)", text))[package]
