"""The pages, read with the project's own Markdown configuration."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import markdown
from bs4 import BeautifulSoup
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import get_files
from mkdocs.structure.nav import get_navigation
from mkdocs.utils import meta
from pymdownx.snippets import SnippetPreprocessor

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("zh", "en")


@dataclass(frozen=True)
class Include:
    """An include line of a page: what it names, the section of it if any, and where it stands."""

    target: str
    section: str | None
    line: int


@dataclass(frozen=True)
class Page:
    lang: str
    uri: str
    """Path below docs/<lang>/, the same in both languages."""

    @property
    def shown(self) -> str:
        """Path as messages give it."""
        return f"docs/{self.lang}/{self.uri}"

    @property
    def path(self) -> Path:
        return ROOT / self.shown

    @functools.cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @functools.cached_property
    def meta(self) -> dict:
        return meta.get_data(self.text)[1]

    @functools.cached_property
    def soup(self) -> BeautifulSoup:
        """The page as HTML, with no include carried out and only the ids its author wrote."""
        body = meta.get_data(self.text)[0]
        return BeautifulSoup(_renderer(self.lang).reset().convert(body), "html.parser")

    @functools.cached_property
    def headings(self) -> list[tuple[int, str | None, str]]:
        """Level, id and text of each heading."""
        found = self.soup.find_all(["h1", "h2", "h3", "h4", "h5", "h6"])
        return [(int(tag.name[1]), tag.get("id"), tag.get_text()) for tag in found]

    @functools.cached_property
    def includes(self) -> list[Include]:
        found = []
        for number, line in enumerate(self.text.splitlines(), 1):
            match = SnippetPreprocessor.RE_ALL_SNIPPETS.match(line)
            if match and match["snippet"] and not match["escape"]:
                target, _, section = match["snippet"][1:-1].partition(":")
                found.append(Include(target, section or None, number))
        return found

    @functools.cached_property
    def links(self) -> list[str]:
        """Internal links, each as the path below docs/<lang>/ it leads to, and its anchor."""
        found = []
        for tag in self.soup.find_all("a", href=True):
            target, _, anchor = tag["href"].partition("#")
            if "://" in target or target.startswith("mailto:"):
                continue
            here = posixpath.dirname(self.uri)
            path = posixpath.normpath(posixpath.join(here, target)) if target else self.uri
            found.append(f"{path}#{anchor}" if anchor else path)
        return found

    @functools.cached_property
    def admonitions(self) -> list[str]:
        found = self.soup.select(".admonition, details")
        return [" ".join(sorted(tag.get("class", []))) for tag in found]

    def line_of(self, *needles: str | None) -> int:
        """The first line that holds all the needles, for messages; 1 if none does."""
        wanted = [needle for needle in needles if needle]
        for number, line in enumerate(self.text.splitlines(), 1):
            if wanted and all(needle in line for needle in wanted):
                return number
        return 1


@functools.cache
def config(lang: str) -> MkDocsConfig:
    return load_config(str(ROOT / f"mkdocs.{lang}.yml"))


@functools.cache
def pages(lang: str) -> dict[str, Page]:
    """All pages of a language by their path below docs/<lang>/."""
    folder = ROOT / "docs" / lang
    uris = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    return {uri: Page(lang, uri) for uri in uris}


def all_pages() -> Iterator[Page]:
    for lang in LANGUAGES:
        yield from pages(lang).values()


def in_navigation(lang: str) -> list[str]:
    """The pages in the order in which a reader is led through them."""
    files = get_files(config(lang))
    return [page.file.src_uri for page in get_navigation(files, config(lang)).pages]


@functools.cache
def _renderer(lang: str) -> markdown.Markdown:
    settings = config(lang)
    left_out = {"pymdownx.snippets", "toc"}
    names = [name for name in settings.markdown_extensions if name not in left_out]
    return markdown.Markdown(
        extensions=names,
        extension_configs={name: settings.mdx_configs.get(name, {}) for name in names},
    )
