"""A Markdown extension: mark the lines of a program that a page speaks of.

Right above a program, a comment quotes how a line of it begins, which an edit elsewhere in the
program does not change as it changes line numbers:

    <!-- mark: ctx.save_for_backward( -->

Every line of the program that begins so is marked. Without the extension the comment is nothing.
"""

import re
from collections.abc import Iterable
from itertools import takewhile

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

_MARK = re.compile(r"\s*<!-- mark: (?P<begins>\S.*?) -->\s*$")
_OPENING = re.compile(r"\s*```python$")

AFTER_INCLUDES_BEFORE_FENCES = 28
"""pymdownx.snippets has the priority 32, superfences 25."""

ASTRAY = "stands above no program; put it right above one"


class MarkError(ValueError):
    """A mark that marks nothing."""


def begins(line: str) -> str | None:
    """How the lines begin that a line of a page marks, if it is a mark."""
    match = _MARK.match(line)
    return match["begins"] if match else None


def marked(block: list[str], beginnings: Iterable[str]) -> list[int]:
    """The numbers of the lines marked in a program, the first being 1.

    block: lines that begin with the program's opening fence.
    Raises MarkError if no program is there, or no line of it begins so.
    """
    program = [line.strip() for line in takewhile(lambda line: line.strip() != "```", block[1:])]
    found = set()
    for beginning in beginnings:
        if not block or not _OPENING.match(block[0]):
            raise MarkError(f"the mark {beginning!r} {ASTRAY}")
        lines = {n for n, line in enumerate(program, 1) if line.startswith(beginning)}
        if not lines:
            raise MarkError(f"no line of the program begins with {beginning!r}; quote how one does")
        found |= lines
    return sorted(found)


class _Marks(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        kept, above = [], []
        for number, line in enumerate([*lines, ""]):
            beginning = begins(line)
            if beginning:
                above.append(beginning)
                continue
            if above:
                numbers = " ".join(map(str, marked(lines[number:], above)))
                line, above = f'{line} hl_lines="{numbers}"', []
            kept.append(line)
        return kept[:-1]


class MarksExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown's own name
        md.preprocessors.register(_Marks(md), "marks", AFTER_INCLUDES_BEFORE_FENCES)


def makeExtension(**settings: object) -> Extension:  # noqa: N802 - Markdown's own name
    return MarksExtension(**settings)
