"""A page as plain Markdown, with everything that it includes."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath

from builder.content import pages
from builder.content.pages import Page
from builder.content.parts import Figure, Heading, Include, Prose
from builder.content.snippets import Program
from builder.publishing import lab_cells, other_releases

COLUMNS = 80
"""What fits the column of a page at 1280 px: a longer output wraps its lines."""

LEAST_FOLDED = 3
"""Fewer lines are not folded."""

_ERROR_LINE = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Unsupported)\b"
    r"|[A-Za-z_'`.()]+,? (?:(?:[A-Za-z_'`.()]+|\d),? ){2}[A-Za-z]"
)


def markdown(page: Page, words: dict) -> str:
    """The page without its front matter. words: `extra` of mkdocs.<lang>.yml."""
    return "\n".join(_blocks(page, words)).strip("\n") + "\n"


def _blocks(page: Page, words: dict) -> Iterator[str]:
    cells = lab_cells.cells(page) if pages.is_lab(page.uri) else {}
    seen: set[str] = set()
    for part in page.parts:
        if isinstance(part, Heading | Prose):
            yield part.text
        elif isinstance(part, Figure):
            picture = part.include.text_in(page.lang).rstrip("\n")
            yield from (part.before, _indented(picture, part.include.indent), part.after)
        elif part.program:
            yield _indented(_program(part, cells.get(part.line), page, words, seen), part.indent)
            seen |= {line for line in part.program.code.split("\n") if line.strip()}
        else:
            yield _indented(other_releases.text_of(part, page.lang).rstrip("\n"), part.indent)


def _program(include: Include, cell: str | None, page: Page, words: dict, seen: set[str]) -> str:
    """A program with the name of its script above it, and its output and a note below.

    cell: its HTML, if it is a notebook's cell; seen: the lines of the programs above it.
    """
    program, to_root = include.program, "../" * page.uri.count("/")
    path = PurePosixPath(script(program.name))
    label = words["downloads"]["script"].format(name=path.name)
    header = (
        f"\n`{path.name}` [{words['downloads']['download']}]({to_root}{path})"
        f'{{ .script-link download="{path.name}" aria-label="{label}" }}\n{{ .script }}\n'
    )
    if cell:
        program_and_output = (
            f"\n{lab_cells.labelled(cell, *_label(program, words)) if program.output else cell}\n"
        )
    else:
        folded = [] if program.name in page.stepped else folds(program.code, include.marked, seen)
        program_and_output = _code(include, folded)
        if program.output:
            program_and_output += f"\n\n{_output(program, page, words)}"
    note = other_releases.note(program, words["releases"], f"{to_root}reference/releases.md")
    return f"{header}\n{program_and_output}\n" + (f"\n{note}\n{{ .differs }}\n" if note else "")


def _code(include: Include, folded: list[tuple[int, int]]) -> str:
    """The fence of a program, with its marked and its folded lines."""
    ranges = " ".join(f"{first}-{last}" for first, last in folded)
    options = {"hl_lines": _joined(include.marked), "data-fold": ranges}
    return _fence(["python"], options, include.program.code.rstrip("\n"))


def _output(program: Program, page: Page, words: dict) -> str:
    """The fence of what a program prints, with messages of errors marked; folded where the page
    wants it."""
    classes, label = _label(program, words)
    options = {"title": label, "hl_lines": _joined(error_lines(program))}
    fence = _fence(["text", *classes], options, program.output.removesuffix("\n"))
    if page.meta.get("outputs") != "folded":
        return fence
    return f'??? answer "{words["outputs"]["folded"]}"\n\n{_indented(fence, "    ")}'


def _label(program: Program, words: dict) -> tuple[list[str], str]:
    """The classes of an output, and the words above it."""
    kind = "error" if program.shows_error else "output"
    is_long = max(map(len, program.output.splitlines())) > COLUMNS
    return ["no-copy", kind, *(["long"] if is_long else [])], words["outputs"][kind]


def _fence(classes: list[str], options: dict[str, str], text: str) -> str:
    """A fence with those of the options that are not empty."""
    attributes = [f".{name}" for name in classes]
    attributes += [f'{name}="{value}"' for name, value in options.items() if value]
    return f"``` {{{' '.join(attributes)}}}\n{text}\n```"


def _joined(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def script(name: str) -> str:
    """The path of a program's script in the site. Its file name is a valid name of a module."""
    path = PurePosixPath(name)
    return f"programs/{path.parent}/{path.stem.replace('-', '_')}.py"


def folds(code: str, marked: Sequence[int], seen: set[str]) -> list[tuple[int, int]]:
    """The first and last number of each run of lines that a page may fold.

    Such lines are unmarked, and an earlier program on the page has them: seen. A run has three of
    them or more. `def` and `class` lines around a line that is shown are shown too.
    """
    lines = code.rstrip("\n").split("\n")
    kept = {
        n for n, line in enumerate(lines, 1) if n in marked or line.strip() and line not in seen
    }
    for number in sorted(kept, reverse=True):
        indent = _indent(lines[number - 1])
        for above in range(number - 1, 0, -1):
            line = lines[above - 1]
            if line.strip() and _indent(line) < indent:
                kept.add(above)
                indent = _indent(line)
    folded = []
    for _, run in groupby(range(1, len(lines) + 1), kept.__contains__):
        full = [number for number in run if number not in kept and lines[number - 1].strip()]
        if len(full) >= LEAST_FOLDED:
            folded.append((full[0], full[-1]))
    return folded


def error_lines(program: Program) -> list[int]:
    """The lines of an output that are messages of errors: they name an exception, have at least
    four words in a row, or belong to a message of several lines. Empty if the program prints no
    error. Line 1 is the first that a fence shows, as Markdown drops empty lines before it."""
    if not program.shows_error:
        return []
    lines = program.output.lstrip("\n").splitlines()
    matching = {number for number, line in enumerate(lines, 1) if _ERROR_LINE.search(line)}
    return sorted(matching | _further_lines(lines))


def _further_lines(lines: list[str]) -> set[int]:
    """The lines of an output that belong to a message of several lines: of the compiler, from the
    line above the first that is indented, or of gradcheck, with the two matrices."""
    further: set[int] = set()
    is_compiler = is_matrix = False
    for number, line in enumerate(lines, 1):
        is_indented = line.startswith(" ")
        if not is_compiler and line.startswith(("  Higher Order Operator: ", "  Explanation: ")):
            is_compiler = True
            further.add(number - 1)
        is_compiler = is_compiler and (not line or is_indented)
        is_matrix = line.startswith(("numerical:", "analytical:")) or is_matrix and is_indented
        if is_compiler or is_matrix:
            further.add(number)
    return further


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _indented(text: str, indent: str) -> str:
    return "\n".join(f"{indent}{line}" if line else "" for line in text.split("\n"))
