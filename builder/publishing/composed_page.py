"""A page as plain Markdown, with everything that it includes."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from textwrap import indent

from builder.content import formulas
from builder.content.pages import Page
from builder.content.parts import Figure, Folder, Heading, Include, Kind, Part, Prose, includes
from builder.content.snippets import Program
from builder.publishing import error_pages, lab_cells, notebooks, other_releases, verdict_table
from builder.publishing.red_lines import error_lines

COLUMNS = 80
"""What fits the column of a page at 1280 px: a longer output wraps its lines."""


def markdown(page: Page, words: dict) -> str:
    """The page without its front matter. words: `extra` of mkdocs.<lang>.yml."""
    parts = error_pages.grouped(page) if error_pages.is_one(page) else page.parts
    return "\n".join(_Writer(page, words).blocks(parts)).strip("\n") + "\n"


class _Writer:
    """Writes the parts of a page as Markdown."""

    def __init__(self, page: Page, words: dict) -> None:
        self._page, self._words = page, words
        self._to_root = "../" * page.uri.count("/")
        self._cells = lab_cells.cells(page) if page.uri.startswith("labs/") else {}
        self._seen: set[str] = set()  # the lines of the programs so far

    def blocks(self, parts: Iterable[Part | error_pages.Section]) -> Iterator[str]:
        folders: list[Folder] = []
        for part in parts:
            if isinstance(part, Folder):
                folders.append(part)
            elif isinstance(part, error_pages.Section):
                yield from self._section(part)
            elif isinstance(part, Heading | Prose):
                if folders and isinstance(part, Heading):
                    yield from self._tried(folders)
                    folders = []
                yield part.text
            elif isinstance(part, Figure):
                picture = part.include.text_in(self._page.lang).rstrip("\n")
                yield from (part.before, indent(picture, part.include.indent), part.after)
            elif part.program:
                yield indent(self._program(part), part.indent)
            elif part.kind is Kind.FORMULA:
                yield indent(formulas.mathml(part.file), part.indent)
            else:
                text = notebooks.included(part, self._page.lang, self._words)
                yield indent(text.rstrip("\n"), part.indent)
            if self._page.headings[:1] == [part]:
                yield self._contents()

    def _section(self, section: error_pages.Section) -> Iterator[str]:
        """A message with its cause and the lines to change, and its programs, folded."""
        yield from (section.heading.text, "", section.paragraph, "")
        yield from (error_pages.change(section), "")
        yield error_pages.rewordings(section, self._words)
        rest = indent("\n".join(self.blocks(section.rest)), "    ")
        yield f'\n??? programs "{self._words["outputs"]["programs"]}"\n\n{rest}\n'

    def _tried(self, folders: list[Folder]) -> Iterator[str]:
        """The verdicts of the programs of some folders, and the programs, folded."""
        words = self._words
        table = verdict_table.table(folders, words)
        yield f'\n<div class="verdicts" markdown>\n\n{table}\n\n</div>\n'
        title = words["verdicts"]["programs"]
        yield f'\n<details class="cases" markdown>\n<summary>{title}</summary>\n'
        for include in includes(folders):
            program = include.program
            name, title = verdict_table.identifier(program), verdict_table.title(program, words)
            yield f'\n<details class="case" id="{name}" markdown>'
            yield f'<summary markdown="span">{title}</summary>\n'
            yield f"{_code(include, [])}\n\n{self._output(program)}\n"
            yield other_releases.notes(program, self._page.lang, words, self._to_root)
            yield "\n</details>\n"
        yield "\n</details>\n"

    def _contents(self) -> str:
        """The contents of a page of two sections or more, folded, for screens without a sidebar."""
        headings = [heading for heading in self._page.headings if heading.level == 2]
        if len(headings) < 2 or "navigation" in self._page.meta.get("hide", ()):
            return ""
        links = "\n".join(f"    - [{heading.words}](#{heading.id})" for heading in headings)
        return f'\n??? contents "{self._words["outputs"]["contents"]}"\n\n{links}\n'

    def _program(self, include: Include) -> str:
        """A program with the name of its script above it, and its output and a note below."""
        program, cell = include.program, self._cells.get(include.line)
        if cell:
            classes, label = self._label(program)
            title = f'{classes} highlight"><span class="filename">{label}</span>'
            cell = cell.replace('language-text highlight">', f"language-text {title}")
            shown = f"\n{cell}\n"
        else:
            is_stepped = program.name in self._page.stepped
            folded = [] if is_stepped else folds(program.code, include.marked, self._seen)
            shown = _code(include, folded)
            if program.output:
                shown += f"\n\n{self._output(program)}"
        self._seen.update(line for line in program.code.split("\n") if line.strip())
        notes = other_releases.notes(program, self._page.lang, self._words, self._to_root)
        return f"{self._script(program)}\n{shown}\n" + (f"\n{notes}\n" if notes else "")

    def _script(self, program: Program) -> str:
        """The name of a program's script, with a link to it and to its modules."""
        words, path = self._words["downloads"], script(program.name)
        name = PurePosixPath(path).name
        modules = ", ".join(
            f'[{module}]({self._to_root}programs/{program.beside(module)}){{ download="{module}" }}'
            for module, _ in program.modules
        )
        needs = f"<span>{words['needs'].format(files=modules)}</span> " if modules else ""
        label = words["script"].format(name=name)
        return (
            f"\n`{name}` {needs}[{words['download']}]({self._to_root}{path})"
            f'{{ .script-link download="{name}" aria-label="{label}" }}\n{{ .script }}\n'
        )

    def _output(self, program: Program) -> str:
        """The fence of what a program prints, with messages of errors marked; folded where the page
        wants it."""
        classes, label = self._label(program)
        options = {"title": [label], "hl_lines": error_lines(program)}
        fence = _fence(f"text {classes}", options, program.output.removesuffix("\n"))
        if self._page.meta.get("outputs") != "folded":
            return fence
        return f'??? answer "{self._words["outputs"]["folded"]}"\n\n{indent(fence, "    ")}'

    def _label(self, program: Program) -> tuple[str, str]:
        """The classes of an output, and the words above it."""
        kind = "error" if error_lines(program) else "output"
        is_long = any(len(line) > COLUMNS for line in (program.output or "").splitlines())
        return f"no-copy {kind}{' long' * is_long}", self._words["outputs"][kind]


