"""Which lines of an output are messages of errors."""

import re

from builder.content.snippets import Program

_ERROR_LINE = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Unsupported)\b"
    r"|[A-Za-z_'`.()]+,? (?:(?:[A-Za-z_'`.()]+|\d),? ){2}[A-Za-z]"
    r"|^Unexpected keyword|: must be in \["
)


def messages(program: Program) -> list[str]:
    """The messages of errors in an output. Of one of several lines, the first."""
    lines, red = (program.output or "").lstrip("\n").splitlines(), error_lines(program)
    return [lines[number - 1].strip() for number in red if number - 1 not in red]


def error_lines(program: Program) -> list[int]:
    """The lines of an output that are messages of errors: they name an exception, have at least
    four words in a row, or belong to a message of several lines. Empty if the program prints no
    error. Line 1 is the first that a fence shows, as Markdown drops empty lines before it."""
    if not program.shows_error:
        return []
    lines = program.output.lstrip("\n").splitlines()
    matching = {number for number, line in enumerate(lines, 1) if _ERROR_LINE.search(line)}
    return sorted(matching | _further_lines(lines))


def _further_lines(lines: list[str]) -> set[int]:
    """The lines of an output that belong to a message of several lines: of the compiler, from the
    line above the first that is indented, or of gradcheck, with the two matrices."""
    further: set[int] = set()
    is_compiler = is_matrix = False
    for number, line in enumerate(lines, 1):
        is_indented = line.startswith(" ")
        if not is_compiler and line.startswith(("  Higher Order Operator: ", "  Explanation: ")):
            is_compiler = True
            further.add(number - 1)
        is_compiler = is_compiler and (not line or is_indented)
        is_matrix = line.startswith(("numerical:", "analytical:")) or is_matrix and is_indented
        if is_compiler or is_matrix:
            further.add(number)
    return further
