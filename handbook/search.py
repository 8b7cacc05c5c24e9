"""The theme's search, mended in a built site: an index that says every word once, the expressions
of its worker that fail readers, and three of its script, for index and worker to be fetched when a
reader turns to the search or comes from a result, not before."""

import csv
import html
import json
import keyword
import re
from collections import defaultdict
from itertools import accumulate, pairwise
from pathlib import Path

from mkdocs.exceptions import BuildError

from handbook.places import TABLES

_PARAGRAPH = re.compile(r"</?p>")
_TAG = re.compile(r"<.*?>")
_WORD = re.compile(r"\w*[^\W\d_]\w+|[^\W\d_]")

SHOWN = 240
"""How many bytes of a section's text its entry has: of a paragraph, a result shows two lines."""


def _script() -> str:
    """What the worker gets besides its own: it puts the index together and a query in order."""
    with (TABLES / "terms.csv").open(encoding="utf-8", newline="") as file:
        terms = [(row["中文"], row["ruled out"].split("|")) for row in csv.DictReader(file)]
    variants = {variant: term for term, found in terms for variant in found if variant}
    script = Path(__file__).with_name("search.js").read_text(encoding="utf-8")
    return f"const VARIANTS = {json.dumps(variants, ensure_ascii=False)};\n{script}"


WORKER = {
    "constructor({config:e,docs:r,options:n}){": (
        "constructor({config:e,docs:r,options:n}){const words=besides(r,e.words);"
    ),
    # A result shows what it shows of its text where the words that were found are further down.
    "i=Oe(this.table=new Map)": "i=Oe(this.table=new Map,words)",
    "function Oe(t){return e=>r=>{": "function Oe(t,words){return e=>r=>{",
    "t.set(n,lunr.tokenizer.table=[]),r[e]": (
        't.set(n,lunr.tokenizer.table=[]),e==="text"?[r.text||"<p></p>",words.get(r)]:r[e]'
    ),
    "search(e){if(e=e.replace(": "search(e){if(e=asked(e,this.index.invertedIndex).replace(",
    # A word may hold the last character of a query, or be that character; and what stands behind
    # a character that no page has is looked for as well.
    "o<t.length;o++)t.slice(s,o)in e": "o<=t.length;o++)t.slice(s,o)in e",
    'n[a]&&a<t.length-1&&(i[s++]=a),r.add(t.slice(o,a))}return r.has("")?new Set([t]):r': (
        "for(r.add(t.slice(o,a));a<t.length&&!n[a];)a++;a<t.length&&(i[s++]=a)}"
        'return r.delete(""),r.size?r:new Set([t])'
    ),
    # The words of a query get their star once: with two, a word is said to be missing.
    'this.index.invertedIndex)].join("* ")': (
        'this.index.invertedIndex)].filter(word=>!LITTLE_CHINESE.test(word)).join(" ")'
    ),
    # A word as it was typed counts more than those that only begin so: `STE` is not `step`. (Not
    # a number, of which there are too many.) It is looked up as it stands in the index, where no
    # ending was taken off.
    "test(r)?r:`${r}*`)": r"test(r)?r:/^(?!\d)[\p{L}\d_]+$/u.test(r)?`${r}^8 ${r}*`:`${r}*`)",
    'this.ref("location")': 'this.searchPipeline.reset(),this.ref("location")',
    # The beginning of a heading, as search.js adds it, is no word that a reader would miss.
    "r=le(e).filter(s=>s.presence!==lunr.Query.presence.PROHIBITED)": (
        "r=le(e).filter(s=>s.presence!==lunr.Query.presence.PROHIBITED&&s.boost<1e3)"
    ),
    # lunr takes two sets of words for one where digits run together, and fails at the query 0.
    "e=e+s+o.id}return e}": 'e=e+s+o.id+"/"}return e}',
}