def _code(include: Include, folded: list[tuple[int, int]]) -> str:
    """The fence of a program, with its marked and its folded lines."""
    ranges = [f"{first}-{last}" for first, last in folded]
    options = {"hl_lines": include.marked, "data-fold": ranges}
    return _fence("python", options, include.program.code.rstrip("\n"))


def _fence(classes: str, options: dict[str, Sequence], text: str) -> str:
    """A fence with those of the options that are not empty, their values apart by blanks."""
    names = [f".{name}" for name in classes.split()]
    given = (f'{name}="{" ".join(map(str, values))}"' for name, values in options.items() if values)
    return f"``` {{{' '.join([*names, *given])}}}\n{text}\n```"


def script(name: str) -> str:
    """The path of a program's script in the site. Its file name is a valid name of a module."""
    path = PurePosixPath(name)
    return f"programs/{path.parent}/{path.stem.replace('-', '_')}.py"


def folds(code: str, marked: Sequence[int], seen: set[str]) -> list[tuple[int, int]]:
    """The first and last number of each run of lines that a page may fold.

    Such lines are unmarked, and an earlier program on the page has them: seen. A run has three of
    them or more. `def` and `class` lines around a line that is shown are shown too.
    """
    runs: list[list[int]] = [[]]
    outer = 0  # the indentation of the last line that is shown
    for number, line in reversed([*enumerate(code.rstrip("\n").split("\n"), 1)]):
        indented = len(line) - len(line.lstrip())
        if number in marked or line.strip() and (line not in seen or indented < outer):
            runs.append([])
            outer = indented
        elif line.strip():
            runs[-1].append(number)
    return [(run[-1], run[0]) for run in reversed(runs) if len(run) > 2]
