"""Every kind of page works under the Content-Security-Policy that the build writes."""

import base64
import hashlib
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from handbook.places import LANGUAGES

INLINE = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)


@pytest.fixture
def under_policy(reader, public):
    """Opens a tab on the site as a host serves it that sends what _headers says."""
    text = (public.folder / "_headers").read_text(encoding="utf-8")
    headers = dict(re.findall(r"^  ([\w-]+): (.*)$", text, re.MULTILINE))
    assert (
        "unsafe-inline" not in re.search("script-src [^;]*", headers["Content-Security-Policy"])[0]
    )

    def answer(route) -> None:
        file = public.file(urlsplit(route.request.url).path)
        route.fulfill(path=file, headers=headers)

    page = reader(public, viewport={"width": 1280, "height": 900})
    page.route(f"{public.url}**", answer)
    return page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_search_labs_and_players_work_under_the_policy(under_policy, public, lang):
    page = under_policy
    for path in (
        "reference/function-base/flags/",
        "troubleshooting/errors/ctx/",
        "learn/questions/",
        "labs/three-tiers/",
    ):
        page.goto(f"{public.url}{lang}/{path}", wait_until="networkidle")
        expect(page.locator("h1")).to_have_count(1)
    page.goto(f"{public.url}{lang}/learn/ctx-vs-self/")
    page.locator(".controls button").nth(3).click()
    expect(page.locator(".said p")).to_contain_text("16 / 16")
    page.locator("[data-md-component=search-query]").click()
    page.locator("[data-md-component=search-query]").fill("needs_input_grad")
    page.locator("[data-md-component=search-query]").dispatch_event("keyup")
    page.locator(".md-search-result__link").first.click()  # by instant navigation
    expect(page).to_have_url(re.compile(rf"/{lang}/.*\?h="))


def test_every_script_that_is_written_in_a_page_may_run(public):
    policy = (public.folder / "_headers").read_text(encoding="utf-8")
    found = set()
    for file in public.html():
        for attributes, text in INLINE.findall(file.read_text(encoding="utf-8")):
            if "src=" in attributes or "application/" in attributes:
                continue
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy, f"{file}: {text[:60]!r}"
            found.add(digest)
    assert found


def test_the_root_leads_to_a_language_and_the_missing_page_to_both(under_policy, public):
    under_policy.goto(public.url)
    expect(under_policy).to_have_url(f"{public.url}en/")
    under_policy.goto(f"{public.url}404.html")
    under_policy.locator("a[hreflang=zh]").click()
    expect(under_policy).to_have_url(f"{public.url}zh/")
