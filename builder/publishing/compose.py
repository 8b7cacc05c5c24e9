"""Compose the pages of a language: each page of docs/<lang>/ with everything that it includes, as
plain Markdown, with what its head needs as front matter. Beside the pages go their notebooks,
scripts and Markdown copies, and a whole configuration, so that MkDocs or Zensical can build them
without a hook.
"""

import html
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path, PurePosixPath
from urllib.parse import urlencode, urljoin, urlsplit

import yaml
from mkdocs.utils.yaml import yaml_load

from builder.content import differences, pages, parts
from builder.content.parts import Figure, Heading, Include, Prose
from builder.content.paths import (
    CHANGES,
    DOCS,
    LICENCES,
    REQUIREMENTS,
    ROOT,
    Mistake,
    pinned,
    stamps,
)
from builder.content.snippets import Snippet, write
from builder.publishing import lab_cells, notebooks, search_index

COLUMNS = 80
"""What fits the column of a page at 1280 px: a longer output wraps its lines."""

LEAST_FOLDED = 3
"""Fewer lines are not folded."""

SHIM = "assets/iframe-worker/shim.js"
"""A script that lets the theme start its search where the site is read from a folder."""

_ERROR_LINE = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Unsupported)\b"
    r"|[A-Za-z_'`.()]+,? (?:(?:[A-Za-z_'`.()]+|\d),? ){2}[A-Za-z]"
)

_REPORT = """Page: {address}
Program (delete all but the one you mean): {programs}
torch: {torch} (what does yours say? print(torch.__version__))

What the page says:

What your machine prints:
"""


@dataclass(frozen=True)
class Settings:
    """Where the site will be, and what else the environment of a build says.

    root_url: the address of the whole site, with a slash at its end; verified_on: the day on which
    every program was run; offline: whether the site is to be read from a folder, without a server;
    own_search: whether pages are searched with our own index, and not with the generator's.
    """

    root_url: str
    repo_url: str = ""
    verified_on: str = ""
    offline: bool = False
    own_search: bool = True


@dataclass
class _Made:
    """What composing a page has made: files and entries of the search.

    stamp: the files it was made from, with time and size, words and settings; frame: its title, its
    ids and its front matter. When they change, everything is built again.
    """

    stamp: tuple
    files: dict[str, str]
    entries: list[search_index.Entry]
    frame: tuple


