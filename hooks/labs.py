"""Show the pages in labs/ as notebooks: composed here, rendered by mkdocs-jupyter, executed never.

The prose is rendered by MkDocs as on any page, so that ids, links and figures work; only the
programs and their outputs go through the notebook. What mkdocs-jupyter inlines on every page is
dropped: the theme's stylesheet and ours, loaded once, do its work.
"""

import sys
from pathlib import Path

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

sys.path.append(str(Path(__file__).parents[1]))

from handbook import cells, marks, pages

PLACE = "<!--cell-->"


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    if not pages.is_lab(page.file.src_uri):
        return markdown
    lines = []
    for line in markdown.splitlines():
        include = pages.include(line)
        is_cell = include and include.is_program and not include.indent
        if not marks.begins(line):
            lines.append(PLACE if is_cell else line)
    return "\n".join(lines)


def on_env(env: Environment, *, config: MkDocsConfig, files: Files) -> None:
    """Put the cells in their places; so late, because the cells of all labs are made in one go."""
    for file in files.documentation_pages():
        if PLACE in (file.page.content or ""):
            for cell in cells.cells(cells.numbered(file.content_string)):
                file.page.content = file.page.content.replace(PLACE, cell, 1)
