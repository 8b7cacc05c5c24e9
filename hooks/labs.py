"""Show the pages in labs/ as notebooks: composed here, rendered by mkdocs-jupyter, executed never.

The prose is rendered by MkDocs as on any page, so that ids, links and admonitions work; only
the programs and their outputs go through the notebook. What mkdocs-jupyter inlines on every
page is dropped: the theme's stylesheet and ours, loaded once, do its work.
"""

from __future__ import annotations

import functools
import re
import tempfile
from pathlib import Path

import nbformat
import notebook
from bs4 import BeautifulSoup, Tag
from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs_jupyter import convert
from nbformat import v4

_PLACE = re.compile(r"<!--program:(.+?)-->")


def is_lab(page: Page) -> bool:
    return page.file.src_uri.startswith("labs/") and not page.is_index


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    if not is_lab(page):
        return markdown
    lines = []
    for line in markdown.splitlines():
        space, name, section = notebook.included(line) or ("", "", "")
        is_cell = name.endswith(".md") and not space and not section
        lines.append(f"<!--program:{name}-->" if is_cell else line)
    return "\n".join(lines)


def on_env(env: Environment, *, config: MkDocsConfig, files: Files) -> None:
    """Put a notebook cell where each program of a lab was marked; all labs are rendered at once."""
    labs = [file.page for file in files.documentation_pages() if is_lab(file.page)]
    cells = iter(
        _cells(
            tuple(
                (number, notebook.Program.read(name))
                for page in labs
                for number, name in enumerate(_PLACE.findall(page.content), 1)
            )
        )
    )
    for page in labs:
        page.content = _PLACE.sub(lambda _: next(cells), page.content)


@functools.lru_cache(maxsize=8)  # while serving, cells that did not change cost nothing
def _cells(programs: tuple[tuple[int, notebook.Program], ...]) -> list[str]:
    """The programs, each with its number on its page, as mkdocs-jupyter renders notebook cells."""
    if not programs:
        return []
    book = v4.new_notebook(
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        }
    )
    for number, program in programs:
        output = v4.new_output("stream", name="stdout", text=program.output)
        book.cells.append(v4.new_code_cell(program.code, execution_count=number, outputs=[output]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labs.ipynb"
        nbformat.write(book, path)
        html = convert.nb2html(str(path), execute=False, allow_errors=False)
    cells = _themed(html)
    if len(cells) != len(programs):
        raise BuildError(
            f"mkdocs-jupyter rendered {len(cells)} cells of {len(programs)}; has its markup changed?"
        )
    return cells


def _themed(html: str) -> list[str]:
    """The cells, their code and outputs marked up as the theme marks up its own."""
    html = re.sub(r"<(style|script)\b.*?</\1>", "", html, flags=re.DOTALL)
    soup = BeautifulSoup(html, "html.parser")
    for idle in soup.select(".zeroclipboard-container, .clipboard-copy-txt, .jp-Collapser"):
        idle.decompose()
    for prompt in soup.select(".jp-InputPrompt, .jp-OutputPrompt"):
        prompt["data-search-exclude"] = ""
    for code in soup.select(".highlight-ipynb"):
        _as_highlight(soup, code, "language-python")
    for output in soup.select(".jp-OutputArea-output"):
        _as_highlight(soup, output, "language-text")
    for element in soup.select("[tabindex]"):
        del element["tabindex"]
    cells = soup.select(".jp-CodeCell .jp-CodeCell")
    for cell in cells:
        del cell["id"]
    return [str(cell) for cell in cells]


def _as_highlight(soup: BeautifulSoup, element: Tag, language: str) -> None:
    pre = element.find("pre")
    code = soup.new_tag("code")
    code.extend(list(pre.children))
    pre.append(code)
    element.attrs = {"class": f"{language} highlight"}
