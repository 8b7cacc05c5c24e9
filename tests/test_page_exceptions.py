"""Exceptions are folded at the end of their section; nothing else is folded but answers."""

import pytest
from problems import report

from handbook.pages import Page

BULLET = "    - **Compiled**: it raises. [Program](index.md#x)\n"
SECTION = "# T { #t }\n\n## A { #a }\n\nThe rule.\n\n"


def test_folded_blocks_have_their_place_form_and_kind(readable):
    report(problem for page in readable for problem in page.block_problems)


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
def test_what_is_wrong_with_a_folded_block_is_named(text, problem, monkeypatch):
    assert problem in "\n".join(page_of(text, monkeypatch).block_problems)
