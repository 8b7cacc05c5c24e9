"""The built site as a reader meets it in a browser: languages, widths, folded blocks."""

import re

import pytest
from playwright.sync_api import Page, expect
from problems import report

from conftest import Site
from handbook import pages, parts
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
"""Tabs are opened first: what is hidden has no width."""

FOLDED_WORD = """() => {
  let element = document.querySelector("details.exceptions"), above = ""
  const inside = element.textContent.toLowerCase().match(/[a-z]{5,}/g)
  while (!element.matches("h1, h2, h3")) above += (element = element.previousElementSibling).textContent.toLowerCase()
  return [element.id, inside.find(word => !above.includes(word))]
}"""
"""A section with folded exceptions, and a word that only the folded block has."""


@pytest.fixture(scope="session", params=["public", "under_a_path"])
def site(request: pytest.FixtureRequest) -> Site:
    return request.getfixturevalue(request.param)


def choose_language(page: Page, lang: str) -> None:
    page.locator(".md-header .md-select").hover()
    page.locator(f".md-select__link[hreflang={lang}]").click()


def choose_dark(page: Page) -> None:
    for _ in range(2):  # from "as the system" over light to dark
        page.locator("label.md-header__button[for^=__palette]:visible").click()
    assert scheme(page) == "slate"


def scheme(page: Page) -> str:
    return page.locator("body").get_attribute("data-md-color-scheme")


@pytest.mark.parametrize(
    ("locale", "lang"), [("zh-CN", "zh"), ("zh-TW", "zh"), ("en-US", "en"), ("fr-FR", "en")]
)
def test_the_root_goes_to_the_language_the_browser_prefers(reader, site, locale, lang):
    page = reader(site, locale=locale)
    page.goto(site.url)
    page.wait_for_url(f"{site.url}{lang}/")


def test_switching_language_keeps_page_section_and_dark_mode_and_the_root_follows(reader, site):
    page = reader(site, color_scheme="light")
    page.goto(f"{site.url}zh/", wait_until="networkidle")
    choose_dark(page)
    # Instant navigation leaves the header as it was, with the links of the first page.
    page.locator(f".md-content a[href$='{INNER}']").first.click()
    page.wait_for_url(f"{site.url}zh/{INNER}")
    page.locator(".md-sidebar--secondary a[href$='#lifetime']").click()
    page.wait_for_url(f"{site.url}zh/{INNER}#lifetime")
    for lang in ("en", "zh"):
        choose_language(page, lang)
        page.wait_for_url(f"{site.url}{lang}/{INNER}#lifetime")
        assert page.locator("html").get_attribute("lang") == lang
        assert scheme(page) == "slate"
    page.goto(site.url)
    page.wait_for_url(f"{site.url}zh/")


def test_without_javascript_the_root_and_the_language_menu_are_links(reader, site):
    page = reader(site, java_script_enabled=False)
    page.goto(site.url)
    hrefs = [link.get_attribute("href") for link in page.locator("a").all()]
    assert hrefs == [f"{site.base}zh/", f"{site.base}en/"]
    page.goto(f"{site.url}zh/{INNER}")
    link = page.locator(".md-select__link[hreflang=en]")
    assert link.evaluate("link => link.href") == f"{site.url}en/{INNER}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_of_every_kind_and_the_search_work_under_the_policy(reader, public, lang):
    policy = public.headers["Content-Security-Policy"]
    assert "unsafe-inline" not in re.search("script-src [^;]*", policy)[0]
    page = reader(public)
    for path in (
        "", "reference/function-base/flags/", "troubleshooting/errors/ctx/", "learn/questions/",
        "labs/three-tiers/", INNER,
    ):  # fmt: skip
        page.goto(f"{public.url}{lang}/{path}", wait_until="networkidle")
        expect(page.locator("h1")).to_have_count(1)
    page.locator(".controls button").nth(3).click()
    expect(page.locator(".said p")).to_contain_text("16 / 16")
    page.locator("[data-md-component=search-query]").click()
    page.locator("[data-md-component=search-query]").fill("needs_input_grad")
    page.locator("[data-md-component=search-query]").dispatch_event("keyup")
    page.locator(".md-search-result__link").first.click()  # by instant navigation
    expect(page).to_have_url(re.compile(rf"/{lang}/.*\?h="))


def through(page: Page, site: Site, lang: str):
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


def test_on_a_desktop_screen_no_program_and_no_output_is_cut(reader, public):
    """In one language: the programs are the same in both."""
    page = reader(public)
    report(
        f"en/{uri}: wider than its column: {line}"
        for uri in through(page, public, "en")
        for line in page.evaluate(CUT)
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_title_and_all_ten_rules_fit_on_one_screen(reader, public, lang):
    page = reader(public, viewport={"width": 1280, "height": 800})
    page.goto(f"{public.url}{lang}/learn/rules/", wait_until="networkidle")
    rules = page.locator("article > ol").first.locator("li")
    expect(rules).to_have_count(10)
    last = rules.nth(9).bounding_box()
    assert page.locator("h1").bounding_box()["y"] > 0
    assert last["y"] + last["height"] <= 800


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_search_result_in_folded_exceptions_opens_them(reader, public, lang):
    page = reader(public)
    address = f"{public.url}{lang}/{INNER}"
    page.goto(address)
    section, word = page.evaluate(FOLDED_WORD)
    block = page.locator(f"#{section} ~ details.exceptions").first
    for query, is_open in (("", False), (f"?h={word}", True), ("?h=nosuchword", False)):
        page.goto("about:blank")
        page.goto(f"{address}{query}#{section}", wait_until="networkidle")
        assert block.evaluate("block => block.open") == is_open, query


@pytest.mark.parametrize("lang", LANGUAGES)
def test_folded_exceptions_open_in_print_and_without_javascript(reader, public, lang):
    page = reader(public, java_script_enabled=False)
    page.goto(f"{public.url}{lang}/{INNER}")
    bullet = page.locator("details.exceptions li").first
    summary = page.locator("details.exceptions summary").first
    assert not bullet.is_visible()
    summary.click()
    assert bullet.is_visible()
    summary.click()
    page.emulate_media(media="print")
    assert bullet.is_visible()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_answers_and_outputs_are_folded_and_open_in_print(reader, public, lang):
    page = reader(public, viewport={"width": 900, "height": 900}, java_script_enabled=False)
    page.goto(f"{public.url}{lang}/learn/questions/")
    folded = page.locator("article details > :not(summary)")
    programs = parts.programs(pages.pages(lang)["learn/questions.md"].text)
    assert page.locator("article details").count() == 30 + len(programs)
    assert page.locator("article details .filename").count() == len(programs)
    assert not any(part.is_visible() for part in folded.all())
    page.emulate_media(media="print")
    assert all(part.bounding_box()["height"] > 10 for part in folded.all())
