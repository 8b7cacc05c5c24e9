"""A page's text as a list of parts: headings, prose, and what it includes. Nothing else parses
headings, include lines, figures or marks."""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

from mkdocs.utils import meta

from builder.content import paths, snippets
from builder.content.paths import Mistake, Problem, shown
from builder.content.snippets import Program

RECORDED = ".steps.html"
"""How the file ends that holds the steps of a program, beside the program."""

OF_RUNS = "releases/"
"""How the name of a table begins that is made from the recorded runs."""

OF_MESSAGES = "messages/"
"""How the name of a list begins that is made from the messages of a page of errors."""

ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w-]+|[\w-]+=\"[^\"]*\"|[ \t])+\}")
"""Attributes of an element, as in { .right } or { #id }."""
TITLED = re.compile(r"(===|\?\?\? \w+) +\"(?P<title>[^\"]*)\"$")
"""The first line of a tab or a folded block."""

_INCLUDE = re.compile(r"(?P<indent>\s*)--8<-- +\"(?P<target>[^\"]+)\"\s*$")
_MARK = re.compile(r"\s*<!-- mark: (?P<begins>\S.*?) -->\s*$")
_HEADING = re.compile(r"(?P<level>#+) (?P<words>.+?)(?: \{ #(?P<id>[\w-]+) \})?$")


@dataclass(frozen=True)
class Heading:
    """words: its text as Markdown; text: the line as it is written; line: its number."""

    level: int
    words: str
    id: str
    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Prose:
    text: str


class Kind(Enum):
    """What an include line stands for; MISSING: there is no such thing."""

    PROGRAM, STEPS, PICTURE, FORMULA, TABLE, RUNS, MESSAGES, MISSING = range(8)


@dataclass(frozen=True)
class Include:
    """An include line: what it names, its indentation, and how marked lines of its program begin;
    and what it stands for. marked: the numbers of those lines, the first being 1."""

    target: str
    indent: str
    line: int
    marks: tuple[str, ...] = ()
    kind: Kind = field(default=Kind.MISSING, compare=False)
    file: Path | None = field(default=None, compare=False)
    program: Program | None = field(default=None, compare=False)
    marked: tuple[int, ...] = field(default=(), compare=False)

    @property
    def content(self) -> Program | str:
        """What was read for it."""
        return self.program or (paths.read_text(self.file) if self.file else self.target)

    def text_in(self, lang: str) -> str:
        """The content of its file: of words in both languages those in one."""
        words = re.compile(r'<span lang="(\w+)">(.*?)</span>')
        return words.sub(lambda match: match[2] * (match[1] == lang), paths.read_text(self.file))


@dataclass(frozen=True)
class Figure:
    """A figure element with the picture that it includes, and the lines before and after it."""

    before: str
    include: Include
    after: str

    @property
    def label(self) -> str:
        """What the picture shows, in words, for those who can't see it."""
        match = re.search(r'aria-label="([^"]*)"', self.before)
        return match[1] if match else ""

    @property
    def caption(self) -> str:
        match = re.search(r"<figcaption>(.*?)</figcaption>", self.after, re.DOTALL)
        return match[1] if match else ""


@dataclass(frozen=True)
class Folder:
    """An include line that names a folder of snippets/, with a slash at its end: its programs."""

    name: str
    includes: tuple[Include, ...]


Part = Heading | Prose | Include | Figure | Folder


@dataclass(frozen=True)
class Section:
    """A heading and the parts below it, up to the next heading."""

    heading: Heading
    parts: list[Part]

    @functools.cached_property
    def programs(self) -> list[Program]:
        return [include.program for include in includes(self.parts) if include.program]


def includes(parts: Iterable[Part]) -> list[Include]:
    """The include lines among parts, in order."""
    found: list[Include] = []
    for part in parts:
        if isinstance(part, Folder):
            found += part.includes
        elif isinstance(part, Figure | Include):
            found.append(part.include if isinstance(part, Figure) else part)
    return found


def parse(text: str, page: Path) -> tuple[list[Part], list[Problem]]:
    """The parts of a page's text in order, without its front matter, and what is wrong with its
    include lines, marks and pictures. page: its file."""
    front = meta.YAML_RE.match(text)
    skipped = front[0].count("\n") if front else 0
    parser = _Parser(page)
    lines = text.split("\n")
    for number, line in enumerate(lines[skipped:], skipped + 1):
        parser.read(number, line)
    parser.end_marks(len(lines))
    parser.end_prose()
    return parser.parts, parser.problems


