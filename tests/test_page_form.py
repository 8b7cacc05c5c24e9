"""The form of every page: title, description, ids, links, includes, folded blocks. Nothing here
needs a built site."""

import re
from collections.abc import Iterator

import pytest
from problems import report

from handbook import pages, places, snippets
from handbook.pages import Page
from handbook.places import LANGUAGES, shown

FRONT_MATTER = {"description", "hide", "label", "outputs", "search"}
BULLET = "    - **Compiled**: it raises. [Program](index.md#x)\n"
SECTION = "# T { #t }\n\n## A { #a }\n\nThe rule.\n\n"


def form_problems(page: Page) -> Iterator[str]:
    """What is wrong with the name, the front matter and the code blocks of a page."""
    if not re.fullmatch(r"(?:[a-z0-9]+(?:-[a-z0-9]+)*/?)+\.md", page.uri):
        name = re.sub(r"[^a-z0-9/.]+", "-", page.uri.lower())
        yield f"{page.shown}:1: call it something like {name!r}: lower case, with hyphens"
    for key in page.meta.keys() - FRONT_MATTER:
        yield (
            f"{page.shown}:{page.line_of(f'{key}:')}: unknown front-matter key {key!r}; "
            f"known are {', '.join(sorted(FRONT_MATTER))}"
        )
    description = str(page.meta.get("description") or "").strip()
    where = f"{page.shown}:{page.line_of('description:')}"
    if not description and page.meta.keys() <= FRONT_MATTER:
        yield f"{where}: no description; write one sentence after `description:`"
    elif re.search(r'["<>]', description):
        yield f'{where}: the description holds ", < or >; write it without'
    for block in page.soup.find_all("pre"):
        first = next(iter(block.get_text().strip().splitlines()), "")
        yield (
            f"{page.shown}:{page.line_of(first.strip())}: a code block of the page's own, "
            f"{first!r}; move the program to snippets/ and include it outside any fence"
        )


def test_every_page_can_be_read_and_has_the_right_form(uris, readable):
    every = [pages.pages(lang).get(uri) for lang in LANGUAGES for uri in uris]
    problems = [page.problem for page in every if page and page.problem]
    for page in readable:
        problems += [*form_problems(page), *page.heading_problems, *page.link_problems]
        problems += [*page.include_problems, *page.block_problems]
    report(problems)


def test_every_included_file_stands_on_a_page_in_both_languages(only):
    problems = []
    files = [file for path in snippets.paths(only) for file in (path, path.with_suffix(".svg"))]
    if not only:
        files += [file for folder in places.INCLUDED[1:] for file in sorted(folder.rglob("*.*"))]
    for lang in LANGUAGES:
        every = pages.pages(lang).values()
        if any(page.include_problems for page in every):
            continue  # the file that a wrong name was meant to include would be reported here too
        included = {one.file for page in every for one in page.includes}
        problems += [
            f"{shown(file)}:1: no page in docs/{lang} includes it; add the line "
            f'--8<-- "{file.relative_to(folder).as_posix()}" to one, or delete the file'
            for file in files
            for folder in places.INCLUDED
            if folder in file.parents and file.exists() and file not in included
            and file.suffix not in {".csv", ".json"}  # these are data for checks
        ]  # fmt: skip
    report(problems)


def page_of(text: str, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.setattr(Page, "text", f"---\ndescription: x\n---\n\n{SECTION}{text}")
    return Page("en", "learn/x.md")


def block(title: str = "Exceptions: torch.compile", bullets: str = BULLET) -> str:
    return f'??? exceptions "{title}"\n\n{bullets}\n'


def test_exceptions_at_the_end_of_a_section_are_right(monkeypatch):
    page = page_of(f"{block()}## B {{ #b }}\n\nMore.\n\n{block()}", monkeypatch)
    assert page.block_problems == []
    assert page.blocks == ["exceptions with 1 bullets in #a", "exceptions with 1 bullets in #b"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (block("torch.compile"), "plain title"),
        (block("Exceptions: `vmap`"), "plain title"),
        (f"{block()}More.\n", "not the last of its section"),
        (f"- a\n\n    {block().replace(chr(10), chr(10) + '    ')}", "top level"),
        (f"<div markdown>\n\n{block()}</div>\n", "top level"),
        (block(bullets=BULLET * 6), "at most 5"),
        (block(bullets="    Not a list.\n"), "something else than one list"),
        (block(bullets="    - Compiled: it raises. [Program](#a)\n"), "condition in bold"),
        (block(bullets="    - **Compiled**: it raises.\n"), "without a program or a link"),
        ('??? note "More"\n\n    Text.\n', "nothing but exceptions and answers"),
    ],
)
def test_a_wrong_folded_block_is_reported(text, problem, monkeypatch):
    assert problem in "\n".join(page_of(text, monkeypatch).block_problems)
