"""Let readers take pages away: a notebook for every page, a script for every program.

The files stand in the site as notebooks/<page>.ipynb and programs/<snippet>.py; the page's own
text gets a link under each program, and its template the rest through `page.meta`.
"""

from __future__ import annotations

import json
import posixpath
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import notebook
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import meta


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    words = config.extra["take_away"]
    scripts: set[str] = set()
    for file in list(files.documentation_pages()):
        text, _ = meta.get_data(file.content_string)
        heading = words["heading"].format(url=notebook.page_url(file.src_uri, config.site_url))
        book = notebook.compose(text, file.src_uri, config.site_url, heading)
        content = json.dumps(book, ensure_ascii=False, indent=1) + "\n"
        files.append(File.generated(config, notebook_uri(file.src_uri), content=content))
        scripts.update(notebook.programs(text))
    for name in sorted(scripts):
        code = notebook.Program.read(name).code + "\n"
        files.append(File.generated(config, script_uri(name), content=code))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    words = config.extra["take_away"]
    uri = notebook_uri(page.file.src_uri)
    page.meta["notebook"] = uri
    repository = urlsplit(config.repo_url or "")
    if repository.netloc == "github.com":
        path = f"{repository.path.strip('/')}/blob/notebooks/{config.theme['language']}/{uri}"
        page.meta["colab"] = f"https://colab.research.google.com/github/{path}"

    lines = []
    for line in markdown.splitlines():
        lines.append(line)
        space, name, section = notebook.included(line) or ("", "", "")
        if name.endswith(".md") and section != "code" and (notebook.SNIPPETS / name).is_file():
            target = posixpath.relpath(
                script_uri(name), posixpath.dirname(page.file.src_uri) or "."
            )
            script = PurePosixPath(target).name
            lines += ["", f"{space}[{words['script'].format(name=script)}]({target})"
                      f'{{ .script-link data-search-exclude="" download="{script}" }}']  # fmt: skip
    return "\n".join(lines)


def notebook_uri(page_uri: str) -> str:
    return f"notebooks/{PurePosixPath(page_uri).with_suffix('.ipynb')}"


def script_uri(name: str) -> str:
    return f"programs/{PurePosixPath(name).with_suffix('.py')}"