class _Parser:
    """Reads the lines of a page, one after the other."""

    def __init__(self, page: Path) -> None:
        self.parts: list[Part] = []
        self.problems: list[Problem] = []
        self._page = page
        self._prose: list[str] = []
        self._marks: list[str] = []
        self._in_figure = False  # below its picture

    def read(self, number: int, line: str) -> None:
        if mark := _MARK.match(line):
            self._marks.append(mark["begins"])
        elif match := _INCLUDE.match(line):
            self._include(Include(match["target"], match["indent"], number, tuple(self._marks)))
            self._marks.clear()
        else:
            self.end_marks(number - 1)
            heading = _HEADING.match(line)
            if heading or line.startswith("<figure"):
                self.end_prose()
            if heading:
                level, words, identifier = heading.groups("")
                self.parts.append(Heading(len(level), words, identifier, line, number))
                return
            self._prose.append(line)
            if self._in_figure and line == "</figure>":
                self.parts[-1] = replace(self.parts[-1], after=self._gathered())
                self._in_figure = False

    def end_marks(self, number: int) -> None:
        if self._marks:
            self._wrong(number, "this mark is above no program; put it right above one")
        self._marks.clear()

    def end_prose(self) -> None:
        if self._prose:
            self.parts.append(Prose(self._gathered()))

    def _gathered(self) -> str:
        text = "\n".join(self._prose)
        self._prose.clear()
        return text

    def _wrong(self, number: int, text: str) -> None:
        self.problems.append(Problem(self._page, number, text))

    def _include(self, line: Include) -> None:
        self._in_figure = "".join(self._prose).startswith("<figure")
        before = self._gathered() if self._in_figure else ""
        self.end_prose()
        if line.target.endswith("/"):
            self.parts.append(self._folder(line))
            return
        include = self._resolved(line)
        self.parts.append(Figure(before, include, "") if self._in_figure else include)
        if include.kind is Kind.PICTURE and "aria-" not in before:
            self._wrong(line.line, f"{line.target} has no aria-label; give its <figure> one")

    def _folder(self, line: Include) -> Folder:
        """All programs of a folder."""
        folder = paths.SNIPPETS / line.target
        names = [f"{line.target}{file.name}" for file in sorted(folder.glob("*.md"))]
        if not names:
            self._wrong(line.line, f"no programs in {shown(folder)}; correct the name")
        includes = (self._resolved(replace(line, target=name)) for name in names)
        return Folder(line.target.rstrip("/"), tuple(includes))

    def _resolved(self, include: Include) -> Include:
        """An include line with what it stands for. If there is none, a problem says why."""
        target = include.target
        if target.startswith(OF_RUNS):
            if target.removeprefix(OF_RUNS) not in ("matrix.md", "proof.md"):
                text = f"there is no {target!r}; write releases/matrix.md or releases/proof.md"
                self._wrong(include.line, text)
            return replace(include, kind=Kind.RUNS)
        name = target.removeprefix(OF_MESSAGES)
        folders = paths.INCLUDED if name == target else [self._page.parent]
        file = next(filter(Path.is_file, (folder / name for folder in folders)), None)
        if file:
            kind = _kind(file) if name == target else Kind.MESSAGES
            include = replace(include, kind=kind, file=file)
            return self._with_program(include) if kind is Kind.PROGRAM else include
        is_steps = target.endswith(RECORDED)
        remedy = "make record writes it" if is_steps else "correct the name or add it"
        places = ", ".join(map(shown, folders))
        self._wrong(include.line, f"no file {target!r} in {places}; {remedy}")
        return include

    def _with_program(self, include: Include) -> Include:
        try:
            program = snippets.read(include.file)
        except Mistake as mistake:
            self.problems.append(mistake.args[0])
            return include
        lines = [line.strip() for line in program.code.splitlines()]
        for begins in include.marks:
            if not any(line.startswith(begins) for line in lines):
                text = f"no line of the program begins with {begins!r}; quote how one does"
                self._wrong(include.line, text)
        marked = (n for n, line in enumerate(lines, 1) if line.startswith(include.marks))
        return replace(include, program=program, marked=tuple(marked))


def _kind(file: Path) -> Kind:
    if file.suffix == ".md":
        return Kind.PROGRAM if paths.SNIPPETS in file.parents else Kind.TABLE
    if file.suffix == ".html":
        return Kind.STEPS if file.name.endswith(RECORDED) else Kind.FORMULA
    return Kind.PICTURE
