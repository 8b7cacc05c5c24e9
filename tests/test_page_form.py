"""What every page has: one title, a description, headings with ids of their own."""

import re

from problems import report

from handbook import pages
from handbook.places import LANGUAGES

FRONT_MATTER = {"description", "hide", "label", "outputs", "search"}


def test_every_page_can_be_read(uris):
    report(
        pages.pages(lang)[uri].problem
        for lang in LANGUAGES
        for uri in uris
        if uri in pages.pages(lang) and pages.pages(lang)[uri].problem
    )


def test_a_page_has_a_lower_case_name_with_hyphens(readable):
    report(
        f"{page.shown}:1: call it something like "
        f"{re.sub(r'[^a-z0-9/.]+', '-', page.uri.lower())!r}: lower case, with hyphens"
        for page in readable
        if not re.fullmatch(r"(?:[a-z0-9]+(?:-[a-z0-9]+)*/?)+\.md", page.uri)
    )


def test_front_matter_has_known_keys_only(readable):
    report(
        f"{page.shown}:{page.line_of(f'{key}:')}: unknown front-matter key {key!r}; "
        f"known are {', '.join(sorted(FRONT_MATTER))}"
        for page in readable
        for key in page.meta
        if key not in FRONT_MATTER
    )


def test_every_page_has_a_description_that_fits_into_an_attribute(readable):
    problems = []
    for page in readable:
        description = str(page.meta.get("description") or "").strip()
        where = f"{page.shown}:{page.line_of('description:')}"
        if not description and page.meta.keys() <= FRONT_MATTER:
            problems.append(f"{where}: no description; write one sentence after `description:`")
        elif re.search(r'["<>]', description):
            problems.append(f'{where}: the description holds ", < or >; write it without')
    report(problems)


def test_every_page_has_one_title_no_level_left_out_and_an_id_for_every_heading(readable):
    report(problem for page in readable for problem in page.heading_problems)
