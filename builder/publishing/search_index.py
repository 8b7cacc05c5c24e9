"""The index of the search: an entry for each section of a page, with its words, those of outputs
and the names in programs. overrides/assets/search/query.js reads it."""

import functools
import html
import json
import keyword
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from types import ModuleType

from builder.content.pages import Page
from builder.content.parts import ATTRIBUTES, TITLED, Figure, Folder, Kind, Part, Prose, includes
from builder.content.paths import TABLES, rows
from builder.publishing.red_lines import elsewhere

SHOWN = 170
"""How many bytes of its text an entry keeps: a result shows two lines of a paragraph."""

BETWEEN_WORDS = "\u200b"
"""Put between Chinese words. It is invisible, and the search splits texts at it."""

CLOSING = "。、，；：？！）》」』”’·.,;:?!)]}"
"""What no excerpt begins with."""

LITTLE = (
    "^(?:a|an|and|are|at|be|by|can|do|does|for|from|has|have|how|i|in|is|it|its|my|not|of|on|or|that"
    "|the|this|to|what|when|why|with|you"
    "|[的了吗呢是在和与要会有用能我]+|什么|时候|怎么办?|怎样|如何|为什么|可以|一个)$"
)
"""Words that say nothing about what a reader looks for. Queries leave them out, and the index has
them only in headings and in the text that results show."""

_LITTLE = re.compile(LITTLE)
_START = re.compile(rf"^[\s\u200b{re.escape(CLOSING)}]+")
_TAG = re.compile(r"<.*?>")
_WORD = re.compile(r"\w*[^\W\d_]\w+|[^\W\d_]")

_ITEM = re.compile(r"^(?:[-*]|\d+\.|:  ) +")
_WITHOUT_WORDS = re.compile(r"```.*|[|:\s-]*")
_INLINE = re.compile(
    r"(?P<ticks>`+) ?(?P<code>.+?) ?(?P=ticks)"
    r"|\\(?P<escaped>[\\`*_{}\[\]()#+.!|<>-])"
    r"|!?\[(?P<text>(?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*)\]\((?P<link>[^)]*)\)"
    r"|(?P<dropped></?[a-zA-Z][^<>]*>|<!--.*?-->|\*+)"
    r"|(?P<entity>&\w+;)"
    r"|(?P<other>[<>&])"
)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_NAME = re.compile(r"[A-Za-z_]\w{2,}")


@dataclass
class Entry:
    """What the search knows of a section: address, heading, paragraphs as HTML, program names."""

    location: str
    title: str
    boost: float | None = None
    paragraphs: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    @functools.cached_property
    def data(self) -> tuple[dict, list[str]]:
        """The entry as the index has it, with as much text as a result shows; and further words
        that lead to it: from the rest of its text, and names that only its programs mention."""
        text, rest = _excerpt_and_rest(self.paragraphs)
        result = {"location": self.location, "title": self.title, "text": text}
        if self.boost is not None:
            result["boost"] = self.boost
        mentioned = {*_words(" ".join([self.title, *self.paragraphs, *keyword.kwlist]))}
        names = dict.fromkeys(name for name in self.names if name.lower() not in mentioned)
        further = (*_words(rest), *map(str.lower, names))
        return result, [word for word in further if not _LITTLE.match(word)]


def entries(page: Page, url: str) -> list[Entry]:
    """The entries of a page, one for each section but those that only lead on to other pages.

    url: the page's address below that of its language.
    """
    boost = (page.meta.get("search") or {}).get("boost")
    entries = []
    for heading, parts in page.sections:
        if heading.id == "next":
            continue
        location = url if heading.level == 1 else f"{url}#{heading.id}"
        texts = (text for part in parts for text in _texts(part, page.lang))
        starts = (_START.sub("", segmented(text, page.lang)) for text in texts)
        programs = (include.program for include in includes(parts) if include.program)
        codes = (text for program in programs for text in (program.code, *elsewhere(program)))
        names = _NAME.findall("\n".join(codes))
        title = segmented(inline(heading.words), page.lang)
        entries.append(Entry(location, title, boost, [text for text in starts if text], names))
    return entries


