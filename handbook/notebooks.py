"""A page as a notebook: its prose in Markdown cells, its programs in code cells, and under
them what they were seen to print and draw."""

import base64
import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode

from handbook import formulas, marks, pages, snippets
from handbook.places import FORMULAS, SNIPPETS, TABLES, pinned
from handbook.snippets import Snippet

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}

# The stylesheet gives pictures their colours on the site; here they bring their own.
PICTURE_STYLE = """<style>
text { font: 15px monospace; fill: #24304a } .note { font-size: 14px; fill: #5b6478 }
.box > * { fill: #f5f5f1; stroke: #5b6478 } .box.strong > * { fill: #f9ece4; stroke: #c2500f }
.box.error > * { fill: #fdf3f2; stroke: #b3261e } text.error { fill: #b3261e }
.line > * { fill: none; stroke: #5b6478; stroke-width: 1.6 } .line > .error { stroke: #b3261e }
.dashed { stroke-dasharray: 5 4 } .head { fill: context-stroke }
</style>"""

_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w-]+|[\w-]+=\"[^\"]*\"|[ \t])+\}")
_LINK = re.compile(r"(?<!!)\]\(([^)\s]+)\)")
_FIGURE = re.compile(r"<figure class=\"picture\">.*?</figure>\n?", re.DOTALL)
_ATTACHED = re.compile(r"!\[(.*?)\]\(attachment:[^)]*\)")
_TAB = re.compile(r"(===|\?\?\? \w+) +\"(?P<title>[^\"]*)\"$")


def compose(text: str, uri: str, lang: str, site_url: str, heading: str) -> NotebookNode:
    """Make the notebook of a page.

    text: the page's text without front matter; uri: its path below docs/<lang>/; lang: its
    language, and site_url the address of it; heading: Markdown put above, in that language.
    """
    cells = [_markdown_cell(heading)]
    if pages.programs(text):
        cells.append(_code_cell(_install(), [], tags=("install",)))
    count = 0
    for piece in _pieces(text, lang):
        if isinstance(piece, Snippet):
            count += 1
            cells.append(code_cell(piece, count))
        else:
            cell = _prose_cell(piece, uri, site_url)
            if cell.source:
                cells.append(cell)
    return notebook(cells)


def as_markdown(book: NotebookNode, address: str) -> str:
    """A notebook as plain Markdown: its programs as fences, what they printed below them."""
    parts = [f"Source: {address}"]
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
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return NotebookNode(nbformat=4, nbformat_minor=5, cells=cells, metadata=metadata)


def code_cell(program: Snippet, number: int) -> NotebookNode:
    """A program as the cell In [number], with what it printed and drew."""
    outputs = [NotebookNode(output_type="stream", name="stdout", text=program.output or "")]
    if program.figure:
        figure = program.figure.replace("currentColor", "#5b6478")
        data = {"image/svg+xml": figure, "text/plain": "<Figure>"}
        outputs.append(NotebookNode(output_type="display_data", data=data, metadata={}))
    return _code_cell(program.code.rstrip("\n"), outputs, number)


def _pieces(text: str, lang: str) -> Iterator[Snippet | str]:
    """Programs and, between them, prose."""
    prose: list[str] = []
    for line in _flat(text).splitlines():
        include = pages.include(line)
        if include and include.is_program:
            yield "\n".join(prose)
            prose = []
            yield snippets.read(SNIPPETS / include.target)
        elif include and include.file and TABLES in include.file.parents:
            prose.append(_in_one_language(include.file.read_text(encoding="utf-8"), lang))
        elif include and include.file and FORMULAS in include.file.parents:
            latex = formulas.latex(include.file.read_text(encoding="utf-8"))
            prose.append(f"$$\n{latex}\n$$")
        elif include and include.file and include.target.endswith(pages.RECORDED):
            prose.append(steps_table(include.file.read_text(encoding="utf-8"), lang))
        elif not marks.begins(line):
            prose.append(line)
    yield "\n".join(prose)


