"""A page as a notebook: its prose in Markdown cells, its programs in code cells, and under
them what they were seen to print and draw."""

import base64
import re
from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode

from builder.content import pages
from builder.content.pages import Page
from builder.content.parts import ATTRIBUTES, TITLED, Figure, Folder, Heading, Include, Kind, Prose
from builder.content.paths import SNIPPETS, pinned
from builder.content.snippets import Program, extra
from builder.publishing import error_pages, other_releases, verdict_table

LICENCES = {"code": "MIT-0", "content": "CC-BY-4.0"}
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
PICTURE_STYLE = Path(__file__).with_name("picture.css").read_text("utf-8")
"""On the site, the stylesheet gives pictures their colours; in a notebook they bring their own."""

_BLOCK = re.compile(rf"^{TITLED.pattern}\n((?:(?: {{4}}.*)?\n)*)", re.MULTILINE)
_INDENT = re.compile(r"^ {4}", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"(`+[^`]+`+)")
_PLAYED = re.compile(r"<template>.*</template>\n", re.DOTALL)
"""What the player shows of recorded steps; the rest is a table."""
_ATTACHED = re.compile(r"!\[(.*?)\]\(attachment:[^)]*\)")


def compose(page: Page, words: dict, site_url: str, heading: str) -> NotebookNode:
    """Make the notebook of a page.

    site_url: the address of the page's language; heading: Markdown of the first cell.
    """
    lines = [
        part.text if isinstance(part, Prose | Heading) else f"{getattr(part, 'indent', '')}\0{at}"
        for at, part in enumerate(page.parts)
    ]
    first, *others = re.sub(
        r"(?m)^ *\0(\d+)$",
        lambda at: _text(page.parts[int(at[1])], page.lang, words),
        _without_blocks("\n".join(lines)),
    ).split("\0")
    programs = [include.program for include in page.includes if include.program]
    cells = [_cell("markdown", heading)]
    if programs:
        # Where a notebook runs elsewhere: the very torch that its outputs come from.
        code = "".join(program.code for program in programs)
        needed = f"torch=={pinned('torch')}", "numpy", "matplotlib", *extra(code)
        install = " ".join(["%pip install --quiet", *needed])
        cells.append(_cell("code", install, ["install"], outputs=[], execution_count=None))
    cells += _prose(first, page, site_url)
    written: set[tuple[str, str]] = set()
    for number, (program, below) in enumerate(zip(programs, others, strict=True), 1):
        cells += [_module(*module) for module in program.modules if module not in written]
        written.update(program.modules)
        cells += [code_cell(program, number), *_prose(below, page, site_url)]
    return notebook(cells)


def _without_blocks(text: str) -> str:
    """Markdown without what only the site knows: tabs, folds, definition lists, grids."""
    text = _BLOCK.sub(lambda block: f"**{block[2]}**\n\n{_INDENT.sub('', block[3])}", text)
    text = re.sub(r"(?m)^(?!\*\*)(.+)\n(?=:   )", r"**\1**\n", text)
    text = re.sub(r"(?<=.)\n:   ", "  \n", text)
    return re.sub(r"(?m)^</?div\b(?!.*aria-label).*>\n", "", text)


def as_markdown(book: NotebookNode, heading: str) -> str:
    """A notebook as plain Markdown: its programs as fences, what they printed below them.

    heading: Markdown put above, in place of the notebook's own.
    """
    parts = [heading]
    for cell in book.cells[1:]:  # the first says that it is a notebook
        if cell.cell_type == "markdown":
            parts.append(_ATTACHED.sub(r"(\1)", cell.source))
        elif not {"install", "module"} & {*cell.metadata.get("tags", ())}:
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
    return _cell("code", program.code.rstrip("\n"), outputs=outputs, execution_count=number)


def _module(name: str, code: str) -> NotebookNode:
    """A cell that writes a module of a program into a file, above the first that needs it."""
    output = NotebookNode(output_type="stream", name="stdout", text=f"Writing {name}\n")
    source = f"%%writefile {name}\n{code.rstrip()}"
    return _cell("code", source, ["module"], outputs=[output], execution_count=None)


def _text(part: Figure | Folder | Include, lang: str, words: dict) -> str:
    """What a page includes, as Markdown. "\\0" stands for a program."""
    if isinstance(part, Figure):
        # A program's own figure is among the outputs of its cell.
        is_own = SNIPPETS in part.include.file.parents
        picture = "" if is_own else f"![{part.label}](attachment:{part.include.target})\n\n"
        return picture + (f"*{part.caption}*" if part.caption else "")
    if isinstance(part, Folder):
        programs = (_text(include, lang, words) for include in part.includes)
        return "".join([verdict_table.table([part], words), *programs])
    if part.program:
        titles = other_releases.titles(part.program, lang, words)
        return "\0" + "\n".join(f"*{title}*\n" for title in titles)
    text = included(part, lang, words).rstrip("\n")
    if part.kind is Kind.STEPS:
        return _PLAYED.sub("", text)
    return f"$$\n{text}\n$$" if part.kind is Kind.FORMULA else text


def _prose(text: str, page: Page, site_url: str) -> list[NotebookNode]:
    """A cell of the prose before, between or after programs, if there is any."""

    def absolute(link: re.Match) -> str:
        within = pages.target(link[1], page.uri)
        if not within:
            return link[0]
        path, anchor = within
        return f"]({pages.url(path, site_url)}{f'#{anchor}' if anchor else ''})"

    pieces = _CODE.split(text)
    pieces[::2] = (_LINK.sub(absolute, ATTRIBUTES.sub("", piece)) for piece in pieces[::2])
    source = re.sub(r"\n{3,}", "\n\n", "".join(pieces)).strip()
    attachments = {
        include.target: {"image/svg+xml": _picture(include.text_in(page.lang))}
        for include in page.includes
        if f"](attachment:{include.target})" in source
    }
    pictures = {"attachments": attachments} if attachments else {}
    return [_cell("markdown", source, **pictures)] if source else []


def _picture(svg: str) -> str:
    """A picture with its colours, as a notebook holds it."""
    svg = re.sub(r"(<svg[^>]*>)", rf"\1<style>\n{PICTURE_STYLE}</style>", svg, count=1)
    return base64.b64encode(svg.encode()).decode()


def included(include: Include, lang: str, words: dict) -> str:
    """What an include line stands for that names no program."""
    if include.kind is Kind.RUNS:
        proof = words["releases"]["proof"]
        is_proof = include.target.endswith("/proof.md")
        return other_releases.with_counts(proof) if is_proof else other_releases.matrix()
    if include.kind is Kind.MESSAGES:
        return error_pages.listed(pages.pages(lang)[f"{error_pages.FOLDER}{include.file.name}"])
    return include.text_in(lang)


def _cell(kind: str, source: str, tags: Sequence[str] = (), **content: object) -> NotebookNode:
    """A cell, made by hand: nbformat's own makers validate each, which took longer than all the
    rest. The tests validate every notebook whole."""
    metadata = {"tags": tags} if tags else {}
    return NotebookNode(cell_type=kind, metadata=metadata, source=source, **content)
