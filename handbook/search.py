"""The theme's search, mended in a built site: what its index holds of programs and names, the
expressions of its worker that fail readers, and three of its script, for index and worker to be
fetched when a reader turns to the search or comes from a result, not before."""

import csv
import html
import json
import keyword
import re
from pathlib import Path

from mkdocs.exceptions import BuildError

from handbook.places import TABLES

_BLOCK = re.compile(r"<pre[^>]*><code[^>]*>(.*?)</code></pre>", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w{2,}")
_WORD = re.compile(r"\w+")

BEGINNING = range(4, 13)
"""By how many words a title is known, besides by all of them; query.js has the same numbers."""


def _query() -> str:
    """The script that the worker gets for the words of a query."""
    with (TABLES / "terms.csv").open(encoding="utf-8", newline="") as file:
        terms = [(row["中文"], row["ruled out"].split("|")) for row in csv.DictReader(file)]
    variants = {variant: term for term, found in terms for variant in found if variant}
    script = Path(__file__).with_name("query.js").read_text(encoding="utf-8")
    return f"const VARIANTS = {json.dumps(variants, ensure_ascii=False)};\n{script}"


WORKER = {
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
    # The beginning of a heading, as query.js adds it, is no word that a reader would miss.
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
    query = {'"use strict";(()=>{': f'"use strict";{_query()}(()=>{{'}
    return {"workers/search.*.min.js": query | WORKER, "bundle.*.min.js": SCRIPT}


def mend(site_dir: Path) -> None:
    """Rewrite index, worker and script of a site of one language, as often as they are written.

    Raises BuildError if the theme's files are not those that these corrections were made for.
    """
    file = site_dir / "search" / "search_index.json"
    index = json.loads(file.read_text(encoding="utf-8"))
    for entry in index["docs"]:
        entry["text"] = text(entry["title"], entry["text"])
    file.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    for name, expressions in corrections().items():
        for file in site_dir.glob(f"assets/javascripts/{name}"):
            script = file.read_text(encoding="utf-8")
            file.write_text(corrected(script, expressions), encoding="utf-8")


def text(title: str, body: str) -> str:
    """The text of an index entry: of programs their names only, outputs as paragraphs, and the
    parts of every name, so that `symints` finds `_get_symints`, and how its title begins; what only
    helps to find stands last, in a block that results do not show."""
    names: list[str] = []

    def block(match: re.Match) -> str:
        if re.match(r"(import|from) ", match[1]):
            names.extend(_NAME.findall(html.unescape(match[1])))
            return ""
        return f"<p>{match[1]}</p>"

    body = _BLOCK.sub(block, body)
    said = {word.lower() for word in _WORD.findall(f"{title} {body}")}
    said |= {word.lower() for word in keyword.kwlist}
    hidden = [name for name in dict.fromkeys(names) if name.lower() not in said]
    known = said | {name.lower() for name in hidden}
    parts = {part for name in known if "_" in name for part in name.split("_") if len(part) > 1}
    hidden += [*sorted(parts - known), *beginnings(title)]
    return f"{body}<pre>{' '.join(hidden)}</pre>" if hidden else body


def beginnings(title: str) -> list[str]:
    """How a title begins, and the whole of it, each as one word of the index; it ends in a number
    lest an ending be taken off."""
    words = re.findall(r"[^\W_]+", html.unescape(re.sub(r"<.*?>", "", title)).lower())
    found = ["_".join([*words[:n], str(n)]) for n in BEGINNING if n <= len(words)]
    return [*found, "_".join([*words, "0"])] if len(words) > 1 else found


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
