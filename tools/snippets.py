"""The snippet files: one program each, and under it the output it was seen to print."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pytest_codeblocks.main import extract_from_file

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "snippets"
OUTPUT_COMMENT = "<!--pytest-codeblocks:expected-output-->"

_PROGRAM = re.compile(r"^```python\n.*?^```\n", re.MULTILINE | re.DOTALL)
_OUTPUT = re.compile(
    rf"^{OUTPUT_COMMENT}\n(?P<between>(?:.*\n)*?)```text\n(?P<output>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class SnippetError(Exception):
    """A snippet file that does not hold one program, said with its path."""


@dataclass(frozen=True)
class Snippet:
    path: Path
    code: str
    output: str | None
    line: int
    """The line of the file on which the program's first line stands."""

    @property
    def name(self) -> str:
        """Path below snippets/, as pages include it."""
        return self.path.relative_to(FOLDER).as_posix()

    @property
    def figure_path(self) -> Path:
        return self.path.with_suffix(".svg")

    @property
    def figure(self) -> str | None:
        """The figure recorded beside the program, as SVG, if it draws one."""
        if not self.figure_path.exists():
            return None
        return self.figure_path.read_text(encoding="utf-8")


def paths(only: str = "") -> list[Path]:
    """All snippet files, or those below one folder (or the one file) of snippets/.

    Raises SnippetError if `only` names nothing.
    """
    start = FOLDER / only.removeprefix("snippets/")
    if start.is_file():
        return [start]
    if start.with_suffix(".md").is_file():
        return [start.with_suffix(".md")]
    found = sorted(start.rglob("*.md"))
    if only and not found:
        raise SnippetError(f"snippets/{only}: no such snippet or folder of snippets")
    return found


def read(path: Path) -> Snippet:
    """Raises SnippetError unless the file holds exactly one program that pytest-codeblocks runs."""
    shown = path.relative_to(ROOT).as_posix()
    try:
        blocks = [block for block in extract_from_file(path) if block.syntax == "python"]
    except RuntimeError as error:
        raise SnippetError(f"{shown}: pytest-codeblocks can't read it: {error}") from None
    if len(blocks) != 1:
        raise SnippetError(
            f"{shown}: {len(blocks)} programs where one should be; "
            "write one fence that opens with exactly ```python"
        )
    block = blocks[0]
    return Snippet(path, block.code, block.expected_output, block.lineno + 1)


def with_output(text: str, output: str) -> str:
    """A snippet file's text with this output recorded in it, in place of an earlier one."""
    if not output.endswith("\n"):
        output += "\n"
    recorded = _OUTPUT.search(text)
    if recorded:
        return text[: recorded.start("output")] + output + text[recorded.end("output") :]
    program = _PROGRAM.search(text)
    if program is None:
        raise SnippetError("no ```python fence")
    head, rest = text[: program.end()], text[program.end() :].strip("\n")
    if rest:
        raise SnippetError(f"unexpected text under the program: {rest.splitlines()[0]!r}")
    return f"{head}\n{OUTPUT_COMMENT}\n\n```text\n{output}```\n"


def write(path: Path, text: str) -> None:
    """Replace a file whole: written beside, then renamed, so that it is never half there."""
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def write_figure(snippet: Snippet, svg: str | None) -> None:
    """Put the figure of a program beside it, or take away one that it no longer draws."""
    if svg is None:
        snippet.figure_path.unlink(missing_ok=True)
    else:
        write(snippet.figure_path, svg)
