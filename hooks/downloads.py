"""Let readers take pages away: a notebook for every page, a script for every program.

They stand in the site as notebooks/<page>.ipynb and programs/<snippet>.py; beside every page, as
index.md, what its notebook holds as plain Markdown. A link under each
program leads to its script, and before it stands on which other releases of torch the program does
something else; the page's template finds its notebook in `page.meta`.
"""

import json
import sys
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url, meta, write_file

sys.path.append(str(Path(__file__).parents[1]))

from handbook import changes, notebooks, pages, snippets
from handbook.places import SNIPPETS, shown


def on_pre_build(**_: object) -> None:
    changes.forget()


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Raises BuildError if the page includes or marks what is not there."""
    for line, problem in pages.include_problems(page.file.content_string):
        raise BuildError(f"{shown(Path(page.file.abs_src_path))}:{line}: {problem}")
    page.meta["notebook"] = notebook = _notebook_uri(page)
    repository = urlsplit(config.repo_url or "")
    if repository.netloc == "github.com":
        path = f"{repository.path.strip('/')}/blob/notebooks/{config.theme['language']}/{notebook}"
        page.meta["colab"] = f"https://colab.research.google.com/github/{path}"
    changed = _changes(page, config)
    lines = []
    for line in markdown.splitlines():
        lines.append(line)
        include = pages.include(line)
        if include and include.is_program:
            program = snippets.read(SNIPPETS / include.target)
            elsewhere = changes.line(program, config.extra["releases"], changed)
            link = elsewhere + _link(include.target, page, config)
            lines += ["", include.indent + link, f"{include.indent}{{ .script }}"]
    return "\n".join(lines)


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> None:
    """Write the page's notebook and the scripts of its programs."""
    text, _ = meta.get_data(page.file.content_string)
    uri = page.file.src_uri
    address = pages.url(uri, config.site_url)
    heading = config.extra["downloads"]["heading"].format(url=address)
    book = notebooks.compose(text, uri, config.theme["language"], config.site_url, heading)
    markdown = notebooks.as_markdown(book, address)
    beside = PurePosixPath(page.file.dest_uri).with_suffix(".md")
    content = {
        str(beside): markdown,
        _notebook_uri(page): json.dumps(book, ensure_ascii=False, indent=1) + "\n",
    }
    for name in pages.programs(text):
        content[_script_uri(name)] = snippets.read(SNIPPETS / name).code
    for path, text in content.items():
        write_file(text.encode(), str(Path(config.site_dir) / path))


def _link(program: str, page: Page, config: MkDocsConfig) -> str:
    uri = _script_uri(program)
    name = PurePosixPath(uri).name
    words = config.extra["downloads"]["script"].format(name=name)
    address = get_relative_url(uri, page.url)
    return (
        f'<a class="script-link" data-search-exclude="1" href="{address}" download="{name}">'
        f"{words}</a>"
    )


def _changes(page: Page, config: MkDocsConfig) -> str:
    """The address of the page of changes, from a page."""
    there = File("reference/releases.md", "", "", config.use_directory_urls)
    return get_relative_url(there.url, page.url)


def _notebook_uri(page: Page) -> str:
    return f"notebooks/{PurePosixPath(page.file.src_uri).with_suffix('.ipynb')}"


def _script_uri(name: str) -> str:
    """The script's name is one that Python can import."""
    path = PurePosixPath(name)
    return f"programs/{path.parent}/{path.stem.replace('-', '_')}.py"
