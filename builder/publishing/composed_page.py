"""A page as plain Markdown, with everything that it includes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath

from builder.content import pages
from builder.content.pages import Page
from builder.content.parts import Figure, Folder, Heading, Include, Part, Prose, includes
from builder.content.snippets import Program
from builder.publishing import error_pages, included, lab_cells, other_releases, verdict_table
from builder.publishing.red_lines import error_lines

COLUMNS = 80
"""What fits the column of a page at 1280 px: a longer output wraps its lines."""

LEAST_FOLDED = 3
"""Fewer lines are not folded."""

LEAST_LISTED = 2
"""A page of fewer sections has no contents."""


def markdown(page: Page, words: dict) -> str:
    """The page without its front matter. words: `extra` of mkdocs.<lang>.yml."""
    cells = lab_cells.cells(page) if pages.is_lab(page.uri) else {}
    seen: set[str] = set()

    def blocks(parts: Iterable[Part | error_pages.Section]) -> Iterator[str]:
        folders: list[Folder] = []
        for part in parts:
            if folders and isinstance(part, Heading):
                yield from tried(folders)
                folders = []
            if isinstance(part, Folder):
                folders.append(part)
                continue
            if isinstance(part, error_pages.Section):
                yield from (part.heading.text, "", part.paragraph, "", error_pages.change(part), "")
                yield error_pages.rewordings(part, words)
                rest = _indented("\n".join(blocks(part.rest)), "    ")
                yield f'\n??? programs "{words["outputs"]["programs"]}"\n\n{rest}\n'
            elif isinstance(part, Heading | Prose):
                yield part.text
            elif isinstance(part, Figure):
                picture = part.include.text_in(page.lang).rstrip("\n")
                yield from (part.before, _indented(picture, part.include.indent), part.after)
            elif part.program:
                cell = cells.get(part.line)
                yield _indented(_program(part, cell, page, words, seen), part.indent)
                seen.update(line for line in part.program.code.split("\n") if line.strip())
            else:
                text = included.text_of(part, page.lang, words).rstrip("\n")
                yield _indented(text, part.indent)
            if page.headings and part is page.headings[0]:
                yield _contents(page, words)

    def tried(folders: list[Folder]) -> Iterator[str]:
        """The verdicts of the programs of some folders, and the programs, folded."""
        yield verdict_table.table(folders, words)
        title = words["verdicts"]["programs"]
        yield f'\n<details class="cases" markdown>\n<summary>{title}</summary>\n'
        for include in includes(folders):
            program = include.program
            name, title = verdict_table.identifier(program), verdict_table.title(program, words)
            yield f'\n<details class="case" id="{name}" markdown>'
            yield f'<summary markdown="span">{title}</summary>\n'
            yield f"{_code(include, [])}\n\n{_output(program, page, words)}\n"
            yield other_releases.folded(program, page.lang, words, "../" * page.uri.count("/"))
            yield "\n</details>\n"
        yield "\n</details>\n"

    parts = error_pages.grouped(page) if error_pages.is_one(page) else page.parts
    return "\n".join(blocks(parts)).strip("\n") + "\n"


def _contents(page: Page, words: dict) -> str:
    """The contents of a page, folded, for screens without a sidebar."""
    headings = [heading for heading in page.headings if heading.level == 2]
    if len(headings) < LEAST_LISTED or "navigation" in page.meta.get("hide", ()):
        return ""
    links = "\n".join(f"    - [{heading.words}](#{heading.id})" for heading in headings)
    return f'\n??? contents "{words["outputs"]["contents"]}"\n\n{links}\n'


def _program(include: Include, cell: str | None, page: Page, words: dict, seen: set[str]) -> str:
    """A program with the name of its script above it, and its output and a note below.

    cell: its HTML, if it is a notebook's cell; seen: the lines of the programs above it.
    """
    program, to_root = include.program, "../" * page.uri.count("/")
    path = PurePosixPath(script(program.name))
    label = words["downloads"]["script"].format(name=path.name)
    modules = (
        f', [{name}]({to_root}programs/{program.beside(name)}){{ download="{name}" }}'
        for name, _ in program.modules
    )
    needs = words["downloads"]["needs"].format(files="".join(modules).lstrip(", "))
    header = (
        f"\n`{path.name}` {f'<span>{needs}</span> ' * bool(program.modules)}"
        f"[{words['downloads']['download']}]({to_root}{path})"
        f'{{ .script-link download="{path.name}" aria-label="{label}" }}\n{{ .script }}\n'
    )
    if cell:
        program_and_output = (
            f"\n{lab_cells.labelled(cell, *_label(program, words)) if program.output else cell}\n"
        )
    else:
        folded = [] if program.name in page.stepped else folds(program.code, include.marked, seen)
        program_and_output = _code(include, folded)
        if program.output:
            program_and_output += f"\n\n{_output(program, page, words)}"
    notes = other_releases.notes(program, page.lang, words, to_root)
    return f"{header}\n{program_and_output}\n" + (f"\n{notes}\n" if notes else "")


def _code(include: Include, folded: list[tuple[int, int]]) -> str:
    """The fence of a program, with its marked and its folded lines."""
    ranges = " ".join(f"{first}-{last}" for first, last in folded)
    options = {"hl_lines": _joined(include.marked), "data-fold": ranges}
    return _fence(["python"], options, include.program.code.rstrip("\n"))


def _output(program: Program, page: Page, words: dict) -> str:
    """The fence of what a program prints, with messages of errors marked; folded where the page
    wants it."""
    classes, label = _label(program, words)
    options = {"title": label, "hl_lines": _joined(error_lines(program))}
    fence = _fence(["text", *classes], options, program.output.removesuffix("\n"))
    if page.meta.get("outputs") != "folded":
        return fence
    return f'??? answer "{words["outputs"]["folded"]}"\n\n{_indented(fence, "    ")}'


def _label(program: Program, words: dict) -> tuple[list[str], str]:
    """The classes of an output, and the words above it."""
    kind = "error" if error_lines(program) else "output"
    is_long = max(map(len, program.output.splitlines())) > COLUMNS
    return ["no-copy", kind, *(["long"] if is_long else [])], words["outputs"][kind]


def _fence(classes: list[str], options: dict[str, str], text: str) -> str:
    """A fence with those of the options that are not empty."""
    attributes = [f".{name}" for name in classes]
    attributes += [f'{name}="{value}"' for name, value in options.items() if value]
    return f"``` {{{' '.join(attributes)}}}\n{text}\n```"


def _joined(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def script(name: str) -> str:
    """The path of a program's script in the site. Its file name is a valid name of a module."""
    path = PurePosixPath(name)
    return f"programs/{path.parent}/{path.stem.replace('-', '_')}.py"


def folds(code: str, marked: Sequence[int], seen: set[str]) -> list[tuple[int, int]]:
    """The first and last number of each run of lines that a page may fold.

    Such lines are unmarked, and an earlier program on the page has them: seen. A run has three of
    them or more. `def` and `class` lines around a line that is shown are shown too.
    """
    lines = code.rstrip("\n").split("\n")
    kept = {
        n for n, line in enumerate(lines, 1) if n in marked or line.strip() and line not in seen
    }
    for number in sorted(kept, reverse=True):
        indent = _indent(lines[number - 1])
        for above in range(number - 1, 0, -1):
            line = lines[above - 1]
            if line.strip() and _indent(line) < indent:
                kept.add(above)
                indent = _indent(line)
    folded = []
    for _, run in groupby(range(1, len(lines) + 1), kept.__contains__):
        full = [number for number in run if number not in kept and lines[number - 1].strip()]
        if len(full) >= LEAST_FOLDED:
            folded.append((full[0], full[-1]))
    return folded


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _indented(text: str, indent: str) -> str:
    return "\n".join(f"{indent}{line}" if line else "" for line in text.split("\n"))
