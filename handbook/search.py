"""The index of the search, as overrides/assets/search/query.js reads it."""

import csv
import html
import json
import keyword
import re
from collections import defaultdict
from itertools import accumulate, pairwise
from pathlib import Path

from handbook.places import TABLES

SHOWN = 240
"""How many bytes of its text an entry keeps: a result shows two lines of a paragraph."""

CLOSING = "。、，；：？！）》」』”’·.,;:?!)]}"
"""What no excerpt begins with."""

_PROGRAM = re.compile(r"<pre[^>]*><code[^>]*>(.*?)</code></pre>", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w{2,}")
_PARAGRAPH = re.compile(r"\s*</?(?:p|li|ul|ol)>\s*")
_START = re.compile(rf"^[\s\u200b{re.escape(CLOSING)}]+")
_TAG = re.compile(r"<.*?>")
_WORD = re.compile(r"\w*[^\W\d_]\w+|[^\W\d_]")


def write(site_dir: Path, settings: dict, entries: list[dict]) -> None:
    """Write the index into the site of one language, and a search_index.json with nothing but the
    settings, since the theme fetches that file with every page.

    An entry is a page or a section: its location, its title and text in HTML, and perhaps a boost.
    In Chinese, a zero-width space stands between words.
    """
    shown, words = divided(entries)
    index = {"variants": _variants(), "words": words, "entries": shown}
    folder = site_dir / "search"
    folder.mkdir(exist_ok=True)
    # A script, because a page opened from a folder can't fetch data.
    (folder / "index.js").write_text(f"self.INDEX={_json(index)}", encoding="utf-8")
    plain = _json({"config": settings, "docs": []})
    (folder / "search_index.json").write_text(plain, encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _variants() -> dict[str, str]:
    """Chinese terms that no page uses but a reader may type, each with the one that pages use."""
    with (TABLES / "terms.csv").open(encoding="utf-8", newline="") as file:
        return {
            variant: row["中文"]
            for row in csv.DictReader(file)
            for variant in row["ruled out"].split("|")
            if variant
        }


def divided(entries: list[dict]) -> tuple[list[dict], dict[str, str]]:
    """The entries with as much text as a result shows, and the other words that lead to them: the
    words further down and the names in programs.

    The places of a word are a string with a character for each, whose code less 33 is the number
    of entries since the last place. Sections that only lead on are left out.
    """
    entries = [entry for entry in entries if not entry["location"].endswith("#next")]
    shown: list[dict] = []
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        paragraphs, names = _read(entry["text"])
        present = {word.lower() for word in _words(f"{entry['title']} {' '.join(paragraphs)}")}
        present |= {word.lower() for word in keyword.kwlist}
        text, rest = _cut(paragraphs)
        shown.append(entry | {"text": text})
        for word in [*_words(rest), *(name for name in names if name.lower() not in present)]:
            places[word.lower()].append(number)
    words = {
        word: "".join(chr(33 + b - a) for a, b in pairwise([0, *at]))
        for word, at in sorted(places.items())
    }
    return shown, words


def _read(text: str) -> tuple[list[str], list[str]]:
    """The paragraphs of a text, outputs among them, and the names in its programs."""
    names: dict[str, None] = {}

    def block(match: re.Match) -> str:
        if re.match(r"(import|from) ", match[1]):
            names.update(dict.fromkeys(_NAME.findall(html.unescape(match[1]))))
            return ""
        return f"<p>{match[1]}</p>"

    paragraphs = [
        _START.sub("", part) for part in _PARAGRAPH.split(_PROGRAM.sub(block, text)) if part
    ]
    return [part for part in paragraphs if part], [*names]


def _cut(paragraphs: list[str]) -> tuple[str, str]:
    """The paragraphs that a result shows, or the beginning of the first, and the rest. No word, tag
    or code is cut."""
    sizes = accumulate(len(paragraph.encode()) for paragraph in paragraphs)
    fitting = sum(size <= SHOWN for size in sizes)
    shown, rest = paragraphs[:fitting], paragraphs[fitting:]
    if rest and not shown:
        fits = len(rest[0].encode()[:SHOWN].decode(errors="ignore"))
        end = max(rest[0].rfind(blank, 0, fits) for blank in " \n\u200b，。") + 1
        if rest[0].count("<", 0, end) % 2:
            end = rest[0].rfind("<", 0, end)
        shown, rest[0] = [f"{rest[0][:end]}…"], rest[0][end:]
    return "".join(f"<p>{text}</p>" for text in shown), " ".join(rest)


def _words(text: str) -> list[str]:
    return _WORD.findall(html.unescape(_TAG.sub(" ", text)))
