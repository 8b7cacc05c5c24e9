"""Programs as notebook cells, as mkdocs-jupyter shows them, marked up as the theme marks up its
own. Kept by content: both languages show the same cells, and rendering them is slow."""

import contextlib
import hashlib
import re
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from handbook import notebooks, parts, snippets
from handbook.places import CACHE
from handbook.snippets import Snippet

_MADE_BY = version("mkdocs-jupyter"), Path(__file__).read_text(encoding="utf-8")

FOLDER = CACHE / "cells"

rendering: contextlib.AbstractContextManager = contextlib.nullcontext()
"""Held while cells are rendered, so that two builds at once do not render the same ones."""


@dataclass(frozen=True)
class Cell:
    number: int
    """Its place on the page, the first being 1."""

    program: Snippet
    marked: list[int]
    """The lines of the program that the page marks."""


def numbered(text: str) -> list[Cell]:
    """The programs of a lab that are shown as cells: all but those in tabs and lists."""
    programs = [one for one in parts.includes(text) if one.is_program and not one.indent]
    return [Cell(number, one.program, one.marked()) for number, one in enumerate(programs, 1)]


def cells(programs: list[Cell]) -> list[str]:
    """The HTML of programs."""
    files = [FOLDER / f"{_key(cell)}.html" for cell in programs]
    with rendering:
        missing = {
            file: cell for file, cell in zip(files, programs, strict=True) if not file.exists()
        }
        if missing:
            for file, html in zip(missing, _render(list(missing.values())), strict=True):
                snippets.write(file, html)
    return [file.read_text(encoding="utf-8") for file in files]


def labelled(cell: str, classes: list[str], label: str) -> str:
    """A cell with classes and a label for its output, as a fence's title makes one."""
    return cell.replace(
        '<div class="language-text highlight">',
        f'<div class="language-text {" ".join(classes)} highlight">'
        f'<span class="filename">{label}</span>',
    )


def _key(cell: Cell) -> str:
    parts = (_MADE_BY, cell.number, cell.program.code, cell.program.output, cell.marked)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _render(programs: list[Cell]) -> list[str]:
    import nbformat
    from mkdocs_jupyter import convert  # half a second, so only where a cell is missing

    book = notebooks.notebook([notebooks.code_cell(cell.program, cell.number) for cell in programs])
    for cell in book.cells:
        cell.outputs = cell.outputs[:1]  # the page includes the figure where it wants it
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells.ipynb"
        nbformat.write(book, path)
        html = convert.nb2html(str(path), execute=False, allow_errors=False)
    return _themed(html, [cell.marked for cell in programs])


def _themed(html: str, marked: list[list[int]]) -> list[str]:
    """The cells, their code and outputs marked up as the theme marks up its own."""
    from bs4 import BeautifulSoup, Tag

    html = re.sub(r"<(style|script)\b.*?</\1>", "", html, flags=re.DOTALL)
    soup = BeautifulSoup(html, "html.parser")

    def highlight(element: Tag, language: str) -> None:
        pre = element.find("pre")
        code = soup.new_tag("code")
        code.extend(list(pre.children))
        pre.append(code)
        element.attrs = {"class": f"{language} highlight"}

    rendered = []
    for element in soup.find_all(["div", "clipboard-copy", "svg"]):  # one walk: select is slow
        if element.decomposed:
            continue
        classes = set(element.get("class", ()))
        element.attrs.pop("tabindex", None)
        if classes & {"zeroclipboard-container", "clipboard-copy-txt", "jp-Collapser"}:
            element.decompose()
        elif "highlight-ipynb" in classes:
            highlight(element, "language-python")
        elif "jp-OutputArea-output" in classes:
            highlight(element, "language-text")
        elif "jp-CodeCell" in classes and element.find_parent(class_="jp-CodeCell"):
            element.attrs.pop("id", None)
            rendered.append(element)
    return [_marked(str(cell), lines) for cell, lines in zip(rendered, marked, strict=True)]


def _marked(cell: str, numbers: list[int]) -> str:
    """A cell with lines of its program marked as the highlighter marks them."""
    before, opening, rest = cell.partition("<code>")
    code, closing, after = rest.partition("</code>")
    lines = code.splitlines(keepends=True)
    for number in numbers:
        lines[number - 1] = f'<span class="hll">{lines[number - 1]}</span>'
    return "".join((before, opening, *lines, closing, after))
