"""A page's text as a list of parts: headings, prose, and what it includes. Nothing else reads
include lines, figures or marks.

An include line names a file of snippets/, docs/pictures, docs/tables or docs/formulas:

    --8<-- "learn/ctx-vs-self/square.md"

Right above a program, a comment marks the lines of it that the page is about. It quotes how such a
line begins, so an edit elsewhere in the program doesn't change it:

    <!-- mark: ctx.save_for_backward( -->
"""

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from handbook import snippets
from handbook.places import FORMULAS, INCLUDED, SNIPPETS, shown
from handbook.snippets import Snippet

RECORDED = ".steps.html"
"""How the file ends that holds the steps of a program, beside the program."""

_INCLUDE = re.compile(r"(?P<indent>\s*)--8<--(?: +\"(?P<target>[^\"]+)\")?\s*$")
_MARK = re.compile(r"\s*<!-- mark: (?P<begins>\S.*?) -->\s*$")
_HEADING = re.compile(r"(?P<level>#+) (?P<words>.+?)(?: \{ #(?P<id>[\w-]+) \})?$")
_FENCE = re.compile(r"\s*(?P<fence>```+|~~~+)")
_FRONT_MATTER = re.compile(r"---[ \t]*\n.*?\n---[ \t]*\n", re.DOTALL)


class MarkError(ValueError):
    """A mark that quotes the beginning of no line of its program."""


@dataclass(frozen=True)
class Heading:
    level: int
    words: str
    """Its text as Markdown."""

    id: str
    line: int
    text: str
    """The line as it is written."""


@dataclass(frozen=True)
class Prose:
    text: str
    line: int


@dataclass(frozen=True)
class Mark:
    """A mark that is above no program."""

    begins: str
    line: int


@dataclass(frozen=True)
class Include:
    """An include line: what it names, its indentation, and how the lines begin that are marked
    right above it."""

    target: str
    indent: str
    line: int
    marks: tuple[str, ...] = ()

    @property
    def file(self) -> Path | None:
        """The file that it names, if there is one."""
        files = (folder / self.target for folder in INCLUDED)
        return next((file for file in files if self.target and file.is_file()), None)

    @property
    def problem(self) -> str | None:
        """Why it can't be included, or why a mark above it marks nothing, if so."""
        if not self.target:
            return 'write one line --8<-- "file" for each file'
        if self.file is None and self.target.endswith(RECORDED):
            return f"{self.target!r} is not recorded yet; make record writes it"
        if self.file is None:
            folders = ", ".join(shown(folder) for folder in INCLUDED)
            return f"no file {self.target!r} in {folders}; correct the name or add the file"
        try:
            self.marked()
        except MarkError as error:
            return str(error)
        return None

    @property
    def is_program(self) -> bool:
        return self.target.endswith(".md") and (SNIPPETS / self.target).is_file()

    @property
    def is_formula(self) -> bool:
        return self.file is not None and self.file.parent == FORMULAS

    @property
    def is_steps(self) -> bool:
        """Whether it is the recorded steps of a program."""
        return self.target.endswith(RECORDED)

    @property
    def program(self) -> Snippet:
        """The program that it names. Raises SnippetError if the file is not one program."""
        return snippets.read(SNIPPETS / self.target)

    @property
    def text(self) -> str:
        """The content of the file that it names."""
        return self.file.read_text(encoding="utf-8")

    def marked(self) -> list[int]:
        """The numbers of the marked lines of the program, the first being 1.

        Raises MarkError if a mark marks no line.
        """
        if self.marks and not self.is_program:
            raise MarkError(_stray_mark(self.marks[0]))
        numbers_marked = set()
        lines = self.program.code.splitlines() if self.marks else []
        for begins in self.marks:
            numbers = {n for n, line in enumerate(lines, 1) if line.strip().startswith(begins)}
            if not numbers:
                raise MarkError(
                    f"no line of the program begins with {begins!r}; quote how one does"
                )
            numbers_marked |= numbers
        return sorted(numbers_marked)


@dataclass(frozen=True)
class Figure:
    """A figure element with the picture that it includes, and the lines before and after it."""

    before: str
    include: Include
    after: str
    line: int

    @property
    def label(self) -> str:
        """What the picture shows, in words, for those who can't see it."""
        match = re.search(r'aria-label="([^"]*)"', self.before)
        return match[1] if match else ""

    @property
    def caption(self) -> str:
        match = re.search(r"<figcaption>(.*?)</figcaption>", self.after, re.DOTALL)
        return match[1] if match else ""