class Composer:
    """Composes one language into a folder, and again what has changed."""

    def __init__(self, lang: str, folder: Path, settings: Settings) -> None:
        self.lang = lang
        self.folder = folder
        self.settings = settings
        self.site_url = urljoin(settings.root_url, f"{lang}/")
        self._made: dict[str, _Made] = {}
        self._written: dict[str, str] = {}

    def compose(self) -> tuple[list[str], bool]:
        """Write what has changed since the last call, or everything.

        Returns the files written or deleted, as paths below the folder of the language, and whether
        all pages have to be built again: one was added or removed, or a title, an id, a setting
        or a page's front matter has changed. Raises Mistake.
        """
        pages.pages.cache_clear()
        differences.forget()
        self._config = _read_config(ROOT / f"mkdocs.{self.lang}.yml")
        self._words = self._config["extra"]
        common = stamps([CHANGES, *REQUIREMENTS, *differences.FOLDER.glob("*.json")])
        common += (self._words, self.settings)
        made: dict[str, _Made] = {}
        for uri, page in pages.pages(self.lang).items():
            if page.problem:
                raise Mistake(page.problem)
            tables = [one for one in page.includes if one.is_of_runs]
            stamp = (common, page.stamp)
            stamp += tuple(differences.text_of(one, self.lang) for one in tables)
            known = self._made.get(uri)
            made[uri] = known if known and known.stamp == stamp else self._compose_page(page, stamp)
        files = {name: text for one in made.values() for name, text in one.files.items()}
        files["mkdocs.yml"] = self._configuration()
        files["docs/llms.txt"] = self._llms()
        texts = {file.name: file.read_text(encoding="utf-8") for file in LICENCES}
        files |= {f"docs/licences/{name}.txt": text for name, text in texts.items()}
        files["docs/programs/LICENSE.txt"] = texts["LICENSE"]
        if self.settings.own_search:
            entries = [entry for one in made.values() for entry in one.entries]
            files["docs/search/index.js"] = search_index.index(entries)
        names = files.keys() | self._written.keys()
        changed = [name for name in names if files.get(name) != self._written.get(name)]
        for name in changed:
            write(self.folder / name, files.get(name))
        whole = (
            "mkdocs.yml" in changed
            or files.keys() != self._written.keys()
            or any(made[uri].frame != known.frame for uri, known in self._made.items())
        )
        self._made, self._written = made, files
        return changed, whole

    def put_copies(self, site: Path) -> None:
        """Put the Markdown copies into a built site. Among the pages, they would become pages."""
        shutil.copytree(self.folder / "copies", site, dirs_exist_ok=True)

    # A page

    def _compose_page(self, page: pages.Page, stamp: tuple) -> _Made:
        """Compose a page. Nothing is written yet."""
        uri = page.uri
        for problem in page.include_problems:
            raise Mistake(problem)
        address = pages.url(uri, self.site_url)
        words = self._words["downloads"]
        printed = words["printed"].format(torch=pinned("torch"))
        heading, copied = (
            words[name].format(url=address, printed=printed) for name in ("heading", "copied")
        )
        book = notebooks.compose(page, self.site_url, heading)
        notebook = f"notebooks/{PurePosixPath(uri).with_suffix('.ipynb')}"
        copy = PurePosixPath(uri if self.settings.offline else f"{pages.url(uri, '')}index.md")
        files = {
            f"docs/{notebook}": json.dumps(book, ensure_ascii=False, indent=1) + "\n",
            f"copies/{copy}": notebooks.as_markdown(book, copied),
        }
        for program in page.programs:
            files[f"docs/{script(program.name)}"] = program.code
        matter = page.meta | {"notebook": notebook, "markdown": copy.name}
        matter |= self._links(page, notebook)
        if self.settings.own_search:
            matter["search"] = {"exclude": True}  # the generator needn't make an index
        lines = list(self._lines(page))
        files[f"docs/{uri}"] = f"---\n{_yaml(matter)}---\n\n" + "\n".join(lines).strip("\n") + "\n"
        ids = tuple(part.id for part in page.parts if isinstance(part, Heading))
        frame = (page.title, ids, repr(page.meta))
        at = uri.removesuffix(".md") + ".html" if self.settings.offline else pages.url(uri, "")
        return _Made(stamp, files, search_index.entries(page, at), frame)

    def _lines(self, page: pages.Page) -> Iterator[str]:
        """The lines of a page with everything that it includes."""
        rendered = iter(lab_cells.cells(page) if pages.is_lab(page.uri) else [])
        fold_outputs = page.meta.get("outputs") == "folded"
        seen: set[str] = set()
        names = (one.target for one in page.includes if one.is_steps)
        played = {name.replace(parts.RECORDED, ".md") for name in names}
        for part in page.parts:
            if isinstance(part, Heading | Prose):
                yield part.text
            elif isinstance(part, Figure):
                yield from part.before.split("\n")
                yield from _indented(part.include.text.rstrip("\n"), part.include.indent)
                yield from part.after.split("\n")
            elif isinstance(part, Include) and part.is_program:
                if pages.is_lab(page.uri) and not part.indent:
                    lines = ["", self._cell(part.program, next(rendered)), ""]
                else:
                    is_played = part.program.name in played
                    repeated = [] if is_played else folds(part.program.code, part.marked(), seen)
                    lines = self._fences(part.program, part.marked(), repeated, fold_outputs)
                seen |= {line for line in part.program.code.split("\n") if line.strip()}
                lines = [self._header(part.program, page.uri), "", *lines]
                lines += self._below(part.program, page.uri)
                yield from _indented("\n".join(lines), part.indent)
            elif isinstance(part, Include):
                yield from _indented(differences.text_of(part, self.lang).rstrip("\n"), part.indent)

    def _fences(
        self,
        program: Snippet,
        marked: list[int],
        repeated: list[tuple[int, int]],
        fold_outputs: bool,
    ) -> list[str]:
        """The fences of a program, with its marked lines, and of its output."""
        lines = ["```python", *program.code.rstrip("\n").split("\n"), "```"]
        if marked:
            lines[0] += f' hl_lines="{" ".join(map(str, marked))}"'
        if repeated:
            ranges = " ".join(f"{first}-{last}" for first, last in repeated)
            options = lines[0].removeprefix("```python")
            lines[0] = f'``` {{.python{options} data-fold="{ranges}"}}'
        if not program.output:
            return lines
        classes, label = self._output_label(program)
        messages = " ".join(map(str, error_lines(program)))
        marks = f' hl_lines="{messages}"' if messages else ""
        output = [
            f'``` {{.text {" ".join(f".{name}" for name in classes)} title="{label}"{marks}}}',
            *program.output.removesuffix("\n").split("\n"),
            "```",
        ]
        if fold_outputs:
            title = f'??? answer "{self._words["outputs"]["folded"]}"'
            output = [title, "", *_indented("\n".join(output), "    ")]
        return [*lines, "", *output]

    def _output_label(self, program: Snippet) -> tuple[list[str], str]:
        """The classes of an output, and the words above it."""
        kind = "error" if program.shows_error else "output"
        is_long = max(map(len, program.output.splitlines())) > COLUMNS
        return ["no-copy", kind, *(["long"] if is_long else [])], self._words["outputs"][kind]

    def _cell(self, program: Snippet, cell: str) -> str:
        """A program of a lab as a notebook's cell, in HTML, with a label for its output."""
        return lab_cells.labelled(cell, *self._output_label(program)) if program.output else cell

    def _header(self, program: Snippet, uri: str) -> str:
        """The line above a program: the name of its script, and a link to download it."""
        path = PurePosixPath(script(program.name))
        words = self._words["downloads"]
        link = f"[{words['download']}]({'../' * uri.count('/')}{path})"
        label = words["script"].format(name=path.name)
        attributes = f'.script-link download="{path.name}" aria-label="{label}"'
        return f"\n`{path.name}` {link}{{ {attributes} }}\n{{ .script }}"

    def _below(self, program: Snippet, uri: str) -> list[str]:
        """The line under a program, if it differs on other releases."""
        page = "../" * uri.count("/") + "reference/releases.md"
        line = differences.line(program, self._words["releases"], page)
        return ["", line, "{ .differs }", ""] if line else [""]

    # What the head of a page says

    def _links(self, page: pages.Page, notebook: str) -> dict[str, str]:
        """Links to Colab and to a form for reporting a mistake, if the repository is on GitHub."""
        repository = urlsplit(self.settings.repo_url)
        if repository.netloc != "github.com":
            return {}
        path = f"{repository.path.strip('/')}/blob/notebooks/{self.lang}/{notebook}"
        names = ", ".join(program.name.removesuffix(".md") for program in page.programs)
        url = pages.url(page.uri, "")
        report = {
            "title": f"Mistake on {url or 'the start page'}",
            "body": _REPORT.format(
                address=f"{self.site_url}{url}", programs=names or "none", torch=pinned("torch")
            ),
        }
        return {
            "colab": f"https://colab.research.google.com/github/{path}",
            "report": f"{self.settings.repo_url.rstrip('/')}/issues/new?{urlencode(report)}",
        }

    # Files beside the pages

    def _llms(self) -> str:
        """What tools that read text look for: every page with its description, as Markdown."""
        config = self._config
        printed = self._words["downloads"]["printed"].format(torch=pinned("torch"))
        text = [f"# {config['site_name']}", f"> {config['site_description']}", printed, ""]
        for page in pages.readable(self.lang, pages.navigation()):
            address = f"{pages.url(page.uri, self.site_url)}index.md"
            title, description = page.title, page.meta.get("description")
            text[-1] += f"- [{title}]({address}): {description}\n"
        return "\n\n".join(text)

    # The configuration

    def _configuration(self) -> str:
        """The mkdocs.yml of the composed language."""
        config = configured(self._config, self.folder, self.settings)
        theme, extra = config["theme"], config["extra"]
        config["site_url"] = "" if self.settings.offline else self.site_url
        extra["root"] = root = "../" if self.settings.offline else self.settings.root_url
        extra["alternate"] = [
            one | {"link": f"{root}{one['lang']}/@page"} for one in extra["alternate"]
        ]
        if self.settings.own_search:
            extra["search_worker"] = "assets/search/worker.js"
        if self.settings.offline:
            extra["polyfills"] = [SHIM]
            # In a folder, its script of this name takes a page for gone before it is there.
            features = [name for name in theme["features"] if name != "navigation.instant"]
            theme["features"] = features
        if self.settings.verified_on:
            config["copyright"] += extra["verified"].format(date=self.settings.verified_on)
        config["markdown_extensions"]["builder.publishing.markup"] = {}
        config["nav"] = self._named(config["nav"])
        return _yaml(config)

    def _named(self, items: list) -> list:
        """The navigation with all names. MkDocs knows only those of pages that it builds now."""
        named: list = []
        for item in items:
            if isinstance(item, str):
                named.append({self._name(item): item})
                continue
            ((folder, inner),) = item.items() if isinstance(item, dict) else ((item, None),)
            if not (isinstance(inner, list) and inner):
                raise Mistake(f"mkdocs.yml: nav: {item!r} is no page and no folder of pages")
            index = f"{folder}/index.md"
            begins = inner[0] == index  # the page has the name of its section
            name = self._words["sections"].get(folder) or begins and self._name(index)
            if not name:
                raise Mistake(
                    f"mkdocs.{self.lang}.yml: the section {folder!r} of the nav has no "
                    "name; give it one under extra, sections, or begin it with its index.md"
                )
            named.append({name: [index] * begins + self._named(inner[begins:])})
        return named

    def _name(self, uri: str) -> str:
        """What the navigation calls a page."""
        page = pages.pages(self.lang).get(uri)
        if not page:
            return uri  # MkDocs says that there is none
        label = page.meta.get("label") or search_index.plain(page.title or uri)
        return html.escape(label, quote=False)


