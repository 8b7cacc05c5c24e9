"""The table of verdicts: a reader chooses cases and a release, and each case has an address."""

import json

import pytest
from playwright.sync_api import expect

from builder.content import differences, verdicts
from builder.content.paths import LANGUAGES, pinned

PAGE = "learn/saving-tensors/table/"


def chip(page, kind, name):
    return page.locator(f".choose button[data-kind={kind}][data-name='{name}']")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_chips_leave_the_cases_that_fit_and_open_their_program(reader, public, lang):
    page = reader(public)
    page.goto(f"{public.url}{lang}/{PAGE}", wait_until="networkidle")
    links = page.locator("a[data-case]")
    everything = links.count()
    chip(page, "what", "input").click()
    chip(page, "how", "attribute").click()
    fitting = page.locator("a[data-case]:not(.beside)").evaluate_all("links => links.map(l => l.dataset.case)")
    assert fitting and all(case.endswith("--input--attribute") for case in fitting)
    page.locator(".choose select").first.select_option("changed-in-place")
    program = page.locator("[id='changed-in-place--input--attribute']")
    expect(program.locator(".language-python")).to_be_visible()
    expect(page.locator("h2:visible")).to_have_count(2)  # its section, and where to go next
    for kind in ("what", "how"):
        chip(page, kind, "").click()
    page.locator(".choose select").first.select_option("")
    expect(page.locator("a[data-case]:not(.beside)")).to_have_count(everything)


def test_an_address_opens_a_program_and_without_a_script_all_is_there(reader, public):
    page = reader(public)
    page.goto(f"{public.url}en/{PAGE}#second-derivative--input--saved", wait_until="networkidle")
    opened = page.locator("[id='second-derivative--input--saved'] .language-python")
    expect(opened).to_be_visible()
    page = reader(public, java_script_enabled=False)
    page.goto(f"{public.url}zh/{PAGE}")
    expect(page.locator(".choose button")).to_have_count(0)
    expect(page.locator("a[data-case]").first).to_be_visible()
    page.locator("details.cases > summary").first.click()
    expect(page.locator("details.case > summary").first).to_be_visible()


def test_another_release_says_where_its_verdict_differs(reader, public):
    page = reader(public)
    page.goto(f"{public.url}en/{PAGE}", wait_until="networkidle")
    releases = page.locator(".choose select").last
    assert releases.input_value() == pinned("torch")
    for release in differences.recorded()[-2:]:
        releases.select_option(release)
        cases = verdicts.cases()
        wanted = {case.program.name for case in cases if case.verdict_on(release) != case.verdict}
        assert page.locator("a[data-case]:has(b)").count() >= len(wanted)


def test_the_data_has_every_case_with_its_verdict(public):
    data = json.loads((public.folder / "verdicts.json").read_text(encoding="utf-8"))["cases"]
    there = [(case.program.name, case.backend, case.verdict) for case in verdicts.cases()]
    assert [(one["program"], one["backend"], one["verdicts"][pinned("torch")]) for one in data] == there
