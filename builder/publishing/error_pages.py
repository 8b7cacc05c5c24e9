"""The pages of errors. Of each section its message, its cause and the lines to change: the page
shows them, and so do the list of all messages, the field for pasting one, and errors.json. The last
two also know messages that other pages explain."""

import functools
import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import shorten

from builder.content import pages
from builder.content.pages import Page
from builder.content.parts import Heading, Include, Part, Prose, includes
from builder.content.paths import pinned
from builder.publishing import other_releases
from builder.publishing.red_lines import RAISED, elsewhere, messages
from builder.publishing.search_index import inline, plain

FOLDER = "troubleshooting/errors/"
LIST = f"{FOLDER}index.md"
LONGEST = 80
"""So many characters of a message are enough to know it by."""

_SENTENCE = re.compile(r".+?(?:[。！？]|[.!?](?=\s|$))", re.DOTALL)
_WORDS = re.compile(r"(?:[\w'.()]+,? ){3}[A-Za-z…]")


@dataclass(frozen=True)
class Section:
    """A section of a page of errors: its first paragraph, as Markdown, and the parts below that.

    is_approved: whether someone approved that the lines to change are shown.
    """

    heading: Heading
    paragraph: str
    rest: list[Part]
    is_approved: bool

    @property
    def message(self) -> str:
        return plain(self.heading.words)

    @property
    def cause(self) -> str:
        """The first sentence, as Markdown; empty if the paragraph is no sentence."""
        sentence = _SENTENCE.match(self.paragraph)
        return sentence[0] if sentence else ""

    @property
    def programs(self) -> list[Include]:
        return [include for include in includes(self.rest) if include.program]

    @functools.cached_property
    def changed(self) -> tuple[list[str], list[str]]:
        """The lines that the page marks in the first program, which fails, and in the second one,
        which is repaired."""
        if not self.is_approved or len(self.programs) < 2:
            return [], []
        failing, repaired = map(_marked, self.programs[:2])
        return failing, repaired

    @functools.cached_property
    def also(self) -> list[str]:
        """The beginnings of other messages, as text: those that its programs print, also on other
        releases, and those that its paragraphs name."""
        programs = (include.program for include in self.programs)
        texts = [text for one in programs for text in (*messages(one), *elsewhere(one))]
        prose = (part.text for part in self.rest if isinstance(part, Prose))
        named = re.findall("<code>(.*?)</code>", inline("\n".join([self.paragraph, *prose])))
        texts += [html.unescape(name) for name in named if _WORDS.search(name)]
        known, kept = self.message.split("; "), []
        for text in (RAISED.sub("", text) for text in texts):
            if text not in self.message and not _is_one_of(text, known + kept):
                kept.append(text)
        return [text[:LONGEST] for text in kept]


def is_one(page: Page) -> bool:
    """Whether a page is one of errors, and not their list."""
    return page.uri.startswith(FOLDER) and page.uri != LIST


def grouped(page: Page) -> Iterator[Section | Part]:
    """The parts of a page, as sections those that answer a pasted message: all of a page of errors,
    and of another page those that `answers` in its front matter names, each with its message."""
    named = page.meta.get("answers") or {}
    starts = [page.parts.index(heading) for heading in page.headings if heading.level == 2]
    for start, end in pairwise([0, *starts, len(page.parts)]):
        parts = page.parts[start:end]
        name = parts[0].id if start else "next"
        if name in named or (is_one(page) and name != "next"):
            heading = replace(parts[0], words=named.get(name, parts[0].words))
            paragraph, _, prose = parts[1].text.strip("\n").partition("\n\n")
            rest = [Prose(f"{prose}\n"), *parts[2:]]
            yield Section(heading, paragraph, rest, name in page.meta.get("fixes", ()))
        else:
            yield from parts


@functools.cache
def sections(page: Page) -> list[Section]:
    """The sections of a page that answer a pasted message."""
    return [part for part in grouped(page) if isinstance(part, Section)]


def _marked(include: Include) -> list[str]:
    """The marked lines of a program. Each is indented only if it is within the one before."""
    kept, outer = [], None
    for number, line in enumerate(include.program.code.splitlines(), 1):
        indented = len(line) - len(line.lstrip())
        if line.strip() and outer is not None and indented <= outer:
            outer = None
        if number in include.marked:
            outer = indented if outer is None else outer
            kept.append(line[outer:])
    return kept


def pattern(message: str) -> re.Pattern:
    """A message as an expression in which "…" stands for anything."""
    pieces = (re.escape(piece.strip()) for piece in message.split("…"))
    return re.compile(".*".join(pieces), re.IGNORECASE)


def _is_one_of(text: str, known: list[str]) -> bool:
    """Whether a message is one of some, or says more."""
    return any(pattern(message).search(text) for message in known)


def rewordings(section: Section, words: dict) -> str:
    """The words that the message has on other releases, a paragraph of Markdown for each."""
    found: dict[str, list[str]] = {}
    for include in section.programs[:1]:
        known = [*section.message.split("; "), *messages(include.program)]
        for text, releases in elsewhere(include.program).items():
            if not _is_one_of(text, known):
                beginning = shorten(text, LONGEST, placeholder=" …")
                found.setdefault(beginning, []).extend(releases)
    return "\n\n".join(
        f"{other_releases.releases(releases, words['releases'])}: {code(text)}\n{{ .differs }}"
        for text, releases in found.items()
    )


def code(text: str) -> str:
    """A text as code in Markdown."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def change(section: Section) -> str:
    """The lines to change as HTML, empty if there are none."""
    before, after = ([html.escape(line, quote=False) for line in of] for of in section.changed)
    lines = [f"<del>- {line}</del>" for line in before] + [f"<ins>+ {line}</ins>" for line in after]
    return '<pre class="diff">' + "\n".join(lines) + "</pre>" if lines else ""


def listed(page: Page) -> str:
    """The messages of a page of errors and their causes as Markdown, for the list of all."""
    name = page.uri.removeprefix(FOLDER)
    items = [f"**[{page.title}]({name})**", ""]
    for section in sections(page):
        link = f"[{code(section.message)}]({name}#{section.heading.id})"
        cause = section.cause.replace("](#", f"]({name}#")
        items.append(f"- {link}{{ .message }}  \n    {cause}")
    return "\n".join(items)


def data(lang: str, address: Callable[[str], str]) -> str:
    """Every message with its cause, the lines to change and the address of its section, as JSON,
    those of pages of errors first.

    address: gives that of a page, from its path below docs/<lang>/.
    """
    errors = [
        {
            "message": section.message,
            "cause": inline(section.cause),
            "before": section.changed[0],
            "after": section.changed[1],
            "also": section.also,
            "url": f"{address(page.uri)}#{section.heading.id}",
        }
        for page in sorted(pages.pages(lang).values(), key=is_one, reverse=True)
        for section in sections(page)
    ]
    return json.dumps({"torch": pinned("torch"), "errors": errors}, ensure_ascii=False)