def compose_root(folder: Path, settings: Settings) -> None:
    """Compose the root page, which leads to the languages."""
    config = configured(_read_config(ROOT / "mkdocs.yml"), folder, settings)
    config["site_url"] = settings.root_url
    del config["nav"]  # it is the languages'
    write(folder / "mkdocs.yml", _yaml(config))
    page = DOCS / "root" / "index.md"
    write(folder / "docs" / "index.md", page.read_text(encoding="utf-8"))


def configured(config: dict, folder: Path, settings: Settings) -> dict:
    """A copy of a configuration that builds what is composed into a folder."""
    theme = config["theme"]
    made = config | {
        "docs_dir": "docs",
        "site_dir": "site",
        "repo_url": settings.repo_url,
        "hooks": [],
        "theme": theme | {"custom_dir": os.path.relpath(ROOT / theme["custom_dir"], folder)},
        "extra": config["extra"] | {"scope": urlsplit(settings.root_url).path},
    }
    # Without a repository, an edit_uri would become a link within the site.
    return made if settings.repo_url else made | {"edit_uri": None}


def script(name: str) -> str:
    """The path of a program's script in the site. Its file name is a valid name of a module."""
    path = PurePosixPath(name)
    return f"programs/{path.parent}/{path.stem.replace('-', '_')}.py"


