"""Programs as notebook cells, as mkdocs-jupyter shows them, marked up as the theme marks up its
own. Kept by content: rendering them is slow."""

import fcntl
import hashlib
import json
import tempfile
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from builder.content import snippets
from builder.content.pages import Page
from builder.content.parts import Include
from builder.content.paths import CACHE
from builder.publishing import notebooks

_MADE_BY = version("mkdocs-jupyter"), Path(__file__).read_text("utf-8")


def cells(page: Page) -> dict[int, str]:
    """The HTML of the programs of a lab that are cells, all but those in tabs and lists, by the
    number of their include lines."""
    includes = [include for include in page.includes if include.program and not include.indent]
    shown = [(include.program.code, include.program.output, include.marked) for include in includes]
    key = hashlib.sha256(repr((_MADE_BY, shown)).encode()).hexdigest()
    file = CACHE / "cells" / f"{key[:32]}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_name("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # both languages have the same programs
        if not file.exists():
            snippets.write(file, json.dumps(_rendered(includes)))
    lines = [include.line for include in includes]
    return dict(zip(lines, json.loads(file.read_text("utf-8")), strict=True))


def _rendered(includes: list[Include]) -> list[str]:
    """Programs as mkdocs-jupyter shows them in a notebook, their code and outputs marked up as the
    theme marks up its own."""
    import nbformat
    from bs4 import BeautifulSoup
    from mkdocs_jupyter import convert  # half a second, so only where cells are missing

    # The page includes a program's figure where it wants it.
    programs = [replace(include.program, figure=None) for include in includes]
    cells = [notebooks.code_cell(program, number) for number, program in enumerate(programs, 1)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells.ipynb"
        nbformat.write(notebooks.notebook(cells), path)
        html = convert.nb2html(str(path), execute=False, allow_errors=False)
    soup = BeautifulSoup(html, "html.parser")
    for element in soup(class_=["zeroclipboard-container", "clipboard-copy-txt", "jp-Collapser"]):
        element.decompose()
    languages = {"highlight-ipynb": "language-python", "jp-OutputArea-output": "language-text"}
    for name, language in languages.items():
        for element in soup(class_=name):
            element.attrs = {"class": f"{language} highlight"}
            element.pre.name = "code"
            element.code.wrap(soup.new_tag("pre"))
    rendered = soup.select(".jp-CodeCell .jp-CodeCell")
    for element in soup(True):
        del element["tabindex"], element["id"]
    return [_marked(str(cell), of.marked) for cell, of in zip(rendered, includes, strict=True)]


def _marked(cell: str, numbers: tuple[int, ...]) -> str:
    """A cell with lines of its program marked as the highlighter marks them."""
    before, opening, rest = cell.partition("<code>")
    code, closing, after = rest.partition("</code>")
    lines = code.splitlines(keepends=True)
    for number in numbers:
        lines[number - 1] = f'<span class="hll">{lines[number - 1]}</span>'
    return "".join((before, opening, *lines, closing, after))
