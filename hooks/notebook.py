"""A page as a notebook: its prose in Markdown cells, its programs in code cells, and under
them what they were seen to print and draw."""

from __future__ import annotations

import base64
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from pymdownx.snippets import SnippetPreprocessor

SNIPPETS = Path("snippets")
PICTURES = Path("overrides/pictures")
TABLES = Path("tables")

REQUIREMENTS = Path("requirements-test.txt")

# The stylesheet gives pictures their colours on the site; here they bring their own.
PICTURE_STYLE = """<style>
text { font: 15px monospace; fill: #24304a } .note { font-size: 14px; fill: #5b6478 }
.box > * { fill: #f5f5f1; stroke: #5b6478 } .box.strong > * { fill: #f9ece4; stroke: #c2500f }
.line > * { fill: none; stroke: #5b6478; stroke-width: 1.6 } .line > .strong { stroke: #c2500f }
.dashed { stroke-dasharray: 5 4 } .head { fill: #5b6478 }
</style>"""

_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w-]+|[\w-]+=\"[^\"]*\"|[ \t])+\}")
_LINK = re.compile(r"(?<!!)\]\(([^)\s]+)\)")
_FIGURE = re.compile(r"<figure class=\"picture\">.*?</figure>\n?", re.DOTALL)
_BLOCK = re.compile(r"^(?P<kind>===|!!!|\?\?\?\+?) *(?P<name>[\w -]*)\"?(?P<title>[^\"]*)\"?$")


@dataclass(frozen=True)
class Program:
    """A program, as a page names it below snippets/, with its recorded output and figure."""

    name: str
    code: str
    output: str
    figure: str | None

    @classmethod
    def read(cls, name: str) -> Program:
        path = SNIPPETS / name
        code, _, rest = (
            path.read_text(encoding="utf-8").partition("```python\n")[2].partition("\n```\n")
        )
        output = rest.partition("```text\n")[2].rpartition("```")[0]
        drawn = path.with_suffix(".svg")
        return cls(name, code, output, drawn.read_text("utf-8") if drawn.exists() else None)


def included(line: str) -> tuple[str, str, str] | None:
    """Indentation, file and section that an include line names."""
    match = SnippetPreprocessor.RE_ALL_SNIPPETS.match(line)
    if not match or not match["snippet"] or match["escape"]:
        return None
    file, _, section = match["snippet"][1:-1].partition(":")
    return match["space"], file, section


def programs(markdown: str) -> list[str]:
    """The programs that a page includes, each once, as it names them."""
    found = (included(line) for line in markdown.splitlines())
    names = [file for _, file, _ in filter(None, found) if (SNIPPETS / file).suffix == ".md"]
    return [name for name in dict.fromkeys(names) if (SNIPPETS / name).is_file()]


def compose(markdown: str, uri: str, site_url: str, heading: str) -> NotebookNode:
    """Make the notebook of a page.

    markdown: the page's text without front matter; uri: its path below docs/<lang>/;
    site_url: the address of its language; heading: Markdown put above, in its language.
    """
    cells: list[NotebookNode] = [_markdown_cell(heading)]
    if programs(markdown):
        cells.append(_code_cell(_install(), [], tags=("install",)))
    count = 0
    for kind, content in _pieces(markdown):
        if kind == "program":
            count += 1
            cells.append(_code_cell(content.code, _outputs(content), count))
        else:
            cell = _prose_cell(content, uri, site_url)
            if cell.source:
                cells.append(cell)
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return NotebookNode(
        nbformat=4,
        nbformat_minor=5,
        cells=cells,
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
    )