def folds(code: str, marked: list[int], seen: set[str]) -> list[tuple[int, int]]:
    """The first and last number of each run of lines that a page may fold.

    Such lines are unmarked, and an earlier program on the page has them: seen. A run has three of
    them or more. `def` and `class` lines around a line that is shown are shown too.
    """
    lines = code.rstrip("\n").split("\n")
    shown = {
        n for n, line in enumerate(lines, 1) if n in marked or line.strip() and line not in seen
    }
    for number in sorted(shown, reverse=True):
        indent = _indent(lines[number - 1])
        for above in range(number - 1, 0, -1):
            line = lines[above - 1]
            if line.strip() and _indent(line) < indent:
                shown.add(above)
                indent = _indent(line)
    folded = []
    for _, run in groupby(range(1, len(lines) + 1), shown.__contains__):
        full = [number for number in run if number not in shown and lines[number - 1].strip()]
        if len(full) >= LEAST_FOLDED:
            folded.append((full[0], full[-1]))
    return folded


def error_lines(program: Snippet) -> list[int]:
    """The lines of an output that are messages of errors: they name an exception, have at least
    four words in a row, or belong to a message of several lines. Empty if the program prints no
    error. Line 1 is the first that a fence shows, as Markdown drops empty lines before it."""
    if not program.shows_error:
        return []
    lines = program.output.lstrip("\n").splitlines()
    found = {number for number, line in enumerate(lines, 1) if _ERROR_LINE.search(line)}
    return sorted(found | _further_lines(lines))


def _further_lines(lines: list[str]) -> set[int]:
    """The lines of an output that belong to a message of several lines: of the compiler, from the
    line above the first that is indented, or of gradcheck, with the two matrices."""
    found: set[int] = set()
    is_compiler = is_matrix = False
    for number, line in enumerate(lines, 1):
        is_indented = line.startswith(" ")
        if not is_compiler and line.startswith(("  Higher Order Operator: ", "  Explanation: ")):
            is_compiler = True
            found.add(number - 1)
        is_compiler = is_compiler and (not line or is_indented)
        is_matrix = line.startswith(("numerical:", "analytical:")) or is_matrix and is_indented
        if is_compiler or is_matrix:
            found.add(number)
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _indented(text: str, indent: str) -> list[str]:
    return [f"{indent}{line}" if line else "" for line in text.split("\n")]


def _read_config(path: Path) -> dict:
    with path.open("rb") as file:
        return yaml_load(file)


def _yaml(data: dict) -> str:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=10**6)
