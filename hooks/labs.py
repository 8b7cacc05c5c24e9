"""Show the pages in labs/ as notebooks: composed here, rendered by mkdocs-jupyter, executed never.

The prose is rendered by MkDocs as on any page, so that ids, links and admonitions work; only
the programs and their outputs go through the notebook. What mkdocs-jupyter inlines on every
page is dropped: the theme's stylesheet and ours, loaded once, do its work.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import nbformat
import notebook
from bs4 import BeautifulSoup, Tag
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs_jupyter import convert
from nbformat import v4

_PLACE = re.compile(r"<!--program:(.+?)-->")


def is_lab(page: Page) -> bool:
    return page.file.src_uri.startswith("labs/") and not page.is_index


def on_page_markdown(
    markdown: str, *, page: Page, config: MkDocsConfig, files: Files
) -> str:
    if not is_lab(page):
        return markdown
    lines = []
    for line in markdown.splitlines():
        space, name, section = notebook.included(line) or ("", "", "")
        is_cell = name.endswith(".md") and not space and not section
        lines.append(f"<!--program:{name}-->" if is_cell else line)
    return "\n".join(lines)


def on_page_content(
    html: str, *, page: Page, config: MkDocsConfig, files: Files
) -> str:
    return as_notebook(html) if is_lab(page) else html


def as_notebook(html: str) -> str:
    """The page with its programs as notebook cells, in place of the marks left for them."""
    pieces = _PLACE.split(html)
    prose, names = pieces[::2], pieces[1::2]
    cells = []
    for number, name in enumerate(names, 1):
        cells.append(
            v4.new_raw_cell(_mark(number - 1), metadata={"raw_mimetype": "text/html"})
        )
        program = notebook.Program.read(name)
        output = v4.new_output("stream", name="stdout", text=program.output)
        cells.append(
            v4.new_code_cell(program.code, execution_count=number, outputs=[output])
        )
    cells.append(
        v4.new_raw_cell(_mark(len(names)), metadata={"raw_mimetype": "text/html"})
    )
    rendered = _themed(_rendered(v4.new_notebook(cells=cells)))
    for number, text in enumerate(prose):
        rendered = rendered.replace(_mark(number), text)
    return rendered


def _mark(number: int) -> str:
    return f'<div data-prose="{number}"></div>'


def _rendered(book: nbformat.NotebookNode) -> str:
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lab.ipynb"
        nbformat.write(book, path)
        return convert.nb2html(str(path), execute=False, allow_errors=False)


def _themed(html: str) -> str:
    """Bare cells, their code and outputs marked up as the theme marks up its own."""
    soup = BeautifulSoup(html, "html.parser")
    for idle in soup.select(
        "style, script, .zeroclipboard-container, .clipboard-copy-txt, .jp-Collapser"
    ):
        idle.decompose()
    for prompt in soup.select(".jp-InputPrompt, .jp-OutputPrompt"):
        prompt["data-search-exclude"] = ""
    for code in soup.select(".highlight-ipynb"):
        _as_highlight(soup, code, "language-python")
    for output in soup.select(".jp-OutputArea-output"):
        _as_highlight(soup, output, "language-text")
    notebook_element = soup.select_one(".jp-Notebook")
    assert notebook_element is not None, (
        "mkdocs-jupyter renders no .jp-Notebook any more"
    )
    notebook_element.attrs = {"class": "jp-Notebook"}
    for element in notebook_element.select("[tabindex]"):
        del element["tabindex"]
    return str(notebook_element)


def _as_highlight(soup: BeautifulSoup, element: Tag, language: str) -> None:
    pre = element.find("pre")
    code = soup.new_tag("code")
    code.extend(list(pre.children))
    pre.append(code)
    element.attrs = {"class": f"{language} highlight"}
