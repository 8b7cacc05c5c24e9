"""A Markdown extension: what the pages' HTML gets beyond Markdown.

In programs, the name `ctx` has a class of its own, and blank lines between definitions at the top
level have one. Long names may break between words, in tables only those of over 30 characters.
Short code, such as `(x,) =`, stays on one line.
Tables other than comparisons say what each part is, so that a phone can show their rows as cards.
A comparison is within a block of the class `compared`, or has four columns or more.
"""

import html
import re
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from markdown.treeprocessors import Treeprocessor

_DIFF = re.compile(
    r'<div class="language-diff[^>]*><pre><span></span><code>(.*?)\n</code></pre></div>', re.DOTALL
)
_LINE = re.compile(r'<span class="(w|gd|gi)">(.*?)</span>')
LINES = {"w": "{}", "gd": "<del>{}</del>", "gi": "<ins>{}</ins>"}
_CODE = re.compile(r"<code>.*?</code>", re.DOTALL)
_CTX = re.compile(r'<span class="n">(?=ctx</span>)')
_PLAIN = re.compile(r'<span class="[nwop]">([^<]*)</span>')
"""Names, blanks, operators and brackets need no colour of their own."""
_BLANK_LINES = re.compile(r"(\n(?:</span>)?)\n\n(?=\S)")
_CELL = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
_NAME = re.compile(r"<code>([^<]*)</code>")
NOT_IN_TEXT = "<pre>", 'script">', "span>"
"""What is before code that isn't part of a text."""
_TITLE = re.compile(r"<(h[1-6]|summary|a|strong)\b.*?</\1>", re.DOTALL)
_TEXT = re.compile(r'(?<=>)(?<!"whole">)[^<]+')
_BREAK = re.compile(r"(?<=[^\W_]_)(?=[^\W_])|(?<=\w[./=(])(?=[A-Za-z_])|(?<=[a-z])(?=[A-Z])")
_LONG_WORDS = {length: re.compile(rf"[\w./()=]{{{length},}}", re.ASCII) for length in (20, 24, 30)}
"""What is too long for a line of the contents, of a heading on a phone, and of its text."""

LONGEST_WHOLE = 30
LONGEST_WHOLE_IN_TEXT = 20
ROLES = {
    "*": "rowgroup", "*/*": "row", "thead/tr/th": "columnheader", "tbody/tr/*": "cell",
}  # fmt: skip
"""What a part of a table is, by its path within the table."""

_NOTE = re.compile(" (?=[¹²³⁴⁵⁶⁷⁸⁹])")
_GAP = '<span class="gap">\n</span>'


class Markup(Extension):
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802, the name is Markdown's
        md.treeprocessors.register(_Cards(md), "cards", 0)
        # After the programs are back in the page, before anything else.
        md.postprocessors.register(_Code(md), "programs", 25)


class _Code(Postprocessor):
    def run(self, text: str) -> str:
        text = _DIFF.sub(_difference, text)
        text = _CODE.sub(lambda code: program(code[0]), text)
        text = _CELL.sub(lambda cell: _NAME.sub(_in_table, _NOTE.sub("\xa0", cell[0])), text)
        text = _NAME.sub(_in_text, text)
        return _TITLE.sub(
            lambda title: _TEXT.sub(lambda part: _breaking(part[0], 24), title[0]), text
        )


class _Cards(Treeprocessor):
    def run(self, root: Element) -> None:
        _shorten(self.md.toc_tokens)
        compared = root.findall(".//div[@class='compared']//table")
        for table in root.iter("table"):
            if table not in compared and len(table.findall("thead/tr/th")) in (2, 3):
                _describe(table)
            elif table.find(".//a") is None:
                table.set("tabindex", "0")  # to scroll it by key on a phone


def _difference(fence: re.Match) -> str:
    """A difference in the form that pages of errors write. As code, the theme's script would set up
    each, which takes long on pages that have many."""
    lines = _LINE.sub(lambda line: LINES[line[1]].format(line[2]), fence[1])
    return f'<pre class="diff">{lines}</pre>'


def program(code: str) -> str:
    """A program's HTML in which `ctx` and the blank lines at the top level have their classes, and
    its number of lines is known to the stylesheet. Such a blank line is half as high."""
    code = _PLAIN.sub(r"\1", _CTX.sub('<span class="n ctx">', code))
    code = _BLANK_LINES.sub(rf"\1{2 * _GAP}", code)
    lines = code.count("\n") - code.count(_GAP) / 2
    return code.replace("<code>", f'<code style="--lines:{lines:g}">', 1) if lines else code


def _in_table(name: re.Match) -> str:
    is_short = len(html.unescape(name[1])) <= LONGEST_WHOLE
    return f'<code class="whole">{name[1]}</code>' if is_short else _BREAK.sub("<wbr>", name[0])


def _in_text(name: re.Match) -> str:
    if name.string.endswith(NOT_IN_TEXT, 0, name.start()):
        return name[0]
    code = html.unescape(name[1])
    if len(code) <= LONGEST_WHOLE_IN_TEXT and (" " in code or "-" in code):
        return f'<code class="whole">{name[1]}</code>'
    return f"<code>{_breaking(name[1], 30)}</code>"


def _breaking(text: str, length: int) -> str:
    """A text, as HTML, in which names of at least this length may break between words."""
    return _LONG_WORDS[length].sub(lambda word: _BREAK.sub("<wbr>", word[0]), text)


def _shorten(headings: list[dict]) -> None:
    """Let long names break in the table of contents."""
    for heading in headings:
        if heading["level"] > 1:
            heading["name"] = _breaking(heading["name"], 20)
        _shorten(heading["children"])


def _describe(table: Element) -> None:
    """Say what each part of a table is."""
    labels = ["".join(cell.itertext()) for cell in table.findall("thead/tr/th")]
    table.set("data-cards", "")
    table.set("role", "table")
    for path, role in ROLES.items():
        for part in table.findall(path):
            part.set("role", role)
    for row in table.findall("tbody/tr"):
        for cell, label in zip(row, labels, strict=False):
            cell.set("data-label", label)
