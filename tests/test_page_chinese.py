"""Chinese typography: autocorrect's rules, and those it leaves out. One Chinese term for each
concept: docs/tables/terms.csv, the glossaries and all Chinese pages agree."""

import json
import re
from copy import copy

import autocorrect_py as autocorrect
import pytest
from bs4 import Tag
from markdown.extensions.toc import slugify
from problems import report

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


def departures(text: str) -> list[tuple[str, str]]:
    """What in a block of Chinese text breaks a rule, with the remedy."""
    if not re.search(HAN, text):
        return []
    for term in EXCEPTIONS:
        text = text.replace(term, "")
    return [
        (text[max(0, found.start() - 6) : found.end() + 6].replace(CODE, "`…`"), remedy)
        for pattern, remedy in RULES.items()
        for found in re.finditer(pattern, text)
    ]


def block_text(block: Tag) -> str:
    """The text of a block by itself: inline code as one character, inner blocks left out."""
    alone = copy(block)
    for inner in alone(["ul", "ol", "p", "div", "svg", "pre", "details"]):
        inner.decompose()
    for code in alone("code"):
        code.replace_with(CODE)
    return alone.get_text()


def test_chinese_pages_keep_the_rules_of_typography(uris):
    autocorrect.load_config(json.dumps({"textRules": EXCEPTIONS}))
    problems = []
    for page in pages.readable("zh", uris):
        # autocorrect reads the contents of a <div> in a <div> as HTML, where a link is no link.
        text = re.sub(r"^</?div\b.*>$", "", page.text, flags=re.MULTILINE)
        for found in autocorrect.lint_for(text, "markdown").lines:
            problems.append(f"{page.shown}:{found.line}: {found.old!r} should be {found.new!r}")
        texts = [" ".join(block_text(block).split()) for block in page.soup.select(BLOCKS)]
        texts.append(str(page.meta.get("description", "")))
        for excerpt, remedy in (
            one for text in texts if "8<" not in text for one in departures(text)
        ):
            line = page.line_of(excerpt.split("`…`")[0].strip() or excerpt)
            problems.append(f"{page.shown}:{line}: {excerpt!r}: {remedy}")
    report(problems)


@pytest.mark.parametrize("text", FAULTY)
def test_the_rules_find_what_autocorrect_overlooks(text):
    assert departures(text)


def entries(lang: str) -> dict[tuple[str, str], Tag]:
    """The entries of a glossary by their English and Chinese."""
    page = pages.pages(lang)["glossary.md"]
    found = {}
    for entry in page.soup.find_all("dt"):
        term = entry.strong.get_text()
        other = entry.get_text().removeprefix(term).rstrip(" ★").strip()[1:-1]
        found[(term, other) if lang == "en" else (other, term)] = entry
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_glossary_has_terms_of_the_table_that_pages_use_under_the_id_of_the_english_name(lang):
    page = pages.pages(lang)["glossary.md"]
    known = {(term["English"], term["中文"]) for term in rows(TABLE)}
    others = [other for uri, other in pages.pages(lang).items() if uri != "glossary.md"]
    text = " ".join(other.text.lower() for other in others if not other.problem)
    problems = []
    for pair, entry in entries(lang).items():
        term = entry.strong.get_text()
        where = f"{page.shown}:{page.line_of(f'**{term}**')}: {term!r}"
        wanted = slugify(pair[0].partition(",")[0], "-")
        if pair not in known:
            problems.append(f"{where} is not so in {shown(TABLE)}")
        if entry.get("id") != wanted:
            problems.append(f"{where} has the id {entry.get('id')!r}; end it with {{ #{wanted} }}")
        problems += [
            f"{where}: no page says {name!r}; take it out, or use the word"
            for name in re.split("[、,] *", re.sub("（.*?）", "", term).lower())
            if name not in text
        ]
    report(problems)
    assert entries(lang)


def test_no_chinese_page_uses_a_variant_that_the_table_excludes(uris):
    """Headings that are messages of torch, and links to them, stay as torch prints them."""
    excluded = {
        variant: term
        for term in rows(TABLE)
        for variant in filter(None, term["ruled out"].split("|"))
    }
    report(
        f"{page.shown}:{number}: {variant!r}; write {term['中文']!r} ({term['English']})"
        for page in pages.readable("zh", uris)
        for number, line in enumerate(page.text.splitlines(), 1)
        if not (page.uri.startswith("troubleshooting/errors/") and re.match(r"## |\| \[", line))
        for variant, term in excluded.items()
        if variant in line
    )
