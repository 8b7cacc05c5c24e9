"""The start page: the picture in steps shows what the recorded run had, and the first pages stand in
one order everywhere. On every page, a phone has its contents."""

import re

import pytest
from playwright.sync_api import expect

from builder.content import pages
from builder.content.paths import LANGUAGES

FIRST = ["learn/ctx-vs-self.md", "learn/first-function.md", "learn/saving-tensors/index.md"]
LAST = ["learn/rules.md", "learn/questions.md"]
VALUES = "places => places.map(place => place.textContent)"


def test_start_page_navigation_and_button_have_one_order():
    in_order = [uri for uri in pages.navigation() if uri.startswith("learn/")]
    assert [uri for uri in in_order if uri in FIRST] == FIRST
    assert in_order[0] == FIRST[0] and in_order[-2:] == LAST
    for lang in LANGUAGES:
        start = pages.pages(lang)["index.md"]
        button, *_ = re.findall(r"\]\((\S+?)\)\{ \.md-button", start.path.read_text("utf-8"))
        door = start.soup.select_one(".doors ol")
        assert button == FIRST[0]
        assert [link["href"] for link in door("a")] == FIRST


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_picture_steps_through_the_recorded_run(reader, public, lang):
    page = reader(public)
    page.goto(f"{public.url}{lang}/", wait_until="networkidle")
    stage = page.locator(".stage")
    places, following = stage.locator("[data-shows]"), stage.locator(".next")
    freed = pages.config(lang).extra["player"]["freed"]
    expected = [
        ["3", "", "", ""],
        ["3", "", "6", ""],
        ["3", "", "6", "15"],
        ["3", "weight.grad = 174", freed, freed],
    ]
    for number, values in enumerate(expected):
        assert places.evaluate_all(VALUES) == values
        expect(stage.locator("dt[aria-current]")).to_have_text(
            stage.locator("dt").nth(number).inner_text()
        )
        expect(stage.locator("[role=status]")).to_have_text(
            stage.locator("dd").nth(number).text_content()
        )
        following.focus()
        page.keyboard.press("Enter")
    assert places.evaluate_all(VALUES) == expected[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_script_the_picture_shows_the_two_calls(reader, public, lang):
    page = reader(public, java_script_enabled=False)
    page.goto(f"{public.url}{lang}/")
    assert page.locator(".stage [data-shows]").evaluate_all(VALUES) == ["3", "", "6", "15"]
    for line in page.locator(".stage :is(dt, dd)").all():
        expect(line).to_be_visible()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_has_the_contents_of_every_page(reader, public, lang):
    page = reader(public, viewport={"width": 360, "height": 780})
    for uri in ("cookbook/", "labs/", "learn/saving-tensors/", "reference/function/"):
        page.goto(f"{public.url}{lang}/{uri}")
        contents = page.locator("h1 + details.contents")
        contents.locator("summary").click()
        expect(contents.locator("li").first).to_be_visible()
        expect(contents.locator("li")).to_have_count(page.locator("article > h2").count())
    page.set_viewport_size({"width": 1280, "height": 780})
    expect(contents).to_be_hidden()
