"""Accessibility: axe finds nothing on a page of every kind, in the light scheme on a desktop screen
and in the dark scheme on a phone; with EVERY_PAGE (`make axe`) on all pages, each in both schemes
and both widths. A key opens the menu, and the Tab key reaches every control."""

import os

import pytest
from browsing import axe_problems, scheme
from playwright.sync_api import expect
from problems import report
from sites import DESK, PHONE

from builder.content import pages
from builder.content.paths import LANGUAGES

KINDS = [
    "404.html", "en/404.html", "en/", "zh/learn/ctx-vs-self/", "en/labs/three-tiers/",
    "zh/reference/function-base/flags/", "en/reference/releases/",
]  # fmt: skip

EVERY_PAGE = bool(os.environ.get("EVERY_PAGE"))
ALL = [f"{lang}/{pages.url(uri, '')}" for lang in LANGUAGES for uri in pages.pages(lang)]
LOOKS = [("light", DESK), ("dark", PHONE)]
LOOKS += [("light", PHONE), ("dark", DESK)] if EVERY_PAGE else []


@pytest.mark.parametrize(("colours", "size"), LOOKS)
def test_axe_finds_nothing(visit, public, colours, size):
    page = visit("", color_scheme=colours, size=size)
    problems = []
    for path in ALL if EVERY_PAGE else KINDS:
        page.goto(public.url + path)
        page.wait_for_function("looks.ready")
        problems += [f"{path}: {problem}" for problem in axe_problems(page)]
    assert scheme(page) == ("slate" if colours == "dark" else "default")
    report(problems)


def test_the_menu_of_a_phone_opens_by_key(visit):
    page = visit("en/learn/ctx-vs-self/", size=PHONE)
    menu = page.locator(".md-sidebar--primary")
    assert not menu.is_visible(), "the links of a closed menu can be reached by Tab"
    page.locator(".md-header [role=button][tabindex]").press("Enter")
    expect(menu).to_be_visible()


@pytest.mark.parametrize("size", [DESK, (320, 256)], ids=str)
def test_the_tab_key_reaches_everything_and_focus_is_seen(visit, size):
    page = visit("zh/learn/double-backward/", size=size, reduced_motion="reduce")
    page.wait_for_function("looks.ready")
    problems = []
    for _ in range(400):
        page.keyboard.press("Tab")
        stop = page.evaluate("looks.stop")
        if not stop:
            break
        if not stop["seen"]:
            problems.append(f"focus is not seen: {stop['html']}")
        if not stop["name"]:
            problems.append(f"has no name: {stop['html']}")
    assert not stop, "the Tab key never leaves the page"
    problems += [
        f"not reached by the Tab key: {html}" for html in page.evaluate("looks.notReached")
    ]
    report(problems)
    assert page.evaluate("looks.width") <= size[0]
