"""A page's text as a list of parts: headings, prose, and what it includes. Nothing else parses
headings, include lines, figures or marks."""

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise
from pathlib import Path

from mkdocs.utils import meta

from builder.content import paths, snippets
from builder.content.paths import Mistake, Problem, read_text, shown
from builder.content.snippets import Program

RECORDED = ".steps.html"
"""How the file ends that holds the steps of a program, beside the program."""

OF_RUNS = "releases/matrix.md", "releases/proof.md"
"""The tables that are made from the recorded runs."""

OF_MESSAGES = "messages/"
"""How the name of a list begins that is made from the messages of a page of errors."""

ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w-]+|[\w-]+=\"[^\"]*\"|[ \t])+\}")
"""Attributes of an element, as in { .right } or { #id }."""
TITLED = re.compile(r"(===|\?\?\? \w+) +\"(?P<title>[^\"]*)\"$")
"""The first line of a tab or a folded block."""

_HEADING = r"(?P<level>#+) (?P<words>.+?)(?: \{ #(?P<id>[\w-]+) \})?"
_MARK = r"[ \t]*<!-- mark: (\S.*?) -->[ \t]*"
_INCLUDE = (
    r"(?:(?P<before><figure(?:(?!</figure>)[\s\S])*?)\n)?"
    rf"(?P<marks>(?:{_MARK}\n)*)"
    r'(?P<indent>[ \t]*)--8<-- +"(?P<target>[^"\n]+)"[ \t]*'
    r"(?(before)\n(?P<after>[\s\S]*?^</figure>))"
)
_BLOCK = re.compile(rf"^(?:{_HEADING}|{_INCLUDE}|(?P<stray>{_MARK}(?:\n{_MARK})*))$", re.MULTILINE)
"""What is no prose: a heading, an include line with the marks above it and the figure around it, or
marks above anything else."""


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
    """What an include line stands for."""

    PROGRAM, STEPS, PICTURE, FORMULA, TABLE, RUNS, MESSAGES = range(7)


@dataclass(frozen=True)
class Include:
    """An include line: what it names, its indentation, its number, how marked lines of its program
    begin, and the file of its page."""

    target: str
    indent: str
    line: int
    marks: tuple[str, ...] = ()
    page: Path = field(default=paths.DOCS, compare=False)

    @property
    def places(self) -> list[Path]:
        """What its file may be."""
        if self.target.startswith(OF_MESSAGES):
            return [self.page.with_name(self.target.removeprefix(OF_MESSAGES))]
        return [folder / self.target for folder in paths.INCLUDED]

    @functools.cached_property
    def file(self) -> Path | None:
        return next(filter(Path.is_file, self.places), None)

    @functools.cached_property
    def kind(self) -> Kind:
        if self.target in OF_RUNS:
            return Kind.RUNS
        if self.target.startswith(OF_MESSAGES):
            return Kind.MESSAGES
        if self.target.endswith(RECORDED):
            return Kind.STEPS
        if self.target.endswith(".md"):
            is_program = self.file and paths.SNIPPETS in self.file.parents
            return Kind.PROGRAM if is_program else Kind.TABLE
        return Kind.FORMULA if self.target.endswith(".tex") else Kind.PICTURE

    @functools.cached_property
    def read(self) -> Program | Problem | None:
        """The program that it names, if it names one, or why that can't be read."""
        try:
            return snippets.read(self.file) if self.kind is Kind.PROGRAM else None
        except Mistake as mistake:
            return mistake.args[0]

    @property
    def program(self) -> Program | None:
        return self.read if isinstance(self.read, Program) else None

    @functools.cached_property
    def marked(self) -> tuple[int, ...]:
        """The numbers of the marked lines of its program, the first being 1."""
        return tuple(sorted(set().union(*map(self.lines_of, self.marks))))

    def lines_of(self, mark: str) -> set[int]:
        """The numbers of the lines that begin with what a mark quotes. It may go on into the next
        line, which is then marked, too."""
        lines, found = [line.strip() for line in self.program.code.splitlines()], set()
        for number, (line, following) in enumerate(pairwise([*lines, ""]), 1):
            if line and f"{line} {following}".startswith(mark):
                found |= {number} if line.startswith(mark) else {number, number + 1}
        return found

    def text_in(self, lang: str) -> str:
        """The content of its file: of words in both languages those in one."""
        words = re.compile(r'<span lang="(\w+)">(.*?)</span>')
        return words.sub(lambda match: match[2] * (match[1] == lang), read_text(self.file))


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

    includes: tuple[Include, ...]


Part = Heading | Prose | Include | Figure | Folder


def includes(parts: Iterable[Part]) -> Iterator[Include]:
    """The include lines among parts, in order."""
    for part in parts:
        if isinstance(part, Folder):
            yield from part.includes
        elif isinstance(part, Figure | Include):
            yield part.include if isinstance(part, Figure) else part


def parse(text: str, page: Path) -> tuple[list[Part], list[Problem]]:
    """The parts of a page's text in order, without its front matter, and what is wrong with its
    include lines, marks and pictures. page: its file."""
    front = meta.YAML_RE.match(text)
    end = front.end() if front else 0
    text = f"\n{text}\n"  # so that every part is between two line ends
    parts: list[Part] = []
    problems: list[Problem] = []
    for block in _BLOCK.finditer(text, end):
        parts += _prose(text[end : block.start()])
        end = block.end()
        number = text.count("\n", 0, block.end("target") if block["target"] else end)
        if block["stray"]:
            wrong = "this mark is above no program; put it right above one"
            problems.append(Problem(page, number, wrong))
        elif block["level"]:
            level, words, identifier = block.group("level", "words", "id")
            parts.append(Heading(len(level), words, identifier or "", block[0], number))
        else:
            marks = tuple(re.findall(_MARK, block["marks"]))
            include = Include(block["target"], block["indent"], number, marks, page)
            parts.append(_included(include, block))
            problems += _wrong(parts[-1])
    return parts + _prose(text[end:]), problems


def _prose(text: str) -> list[Prose]:
    """What is between two line ends, unless that is nothing."""
    return [Prose(text[1:-1])] if len(text) > 1 else []


def _included(include: Include, block: re.Match) -> Part:
    """An include line with the figure around it, or the folder that it names, if it has any."""
    folder = paths.SNIPPETS / include.target
    if include.target.endswith("/") and (files := sorted(folder.glob("*.md"))):
        targets = (f"{include.target}{file.name}" for file in files)
        return Folder(tuple(replace(include, target=target) for target in targets))
    if block["before"] is not None:
        return Figure(block["before"], include, block["after"])
    return include


def _wrong(part: Part) -> Iterator[Problem]:
    """What is wrong with an include line and what it stands for."""
    for include in includes([part]):
        wrong = functools.partial(Problem, include.page, include.line)
        if not include.file and include.kind is not Kind.RUNS:
            is_steps = include.kind is Kind.STEPS
            remedy = "make record writes it" if is_steps else "correct the name or add it"
            yield wrong(f"there is no {' or '.join(map(shown, include.places))}; {remedy}")
        elif include.kind is Kind.PICTURE and "aria-" not in getattr(part, "before", ""):
            yield wrong(f"{include.target} has no aria-label; give its <figure> one")
        elif isinstance(include.read, Problem):
            yield include.read
        elif include.program:
            for mark in include.marks:
                if not include.lines_of(mark):
                    yield wrong(f"no line of the program begins with {mark!r}; quote how one does")
