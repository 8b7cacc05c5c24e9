"""What every page has: one title, a description, headings with ids of their own."""

from __future__ import annotations

from collections import Counter

import pages

FRONT_MATTER = {"description", "hide"}


def test_front_matter_has_known_keys_only():
    problems = [
        f"{page.shown}:{page.line_of(f'{key}:')}: unknown front-matter key {key!r}; "
        f"known are {', '.join(sorted(FRONT_MATTER))}"
        for page in pages.all_pages()
        for key in page.meta
        if key not in FRONT_MATTER
    ]
    assert not problems, "\n".join(problems)


def test_every_page_has_a_description():
    problems = [
        f"{page.shown}:1: no description; write one sentence after `description:` in the front matter"
        for page in pages.all_pages()
        if not str(page.meta.get("description") or "").strip()
    ]
    assert not problems, "\n".join(problems)


def test_every_page_has_one_h1_and_it_comes_first():
    problems = []
    for page in pages.all_pages():
        levels = [level for level, _, _ in page.headings]
        if levels.count(1) != 1 or levels[0] != 1:
            problems.append(
                f"{page.shown}:1: {levels.count(1)} headings of level 1; "
                "a page begins with one, its title"
            )
    assert not problems, "\n".join(problems)


def test_every_heading_has_an_explicit_id_of_its_own():
    problems = []
    for page in pages.all_pages():
        count = Counter(identifier for _, identifier, _ in page.headings)
        for _, identifier, text in page.headings:
            line = page.line_of("#", text.strip())
            if identifier is None:
                problems.append(
                    f"{page.shown}:{line}: {text!r} has no id; end it with {{ #short-id }}"
                )
            elif count[identifier] > 1:
                problems.append(f"{page.shown}:{line}: the id {identifier!r} stands twice")
    assert not problems, "\n".join(problems)
