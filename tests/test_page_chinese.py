"""Chinese typography: autocorrect's rules, and those it leaves out. One Chinese term for each
concept: docs/tables/terms.csv, the glossaries and all Chinese pages agree."""

import json
import re
from collections.abc import Iterator
from copy import copy
from itertools import chain

import autocorrect_py as autocorrect
import pytest
from bs4 import Tag
from markdown.extensions.toc import slugify
from problems import report
from rendered import readable, soup

from builder.content import pages
from builder.content.paths import LANGUAGES, TABLES, rows, shown

TABLE = TABLES / "terms.csv"

# Terms whose right spelling breaks a rule. 0 turns the correction off for the term.
EXCEPTIONS = {"向量-雅可比积": 0, "雅可比-向量积": 0}

HAN = r"[\u3400-\u9fff]"
CODE = "\ufffc"  # stands for inline code, as in Unicode: an object within the text
FULL = "，。、；：？！（）“”《》"
RULES = {
    rf"{HAN}{CODE}|{CODE}{HAN}": "put a space between Chinese and inline code",
    rf"[{HAN[1:-1]}{CODE}）”][,;:!?](?!\d)": "use full-width punctuation: ，；：！？",
    rf"[{HAN[1:-1]}{CODE}）”]\.(?=\s|$)": "end a Chinese sentence with 。",
    rf'{HAN}"|"{HAN}': "use Chinese quotation marks: “”",
    rf"{HAN}\(|{HAN} \([^()]+\)|\){HAN}|\({HAN}|{HAN}\)": "use full-width brackets: （）",
    rf" [{FULL}]|[{FULL}] ": "take out the space beside full-width punctuation",
    rf"{HAN} {HAN}": "take out the space between Chinese characters",
}
FAULTY = f"用{CODE} 存", "存,取", '叫"上下文"', "张量(tensor)", "好 。", "对. ", "张量 好"
BLOCKS = "p, li, td, th, h1, h2, h3, h4, figcaption, summary, dt, dd"


def departures(text: str) -> Iterator[tuple[str, str]]:
    """What in a block of Chinese text breaks a rule, with the remedy."""
    for term in EXCEPTIONS:
        text = text.replace(term, "")
    for pattern, remedy in RULES.items() if re.search(HAN, text) else ():
        for match in re.finditer(pattern, text):
            around = text[max(0, match.start() - 6) : match.end() + 6]
            yield around.replace(CODE, "`…`"), remedy


def block_text(block: Tag) -> str:
    """The text of a block by itself: inline code as one character, inner blocks left out."""
    alone = copy(block)
    for inner in alone(["ul", "ol", "p", "div", "svg", "pre", "details"]):
        inner.decompose()
    for code in alone("code"):
        code.replace_with(CODE)
    return " ".join(alone.get_text().split())


def test_chinese_pages_keep_the_rules_of_typography(uris):
    autocorrect.load_config(json.dumps({"textRules": EXCEPTIONS}))
    problems = []
    for page in readable("zh", uris):
        # autocorrect reads the contents of a <div> in a <div> as HTML, where a link is no link.
        text = re.sub(r"^</?div\b.*>$", "", page.text, flags=re.MULTILINE)
        for line in autocorrect.lint_for(text, "markdown").lines:
            problems.append(f"{shown(page.path)}:{line.line}: {line.old!r} should be {line.new!r}")
        texts = [*map(block_text, soup(page).select(BLOCKS)), str(page.meta.get("description", ""))]
        prose = (text for text in texts if "8<" not in text)
        for excerpt, remedy in chain.from_iterable(map(departures, prose)):
            line = page.line_of(excerpt.split("`…`")[0].strip() or excerpt)
            problems.append(f"{shown(page.path)}:{line}: {excerpt!r}: {remedy}")
    report(problems)


@pytest.mark.parametrize("text", FAULTY)
def test_the_rules_find_what_autocorrect_overlooks(text):
    assert [*departures(text)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_glossary_has_terms_of_the_table_that_pages_use_under_the_id_of_the_english_name(lang):
    page = pages.pages(lang)["glossary.md"]
    known = {(term["English"], term["中文"]) for term in rows(TABLE)}
    uris = [uri for uri in pages.pages(lang) if uri != page.uri]
    text = " ".join(other.text.lower() for other in readable(lang, uris))
    problems = []
    entries = soup(page).find_all("dt")
    for entry in entries:
        term = entry.strong.get_text()
        translation = entry.get_text().removeprefix(term).rstrip(" ★").strip()[1:-1]
        english, chinese = (term, translation) if lang == "en" else (translation, term)
        where = f"{shown(page.path)}:{page.line_of(f'**{term}**')}: {term!r}"
        identifier = slugify(english.partition(",")[0], "-")
        if (english, chinese) not in known:
            problems.append(f"{where} is not so in {shown(TABLE)}")
        if entry.get("id") != identifier:
            problems.append(f"{where} has the id {entry.get('id')!r}, not {identifier!r}")
        problems += [
            f"{where}: no page says {name!r}; take it out, or use the word"
            for name in re.split("[、,] *", re.sub("（.*?）", "", term).lower())
            if name not in text
        ]
    report(problems)
    assert entries


def test_no_chinese_page_uses_a_variant_that_the_table_excludes(uris):
    """Headings that are messages of torch, and links to them, stay as torch prints them."""
    pairs = [(variant, term) for term in rows(TABLE) for variant in term["ruled out"].split("|")]
    report(
        f"{shown(page.path)}:{number}: {variant!r}; write {term['中文']!r} ({term['English']})"
        for page in readable("zh", uris)
        for number, line in enumerate(page.text.splitlines(), 1)
        if not (page.uri.startswith("troubleshooting/errors/") and re.match(r"## |\| \[", line))
        for variant, term in pairs
        if variant and variant in line
    )
