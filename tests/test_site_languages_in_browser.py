"""Finding one's language and changing it, in headless Chromium."""

import pytest
from playwright.sync_api import Page

INNER = "learn/ctx-vs-self/"


@pytest.mark.parametrize(
    ("locale", "lang"), [("zh-CN", "zh"), ("zh-TW", "zh"), ("en-US", "en"), ("fr-FR", "en")]
)
def test_the_root_goes_to_the_language_the_browser_prefers(reader, site, locale, lang):
    page = reader(site, locale=locale)
    page.goto(site.url)
    page.wait_for_url(f"{site.url}{lang}/")


def test_the_root_goes_to_the_language_chosen_last(reader, site):
    page = reader(site, locale="en-US")
    page.goto(f"{site.url}en/")
    choose_language(page, "zh")
    page.wait_for_url(f"{site.url}zh/")
    page.goto(site.url)
    page.wait_for_url(f"{site.url}zh/")


def test_without_script_the_root_is_a_page_with_two_links(reader, site):
    page = reader(site, java_script_enabled=False)
    page.goto(site.url)
    hrefs = [link.get_attribute("href") for link in page.locator("a").all()]
    assert hrefs == [f"{site.base}zh/", f"{site.base}en/"]


def choose_language(page: Page, lang: str) -> None:
    page.locator(".md-header .md-select").hover()
    page.locator(f".md-select__link[hreflang={lang}]").click()


def scheme(page: Page) -> str:
    return page.locator("body").get_attribute("data-md-color-scheme")


def test_switching_language_keeps_page_place_and_dark_mode(reader, site):
    page = reader(site, color_scheme="light")
    page.goto(f"{site.url}zh/", wait_until="networkidle")
    for _ in range(2):  # from "as the system" over light to dark
        page.locator("label.md-header__button[for^=__palette]:visible").click()
    assert scheme(page) == "slate"
    # Instant navigation leaves the header as it was, with the links of the first page.
    page.locator(f".md-content a[href$='{INNER}']").first.click()
    page.wait_for_url(f"{site.url}zh/{INNER}")
    page.locator(".md-sidebar--secondary a[href$='#lifetime']").click()
    page.wait_for_url(f"{site.url}zh/{INNER}#lifetime")
    choose_language(page, "en")
    page.wait_for_url(f"{site.url}en/{INNER}#lifetime")
    assert page.locator("html").get_attribute("lang") == "en"
    assert scheme(page) == "slate"


def test_without_script_the_language_menu_leads_to_the_same_page(reader, site):
    page = reader(site, java_script_enabled=False)
    page.goto(f"{site.url}zh/{INNER}")
    link = page.locator(".md-select__link[hreflang=en]")
    assert link.evaluate("link => link.href") == f"{site.url}en/{INNER}"
