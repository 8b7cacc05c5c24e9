"""Which lines of an output are messages of errors, here and on other releases."""

import functools
import re

from builder.content import differences
from builder.content.snippets import Program

_PRINTED = re.compile(
    r'"{3}[\s\S]*?"{3}|^( *)except\b.*\n(?:(?:\1 .*)?\n)*?\1 .*\b(?P<print>print)\b', re.M
)
"""A text of several lines, or an `except` within which the program prints."""
_ERROR_LINE = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Unsupported)\b"
    r"|[A-Za-z_'`.()]+,? (?:(?:[A-Za-z_'`.()]+|\d),? ){2}[A-Za-z]"
    r"|^Unexpected keyword|: must be in \["
)
_SEVERAL_LINES = re.compile(
    r"^.*\n  (?:Higher Order Operator|Explanation): .*(?:\n(?: .*)?$)*"
    r"|^(?:numerical|analytical):.*(?:\n .*)*",
    re.MULTILINE,
)
"""Messages of the compiler, from the line above the first that is indented, and the two matrices of
gradcheck."""

RAISED = re.compile(r"^.*?\b[A-Z]\w*(?:Error|Exception|Warning): ")
_TWO_WORDS = re.compile(r"(?! |tensor\().*[A-Za-z_]{2}[^A-Za-z_].*[A-Za-z_]{2}")


def shows_error(program: Program) -> bool:
    """Whether a program prints within an `except`."""
    return any(match["print"] for match in _PRINTED.finditer(program.code))


def messages(program: Program) -> list[str]:
    """The messages of errors in an output. Of one of several lines, the first."""
    lines, red = (program.output or "").lstrip("\n").splitlines(), error_lines(program)
    return [lines[number - 1].strip() for number in red if number - 1 not in red]


def elsewhere(program: Program) -> dict[str, list[str]]:
    """The messages that a program prints on other releases only, without their exceptions, and on
    which: what is new there, not indented, and more than a value."""
    found: dict[str, list[str]] = {}
    before = {line.strip() for line in (program.output or "").splitlines()}
    for difference in differences.of_program(program) if shows_error(program) else ():
        for line in difference.output.splitlines():
            if _TWO_WORDS.match(line) and line.strip() not in before:
                found.setdefault(RAISED.sub("", line), []).extend(difference.releases)
    return found


@functools.lru_cache(maxsize=8192)
def error_lines(program: Program) -> list[int]:
    """The lines of an output that are messages of errors: they name an exception, have at least
    four words in a row, or belong to a message of several lines. Empty if the program prints no
    error. Line 1 is the first that a fence shows, as Markdown drops empty lines before it."""
    if not shows_error(program):
        return []
    output = program.output.strip("\n")
    red = {number for number, line in enumerate(output.splitlines(), 1) if _ERROR_LINE.search(line)}
    for several in _SEVERAL_LINES.finditer(output):
        first = output.count("\n", 0, several.start()) + 1
        red.update(range(first, first + several[0].count("\n") + 1))
    return sorted(red)
