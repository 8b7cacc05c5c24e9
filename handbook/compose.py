"""Compose the pages of a language: each page of docs/<lang>/ with everything that it includes, as
plain Markdown, with what its head needs as front matter. Beside the pages go their notebooks,
scripts and Markdown copies, and a whole configuration, so that MkDocs or Zensical can build them
without a hook.
"""

import html
import json
import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from urllib.parse import urlencode, urljoin, urlsplit

import yaml
from mkdocs.utils.yaml import yaml_load

from handbook import addresses, cells, changes, notebooks, pages, parts, search, snippets
from handbook.parts import Figure, Heading, Include, Part, Prose
from handbook.places import DOCS, ROOT, SNIPPETS, pinned, shown
from handbook.snippets import Snippet, write

COLUMNS = 80
"""What fits the column of a page at 1280 px: a longer output wraps its lines."""

LEAST_FOLDED = 3
"""Fewer lines are not folded."""

COPIES = "copies/"
"""Where the Markdown copies of pages are, below the folder of a language."""

SHIM = "assets/iframe-worker/shim.js"
"""A script that lets the theme start its search where the site is read from a folder."""

_MARKUP = re.compile(r"\[(?P<text>[^\]]*)\]\([^)]*\)|\\(?P<escaped>[_*\\`\[\]|])|[`*]")
_NO_SENTENCE = ("|", "===", "<", "    ", "!!!", "???")
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_CODE_ELEMENT = re.compile(r"<code>[^<]*</code>")
_HTML_CELL = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
_BREAK = re.compile(r"(?<=[^_>]_)(?=\w)|(?<=[.=(])(?=[A-Za-z_])|(?<=[a-z])(?=[A-Z])")
_MARKDOWN_SIGN = re.compile(r"([\\`*_{}\[\]()#+.!~^|-])")

_REPORT = """Page: {address}
Program (delete all but the one you mean): {programs}
torch: {torch} (what does yours say? print(torch.__version__))

What the page says:

What your machine prints:
"""


class ComposeError(Exception):
    """A page or a setting that can't be composed; says file, line and what to do."""


@dataclass(frozen=True)
class Settings:
    """Where the site will be, and what else the environment of a build says."""

    root_url: str
    """The address of the whole site, with a slash at its end."""

    repo_url: str = ""
    verified_on: str = ""
    """The day on which every program was run, as 2026-11-22, or nothing."""

    offline: bool = False
    """Whether the site is to be read from a folder, without a server."""

    own_search: bool = True
    """Whether the pages are searched with our own index, and not with the generator's."""


@dataclass
class _Made:
    """What composing a page has made."""

    stamp: tuple
    """Time and size of every file it was made from."""

    files: dict[str, str]
    entries: list[search.Entry]
    frame: tuple
    """Its title and ids: if they change, everything is built again."""


@dataclass
class Changes:
    """What composing again has changed."""

    pages: list[str] = field(default_factory=list)
    """The pages written again, as paths below docs/<lang>/."""

    files: list[str] = field(default_factory=list)
    """All files written or deleted, as paths below the folder of the language."""

    whole: bool = False
    """Whether everything has to be built again: a page was added or removed, or a title, an id or a
    setting has changed."""


