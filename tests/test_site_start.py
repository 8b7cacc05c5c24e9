"""The start page: the picture in steps shows what the recorded run had, and the first pages stand in
one order everywhere. On every page, a phone has its contents."""

import re

import pytest
from playwright.sync_api import expect
from rendered import soup
from sites import DESK, PHONE

from builder.content import pages
from builder.content.paths import LANGUAGES
from builder.publishing import configuration

FIRST = ["learn/ctx-vs-self.md", "learn/first-function.md", "learn/saving-tensors/index.md"]
LAST = ["learn/rules.md", "learn/questions.md"]


def test_the_navigation_leads_through_learn_in_order():
    named = [*pages.navigation(configuration.read("mkdocs.yml")["nav"])]
    assert len({*named}) == len(named), "a page is named twice"
    in_order = [uri for uri in named if uri.startswith("learn/")]
    assert [uri for uri in in_order if uri in FIRST] == FIRST
    assert in_order[0] == FIRST[0] and in_order[-2:] == LAST


@pytest.mark.parametrize("lang", LANGUAGES)
def test_button_and_door_of_the_start_page_have_the_same_order(lang):
    start = pages.pages(lang)["index.md"]
    assert re.search(r"\]\((\S+?)\)\{ \.md-button", start.text)[1] == FIRST[0]
    assert [link["href"] for link in soup(start).select(".doors ol a")] == FIRST


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_picture_steps_through_the_recorded_run(visit, lang):
    page = visit(f"{lang}/")
    stage = page.locator(".stage")
    freed = configuration.read(f"mkdocs.{lang}.yml")["extra"]["player"]["freed"]
    steps = [["3", "", "", ""], ["3", "", "6", ""], ["3", "", "6", "15"]]
    steps.append(["3", "weight.grad = 174", freed, freed])
    for number, values in enumerate([*steps, steps[0]]):
        expect(stage.locator("[data-shows]")).to_have_text(values)
        term, words = (stage.locator(tag).nth(number % len(steps)) for tag in ("dt", "dd"))
        expect(term).to_have_attribute("aria-current", "step")
        expect(stage.locator("[role=status]")).to_have_text(words.text_content())
        stage.locator(".next").press("Enter")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_script_the_picture_shows_the_two_calls(visit, lang):
    stage = visit(f"{lang}/", java_script_enabled=False).locator(".stage")
    expect(stage.locator("[data-shows]")).to_have_text(["3", "", "6", "15"])
    assert all(stage.locator("dt, dd").evaluate_all("looks.heights"))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", ["cookbook", "labs", "learn/saving-tensors", "reference/function"])
def test_a_phone_has_the_contents_of_every_page(visit, lang, path):
    page = visit(f"{lang}/{path}/", size=PHONE)
    contents = page.locator("h1 + details.contents")
    contents.locator("summary").click()
    expect(contents.locator("li").first).to_be_visible()
    expect(contents.locator("li")).to_have_count(page.locator("article > h2").count())
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    expect(contents).to_be_hidden()
