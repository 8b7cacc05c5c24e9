"""The table of verdicts: a reader chooses cases and a release, and each case has an address."""

import json

import pytest
from playwright.sync_api import Page, expect
from rendered import readable_programs
from sites import PHONE

from builder.content import differences, verdicts
from builder.content.paths import LANGUAGES, pinned

PAGE = "learn/saving-tensors/table/"
KNOWN = {
    ("input", "attribute", "changed-in-place"): "wrong",
    ("input", "saved", "changed-in-place"): "raises",
    ("output", "attribute", "graph-dropped"): "kept",
}


def choose(page: Page, kind: str, name: str) -> None:
    page.locator(f".choose button[data-kind={kind}][data-name='{name}']").click()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_chips_leave_the_cases_that_fit_and_open_their_program(visit, lang):
    page = visit(f"{lang}/{PAGE}")
    links, fitting = page.locator(".verdicts a"), page.locator(".verdicts a:not(.beside)")
    choose(page, "what", "input")
    choose(page, "how", "attribute")
    cases = [link.get_attribute("href") for link in fitting.all()]
    assert cases and all(case.endswith("--input--attribute") for case in cases)
    page.locator(".choose select").first.select_option("changed-in-place")
    program = page.locator("[id='changed-in-place--input--attribute']")
    expect(program.locator(".language-python")).to_be_visible()
    # Its section, what words mean, where to go next.
    expect(page.locator("h2:visible")).to_have_count(3)
    choose(page, "what", "")
    choose(page, "how", "")
    page.locator(".choose select").first.select_option("")
    expect(fitting).to_have_count(links.count())


def test_a_choice_has_an_address_and_shows_what_no_program_is_about(visit):
    page = visit(f"en/{PAGE}")
    choose(page, "what", "none")
    choose(page, "how", "again")
    assert page.url.endswith("#what=none&how=again")
    expect(page.locator(".choose [role=status]")).to_be_visible()
    choose(page, "how", "saved")
    page = visit(f"en/{PAGE}#{page.url.partition('#')[2]}")
    expect(page.locator(".verdicts a:not(.beside)").first).to_be_visible()
    empty = page.locator(".choose button.empty")
    assert "again" in [chip.get_attribute("data-name") for chip in empty.all()]


def test_a_verdict_opens_its_program_and_keeps_the_choice(visit):
    page = visit(f"en/{PAGE}#what=input&how=attribute")
    for _ in range(2):  # the theme loads the page again at the first
        page.locator("a[href$='#after-backward--input--attribute']").click()
        program = page.locator("[id='after-backward--input--attribute'] .language-python")
        expect(program).to_be_in_viewport()
        chosen = page.locator(".choose [aria-pressed=true]")
        expect(chosen).to_have_text(["an input", "an attribute"])


def test_on_a_phone_only_rows_that_fit_are_shown(visit):
    page = visit(f"en/{PAGE}#what=list&how=spread", size=PHONE)
    expect(page.locator(".verdicts tr:has(a):visible")).to_have_count(1)


def test_another_release_says_where_its_verdict_differs(visit):
    page = visit(f"en/{PAGE}")
    releases = page.locator(".choose select").last
    assert releases.input_value() == pinned("torch")
    for release in differences.recorded()[-2:]:
        releases.select_option(release)
        cases = [case for case in verdicts.cases() if case.verdict_on(release) != case.verdict]
        programs = {case.program for case in cases}
        assert page.locator(".verdicts a:has(b)").count() >= len(programs)


def test_the_data_has_every_program_and_the_verdicts_that_readers_know(public):
    cases = json.loads(public.text("verdicts.json"))["cases"]
    programs = {program.name for program in readable_programs(verdicts.FOLDER)}
    assert {case["program"] for case in cases} == programs
    found = {
        (case["what"], case["how"], case["then"]): case["verdicts"][pinned("torch")]
        for case in cases
    }
    assert {case: found[case] for case in KNOWN} == KNOWN