class Composer:
    """Composes one language into a folder, and again what has changed."""

    def __init__(self, lang: str, folder: Path, settings: Settings) -> None:
        self.lang = lang
        self.folder = folder
        self.settings = settings
        self.site_url = urljoin(settings.root_url, f"{lang}/")
        self._made: dict[str, _Made] = {}
        self._written: dict[str, str] = {}

    def compose(self) -> Changes:
        """Write what has changed since the last call, or everything.

        Raises ComposeError, SnippetError or AddressError, each with file, line and what to do.
        """
        pages.pages.cache_clear()
        changes.forget()
        self._config = _read_config(ROOT / f"mkdocs.{self.lang}.yml")
        self._words = self._config["extra"]
        self._moved = addresses.moved()
        changed = Changes()
        common = stamps([addresses.FILE, changes.CHANGES, *changes.FOLDER.glob("*.json")])
        common += (self._words, self.settings)
        made: dict[str, _Made] = {}
        for uri, page in pages.pages(self.lang).items():
            stamp = (common, stamps(_sources(page)))
            known = self._made.get(uri)
            if known is None or known.stamp != stamp:
                made[uri] = self._page(page, stamp)
                changed.whole |= known is None or known.frame != made[uri].frame
            else:
                made[uri] = known
        files = {name: text for one in made.values() for name, text in one.files.items()}
        files |= self._pages_that_are_gone()
        files["mkdocs.yml"] = self._configuration()
        if self.settings.own_search:
            entries = [entry for one in made.values() for entry in one.entries]
            files["docs/search/index.js"] = search.index(entries)
        for name in self._written.keys() - files.keys():
            write(self.folder / name, None)
            changed.files.append(name)
            changed.whole = True
        for name, text in files.items():
            if self._written.get(name) != text:
                write(self.folder / name, text)
                changed.files.append(name)
                changed.whole |= name not in self._written or name == "mkdocs.yml"
        changed.pages = [uri for uri in made if f"docs/{uri}" in changed.files]
        self._made, self._written = made, files
        return changed

    def put_copies(self, site: Path, names: Iterable[str] | None = None) -> None:
        """Put the Markdown copies of pages into a built site: all, or those among the names of
        files. A generator that found them among the pages would take them for pages."""
        for name in self._written if names is None else names:
            if name.startswith(COPIES) and name in self._written:
                write(site / name.removeprefix(COPIES), self._written[name])

    # A page

    def _page(self, page: pages.Page, stamp: tuple) -> _Made:
        """Compose a page. Nothing is written yet."""
        uri = page.uri
        for line, problem in parts.problems(page.text):
            raise ComposeError(f"{page.shown}:{line}: {problem}")
        body = parts.parse(page.text)
        address = pages.url(uri, self.site_url)
        heading = self._words["downloads"]["heading"].format(url=address)
        book = notebooks.compose(page.text, uri, self.lang, self.site_url, heading)
        notebook = f"notebooks/{PurePosixPath(uri).with_suffix('.ipynb')}"
        copy = uri if self.settings.offline else f"{pages.url(uri, '')}index.md"
        files = {
            f"docs/{notebook}": json.dumps(book, ensure_ascii=False, indent=1) + "\n",
            f"{COPIES}{copy}": notebooks.as_markdown(book, address),
        }
        for name in parts.programs(page.text):
            files[f"docs/{script(name)}"] = snippets.read(SNIPPETS / name).code
        matter = page.meta | {"notebook": notebook} | self._links(page, notebook)
        if self.settings.own_search:
            matter["search"] = {"exclude": True}  # the generator needn't make an index
        if uri.startswith("troubleshooting/errors/") and not uri.endswith("index.md"):
            matter["answers"] = faq(page.text)
        lines = list(self._lines(body, uri, page.meta.get("outputs") == "folded"))
        lines += self._moved_from(uri)
        files[f"docs/{uri}"] = f"---\n{_yaml(matter)}---\n\n" + "\n".join(lines).strip("\n") + "\n"
        ids = tuple(part.id for part in body if isinstance(part, Heading))
        frame = (parts.title(page.text), ids, repr(page.meta))
        at = uri.removesuffix(".md") + ".html" if self.settings.offline else pages.url(uri, "")
        return _Made(stamp, files, search.entries(page, at), frame)

    def _lines(self, body: Iterable[Part], uri: str, fold_outputs: bool) -> Iterator[str]:
        """The lines of a page with everything that it includes."""
        number = 0
        seen: set[str] = set()
        names = (one.target for one in body if isinstance(one, Include) and one.is_steps)
        played = {name.replace(parts.RECORDED, ".md") for name in names}
        for part in body:
            if isinstance(part, Heading):
                yield part.text
            elif isinstance(part, Prose):
                yield from _breakable(part.text)
            elif isinstance(part, Figure):
                yield from part.before.split("\n")
                yield from _indented(_picture(part.include.text), part.include.indent)
                yield from part.after.split("\n")
            elif isinstance(part, Include) and part.is_program:
                is_cell = pages.is_lab(uri) and not part.indent
                number += is_cell
                if is_cell:
                    lines = [self._cell(part, number)]
                else:
                    is_played = part.program.name in played
                    repeated = [] if is_played else folds(part.program.code, part.marked(), seen)
                    lines = self._fences(part.program, part.marked(), repeated, fold_outputs)
                seen |= {line for line in part.program.code.split("\n") if line.strip()}
                yield from _indented(
                    "\n".join([*lines, *self._below(part.program, uri)]), part.indent
                )
            elif isinstance(part, Include):
                yield from _indented(_included(part), part.indent)

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
        output = [
            f'``` {{.text {" ".join(f".{name}" for name in classes)} title="{label}"}}',
            *program.output.removesuffix("\n").split("\n"),
            "```",
        ]
        if fold_outputs:
            title = f'??? success "{self._words["outputs"]["folded"]}"'
            output = [title, "", *_indented("\n".join(output), "    ")]
        return [*lines, "", *output]

    def _output_label(self, program: Snippet) -> tuple[list[str], str]:
        """The classes of an output, and the words above it."""
        kind = "error" if program.shows_error else "output"
        is_long = max(map(len, program.output.splitlines())) > COLUMNS
        return ["no-copy", kind, *(["long"] if is_long else [])], self._words["outputs"][kind]

    def _cell(self, include: Include, number: int) -> str:
        """A program of a lab as a notebook's cell, in HTML."""
        program = include.program
        (cell,) = cells.cells([cells.Cell(number, program, include.marked())])
        if not program.output:
            return f"\n{cell}\n"
        classes, label = self._output_label(program)
        return f"\n{cells.labelled(cell, classes, label)}\n"

    def _below(self, program: Snippet, uri: str) -> list[str]:
        """The line under a program: on which releases it differs, and its script."""
        path = PurePosixPath(script(program.name))
        up = "../" * uri.count("/")
        words = self._words["downloads"]["script"].format(name=path.name)
        link = f'[{words}]({up}{path}){{ .script-link download="{path.name}" }}'
        page = f"{up}reference/releases.md"
        return ["", changes.line(program, self._words["releases"], page) + link, "{ .script }", ""]

    def _moved_from(self, uri: str) -> Iterator[str]:
        """The end of a page from which sections were moved: their ids, and links to where they are
        now."""
        uris = {pages.url(other, "") or "./": other for other in pages.pages(self.lang)}
        for identifier, new in self._moved.get(pages.url(uri, "") or "./", {}).items():
            url, _, anchor = new.partition("#")
            if url not in uris:
                raise ComposeError(
                    f"{shown(addresses.FILE)}:1: {new!r} is on no page; correct where it leads"
                )
            page = posixpath.relpath(uris[url], posixpath.dirname(uri) or ".")
            yield f"\n[{self._words['moved'].format(address=new)}]({page}#{anchor})"
            yield f"{{ .moved #{identifier} }}"

    # What the head of a page says

    def _links(self, page: pages.Page, notebook: str) -> dict[str, str]:
        """Links to Colab and to a form for reporting a mistake; none unless the repository is on
        GitHub."""
        repository = urlsplit(self.settings.repo_url)
        if repository.netloc != "github.com":
            return {}
        path = f"{repository.path.strip('/')}/blob/notebooks/{self.lang}/{notebook}"
        names = ", ".join(name.removesuffix(".md") for name in parts.programs(page.text))
        url = pages.url(page.uri, "")
        body = _REPORT.format(
            address=f"{self.site_url}{url}", programs=names or "none", torch=pinned("torch")
        )
        query = urlencode({"title": f"Mistake on {url or 'the start page'}", "body": body})
        return {
            "colab": f"https://colab.research.google.com/github/{path}",
            "report": f"{self.settings.repo_url.rstrip('/')}/issues/new?{query}",
        }

    # Files beside the pages

    def _pages_that_are_gone(self) -> dict[str, str]:
        """A page at each address where one was, with links to where its sections are now."""
        if self.settings.offline:  # nobody links into an archive
            return {}
        there = {pages.url(uri, "") or "./" for uri in pages.pages(self.lang)}
        return {
            f"docs/{url}index.html": addresses.gone(url, moved, self.lang, self._words["moved"])
            for url, moved in self._moved.items()
            if url not in there
        }

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
            day = _day(self.settings.verified_on)
            config["copyright"] += extra["verified"].format(date=day)
        config["nav"] = self._named(extra.pop("navigation"))
        return _yaml(config)

    def _named(self, items: list) -> list:
        """The navigation with the name of every page, because MkDocs knows only the names of pages
        that it builds this time."""
        named_items = []
        for item in items:
            if isinstance(item, str):
                named_items.append({self._name(item): item})
                continue
            ((folder, inner),) = item.items() if isinstance(item, dict) else (("", None),)
            if not (isinstance(inner, list) and inner):
                raise ComposeError(
                    f"mkdocs.yml: navigation: {item!r} is no page and no folder of pages"
                )
            name = self._words["sections"].get(folder) or self._name(f"{folder}/index.md")
            named = self._named(inner)
            # The page that a section begins with takes no name of its own.
            if inner[0] == f"{folder}/index.md":
                named[0] = inner[0]
            named_items.append({name: named})
        return named_items

    def _name(self, uri: str) -> str:
        """What the navigation calls a page."""
        page = pages.pages(self.lang).get(uri)
        if not page or page.problem:
            return uri
        label = page.meta.get("label") or plain(parts.title(page.text) or uri)
        return html.escape(label, quote=False)


