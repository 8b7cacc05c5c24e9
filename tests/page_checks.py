"""What is wrong with the headings, the folded blocks and the notes of tables of a page."""

import functools
import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag
from rendered import soup

from builder.content.pages import Page
from builder.content.paths import Problem

EXCEPTIONS = {"zh": "例外：", "en": "Exceptions: "}
"""How the title of folded exceptions begins."""
MOST_BULLETS = 5
SIGNS = "¹²³⁴⁵⁶⁷⁸⁹"
"""Of the notes of a table."""
REMARK = re.compile(r"^`(?P<begins>[^`]+)`(?: \((?P<nth>\d+)\))?\n:   ", re.MULTILINE)
"""On a step of a program: a line of the program, the time that it runs, and the remark."""
_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]


def headings(page: Page) -> Iterator[Problem]:
    """What is wrong with levels and ids of headings."""
    above = 0
    seen = set()
    for heading in page.headings:
        level, words = heading.level, repr(heading.words)
        wrong = functools.partial(page.problem_at, heading.line)
        if (level == 1) != (above == 0):
            yield wrong(f"{words}: a page begins with one # title, and has no other")
        elif level > above + 1:
            yield wrong(f"{words} is level {level} below level {above}; take one # more")
        if not heading.id:
            yield wrong(f"{words} has no id; end it with {{ #short-id }}")
        elif heading.id in seen:
            yield wrong(f"{words}: the id {heading.id!r} is used twice; write another")
        seen.add(heading.id)
        above = level
    if not above:
        yield page.problem_at(1, "no title; begin with `# Title { #short-id }`")


def blocks(page: Page) -> list[str]:
    """Each note and folded block as its kind, number of bullets and section."""
    return [
        f"{' '.join(tag.get('class', [tag.name]))} with {len(tag('li'))} bullets … {{ #{section} }}"
        for tag in soup(page).select("details, .admonition")
        for section in [(tag.find_previous(_HEADINGS) or tag).get("id")]
    ]


def folds(page: Page) -> Iterator[Problem]:
    """What is wrong with the folded exceptions: their place or their form."""
    for block in soup(page).select("details.exceptions"):
        title = block.summary.get_text()
        for text in _exceptions(block, page.lang):
            yield page.problem_at(page.line_of(title), f"{title!r} {text}")


def notes(page: Page) -> Iterator[Problem]:
    """What is wrong with the notes of tables: the list below has one for each sign, in order."""
    for table in soup(page)("table"):
        used = {*re.findall(rf" ([{SIGNS}])", table.get_text())}
        below = (table.find_parent("div") or table).find_next_sibling()
        text = below.get_text() if below and below.name == "ul" else ""
        noted = re.findall(f"(?m)^[{SIGNS}]", text)
        if noted != [*SIGNS[: len(noted)]] or {*noted} != used:
            line = page.line_of("|", *re.findall(r"\w+", table.find("td").get_text()))
            text = f"the table has {sorted(used)}, the list below {noted}; write '- ¹ …' for each"
            yield page.problem_at(line, text)


def _exceptions(block: Tag, lang: str) -> Iterator[str]:
    """What is wrong with a block of folded exceptions."""
    title, *body = block.find_all(True, recursive=False)
    if not title.get_text().startswith(EXCEPTIONS[lang]) or title.find(True):
        yield f'needs a plain title that names the conditions: "{EXCEPTIONS[lang]}…"'
    if not isinstance(block.parent, BeautifulSoup):
        yield "is in a tab, a list or a <div>; move it to the top level"
    after = block.find_next_sibling()
    if after and after.name not in _HEADINGS:
        yield f"is not the last of its section; move it below {after.get_text()[:40]!r}"
    if [tag.name for tag in body] != ["ul"]:
        yield "holds something else than one list of bullets"
    bullets = block.select(":scope > ul > li")
    if len(bullets) > MOST_BULLETS:
        yield f"has {len(bullets)} bullets; at most {MOST_BULLETS}, move some to their own page"
    for bullet in bullets:
        text = bullet.get_text().strip()
        if not bullet.strong or not text.startswith(bullet.strong.get_text()):
            yield f"has a bullet that doesn't begin with its condition in bold: {text[:40]!r}"
        if not bullet.find("a") and "--8<--" not in text:
            yield f"has a bullet without a program or a link: {text[:40]!r}"