def _pieces(markdown: str) -> Iterator[tuple[str, object]]:
    """Prose and programs, in order."""
    prose: list[str] = []
    for line in _flat(markdown).splitlines():
        include = included(line)
        if include is None:
            prose.append(line)
            continue
        _, file, section = include
        if (SNIPPETS / file).suffix == ".md" and (SNIPPETS / file).is_file():
            if section != "output":
                yield "prose", "\n".join(prose)
                prose = []
                yield "program", Program.read(file)
        elif (TABLES / file).is_file():
            prose.append((TABLES / file).read_text(encoding="utf-8"))
        else:
            prose.append(line)
    yield "prose", "\n".join(prose)


def _flat(markdown: str) -> str:
    """The text without what only the site's Markdown knows: tabs, admonitions, definition lists."""
    lines: list[str] = []
    quote = inside = False
    for line in markdown.splitlines():
        block = _BLOCK.match(line)
        if block:
            inside, quote = True, block["kind"] != "==="
            title = block["title"] or block["name"].strip().capitalize()
            lines.append(f"> **{title}**\n>" if quote else f"**{title}**\n")
        elif inside and (line.startswith("    ") or not line.strip()):
            text = line[4:]
            lines.append(f"> {text}" if quote and text and not included(text) else text)
        elif line.startswith(":   ") and lines and lines[-1]:
            inside = False
            lines[-1] = f"**{lines[-1]}**  "
            lines.append(line[4:])
        elif re.match(r"</?div\b.*>$", line):
            inside = False
        else:
            inside = False
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


def _outputs(program: Program) -> list[NotebookNode]:
    """What a program printed, and its figure, as outputs of a cell."""
    outputs = [NotebookNode(output_type="stream", name="stdout", text=program.output)]
    if program.figure:
        figure = program.figure.replace("currentColor", "#5b6478")
        data = {"image/svg+xml": figure, "text/plain": "<Figure>"}
        outputs.append(NotebookNode(output_type="display_data", data=data, metadata={}))
    return outputs


def _prose_cell(text: str, uri: str, site_url: str) -> NotebookNode:
    attachments: dict[str, dict[str, str]] = {}

    def figure(match: re.Match) -> str:
        caption = re.search(r"<figcaption>(.*?)</figcaption>", match[0], re.DOTALL)
        alternative = re.search(r'aria-label="([^"]*)"', match[0])
        file = next((f[1] for f in map(included, match[0].splitlines()) if f), "")
        picture = PICTURES / file
        shown = ""
        if picture.is_file():
            svg = re.sub(
                r"(<svg[^>]*>)", rf"\1{PICTURE_STYLE}", picture.read_text("utf-8"), count=1
            )
            attachments[file] = {"image/svg+xml": base64.b64encode(svg.encode()).decode()}
            shown = f"![{alternative[1] if alternative else ''}](attachment:{file})\n\n"
        return shown + (f"*{caption[1]}*\n" if caption else "")

    text = _FIGURE.sub(figure, text)
    text = _ATTRIBUTES.sub("", text)
    text = _LINK.sub(lambda link: f"]({absolute(link[1], uri, site_url)})", text)
    cell = _markdown_cell(re.sub(r"\n{3,}", "\n\n", text).strip())
    if attachments:
        cell["attachments"] = attachments
    return cell


def page_url(uri: str, site_url: str) -> str:
    """The address of a page, from its path below docs/<lang>/."""
    return site_url + re.sub(r"\.md$", "/", re.sub(r"(^|/)index\.md$", r"\1", uri))


def absolute(target: str, uri: str, site_url: str) -> str:
    """A link of a page, as it reads outside of the site."""
    if re.match(r"[a-z]+:", target):
        return target
    path, _, anchor = target.partition("#")
    there = posixpath.normpath(posixpath.join(posixpath.dirname(uri), path)) if path else uri
    return page_url(there, site_url) + (f"#{anchor}" if anchor else "")


def _install() -> str:
    """Where a notebook runs elsewhere: the very torch that its outputs come from."""
    pins = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    torch = next(line for line in pins if line.startswith("torch=="))
    return f"%pip install --quiet {torch} numpy matplotlib"