def _texts(part: Part, lang: str) -> Iterator[str]:
    """The paragraphs of a part, as HTML. Pictures, formulas, recorded steps and folders have
    none."""
    if isinstance(part, Prose):
        yield from paragraphs(part.text.split("\n"))
    elif isinstance(part, Figure):
        yield inline(part.caption)
    elif isinstance(part, Folder):
        return
    elif part.program:
        yield html.escape((part.program.output or "").rstrip("\n"), quote=False)
    elif part.kind is Kind.TABLE and part.file.parent == TABLES:  # not what type checkers report
        yield from paragraphs(part.text_in(lang).split("\n"))


def paragraphs(lines: Iterable[str]) -> list[str]:
    """Lines of Markdown as paragraphs of HTML: one for each paragraph, item and row of a table."""
    text = ""
    for written in lines:
        line = ATTRIBUTES.sub("", written).strip()
        if _WITHOUT_WORDS.fullmatch(line):
            text += "\n"
        elif titled := TITLED.match(line):
            text += f"\n{titled['title']}\n"
        elif line.startswith("|"):
            cells = (cell.strip() for cell in re.split(r"(?<!\\)\|", line))
            text += f"\n{' · '.join(filter(None, cells))}\n".replace("\\|", "|")
        else:
            text += _ITEM.sub("\n", line) + " "
    return [inline(paragraph) for paragraph in text.split("\n") if paragraph.strip()]


def inline(text: str) -> str:
    """Markdown within a paragraph as HTML that has no element but code."""

    def replaced(match: re.Match) -> str:
        if match["code"]:
            return f"<code>{html.escape(match['code'], quote=False)}</code>"
        if match["text"] is not None:
            return inline(match["text"])
        if match["dropped"]:
            return ""
        return html.escape(match["escaped"] or match["other"] or "", quote=False) or match[0]

    return " ".join(_INLINE.sub(replaced, text).split())


def plain(text: str) -> str:
    """Markdown within a paragraph as plain text."""
    return html.unescape(_TAG.sub("", inline(text)))


def segmented(text: str, lang: str) -> str:
    """A text of a page in Chinese with a sign between its words, which have no blanks."""
    if lang != "zh":
        return text
    between, cut = BETWEEN_WORDS, _jieba().cut
    return _HAN.sub(lambda run: between.join(["", *cut(run[0]), ""]), text).strip(between)


@functools.cache
def _jieba() -> ModuleType:
    """The module with our own words, loaded once."""
    import jieba  # a dictionary of half a second, which few commands need

    jieba.setLogLevel("WARNING")
    jieba.load_userdict(str(TABLES / "search-terms.txt"))
    return jieba


def index(entries: list[Entry]) -> str:
    """The index, as a script, because a page opened from a folder can't fetch data.

    `words` has the further words of all entries. Each has a string with one character for each
    entry that it leads to: the code of the character less 33 is the distance from the one before.
    `variants` has Chinese terms that a reader may type, each with the one that pages use.
    """
    words: dict[str, str] = {}
    last: dict[str, int] = {}
    for number, entry in enumerate(entries):
        for word in entry.data[1]:
            words[word] = words.get(word, "") + chr(33 + number - last.get(word, 0))
            last[word] = number
    data = {
        "little": LITTLE,
        "variants": {
            variant: row["中文"]
            for row in rows(TABLES / "terms.csv")
            for variant in filter(None, row["ruled out"].split("|"))
        },
        "words": dict(sorted(words.items())),
        "entries": [entry.data[0] for entry in entries],
    }
    return f"self.INDEX={json.dumps(data, ensure_ascii=False, separators=(',', ':'))}"


def _excerpt_and_rest(paragraphs: list[str]) -> tuple[str, str]:
    """The paragraphs that a result shows, or whole words of the first, and the rest."""
    sizes = accumulate(len(paragraph.encode()) for paragraph in paragraphs)
    fitting = sum(size <= SHOWN for size in sizes)
    excerpt, rest = paragraphs[:fitting], paragraphs[fitting:]
    if rest and not excerpt:
        fits = len(rest[0].encode()[:SHOWN].decode(errors="ignore"))
        end = max(rest[0].rfind(blank, 0, fits) for blank in " \n\u200b，。") + 1
        if rest[0].count("<", 0, end) % 2:
            end = rest[0].rfind("<", 0, end)
        excerpt, rest[0] = [f"{rest[0][:end]}…"], rest[0][end:]
    return "".join(f"<p>{text}</p>" for text in excerpt), " ".join(rest)


def _words(text: str) -> list[str]:
    return _WORD.findall(html.unescape(_TAG.sub(" ", text)).lower())
