"""A pasted message is answered with its section, and a page of errors keeps its programs folded
until someone comes for one of them."""

import json

import pytest
from playwright.sync_api import Page, expect

from builder.content import pages
from builder.content.parts import Heading, Include
from builder.content.paths import LANGUAGES
from builder.publishing import error_pages

LIST = "troubleshooting/errors/"
PASTE = """async text => {
  const field = document.getElementById("paste")
  field.focus()
  field.value = text
  field.dispatchEvent(new Event("input"))
  for (let wait = 0; wait < 400 && !self.ERRORS; wait++) await new Promise(r => setTimeout(r, 5))
  await new Promise(r => setTimeout(r))
  return [...document.querySelectorAll(".paste output a[href*='#']")].map(link => link.hash.slice(1))
}"""


def answers(page: Page, text: str) -> list[str]:
    """The sections that the field answers a text with, the nearest first."""
    page.locator("#paste").wait_for()
    return page.evaluate(PASTE, text)


def outputs(lang: str) -> dict[str, str]:
    """What the first program of each section of the error pages prints, by the section's id. The
    program about CUDA's message prints that of the CPU."""
    printed = {
        "cuda-out-of-memory": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate"
    }
    for page in filter(error_pages.is_one, pages.pages(lang).values()):
        section = ""
        for part in page.parts:
            if isinstance(part, Heading):
                section = part.id if part.level == 2 else section
            elif isinstance(part, Include) and part.program and part.program.shows_error:
                printed.setdefault(section, part.program.output)
    return printed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_program_prints_is_answered_with_its_section(reader, public, lang):
    page = reader(public, viewport={"width": 360, "height": 780})
    page.goto(f"{public.url}{lang}/{LIST}", wait_until="networkidle")
    missed = []
    for section, output in outputs(lang).items():
        shown = answers(page, f"Traceback (most recent call last):\n  File x\n{output}")
        if section not in shown:
            missed.append(f"#{section}: {shown} for {output[:80]!r}")
    assert not missed, "\n".join(missed)


@pytest.mark.parametrize(("place", "lang"), [(LIST, "en"), ("", "zh")])
def test_the_answer_has_cause_and_change_and_the_search_is_offered(reader, public, place, lang):
    page = reader(public)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{public.url}{lang}/{place}", wait_until="networkidle")
    assert not any("errors.js" in url for url in asked), "the data came before it was needed"
    assert answers(page, "leaf variable that requ") == ["leaf-in-place"]
    assert answers(page, "ValueError: too many values to unpack (expected 1)")
    assert answers(page, "returned an incorrect number of gradients (expected 7, got 2)")
    card = page.locator(".answer-card")
    errors = json.loads((public.folder / lang / "errors.json").read_text(encoding="utf-8"))
    (error,) = (one for one in errors["errors"] if one["url"].endswith("#wrong-number"))
    expect(card.locator(".message")).to_have_text(error["message"])
    expect(card.locator("del")).to_have_text([f"- {line}" for line in error["before"]])
    expect(card.locator("ins")).to_have_text([f"+ {line}" for line in error["after"]])
    assert answers(page, "RuntimeError: no such message at all") == []
    page.locator(".paste output a").click()
    expect(page.locator("[data-md-component=search-query]")).to_have_value("no such message at all")
    expect(page.locator(".md-search-result__meta")).not_to_be_empty()
    assert answers(page, "") == []


def test_in_the_archive_the_field_answers_too(reader, unpacked):
    page = reader(unpacked)
    page.goto((unpacked.folder / "zh" / LIST / "index.html").as_uri())
    assert answers(page, "leaf variable that requ") == ["leaf-in-place"]
    page.locator(".answer-card p:last-child a").click()
    page.wait_for_url("**/calling.html#leaf-in-place")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_script_there_is_no_field_and_everything_can_be_opened(reader, public, lang):
    page = reader(public, java_script_enabled=False)
    page.goto(f"{public.url}{lang}/{LIST}")
    expect(page.locator(".paste")).to_be_hidden()
    expect(page.locator("li > .message").first).to_be_visible()
    page.goto(f"{public.url}{lang}/{LIST}backward/")
    program = page.locator("details.programs .language-python").first
    expect(program).to_be_hidden()
    page.locator("details.programs > summary").first.click()
    expect(program).to_be_visible()


def test_an_address_opens_its_programs_and_paper_has_all(reader, public):
    page = reader(public)
    page.goto(f"{public.url}en/{LIST}backward/#wrong-number", wait_until="networkidle")
    opened = "details => details.filter(one => one.open).map(one => one.previousElementSibling.textContent)"
    blocks = page.locator("details.programs")
    assert len(blocks.evaluate_all(opened)) == 1
    expect(page.locator("#wrong-number ~ details").first).to_have_attribute("open", "")
    page.evaluate("location.hash = 'no-backward'")
    expect(page.locator("#no-backward ~ details").first).to_have_attribute("open", "")
    page.emulate_media(media="print")
    page.wait_for_function(
        "[...document.querySelectorAll('details.programs .language-python')]"
        ".every(program => program.offsetHeight > 40)"
    )
