"""The built site as a reader meets it, in headless Chromium."""

import pytest
from playwright.sync_api import expect
from problems import report

from handbook import pages
from handbook.places import LANGUAGES

INNER = "learn/ctx-vs-self/"
FOLLOW_A_LINK = """async address => {
  const title = document.querySelector("article h1")
  const link = document.body.appendChild(document.createElement("a"))
  link.href = address
  link.click()
  link.remove()
  for (let wait = 0; wait < 1000 && title.isConnected; wait++) await new Promise(r => setTimeout(r, 5))
  await new Promise(r => requestAnimationFrame(() => setTimeout(r)))
}"""

SMALL_LETTERS = """() => [...document.querySelectorAll(".picture svg :is(text, tspan)")].map(
  letters => [letters.getScreenCTM(), letters]).map(
  ([m, letters]) => [parseFloat(getComputedStyle(letters).fontSize) * Math.hypot(m.a, m.b), letters]
).filter(([size]) => size < 11).map(([size, letters]) => `${letters.textContent}, ${size} px`)"""

CUT = """() => {
  for (const block of document.querySelectorAll(".tabbed-block")) block.style.display = "block"
  return [...document.querySelectorAll("pre > code")]
    .filter(code => code.scrollWidth > code.clientWidth)
    .map(code => code.textContent.split("\\n").sort((a, b) => b.length - a.length)[0])
}"""
"""What stands in tabs is shown first: what is hidden has no width."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_start_page_and_an_inner_page_load_without_complaint(reader, public, lang):
    page = reader(public)
    for path in ("", INNER):
        page.goto(f"{public.url}{lang}/{path}", wait_until="networkidle")
        expect(page.locator("h1")).to_have_count(1)


@pytest.mark.parametrize(
    ("lang", "words", "page_found"),
    [
        ("zh", "静态方法", "learn/static-methods/"),
        ("en", "static method", "learn/static-methods/"),
        ("zh", "symints", "reference/function-base/compiler/"),
        ("en", "symints", "reference/function-base/compiler/"),
    ],
)
def test_search_finds_pages_of_its_own_language(reader, public, lang, words, page_found):
    """A part of a name, too, whose whole is not marked."""
    page = reader(public, viewport={"width": 1280, "height": 900})
    page.goto(f"{public.url}{lang}/", wait_until="networkidle")
    box = page.locator("[data-md-component=search-query]")
    box.click()
    box.fill(words)
    box.dispatch_event("keyup")
    results = page.locator(".md-search-result__link")
    results.first.wait_for()
    addresses = [link.evaluate("link => link.href") for link in results.all()]
    assert all(address.startswith(f"{public.url}{lang}/") for address in addresses), addresses
    there = f"{public.url}{lang}/{page_found}"
    assert any(address.startswith(there) for address in addresses), addresses
    marked = page.locator(".md-search-result mark").all_inner_texts()
    assert words == "symints" or any(part in words for part in map(str.lower, marked)), marked


def through(page, site, lang):
    """Goes from page to page as a reader does, by links, which is a tenth of loading each."""
    page.goto(f"{site.url}{lang}/", wait_until="networkidle")
    for uri in sorted(pages.pages(lang), key=lambda uri: uri != "index.md"):
        address = f"{site.url}{lang}/{pages.url(uri, '')}"
        if uri != "index.md":
            page.evaluate(FOLLOW_A_LINK, address)
        assert page.url == address
        yield uri


@pytest.mark.parametrize("lang", LANGUAGES)
def test_on_a_phone_nothing_scrolls_sideways_and_letters_in_pictures_are_read(reader, public, lang):
    page = reader(public, viewport={"width": 360, "height": 740})
    problems = []
    for uri in through(page, public, lang):
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 360:
            problems.append(f"{lang}/{uri}: {width} px, wider than 360 px")
        small = page.evaluate(SMALL_LETTERS)
        problems += [f"{lang}/{uri}: in a picture, smaller than 11 px: {one}" for one in small]
    report(problems)


def test_on_a_desk_no_program_and_no_output_is_cut(reader, public):
    """In one language: the programs are the same in both."""
    page = reader(public, viewport={"width": 1280, "height": 900})
    problems = []
    for uri in through(page, public, "en"):
        cut = page.evaluate(CUT)
        problems += [f"en/{uri}: wider than its column: {line}" for line in cut]
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_title_and_all_ten_rules_fit_on_one_screen(reader, public, lang):
    page = reader(public, viewport={"width": 1280, "height": 800})
    page.goto(f"{public.url}{lang}/learn/rules/", wait_until="networkidle")
    rules = page.locator("article > ol").first.locator("li")
    expect(rules).to_have_count(10)
    last = rules.nth(9).bounding_box()
    assert page.locator("h1").bounding_box()["y"] > 0
    assert last["y"] + last["height"] <= 800
