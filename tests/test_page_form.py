"""The form of every page: title, description, ids, links, includes, folded blocks, length; the same
in both languages. Nothing here needs a built site."""

import re
from collections.abc import Iterator
from itertools import zip_longest

import page_checks
import pytest
from problems import report
from rendered import links, readable, soup

from builder.content import pages, verdicts
from builder.content.pages import Page
from builder.content.paths import INCLUDED, LANGUAGES, SNIPPETS, Problem, shown

FRONT_MATTER = {"answers", "description", "fixes", "hide", "label", "outputs", "search"}
PROGRAMS = 20
WORDS = 1200
"""Of English prose on a page of learn/."""
PROSE = ":is(p, li, dt, dd):not(:is(pre, table, figure, details) *, :has(p, li, dt, dd))"
"""What holds it: outside code, tables, pictures and folds."""
PAIRED = {
    "headings": lambda page: [f"{'#' * one.level} … {{ #{one.id} }}" for one in page.headings],
    "includes": lambda page: ["\n".join((*one.marks, one.target)) for one in page.includes],
    "links": links,
    "blocks": page_checks.blocks,
    "remarks": lambda page: [
        one[0].strip(":\n ") for one in page_checks.REMARK.finditer(page.text)
    ],
    "approved changes": lambda page: page.meta.get("fixes", []),
    "answers": lambda page: [*page.meta.get("answers", {}).items()],
}
"""What both languages have alike, in the same order; compared where nothing is wrong with it."""
PROBLEMS = {
    "headings": page_checks.headings,
    "includes": lambda page: page.include_problems,
    "blocks": page_checks.folds,
    "notes": page_checks.notes,
}


def form_problems(page: Page) -> Iterator[Problem]:
    """What is wrong with the name, the front matter and the code blocks of a page."""
    if not re.fullmatch(r"(?:[a-z0-9]+(?:-[a-z0-9]+)*/?)+\.md", page.uri):
        yield page.problem_at(1, "rename it: lower case, digits and hyphens, then .md")
    known = ", ".join(sorted(FRONT_MATTER))
    for key in page.meta.keys() - FRONT_MATTER:
        text = f"unknown front-matter key {key!r}; known are {known}"
        yield page.problem_at(page.line_of(f"{key}:"), text)
    if not page.meta.get("description") and page.meta.keys() <= FRONT_MATTER:
        line = page.line_of("description:")
        yield page.problem_at(line, "no description; write one sentence after `description:`")
    for block in soup(page).find_all("pre"):
        first = [*block.get_text().strip().splitlines(), ""][0].strip()
        text = f"a code block of the page's own, {first!r}; put it into snippets/ and include it"
        yield page.problem_at(page.line_of(first), text)
    listed = [program for program in page.programs if verdicts.FOLDER not in program.name]
    if (count := len(listed)) > PROGRAMS:
        yield page.problem_at(1, f"has {count} programs; at most {PROGRAMS} fit a page, move some")
    if page.lang == "en" and page.uri.startswith("learn/") and (count := words(page)) > WORDS:
        text = f"has {count} words; at most {WORDS} fit a page, shorten or fold some"
        yield page.problem_at(1, text)


def words(page: Page) -> int:
    """How many words of prose a page has, include lines left out."""
    prose = (tag.get_text() for tag in soup(page).select(PROSE))
    return sum(len(text.split()) for text in prose if "--8<--" not in text)


def test_every_page_can_be_read_and_has_the_right_form(uris):
    every = [pages.pages(lang).get(uri) for lang in LANGUAGES for uri in uris]
    problems = [page.problem for page in every if page and page.problem]
    for page in (page for lang in LANGUAGES for page in readable(lang, uris)):
        problems += form_problems(page)
        problems += [problem for check in PROBLEMS.values() for problem in check(page)]
    report(problems)


def test_both_languages_have_the_same(uris):
    problems = []
    for uri in uris:
        existing = [lang for lang in LANGUAGES if uri in pages.pages(lang)]
        pair = [page for lang in LANGUAGES for page in readable(lang, [uri])]
        if len(existing) < len(LANGUAGES):
            problems.append(f"docs/{existing[0]}/{uri}:1: has no counterpart; write it too")
        elif len(pair) == len(LANGUAGES):
            problems += [problem for aspect in PAIRED for problem in differences(pair, aspect)]
    report(problems)


def differences(pair: list[Page], aspect: str) -> Iterator[str]:
    """The first difference of a page in the two languages."""
    if aspect in PROBLEMS and any([*PROBLEMS[aspect](page)] for page in pair):
        return
    for number, sides in enumerate(zip_longest(*map(PAIRED[aspect], pair)), 1):
        if sides[0] != sides[1]:
            yield f"{aspect} differ at number {number}; make them the same:\n" + "\n".join(
                f"  {shown(page.path)}:{line_of(page, side)}: {side or 'nothing more'}"
                for page, side in zip(pair, sides, strict=True)
            )
            return


def line_of(page: Page, side: object) -> int:
    """The line of a page to look at: where the last part of a side stands, or the last line."""
    if side is None:
        return len(page.text.splitlines())
    return page.line_of(re.split("[/…\n]", str(side).rstrip("#"))[-1])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", ["cookbook/", "labs/", "troubleshooting/silent-mistakes/"])
def test_an_index_leads_to_every_page_and_every_silent_mistake(lang, folder):
    """That of the silent mistakes leads to each section: its rows are what a reader sees first."""
    every = pages.pages(lang).items()
    beside = {uri.removeprefix(folder): page for uri, page in every if uri.startswith(folder)}
    index, wanted = beside.pop("index.md"), [*beside]
    if folder.endswith("silent-mistakes/"):
        headings = [(uri, heading) for uri in beside for heading in beside[uri].headings]
        sections = [(uri, heading.id) for uri, heading in headings if heading.level == 2]
        wanted = [f"{uri}#{section}" for uri, section in sections if section != "next"]
    report(
        f"{shown(index.path)}:1: no link to {link}; add it to a table"
        for link in wanted
        if f"]({link})" not in index.text
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_included_file_stands_on_a_page(only, lang):
    every = pages.pages(lang).values()
    if any(page.include_problems for page in every):
        return  # the file that a wrong name was meant to include would be reported here too
    included = {include.file for page in every for include in page.includes}
    report(
        f"{shown(file)}:1: no page in docs/{lang} includes it; include it, or delete the file"
        for folder in ([SNIPPETS / only] if only else INCLUDED)
        for file in sorted(folder.rglob("*.*"))
        if file not in included
        if file.suffix in {".md", ".svg", ".html", ".tex"}  # others are data and settings
    )
