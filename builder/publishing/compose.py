"""Compose the pages of a language: each page of docs/<lang>/ with everything that it includes, as
plain Markdown, with what its head needs as front matter. Beside the pages go their notebooks,
scripts and Markdown copies, and a whole configuration, so that MkDocs or Zensical can build them
without a hook.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

from builder.content import differences, pages
from builder.content.pages import Page
from builder.content.parts import Kind
from builder.content.paths import CHANGES, DOCS, LICENCES, REQUIREMENTS, Mistake, stamps
from builder.content.snippets import write
from builder.publishing import (
    configuration,
    error_pages,
    other_releases,
    page_files,
    search_index,
    verdict_table,
)
from builder.publishing.configuration import Settings


@dataclass
class _Composed:
    """A composed page: its files, and its entries of the search.

    stamp: the files it was made from, with time and size, words and settings; frame: its title, its
    ids and its front matter. When they change, everything is built again.
    """

    stamp: tuple
    frame: tuple
    files: dict[str, str]
    entries: list[search_index.Entry]


class Composer:
    """Composes one language into a folder, and again what has changed."""

    def __init__(self, lang: str, folder: Path, settings: Settings) -> None:
        self.lang = lang
        self.folder = folder
        self.settings = settings
        self._composed: dict[str, _Composed] = {}
        self._written: dict[str, str] = {}

    def compose(self) -> tuple[list[str], bool]:
        """Write what has changed since the last call, or everything.

        Returns the files written or deleted, as paths below the folder of the language, and whether
        all pages have to be built again: one was added or removed, or a title, an id, a setting
        or a page's front matter has changed. Raises Mistake.
        """
        pages.pages.cache_clear()
        differences.forget()
        config = configuration.read(f"mkdocs.{self.lang}.yml")
        page = DOCS / self.lang / other_releases.PAGE
        data = stamps([CHANGES, page, *REQUIREMENTS, *differences.FOLDER.glob("*.json")])
        composed = {
            uri: self._compose_page(page, config["extra"], data)
            for uri, page in pages.pages(self.lang).items()
        }
        files = self._other_files(config, [*composed.values()])
        for page in composed.values():
            files |= page.files
        names = files.keys() | self._written.keys()
        changed = [name for name in names if files.get(name) != self._written.get(name)]
        for name in changed:
            write(self.folder / name, files.get(name))
        is_whole = (
            "mkdocs.yml" in changed
            or files.keys() != self._written.keys()
            or any(composed[uri].frame != page.frame for uri, page in self._composed.items())
        )
        self._composed, self._written = composed, files
        return changed, is_whole

    def _compose_page(self, page: Page, words: dict, data: tuple) -> _Composed:
        """A page, composed again if need be. data: the stamps of what is recorded of programs."""
        for problem in [page.problem, *page.include_problems]:
            if problem:
                raise Mistake(problem)
        tables = [include for include in page.includes if include.kind is Kind.RUNS]
        texts = [other_releases.counts(include, words) for include in tables]
        stamp = (data, words, page.stamp, texts)
        before = self._composed.get(page.uri)
        if before and before.stamp == stamp:
            return before
        url = pages.url(page.uri, "")
        if self.settings.offline:
            url = page.uri.removesuffix(".md") + ".html"
        frame = (page.title, [heading.id for heading in page.headings], repr(page.meta))
        files = page_files.compose(page, words, self.settings)
        return _Composed(stamp, frame, files, search_index.entries(page, url))

    def _other_files(self, config: dict, composed: list[_Composed]) -> dict[str, str]:
        """The configuration, and files that belong to no page."""
        config = configuration.for_language(config, self.lang, self.folder, self.settings)
        errors = error_pages.data(self.lang, self.settings.offline)
        licences = {file.name: file.read_text("utf-8") for file in LICENCES}
        files = {f"docs/licences/{name}.txt": text for name, text in licences.items()} | {
            "mkdocs.yml": configuration.as_yaml(config),
            "docs/llms.txt": self._llms(config),
            "docs/programs/LICENSE.txt": licences["LICENSE"],
            "docs/errors.json": f"{errors}\n",
            "docs/errors.js": f"self.ERRORS={errors}\n",
        }
        if self.settings.own_search:
            entries = [entry for page in composed for entry in page.entries]
            files["docs/search/index.js"] = search_index.index(entries)
        return files

    def _llms(self, config: dict) -> str:
        """What tools that read text look for: every page with its description, as Markdown."""
        site_url = self.settings.site_url(self.lang)
        named = map(pages.pages(self.lang).get, pages.navigation())
        lines = [
            f"- [{page.title}]({pages.url(page.uri, site_url)}index.md): "
            f"{page.meta.get('description')}\n"
            for page in filter(None, named)  # MkDocs says which page there is not
        ]
        title, description = f"# {config['site_name']}", f"> {config['site_description']}"
        words = config["extra"]
        root = self.settings.root_url
        data = [
            words["downloads"]["errors"].format(url=f"{site_url}errors.json"),
            words["downloads"]["verdicts"].format(url=f"{root}verdicts.json"),
        ]
        text = [title, description, page_files.printed(words), "".join(lines), *data, ""]
        return "\n\n".join(text)

    def put_copies(self, site: Path) -> None:
        """Put the Markdown copies into a built site. Among the pages, they would become pages."""
        shutil.copytree(self.folder / "copies", site, dirs_exist_ok=True)


def compose_root(folder: Path, settings: Settings) -> None:
    """Compose the root page, which leads to the languages."""
    config = configuration.for_folder(configuration.read("mkdocs.yml"), folder, settings)
    config["site_url"] = settings.root_url
    del config["nav"]  # it is the languages'
    write(folder / "mkdocs.yml", configuration.as_yaml(config))
    write(folder / "docs" / "index.md", (DOCS / "root" / "index.md").read_text("utf-8"))
    write(folder / "docs" / "verdicts.json", verdict_table.as_json())
