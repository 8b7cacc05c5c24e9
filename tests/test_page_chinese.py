"""Chinese typography: autocorrect's rules, and those it leaves out."""

import json
import re

import autocorrect_py as autocorrect
import pytest
from problems import report

from handbook import pages

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
    rf" [{FULL}]|[{FULL}] ": "no space beside full-width punctuation",
    rf"{HAN} {HAN}": "no space between Chinese characters",
}
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


def block_text(block) -> str:
    """The text of a block by itself: inline code as one character, inner blocks left out."""
    parts = []
    for child in block.children:
        name = getattr(child, "name", None)
        if name is None:
            parts.append(str(child))
        elif name == "code":
            parts.append(CODE)
        elif name not in ("ul", "ol", "p", "div", "svg", "pre", "details"):
            parts.append(block_text(child))
    return "".join(parts)


@pytest.fixture(scope="module")
def chinese(uris):
    return [*pages.readable("zh", uris)]


def test_chinese_pages_keep_autocorrects_rules(chinese):
    autocorrect.load_config(json.dumps({"textRules": EXCEPTIONS}))
    problems = []
    for page in chinese:
        # It reads what stands in a <div> in a <div> as HTML, where a link is no link.
        text = re.sub(r"^</?div\b.*>$", "", page.text, flags=re.MULTILINE)
        for found in autocorrect.lint_for(text, "markdown").lines:
            problems.append(f"{page.shown}:{found.line}: {found.old!r} should be {found.new!r}")
    report(problems)


def test_chinese_stands_apart_from_code_and_uses_full_width_punctuation(chinese):
    problems = []
    for page in chinese:
        for block in page.soup.select(BLOCKS):
            text = re.sub(r"\s*\n\s*", " ", block_text(block)).strip()
            if "8<" in text:
                continue
            for shown, remedy in departures(text):
                line = page.line_of(shown.split("`…`")[0].strip() or shown)
                problems.append(f"{page.shown}:{line}: {shown!r}: {remedy}")
        description = str(page.meta.get("description", ""))
        for shown, remedy in departures(description):
            problems.append(f"{page.shown}:{page.line_of('description:')}: {shown!r}: {remedy}")
    report(problems)


@pytest.mark.parametrize(
    "text",
    [
        f"用{CODE} 存",
        f"{CODE}存",
        f"存{CODE}, 取",
        "存,取",
        '叫"上下文"',
        "张量(tensor)",
        "张量 (tensor)",
        "好 。",
        "对. ",
    ],
)
def test_the_rules_see_what_autocorrect_does_not(text):
    assert departures(text)
