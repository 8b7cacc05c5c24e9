"""Programs as notebook cells, as mkdocs-jupyter shows them, marked up as the theme marks up its
own. Kept by content: rendering them is slow."""

import fcntl
import hashlib
import json
import re
import tempfile
from importlib.metadata import version
from pathlib import Path

from builder.content import snippets
from builder.content.pages import Page
from builder.content.paths import CACHE
from builder.content.snippets import Program
from builder.publishing import notebooks

_MADE_BY = version("mkdocs-jupyter"), Path(__file__).read_text(encoding="utf-8")

FOLDER = CACHE / "cells"


def cells(page: Page) -> dict[int, str]:
    """The HTML of the programs of a lab that are cells, all but those in tabs and lists, by the
    number of their include lines."""
    includes = [include for include in page.includes if include.program and not include.indent]
    programs = [include.program for include in includes]
    marked = [include.marked for include in includes]
    printed = [(program.code, program.output) for program in programs]
    key = repr((_MADE_BY, printed, marked))
    file = FOLDER / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        # Both languages show the same cells: the second to come waits, and reads them.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            snippets.write(file, json.dumps(_themed(_rendered(programs), marked)))
    cells = json.loads(file.read_text(encoding="utf-8"))
    return {include.line: cell for include, cell in zip(includes, cells, strict=True)}


def labelled(cell: str, classes: list[str], label: str) -> str:
    """A cell with classes and a label for its output, as a fence's title makes one."""
    return cell.replace(
        '<div class="language-text highlight">',
        f'<div class="language-text {" ".join(classes)} highlight">'
        f'<span class="filename">{label}</span>',
    )


def _rendered(programs: list[Program]) -> str:
    """Programs as mkdocs-jupyter shows a notebook."""
    import nbformat
    from mkdocs_jupyter import convert  # half a second, so only where cells are missing

    cells = [notebooks.code_cell(program, number) for number, program in enumerate(programs, 1)]
    for cell in cells:
        cell.outputs = cell.outputs[:1]  # the page includes the figure where it wants it
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells.ipynb"
        nbformat.write(notebooks.notebook(cells), path)
        return convert.nb2html(str(path), execute=False, allow_errors=False)


def _themed(html: str, marked: list[tuple[int, ...]]) -> list[str]:
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


def _marked(cell: str, numbers: tuple[int, ...]) -> str:
    """A cell with lines of its program marked as the highlighter marks them."""
    before, opening, rest = cell.partition("<code>")
    code, closing, after = rest.partition("</code>")
    lines = code.splitlines(keepends=True)
    for number in numbers:
        lines[number - 1] = f'<span class="hll">{lines[number - 1]}</span>'
    return "".join((before, opening, *lines, closing, after))
