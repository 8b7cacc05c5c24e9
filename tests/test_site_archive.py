"""The archive, unpacked and read from a folder on disk by a browser without a network."""

import os

import pytest
from browsing import choose_dark, choose_language, scheme
from playwright.sync_api import expect

from builder.content.paths import LANGUAGES

RESULT = ".md-search-result__link"
FOUND = "learn/static-methods.html"


@pytest.mark.parametrize(
    ("lang", "other", "words"), [("zh", "en", "静态方法"), ("en", "zh", "static method")]
)
def test_from_the_start_page_by_search_to_the_other_language(visit, unpacked, lang, other, words):
    page, url = visit("index.html", unpacked, locale=lang, color_scheme="light"), unpacked.url
    page.wait_for_url(f"{url}{lang}/index.html")
    choose_dark(page)

    box = page.locator("[data-md-component=search-query]")
    box.click()
    box.fill(words)
    box.dispatch_event("keyup")
    link = page.locator(f"{RESULT}[href*='{FOUND}']").first
    expect(link).to_be_visible()
    addresses = page.locator(RESULT).evaluate_all("links => links.map(link => link.href)")
    assert all(address.startswith(f"{url}{lang}") for address in addresses), addresses
    link.click()
    page.wait_for_url(f"{url}{lang}/{FOUND}?*")
    expect(page.locator("article mark").first).to_be_visible()

    choose_language(page, other)
    page.wait_for_url(f"{url}{other}/{FOUND}*")
    assert page.locator("html").get_attribute("lang") == other
    assert scheme(page) == "slate"
    page.goto(f"{url}index.html")
    page.wait_for_url(f"{url}{other}/index.html")


def test_a_program_plays_to_its_last_step(visit, unpacked):
    page = visit("zh/learn/ctx-vs-self.html", unpacked)
    page.locator(".controls button").nth(3).click()
    expect(page.locator(".said p")).to_contain_text("16 / 16")


def test_about_leads_to_the_archive_where_the_site_has_it(public, under_a_path):
    link = '<a href="../../site.zip" download><code>site.zip</code></a>'
    for site, offered in ((public, bool(os.environ.get("ARCHIVE"))), (under_a_path, True)):
        assert (site.folder / "site.zip").exists() == offered
        for lang in LANGUAGES:
            about = site.text(f"{lang}/about/index.html")
            assert "<code>site.zip</code>" in about
            assert (link in about) == offered, f"{lang}/about"