def compose_root(folder: Path, settings: Settings) -> None:
    """Compose the root page, which leads to the languages."""
    config = configured(_read_config(ROOT / "mkdocs.yml"), folder, settings)
    config["site_url"] = settings.root_url
    write(folder / "mkdocs.yml", _yaml(config))
    page = DOCS / "root" / "index.md"
    write(folder / "docs" / "index.md", page.read_text(encoding="utf-8"))


def configured(config: dict, folder: Path, settings: Settings) -> dict:
    """A copy of a configuration that builds what is composed into a folder."""
    configuration = config | {"docs_dir": "docs", "site_dir": "site", "repo_url": settings.repo_url}
    configuration["hooks"] = []
    if not settings.repo_url:
        configuration["edit_uri"] = None  # else it becomes a link within the site
    overrides = os.path.relpath(ROOT / config["theme"]["custom_dir"], folder)
    configuration["theme"] = config["theme"] | {"custom_dir": overrides}
    configuration["extra"] = config["extra"] | {"scope": urlsplit(settings.root_url).path}
    return configuration


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
    runs: list[list[int]] = [[]]
    for number, line in enumerate(lines, 1):
        if number in shown:
            runs.append([])
        elif line.strip() or runs[-1]:
            runs[-1].append(number)
    found = []
    for run in runs:
        while run and not lines[run[-1] - 1].strip():
            run.pop()
        if sum(bool(lines[number - 1].strip()) for number in run) >= LEAST_FOLDED:
            found.append((run[0], run[-1]))
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def plain(text: str) -> str:
    """A line of Markdown without links, code and emphasis."""
    return _MARKUP.sub(lambda match: match["text"] or match["escaped"] or "", text)


