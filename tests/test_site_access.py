"""Accessibility: axe finds nothing on a page of every kind, in the light scheme on a desktop screen
and in the dark scheme on a phone; with EVERY_PAGE (`make axe`) on all pages, each in both schemes
and both widths. A key opens the menu, and the Tab key reaches every control."""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from problems import report

from builder.content import pages
from builder.content.paths import LANGUAGES

KINDS = [
    "en/", "zh/learn/ctx-vs-self/", "en/labs/three-tiers/", "zh/reference/function-base/flags/",
    "en/reference/releases/",
]  # fmt: skip

READY = "() => !document.querySelector('.md-nav .md-nav:not([role=none])')"
"""overrides/assets/handbook.js has run."""

STOP = """() => {
  const stop = document.activeElement
  if (stop === document.body) return null
  const seen = element => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const within = left < right && top < bottom && right > 0 && left < innerWidth
    return within && bottom > 0 && top < innerHeight && getComputedStyle(element).outlineStyle !== "none"
  }
  stop.dataset.reached = ""
  const shown = stop.offsetWidth ? [stop] : [...stop.parentElement.children]
  return {
    html: stop.outerHTML.slice(0, 120),
    seen: shown.some(seen),
    name: stop.ariaLabel || stop.title || stop.innerText?.trim() || stop.labels?.[0]?.innerText,
  }
}"""
NOT_REACHED = """() => [...document.querySelectorAll(":is(a[href], button, [tabindex='0']):not([tabindex='-1'], [data-reached])")]
  .filter(element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map(element => element.outerHTML.slice(0, 120))"""

EVERY_PAGE = bool(os.environ.get("EVERY_PAGE"))
ALL = [f"{lang}/{pages.url(uri, '')}" for lang in LANGUAGES for uri in pages.pages(lang)]
LOOKS = [("light", 1280), ("dark", 360), *([("light", 360), ("dark", 1280)] if EVERY_PAGE else [])]


@pytest.mark.parametrize(("colours", "width"), LOOKS)
def test_axe_finds_nothing(reader, public, colours, width):
    page = reader(public, color_scheme=colours, viewport={"width": width, "height": 900})
    axe = Axe()
    problems = []
    for path in ALL if EVERY_PAGE else KINDS:
        page.goto(public.url + path)
        page.wait_for_function(READY)
        found = axe.run(page).response
        assert found["passes"], "axe has checked nothing"
        problems += [
            f"{path}: {rule['id']}: {rule['help']}: {node['html'][:100]}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]
    scheme = page.locator("body").get_attribute("data-md-color-scheme")
    assert scheme == ("slate" if colours == "dark" else "default")
    report(problems)


def test_the_menu_of_a_phone_opens_by_key(reader, public):
    page = reader(public, viewport={"width": 360, "height": 740})
    page.goto(f"{public.url}en/learn/ctx-vs-self/")
    menu = page.locator(".md-sidebar--primary")
    assert not menu.is_visible(), "the links of a closed menu can be reached by Tab"
    page.locator(".md-header [role=button][tabindex]").press("Enter")
    expect(menu).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 900), (320, 256)], ids=str)
def test_the_tab_key_reaches_everything_and_focus_is_seen(reader, public, size):
    page = reader(public, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page.goto(f"{public.url}zh/learn/double-backward/")
    page.wait_for_function(READY)
    problems = []
    for _ in range(400):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if not stop:
            break
        if not stop["seen"]:
            problems.append(f"focus is not seen: {stop['html']}")
        if not stop["name"]:
            problems.append(f"has no name: {stop['html']}")
    assert not stop, "the Tab key never leaves the page"
    problems += [f"not reached by the Tab key: {html}" for html in page.evaluate(NOT_REACHED)]
    report(problems)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
