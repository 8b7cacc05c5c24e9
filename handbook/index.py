"""What the search knows of a page: an entry for each section, with its words and those of its
outputs, and the names in its programs."""

import functools
import html
import re
from collections.abc import Iterable, Iterator

from handbook import notebooks, pages
from handbook.parts import Figure, Heading, Include, Part, Prose, parse
from handbook.places import ROOT, TABLES

BETWEEN_CELLS = " · "
BETWEEN_WORDS = "\u200b"
"""Between Chinese words: invisible, and what the search divides a text by."""

_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w-]+|[\w-]+=\"[^\"]*\"|[ \t])+\}")
_TITLED = re.compile(r"(?:===|\?\?\?\+?|!!!)(?: \w+)? +\"(?P<title>[^\"]*)\"$")
_ITEM = re.compile(r"(?:[-*]|\d+\.|:  ) +")
_INLINE = re.compile(
    r"(?P<ticks>`+) ?(?P<code>.+?) ?(?P=ticks)"
    r"|\\(?P<escaped>[\\`*_{}\[\]()#+.!|<>-])"
    r"|!?\[(?P<text>(?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*)\]\((?P<link>[^)]*)\)"
    r"|(?P<tag></?[a-zA-Z][^<>]*>|<!--.*?-->)"
    r"|(?P<sign>\*+)"
    r"|(?P<entity>&\w+;)"
    r"|(?P<other>[<>&])"
)
_HAN = re.compile(r"[\u3400-\u9fff]+")
_NAME = re.compile(r"[A-Za-z_]\w{2,}")


def entries(page: pages.Page, url: str) -> list[dict]:
    """The entries of a page, one for each section but those that only lead on to other pages.

    url: the page's address below that of its language. Each entry has its place (`location`), its
    `title`, its `text` as HTML paragraphs and the `names` in its programs, and the page's `boost`
    if its front matter gives one.
    """
    boost = (page.meta.get("search") or {}).get("boost")
    found: list[dict] = []
    for part in parse(page.text):
        if isinstance(part, Heading):
            location = url if part.level == 1 else f"{url}#{part.id}"
            title = divided(inline(part.words), page.lang)
            found.append({"location": location, "title": title, "text": "", "names": []})
            if boost is not None:
                found[-1]["boost"] = boost
        elif found:
            texts = [divided(text, page.lang) for text in _texts(part, page.lang) if text]
            found[-1]["text"] += "".join(f"<p>{text}</p>" for text in texts)
            if isinstance(part, Include) and part.is_program:
                found[-1]["names"] += dict.fromkeys(_NAME.findall(part.program.code))
    return [entry for entry in found if not entry["location"].endswith("#next")]


def _texts(part: Part, lang: str) -> Iterator[str]:
    """The paragraphs of a part, as HTML. Pictures, formulas and recorded steps have none."""
    if isinstance(part, Prose):
        yield from paragraphs(part.text.split("\n"))
    elif isinstance(part, Figure):
        yield inline(part.caption)
    elif isinstance(part, Include) and part.is_program:
        yield html.escape((part.program.output or "").rstrip("\n"), quote=False)
    elif isinstance(part, Include) and part.file.parent == TABLES:
        yield from paragraphs(notebooks.in_one_language(part.text, lang).split("\n"))


def paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Lines of Markdown as paragraphs of HTML: one for each paragraph, item and row of a table."""
    gathered: list[str] = []
    for written in [*lines, ""]:
        line = _ATTRIBUTES.sub("", written).strip()
        titled = _TITLED.match(line)
        is_row, item = line.startswith("|"), _ITEM.match(line)
        ends = not line or is_row or item or titled or line.startswith("```")
        if ends and gathered:
            yield inline(" ".join(gathered))
            gathered = []
        if titled:
            yield inline(titled["title"])
        elif is_row:
            cells = re.split(r"(?<!\\)\|", line.strip("|"))
            if not all(re.fullmatch(r"\s*:?-+:?\s*", cell) for cell in cells):
                texts = (inline(cell.strip().replace("\\|", "|")) for cell in cells)
                yield BETWEEN_CELLS.join(text for text in texts if text)
        elif item:
            gathered.append(line[item.end() :])
        elif line and not line.startswith("```"):
            gathered.append(line)


def inline(text: str) -> str:
    """Markdown within a paragraph as HTML that has no element but code."""

    def replaced(found: re.Match) -> str:
        if found["code"]:
            return f"<code>{html.escape(found['code'], quote=False)}</code>"
        if found["text"] is not None:
            return inline(found["text"])
        if found["tag"] or found["sign"]:
            return ""
        return html.escape(found["escaped"] or found["other"] or "", quote=False) or found[0]

    return " ".join(_INLINE.sub(replaced, text).split())


def divided(text: str, lang: str) -> str:
    """A text of a page in Chinese with a sign between its words, which have no blanks."""
    if lang != "zh":
        return text
    return _HAN.sub(lambda run: _words(run[0]), text).strip(BETWEEN_WORDS)


@functools.cache
def _words(run: str) -> str:
    words = (BETWEEN_WORDS.join(_segmenter().cut(run)), "")
    return BETWEEN_WORDS + BETWEEN_WORDS.join(words)


@functools.cache
def _segmenter():  # noqa: ANN202 - jieba has no types
    import jieba  # a dictionary of half a second, which few commands need

    jieba.setLogLevel("WARNING")
    tokenizer = jieba.Tokenizer()
    tokenizer.load_userdict(str(ROOT / "search-terms.txt"))
    return tokenizer