SCRIPT = {
    # Going from page to page, the theme runs every script of a page anew, whatever its type: the
    # data of the player would be run as a program.
    'Ke(M("script",r))': 'Ke(M("script:not([type])",r))',
    # The theme itself waits so where a site is read from a folder.
    '$(location.protocol!=="file:"),Je("search")': '$(!1),Je("search")',
    # Only an address with words to highlight needs the index for that.
    'z([t,r.pipe(Q(we()),g(o=>!!o.searchParams.get("h")))])': (
        'r.pipe(Q(we()),g(o=>!!o.searchParams.get("h")),b(o=>z([t,$(o)])))'
    ),
    # The worker begins with the first thing that it is told, which is the index.
    "function Mn(e,t=new Worker(e))": (
        "function Mn(e,t=Object.assign(new EventTarget,{postMessage(m){"
        "this.w||((this.w=new Worker(e))"
        '.onmessage=({data:d})=>this.dispatchEvent(new MessageEvent("message",{data:d})));'
        "this.w.postMessage(m)}}))"
    ),
}


def corrections() -> dict[str, dict[str, str]]:
    """Of the theme's files, what they have, and what they get instead; read anew each time, for
    the terms and the script of the query may have been edited."""
    query = {'"use strict";(()=>{': f'"use strict";{_script()}(()=>{{'}
    return {"workers/search.*.min.js": query | WORKER, "bundle.*.min.js": SCRIPT}


def write(site_dir: Path, entries: list[dict]) -> None:
    """Write the index of a site of one language, and rewrite worker and script, as often as the
    site is built. entries: as handbook/index.py makes them.

    Raises BuildError if the theme's files are not those that these corrections were made for.
    """
    file = site_dir / "search" / "search_index.json"
    index = json.loads(file.read_text(encoding="utf-8"))
    index["docs"], index["config"]["words"] = divided(entries)
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    file.write_text(text, encoding="utf-8")
    script = file.with_suffix(".js")
    if script.exists():  # in the archive, where no page can fetch data
        script.write_text(f"var __index = {text}", encoding="utf-8")
    for name, expressions in corrections().items():
        for file in site_dir.glob(f"assets/javascripts/{name}"):
            script = file.read_text(encoding="utf-8")
            file.write_text(corrected(script, expressions), encoding="utf-8")


def divided(entries: list[dict]) -> tuple[list[dict], dict[str, str]]:
    """The entries of an index, each with as much of its text as a result shows, and the words of
    what is further down, with the names in programs: a character for each time a word is said,
    whose number less 33 is how many entries after the last one. The worker puts them together
    again, with search.js. Sections that only lead on are left out."""
    shown, found = [], defaultdict(list)
    for number, entry in enumerate(entries):
        paragraphs = [text for text in _PARAGRAPH.split(entry["text"]) if text]
        said = {word.lower() for word in _words(f"{entry['title']} {' '.join(paragraphs)}")}
        said |= {word.lower() for word in keyword.kwlist}
        text, rest = _cut(paragraphs)
        names = dict.fromkeys(name for name in entry["names"] if name.lower() not in said)
        for word in [*_words(rest), *names]:
            found[word.lower()].append(number)
        shown.append({key: one for key, one in entry.items() if key != "names"} | {"text": text})
    words = {
        word: "".join(chr(33 + b - a) for a, b in pairwise([0, *at]))
        for word, at in sorted(found.items())
    }
    return shown, words


def _cut(paragraphs: list[str]) -> tuple[str, str]:
    """What a result shows, whole paragraphs or the beginning of the first, and the rest; no word,
    tag or code is cut."""
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


def corrected(script: str, expressions: dict[str, str]) -> str:
    """One of the theme's scripts with its expressions corrected."""
    for wrong, right in expressions.items():
        if right in script:
            continue
        if script.count(wrong) != 1:
            raise BuildError(
                f"the theme's script has no {wrong!r}: look whether it still needs that "
                "correction, and correct it in handbook/search.py"
            )
        script = script.replace(wrong, right)
    return script
