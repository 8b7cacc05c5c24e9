"""A page as a notebook: its prose in Markdown cells, its programs in code cells, and under
them what they were seen to print and draw."""

import base64
import re
from collections.abc import Iterable, Iterator
from itertools import count

from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode

from builder.content import formulas, pages
from builder.content.pages import Page
from builder.content.parts import ATTRIBUTES, TITLED, Figure, Heading, Include, Kind, Part, Prose
from builder.content.paths import SNIPPETS, pinned
from builder.content.snippets import Program, extra
from builder.publishing import other_releases

LICENCES = {"code": "MIT-0", "content": "CC-BY-4.0"}
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}

# The stylesheet gives pictures their colours on the site; here they bring their own.
PICTURE_STYLE = """<style>
text { font: 15px monospace; fill: #24304a } .note { font-size: 14px; fill: #5b6478 }
.box > * { fill: #f5f5f1; stroke: #5b6478 } .box.strong > * { fill: #f9ece4; stroke: #c2500f }
.box.error > * { fill: #fdf3f2; stroke: #b3261e } text.error { fill: #b3261e }
.line > * { fill: none; stroke: #5b6478; stroke-width: 1.6 } .line > .error { stroke: #b3261e }
.dashed { stroke-dasharray: 5 4 } .head { fill: context-stroke }
</style>"""

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"(`+[^`]+`+)")
_ATTACHED = re.compile(r"!\[(.*?)\]\(attachment:[^)]*\)")


def compose(page: Page, site_url: str, heading: str) -> NotebookNode:
    """Make the notebook of a page.

    site_url: the address of the page's language; heading: Markdown of the first cell, from the
    words of that language in mkdocs.<lang>.yml.
    """
    pieces = list(_pieces(page.parts, page.lang))
    cells = [_markdown_cell(heading)]
    if code := "".join(piece.code for piece in pieces if isinstance(piece, Program)):
        # Where a notebook runs elsewhere: the very torch that its outputs come from.
        needed = f"torch=={pinned('torch')}", "numpy", "matplotlib", *extra(code)
        install = " ".join(["%pip install --quiet", *needed])
        cells.append(_code_cell(install, [], None, {"tags": ["install"]}))
    numbers = count(1)
    for piece in pieces:
        if isinstance(piece, Program):
            cells.append(code_cell(piece, next(numbers)))
        else:
            cell = _prose_cell(piece, page, site_url)
            cells += [cell] if cell.source else []
    return notebook(cells)


def as_markdown(book: NotebookNode, heading: str) -> str:
    """A notebook as plain Markdown: its programs as fences, what they printed below them.

    heading: Markdown put above, in place of the notebook's own.
    """
    parts = [heading]
    for cell in book.cells[1:]:  # the first says that it is a notebook
        if cell.cell_type == "markdown":
            parts.append(_ATTACHED.sub(r"(\1)", cell.source))
        elif "install" not in cell.metadata.get("tags", ()):
            parts.append(f"```python\n{cell.source}\n```")
            parts += [f"```text\n{out.text}```" for out in cell.outputs if "text" in out]
    return "\n\n".join(parts) + "\n"


def notebook(cells: list[NotebookNode]) -> NotebookNode:
    """Cells, numbered, as a notebook."""
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}, "license": LICENCES}
    return NotebookNode(nbformat=4, nbformat_minor=5, cells=cells, metadata=metadata)


def code_cell(program: Program, number: int) -> NotebookNode:
    """A program as the cell In [number], with what it printed and drew."""
    outputs = [NotebookNode(output_type="stream", name="stdout", text=program.output or "")]
    if program.figure:
        figure = program.figure.replace("currentColor", "#5b6478")
        data = {"image/svg+xml": figure, "text/plain": "<Figure>"}
        outputs.append(NotebookNode(output_type="display_data", data=data, metadata={}))
    return _code_cell(program.code.rstrip("\n"), outputs, number, {})


