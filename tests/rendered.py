"""Programs and pages that can be read, and pages as the project's own Markdown renders them, with no
include carried out."""

import contextlib
import functools
from collections.abc import Iterator

from bs4 import BeautifulSoup
from markdown import Markdown
from mkdocs.config import load_config
from mkdocs.utils import meta

from builder.content import pages, snippets
from builder.content.pages import Page
from builder.content.paths import ROOT, Mistake
from builder.content.snippets import Program


@functools.cache
def _renderer(lang: str) -> Markdown:
    settings = load_config(str(ROOT / f"mkdocs.{lang}.yml"))
    extensions = [name for name in settings.markdown_extensions if name != "toc"]
    return Markdown(extensions=extensions, extension_configs=settings.mdx_configs)


@functools.cache
def soup(page: Page) -> BeautifulSoup:
    """The page as HTML, with only the ids its author wrote."""
    body = meta.get_data(page.text)[0]
    return BeautifulSoup(_renderer(page.lang).reset().convert(body), "html.parser")


def links(page: Page) -> list[str]:
    """Internal links, each as the path below docs/<lang>/ and the anchor. The build checks them."""
    within = (pages.target(tag["href"], page.uri) for tag in soup(page).find_all("a", href=True))
    return ["#".join(link) for link in within if link]


def readable(lang: str, uris: list[str]) -> Iterator[Page]:
    """Those of the pages that can be read; what is wrong with the others, `Page.problem` says."""
    named = (pages.pages(lang).get(uri) for uri in uris)
    return (page for page in named if page and not page.problem)


def readable_programs(only: str = "") -> Iterator[Program]:
    """Those of the programs that can be read; the test of each says what is wrong with others."""
    for path in snippets.paths(only):
        with contextlib.suppress(Mistake):
            yield snippets.read(path)