def faq(text: str) -> str:
    """Each section of an error page as a question, its paragraphs as the answer: the JSON-LD that
    tells search engines, as schema.org's FAQPage has it."""
    questions = []
    for heading, below in parts.sections(text, 2):
        if heading.id == "next":
            continue
        lines = [
            line
            for part in below
            if isinstance(part, Prose)
            for line in part.text.split("\n")
            if line and not line.startswith(_NO_SENTENCE)
        ]
        answer = html.escape(" ".join(map(plain, lines)), quote=False)
        questions.append(
            {
                "@type": "Question",
                "name": plain(heading.words),
                "acceptedAnswer": {"@type": "Answer", "text": answer},
            }
        )
    page = {"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": questions}
    return json.dumps(page, ensure_ascii=False).replace("</", "<\\/")


def _included(include: Include) -> str:
    """A picture, a table, a formula or recorded steps as a page shows them."""
    text = include.text.rstrip("\n")
    if include.file.suffix == ".svg":
        return _picture(text)
    if include.file.suffix == ".html":
        return _HTML_CELL.sub(
            lambda cell: _CODE_ELEMENT.sub(lambda code: _BREAK.sub("<wbr>", code[0]), cell[0]), text
        )
    return "\n".join(_breakable(text))


def _picture(svg: str) -> str:
    """A picture whose letters are not searched."""
    return svg.rstrip("\n")


def _breakable(text: str) -> Iterator[str]:
    """Lines of Markdown. In tables, long names may break between their words, so that a phone
    shows every column."""
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        is_row = not fenced and line.lstrip().startswith("|")
        yield _CODE.sub(_breakable_code, line) if is_row else line


def _breakable_code(code: re.Match) -> str:
    """Code in a row of a table. Code that may break becomes HTML, so that signs of Markdown in it
    are escaped. `\\|` is how a row writes `|`."""
    pieces = _BREAK.split(html.escape(code[1].replace("\\|", "|"), quote=False))
    if len(pieces) == 1:
        return code[0]
    escaped = (_MARKDOWN_SIGN.sub(r"\\\1", piece) for piece in pieces)
    return f"<code>{'<wbr>'.join(escaped)}</code>"


def _indented(text: str, indent: str) -> list[str]:
    return [f"{indent}{line}" if line else "" for line in text.split("\n")]


def _sources(page: pages.Page) -> list[Path]:
    """Every file that a page is made from."""
    files = [page.path]
    for one in page.includes:
        if one.file:
            files += [one.file, one.file.with_suffix(".svg")]
    return files


def stamps(files: Iterable[Path]) -> tuple:
    """The files that are there, with time of change and size."""
    stats = ((file, file.stat()) for file in sorted({*files}) if file.is_file())
    return tuple((file, stat.st_mtime_ns, stat.st_size) for file, stat in stats)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ComposeError(f"VERIFIED_ON={text!r} is not a date; write it as 2026-11-22") from None


def _read_config(path: Path) -> dict:
    with path.open("rb") as file:
        return yaml_load(file)


def _yaml(data: dict) -> str:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=10**6)
