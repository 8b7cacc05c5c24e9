"""A page's text as a list of parts: headings, prose, and what it includes. Nothing else parses
include lines, figures or marks.

An include line names a file of snippets/, docs/pictures, docs/tables or docs/formulas, or a table
that is made from the recorded runs on other releases, `releases/matrix.md` or
`releases/<change>.md`:

    --8<-- "learn/ctx-vs-self/square.md"

Right above a program, a comment marks the lines of it that the page is about. It quotes how such a
line begins, so an edit elsewhere in the program doesn't change it:

    <!-- mark: ctx.save_for_backward( -->
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from mkdocs.utils import meta

from builder.content import snippets
from builder.content.paths import (
    CHANGES,
    FORMULAS,
    INCLUDED,
    SNIPPETS,
    Mistake,
    read_text,
    rows,
    shown,
)
from builder.content.snippets import Snippet

RECORDED = ".steps.html"
"""How the file ends that holds the steps of a program, beside the program."""

OF_RUNS = "releases/"
"""How the name of a table begins that is made from the recorded runs."""

_INCLUDE = re.compile(r"(?P<indent>\s*)--8<-- +\"(?P<target>[^\"]+)\"\s*$")
_MARK = re.compile(r"\s*<!-- mark: (?P<begins>\S.*?) -->\s*$")
_HEADING = re.compile(r"(?P<level>#+) (?P<words>.+?)(?: \{ #(?P<id>[\w-]+) \})?$")


@dataclass(frozen=True)
class Heading:
    """words: its text as Markdown; text: the line as it is written."""

    level: int
    words: str
    id: str
    text: str


@dataclass(frozen=True)
class Prose:
    text: str


@dataclass(frozen=True)
class Include:
    """An include line: what it names, its indentation, and how marked lines of it begin."""

    target: str
    indent: str
    line: int
    marks: tuple[str, ...] = ()

    @functools.cached_property
    def file(self) -> Path | None:
        """The file that it names, if there is one."""
        files = (folder / self.target for folder in INCLUDED)
        return next((file for file in files if file.is_file()), None)

    @property
    def problem(self) -> str | None:
        """Why it can't be included, or why a mark above it marks nothing, if so."""
        if self.is_of_runs:
            changes = {row["change"] for row in rows(CHANGES)}
            if self.target.removeprefix(OF_RUNS).removesuffix(".md") in {"matrix", *changes}:
                return None
            return f"no change of {shown(CHANGES)} is called {self.target!r}; correct the name"
        if self.file is None:
            folders = ", ".join(shown(folder) for folder in INCLUDED)
            remedy = "make record writes it" if self.is_steps else "correct the name or add it"
            return f"no file {self.target!r} in {folders}; {remedy}"
        try:
            self.marked()
        except Mistake as error:
            return str(error)
        return None

    @functools.cached_property
    def is_program(self) -> bool:
        return self.target.endswith(".md") and (SNIPPETS / self.target).is_file()

    @property
    def is_formula(self) -> bool:
        return self.file is not None and self.file.parent == FORMULAS

    @property
    def is_of_runs(self) -> bool:
        """Whether it is a table that is made from the recorded runs, and no file."""
        return self.target.startswith(OF_RUNS)

    @property
    def is_steps(self) -> bool:
        """Whether it is the recorded steps of a program."""
        return self.target.endswith(RECORDED)

    @functools.cached_property
    def program(self) -> Snippet:
        """The program that it names. Raises Mistake if the file is not one program."""
        return snippets.read(SNIPPETS / self.target)

    @property
    def text(self) -> str:
        """The content of the file that it names."""
        return read_text(self.file)

    def text_in(self, lang: str) -> str:
        """The content of the file in a language."""
        return in_language(self.text, lang)

    def marked(self) -> list[int]:
        """The numbers of the marked lines of the program, the first being 1.

        Raises Mistake if a mark marks no line.
        """
        numbers = set()
        lines = self.program.code.splitlines() if self.marks and self.is_program else []
        for begins in self.marks:
            found = [n for n, line in enumerate(lines, 1) if line.strip().startswith(begins)]
            if not found:
                raise Mistake(f"no line of the program begins with {begins!r}; quote how one does")
            numbers.update(found)
        return sorted(numbers)


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


Part = Heading | Prose | Include | Figure


def in_language(text: str, lang: str) -> str:
    """A text, and of words in both languages those in one."""
    words = r'<span lang="(\w+)">(.*?)</span>'
    return re.sub(words, lambda found: found[2] * (found[1] == lang), text)


def parse(text: str) -> tuple[Part, ...]:
    """The parts of a page's text in order; its front matter is left out."""
    front = meta.YAML_RE.match(text)
    skipped = front[0].count("\n") if front else 0
    return tuple(_parts(text.split("\n")[skipped:], skipped + 1))


def _parts(lines: list[str], first: int) -> Iterator[Part]:
    """The parts of lines. first: the number of the first line."""
    prose: list[str] = []
    marks: list[str] = []
    begun: tuple[str, Include] | None = None  # of a figure, its lines so far and what it includes

    def gathered() -> Iterator[Part]:
        if prose:
            yield Prose("\n".join(prose))
            prose.clear()

    for number, line in enumerate(lines, first):
        mark, include, heading = (one.match(line) for one in (_MARK, _INCLUDE, _HEADING))
        if mark:
            marks.append(mark["begins"])
            continue
        if include:
            included = Include(include["target"], include["indent"], number, tuple(marks))
            if prose and prose[0].startswith("<figure"):
                begun = "\n".join(prose), included
                prose.clear()
            else:
                yield from gathered()
                yield included
        elif heading:
            yield from gathered()
            yield Heading(len(heading["level"]), heading["words"], heading["id"] or "", line)
        else:
            if line.startswith("<figure"):
                yield from gathered()
            prose.append(line)
            if begun and line == "</figure>":
                yield Figure(*begun, "\n".join(prose))
                prose.clear()
                begun = None
        marks.clear()
    yield from gathered()


def includes(parts: Iterable[Part]) -> list[Include]:
    """The include lines among parts, in order."""
    within = (one.include if isinstance(one, Figure) else one for one in parts)
    return [one for one in within if isinstance(one, Include)]


def problems(text: str, parts: Sequence[Part]) -> list[tuple[int, str]]:
    """What is wrong with the include lines of a text and the marks above them, by line.

    parts: those of the text.
    """
    messages = [(one.line, one.problem) for one in includes(parts) if one.problem]
    for number, (line, below) in enumerate(pairwise([*text.split("\n"), ""]), 1):
        if _MARK.match(line) and not (_MARK.match(below) or _INCLUDE.match(below)):
            messages.append((number, "this mark is above no program; put it right above one"))
    for part in parts:
        one = part.include if isinstance(part, Figure) else part
        is_picture = isinstance(one, Include) and one.target.endswith(".svg") and one.file
        if is_picture and "aria-" not in getattr(part, "before", ""):
            messages.append((one.line, f"{one.target} has no aria-label; give its <figure> one"))
    return sorted(messages)
