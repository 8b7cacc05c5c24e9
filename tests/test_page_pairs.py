"""The two languages hold the same pages, built alike."""

from __future__ import annotations

from itertools import zip_longest

import pages
import pytest

SHARED = sorted(set(pages.pages("zh")) & set(pages.pages("en")))


def first_difference(zh: list, en: list) -> tuple[int, object, object] | None:
    """Index and both sides of the first place where two lists differ."""
    for index, (left, right) in enumerate(zip_longest(zh, en)):
        if left != right:
            return index, left, right
    return None


def differences(aspect: str) -> list[str]:
    problems = []
    for uri in SHARED:
        zh, en = pages.pages("zh")[uri], pages.pages("en")[uri]
        difference = first_difference(getattr(zh, aspect), getattr(en, aspect))
        if difference:
            index, left, right = difference
            places = [
                f"{page.shown}:{place(page, aspect, side)}: {side!r}"
                for page, side in ((zh, left), (en, right))
            ]
            problems.append(f"{aspect} differ at number {index + 1}:\n  " + "\n  ".join(places))
    return problems


def place(page: pages.Page, aspect: str, side: object) -> int:
    """The line of a page to look at."""
    if side is None:
        return len(page.text.splitlines())
    if aspect == "outline":
        return page.line_of(f"#{side[1]}")
    if aspect == "include_targets":
        return page.line_of("8<", side)
    return page.line_of(str(side).rpartition("/")[2])


@pytest.fixture(autouse=True)
def comparable(monkeypatch):
    monkeypatch.setattr(
        pages.Page,
        "outline",
        property(lambda page: [(level, identifier) for level, identifier, _ in page.headings]),
        raising=False,
    )
    monkeypatch.setattr(
        pages.Page,
        "include_targets",
        property(
            lambda page: [
                f"{i.target}:{i.section}" if i.section else i.target for i in page.includes
            ]
        ),
        raising=False,
    )


def test_both_languages_have_the_same_pages():
    problems = []
    for lang, other in (("zh", "en"), ("en", "zh")):
        for uri in sorted(set(pages.pages(lang)) - set(pages.pages(other))):
            problems.append(
                f"docs/{lang}/{uri}:1: has no counterpart; write docs/{other}/{uri} too"
            )
    assert not problems, "\n".join(problems)


def test_both_languages_lead_through_the_pages_in_the_same_order():
    zh, en = pages.in_navigation("zh"), pages.in_navigation("en")
    assert zh == en, (
        "nav in mkdocs.zh.yml and mkdocs.en.yml differ; first at (index, zh, en): "
        f"{first_difference(zh, en)}"
    )
    for lang in pages.LANGUAGES:
        missing = sorted(set(pages.pages(lang)) - set(pages.in_navigation(lang)))
        assert not missing, f"mkdocs.{lang}.yml: add to nav: {missing}"


def test_every_heading_has_the_same_level_and_id_in_both_languages():
    assert not (problems := differences("outline")), "\n".join(problems)


def test_both_languages_include_the_same_programs_in_the_same_order():
    assert not (problems := differences("include_targets")), "\n".join(problems)


def test_both_languages_have_the_same_internal_links():
    assert not (problems := differences("links")), "\n".join(problems)


def test_both_languages_have_the_same_kinds_of_admonitions():
    assert not (problems := differences("admonitions")), "\n".join(problems)