def _pieces(parts: Iterable[Part], lang: str) -> Iterator[Program | list[str | Figure]]:
    """Programs and, between them, prose: its lines, with figures among them."""
    prose: list[str | Figure] = []
    in_tab = False
    for part in parts:
        if isinstance(part, Figure):
            prose.append(part)
        elif isinstance(part, Prose | Heading):
            for line in part.text.split("\n"):
                in_tab = _flatten(line, in_tab, prose)
        elif part.program:
            in_tab = in_tab and bool(part.indent)
            yield prose
            prose = []
            yield part.program
        else:
            prose.append(_included(part, lang))
    yield prose


def _included(include: Include, lang: str) -> str:
    """A table, a formula or the steps of a program in Markdown."""
    text = other_releases.text_of(include, lang)
    if include.kind is Kind.STEPS:
        return steps_table(text)
    return f"$$\n{formulas.latex(text)}\n$$" if include.kind is Kind.FORMULA else text.rstrip("\n")


def steps_table(recorded: str) -> str:
    """The recorded steps of a program as a Markdown table.

    recorded: the text of a file that ends in `parts.RECORDED`, in one language.
    """
    soup = BeautifulSoup(recorded, "html.parser")
    rows = [[_cell(cell) for cell in row(["th", "td"])] for row in soup("tr")]
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(cell: Tag) -> str:
    """A cell of HTML as one of Markdown: code between backticks, lines apart by <br>."""
    for code in cell("code"):
        text = code.get_text()
        fence = "``" if "`" in text else "`"
        code.replace_with(f"{fence}{text}{fence}")
    for end in cell("br"):
        end.replace_with("<br>")
    return " ".join(cell.get_text().split()).replace("|", "\\|")


def _flatten(line: str, in_tab: bool, lines: list[str | Figure]) -> bool:
    """Add a line without what only the site's Markdown knows: tabs, folds, definition lists, grids.

    Returns whether the line is in a tab or a fold.
    """
    tab = TITLED.match(line)
    in_tab = bool(tab) or (in_tab and (line.startswith("    ") or not line.strip()))
    if tab:
        lines.append(f"**{tab['title']}**\n")
    elif in_tab:
        lines.append(line[4:])
    elif line.startswith(":   ") and lines and isinstance(lines[-1], str) and lines[-1]:
        term = lines[-1]
        lines[-1] = f"{term if term.startswith('**') else f'**{term}**'}  "
        lines.append(line[4:])
    elif not re.match(r"</?div\b(?!.*aria-label).*>$", line):
        lines.append(line)
    return in_tab


# Cells are made by hand: nbformat's own makers validate each one, which took longer than all the
# rest. The tests validate every notebook whole.


def _markdown_cell(source: str) -> NotebookNode:
    return NotebookNode(cell_type="markdown", metadata={}, source=source)


def _code_cell(source: str, outputs: list, number: int | None, metadata: dict) -> NotebookNode:
    content = {"source": source, "outputs": outputs, "execution_count": number}
    return NotebookNode(cell_type="code", metadata=metadata, **content)


def _prose_cell(prose: list[str | Figure], page: Page, site_url: str) -> NotebookNode:
    attachments: dict[str, dict[str, str]] = {}

    def figure(part: Figure) -> str:
        shown = ""
        # A program's own figure is among the outputs of its cell.
        if SNIPPETS not in part.include.file.parents:
            svg = re.sub(
                r"(<svg[^>]*>)", rf"\1{PICTURE_STYLE}", part.include.text_in(page.lang), count=1
            )
            encoded = base64.b64encode(svg.encode()).decode()
            attachments[part.include.target] = {"image/svg+xml": encoded}
            shown = f"![{part.label}](attachment:{part.include.target})\n\n"
        return shown + (f"*{part.caption}*" if part.caption else "")

    def absolute(link: re.Match) -> str:
        within = pages.target(link[1], page.uri)
        if not within:
            return link[0]
        path, anchor = within
        return f"]({pages.url(path, site_url)}{f'#{anchor}' if anchor else ''})"

    text = "\n".join(figure(one) if isinstance(one, Figure) else one for one in prose)
    pieces = _CODE.split(text)
    pieces[::2] = (_LINK.sub(absolute, ATTRIBUTES.sub("", one)) for one in pieces[::2])
    text = "".join(pieces)
    cell = _markdown_cell(re.sub(r"\n{3,}", "\n\n", text).strip())
    if attachments:
        cell["attachments"] = attachments
    return cell