Part = Heading | Prose | Include | Figure | Mark


@functools.lru_cache(maxsize=512)
def parse(text: str) -> tuple[Part, ...]:
    """The parts of a page's text in order; its front matter is left out."""
    front = _FRONT_MATTER.match(text)
    skipped = front[0].count("\n") if front else 0
    return tuple(_figures(_parts(text.split("\n")[skipped:], skipped + 1)))


def _parts(lines: list[str], first: int) -> Iterator[Part]:
    """The parts, before figures are put together: a figure is still prose, an include line and
    prose. first: the number of the first line."""
    prose: list[str] = []
    marks: list[Mark] = []
    fence = ""

    def gathered(line: int) -> Iterator[Part]:
        if prose:
            yield Prose("\n".join(prose), line - len(prose))
            prose.clear()

    for number, line in enumerate(lines, first):
        mark, include = _MARK.match(line), _INCLUDE.match(line)
        if mark:
            yield from gathered(number)
            marks.append(Mark(mark["begins"], number))
            continue
        if include:
            yield from gathered(number)
            above = tuple(one.begins for one in marks)
            yield Include(include["target"] or "", include["indent"], number, above)
            marks.clear()
            continue
        yield from marks
        marks.clear()
        opening = _FENCE.match(line)
        if opening:
            fence = (
                "" if fence and opening["fence"].startswith(fence) else fence or opening["fence"]
            )
        heading = None if fence else _HEADING.match(line)
        if heading:
            yield from gathered(number)
            level = len(heading["level"])
            yield Heading(level, heading["words"], heading["id"] or "", number, line)
        else:
            prose.append(line)
    yield from marks
    yield from gathered(first + len(lines))


def _figures(parts: Iterable[Part]) -> Iterator[Part]:
    """The same parts, with figures put together."""
    queue = list(parts)
    while queue:
        part = queue.pop(0)
        begun = isinstance(part, Prose) and part.text.rpartition("<figure")[2]
        is_figure = (
            begun
            and "<figure" in part.text
            and "</figure>" not in begun
            and len(queue) > 1
            and isinstance(queue[0], Include)
            and isinstance(queue[1], Prose)
            and "</figure>" in queue[1].text
        )
        if not is_figure:
            yield part
            continue
        include, following = queue.pop(0), queue.pop(0)
        at = part.text.rindex("<figure")
        before = part.text[:at].rstrip(" ")
        end = following.text.index("</figure>") + len("</figure>")
        after, rest = following.text[:end], following.text[end:]
        line = part.line + before.count("\n")
        if before:
            yield Prose(before.removesuffix("\n"), part.line)
        yield Figure(part.text[at:], include, after, line)
        if rest:
            line = following.line + after.count("\n") + 1
            queue.insert(0, Prose(rest.removeprefix("\n"), line))


def includes(text: str) -> list[Include]:
    """The include lines of a text, in order."""
    parts = (one.include if isinstance(one, Figure) else one for one in parse(text))
    return [one for one in parts if isinstance(one, Include)]


def problems(text: str) -> list[tuple[int, str]]:
    """What is wrong with the include lines of a text and the marks above them, by line."""
    messages = [(one.line, one.problem) for one in includes(text) if one.problem]
    messages += [
        (one.line, _stray_mark(one.begins)) for one in parse(text) if isinstance(one, Mark)
    ]
    return sorted(messages)


def _stray_mark(begins: str) -> str:
    """What is said of a mark that is above no program."""
    return f"the mark {begins!r} is above no program; put it right above one"


def programs(text: str) -> list[str]:
    """The programs that a text includes, each once, as it names them."""
    return list(dict.fromkeys(one.target for one in includes(text) if one.is_program))


def title(text: str) -> str | None:
    """The title of a page, as Markdown, from its text."""
    first = next((one for one in parse(text) if isinstance(one, Heading)), None)
    return first.words if first and first.level == 1 else None


def sections(text: str, level: int) -> list[tuple[Heading, list[Part]]]:
    """Each section that begins with a heading of a level, with the parts below the heading."""
    pairs: list[tuple[Heading, list[Part]]] = []
    for part in parse(text):
        if isinstance(part, Heading) and part.level == level:
            pairs.append((part, []))
        elif pairs:
            pairs[-1][1].append(part)
    return pairs