def steps_table(recorded: str, lang: str) -> str:
    """The recorded steps of a program as a Markdown table in one language.

    recorded: the text of a file that ends in `pages.RECORDED`.
    """
    soup = BeautifulSoup(recorded, "html.parser")
    for words in soup.find_all("span", lang=lambda other: other and other != lang):
        words.decompose()
    rows = [[_cell(cell) for cell in row(["th", "td"])] for row in soup("tr")]
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _in_one_language(text: str, lang: str) -> str:
    """A table that has its words in both languages, in one of them."""
    text = re.sub(r'<span lang="(\w+)">(.*?)</span>', lambda m: m[2] * (m[1] == lang), text)
    return re.sub(r"(<details[^>]*?) markdown>", r"\1>", text)


def _cell(cell: Tag) -> str:
    """A cell of HTML as one of Markdown: code between backticks, lines apart by <br>."""
    for code in cell("code"):
        text = code.get_text()
        fence = "``" if "`" in text else "`"
        code.replace_with(f"{fence}{text}{fence}")
    for end in cell("br"):
        end.replace_with("<br>")
    return " ".join(cell.get_text().split()).replace("|", "\\|")


def _flat(text: str) -> str:
    """The text without what only the site's Markdown knows: tabs, folds, definition lists,
    grids."""
    lines: list[str] = []
    in_tab = False
    for line in text.splitlines():
        tab = _TAB.match(line)
        in_tab = bool(tab) or (in_tab and (line.startswith("    ") or not line.strip()))
        if tab:
            lines.append(f"**{tab['title']}**\n")
        elif in_tab:
            lines.append(line[4:])
        elif line.startswith(":   ") and lines and lines[-1]:
            term = lines[-1]
            lines[-1] = f"{term if term.startswith('**') else f'**{term}**'}  "
            lines.append(line[4:])
        elif not re.match(r"</?div\b(?!.*aria-label).*>$", line):
            lines.append(line)
    return "\n".join(lines)


# Cells are made by hand: nbformat's own makers validate each one, which took longer than all the
# rest. The tests validate every notebook whole.


def _markdown_cell(source: str) -> NotebookNode:
    return NotebookNode(cell_type="markdown", metadata={}, source=source)


def _code_cell(
    source: str, outputs: list[NotebookNode], count: int | None = None, tags: tuple[str, ...] = ()
) -> NotebookNode:
    return NotebookNode(
        cell_type="code",
        metadata={"tags": list(tags)} if tags else {},
        source=source,
        outputs=outputs,
        execution_count=count,
    )


def _prose_cell(text: str, uri: str, site_url: str) -> NotebookNode:
    attachments: dict[str, dict[str, str]] = {}

    def figure(match: re.Match) -> str:
        caption = re.search(r"<figcaption>(.*?)</figcaption>", match[0], re.DOTALL)
        alternative = re.search(r'aria-label="([^"]*)"', match[0])
        shown = ""
        for include in pages.includes(match[0]):
            # A program's own figure stands among the outputs of its cell.
            if include.file and SNIPPETS not in include.file.parents:
                svg = include.file.read_text(encoding="utf-8")
                svg = re.sub(r"(<svg[^>]*>)", rf"\1{PICTURE_STYLE}", svg, count=1)
                encoded = base64.b64encode(svg.encode()).decode()
                attachments[include.target] = {"image/svg+xml": encoded}
                words = alternative[1] if alternative else ""
                shown = f"![{words}](attachment:{include.target})\n\n"
        return shown + (f"*{caption[1]}*\n" if caption else "")

    def absolute(link: re.Match) -> str:
        within = pages.target(link[1], uri)
        if not within:
            return link[0]
        path, anchor = within
        return f"]({pages.url(path, site_url)}{f'#{anchor}' if anchor else ''})"

    text = _FIGURE.sub(figure, text)
    text = "\n".join(line for line in text.splitlines() if not pages.include(line))
    text = _LINK.sub(absolute, _ATTRIBUTES.sub("", text))
    cell = _markdown_cell(re.sub(r"\n{3,}", "\n\n", text).strip())
    if attachments:
        cell["attachments"] = attachments
    return cell


def _install() -> str:
    """Where a notebook runs elsewhere: the very torch that its outputs come from."""
    return f"%pip install --quiet torch=={pinned('torch')} numpy matplotlib"
