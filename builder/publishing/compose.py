"""Compose the pages of a language: each page of docs/<lang>/ with everything that it includes, as
plain Markdown, with what its head needs as front matter. Beside the pages go their notebooks,
scripts and Markdown copies, and a whole configuration, so that MkDocs or Zensical can build them
without a hook.

`OWN_SEARCH=false python -m builder.publishing.compose FOLDER` composes the whole site for Zensical.
"""

import json
import sys
from pathlib import Path, PurePosixPath

from builder.content import differences, pages, paths, snippets
from builder.content.pages import Page
from builder.content.paths import Mistake, stamps
from builder.content.snippets import write
from builder.publishing import composed_page, configuration, error_pages, notebooks, search_index
from builder.publishing.configuration import Edition
from builder.publishing.other_releases import PAGE as RELEASES
from builder.publishing.verdict_table import as_json


class Composer:
    """Composes one language into a folder, and again what has changed."""

    def __init__(self, lang: str, folder: Path) -> None:
        self.lang, self.folder = lang, folder
        self._composed: dict[Page, tuple[dict[str, str], list[search_index.Entry]]] = {}
        self._common: tuple = ()  # what all pages are made from
        self._frame: tuple = ()  # what all pages are built with
        self._files: dict[str, str] = {}

    def compose(self) -> tuple[list[str], bool]:
        """Write what has changed since the last call, or everything.

        Returns the files written or deleted, as paths below the folder of the language, and whether
        all pages have to be built again: one was added or removed, or a title, an id, a setting,
        the theme or a page's front matter has changed. Raises Mistake.
        """
        pages.pages.cache_clear()
        differences.forget()
        edition = Edition(self.lang)
        self._compose_pages(edition)
        files = self._other_files(edition)
        for of_page, _ in self._composed.values():
            files |= of_page
        names = files.keys() | self._files.keys()
        changed = [name for name in names if files.get(name) != self._files.get(name)]
        for name in changed:
            write(self.folder / name, files.get(name))
        heads = [(page.title, page.meta, [h.id for h in page.headings]) for page in self._composed]
        theme = stamps((paths.ROOT / "overrides").rglob("*"))
        frame = files.keys(), files["mkdocs.yml"], theme, heads
        is_whole = frame != self._frame
        self._frame, self._files = frame, files
        return changed, is_whole

    def _compose_pages(self, edition: Edition) -> None:
        """Compose the pages whose files have changed, of which there are new objects; or all, when
        what they have in common has changed."""
        changes = paths.CHANGES, paths.DOCS / self.lang / RELEASES
        recorded = stamps([*changes, *paths.REQUIREMENTS, *differences.FOLDER.glob("*.json")])
        common = edition.words, recorded, len(snippets.paths())
        kept = self._composed if self._common == common else {}
        self._common, self._composed = common, {}
        for page in pages.pages(self.lang).values():
            for problem in filter(None, [page.problem, *page.include_problems]):
                raise Mistake(problem)
            self._composed[page] = kept.get(page) or (
                _files_of(page, edition),
                search_index.entries(page, edition.address(page.uri)),
            )

    def _other_files(self, edition: Edition) -> dict[str, str]:
        """The configuration, and files that belong to no page."""
        config = configuration.for_language(edition, self.folder)
        errors = error_pages.data(self.lang, edition.address)
        licences = {file.name: file.read_text("utf-8") for file in paths.LICENCES}
        files = {f"docs/licences/{name}.txt": text for name, text in licences.items()} | {
            "mkdocs.yml": configuration.as_yaml(config),
            "docs/llms.txt": _llms(edition),
            "docs/programs/LICENSE.txt": licences["LICENSE"],
            "docs/errors.json": f"{errors}\n",
            "docs/errors.js": f"self.ERRORS={errors}\n",
        }
        if edition.words["own_search"]:
            entries = [entry for _, of_page in self._composed.values() for entry in of_page]
            files["docs/search/index.js"] = search_index.index(entries)
        return files


def _files_of(page: Page, edition: Edition) -> dict[str, str]:
    """A page, its notebook, its copy in Markdown and its scripts, by their path below the folder of
    the language."""
    words, address = edition.words["downloads"], pages.url(page.uri, "")
    said = {"url": f"{edition.url}{address}", "printed": edition.printed}
    book = notebooks.compose(page, edition.words, edition.url, words["heading"].format(**said))
    notebook = f"notebooks/{page.uri.removesuffix('.md')}.ipynb"
    copy = page.uri if edition.is_offline else f"{address}index.md"
    matter = page.meta | {
        "address": address,
        "notebook": notebook,
        "markdown": PurePosixPath(copy).name,
        "programs": [program.name.removesuffix(".md") for program in page.programs],
    }
    if edition.words["own_search"]:
        matter["search"] = {"exclude": True}  # the generator needn't make an index
    text = composed_page.markdown(page, edition.words)
    files = {
        f"docs/{page.uri}": f"---\n{configuration.as_yaml(matter)}---\n\n{text}",
        f"docs/{notebook}": json.dumps(book, ensure_ascii=False, indent=1) + "\n",
        f"copies/{copy}": notebooks.as_markdown(book, words["copied"].format(**said)),
    }
    for program in page.programs:
        files[f"docs/{composed_page.script(program.name)}"] = program.code
        for module, code in program.modules:
            files[f"docs/programs/{program.beside(module)}"] = code
    return files


def _llms(edition: Edition) -> str:
    """What tools that read text look for: every page with its description, as Markdown."""
    named = map(pages.pages(edition.lang).get, pages.navigation(edition.config["nav"]))
    listed = [
        f"- [{page.title}]({pages.url(page.uri, edition.url)}index.md): "
        f"{page.meta.get('description')}"
        for page in filter(None, named)  # MkDocs says which page there is not
    ]
    text, names = edition.words["downloads"]["llms"], edition.config
    return text.format(url=edition.url, printed=edition.printed, pages="\n".join(listed), **names)


def compose_all(folder: Path) -> None:
    """Compose the languages, and the root page, which leads to them, each into a folder of its own.
    Raises Mistake."""
    for lang in paths.LANGUAGES:
        Composer(lang, folder / lang).compose()
    root = folder / "root"
    config = configuration.for_folder(configuration.read("mkdocs.yml"), root)
    del config["nav"], config["extra_templates"]  # the languages', and a file that isn't composed
    write(root / "mkdocs.yml", configuration.as_yaml(config))
    write(root / "docs" / "index.md", (paths.DOCS / "root" / "index.md").read_text("utf-8"))
    write(root / "docs" / "verdicts.json", as_json())


if __name__ == "__main__":
    compose_all(Path(sys.argv[1]).absolute())
