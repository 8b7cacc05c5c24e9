"""The built site as a reader meets it, in headless Chromium."""

from __future__ import annotations

import re

import pages
import pytest
from playwright.sync_api import expect

from conftest import UNDER_A_PATH

pytestmark = pytest.mark.parametrize("site", [UNDER_A_PATH], ids=["under-a-path"], indirect=True)

INNER = "learn/ctx-vs-self/"


@pytest.mark.parametrize("lang", pages.LANGUAGES)
def test_the_start_page_and_an_inner_page_load_without_complaint(reader, site, lang):
    page = reader()
    for path in ("", INNER):
        page.goto(f"{site.url}{lang}/{path}", wait_until="networkidle")
        expect(page.locator("h1")).to_have_count(1)


@pytest.mark.parametrize(
    ("lang", "words", "other"),
    [
        ("zh", "静态方法", "en"),
        ("en", "static method", "zh"),
        ("zh", "symints", "en"),
        ("en", "symints", "zh"),
    ],
)
def test_search_finds_pages_of_its_own_language(reader, site, lang, words, other):
    page = reader(viewport={"width": 1280, "height": 900})
    page.goto(f"{site.url}{lang}/", wait_until="networkidle")
    box = page.locator("[data-md-component=search-query]")
    box.click()
    box.fill(words)
    box.dispatch_event("keyup")
    results = page.locator(".md-search-result__link")
    results.first.wait_for()
    addresses = [link.evaluate("link => link.href") for link in results.all()]
    assert all(address.startswith(f"{site.url}{lang}/") for address in addresses), addresses
    marked = page.locator(".md-search-result mark").all_inner_texts()
    assert any(part in words for part in map(str.lower, marked)), marked


def test_nothing_scrolls_sideways_on_a_phone(reader, site):
    page = reader(viewport={"width": 360, "height": 740})
    too_wide = []
    for path in ("", *page_paths()):
        page.goto(site.url + path)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 360:
            too_wide.append(f"{path or '/'}: {width} px")
    assert not too_wide, "wider than 360 px:\n" + "\n".join(too_wide)


def page_paths() -> list[str]:
    return [
        f"{page.lang}/" + re.sub(r"(^|/)index\.md$", r"\1", page.uri).replace(".md", "/")
        for page in pages.all_pages()
    ]


CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true})
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
  const over = (top, under) => top.map((v, i) => i < 3 ? v * top[3] / 255 + under[i] * (1 - top[3] / 255) : 255)
  const background = element => {
    const layers = []
    for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor))
    return layers.reverse().reduce((under, top) => over(top, under), rgba("white"))
  }
  const poor = new Set()
  for (const element of document.querySelectorAll("article *, .md-header *, .md-tabs *, .md-footer *")) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.data.trim())
    if (!own || !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue
    if (element.closest(".headerlink, .md-clipboard, svg")) continue
    const back = background(element)
    const [a, b] = [luminance(over(rgba(getComputedStyle(element).color), back)), luminance(back)].sort((x, y) => y - x)
    const ratio = (a + 0.05) / (b + 0.05)
    if (ratio < 4.5) poor.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}: ${element.textContent.trim().slice(0, 30)}`)
  }
  return [...poor].slice(0, 20)
}"""


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_text_stands_out_from_its_background(reader, site, colours):
    page = reader(color_scheme=colours, viewport={"width": 1280, "height": 900})
    for lang in pages.LANGUAGES:
        page.goto(f"{site.url}{lang}/{INNER}")
        scheme = page.locator("body").get_attribute("data-md-color-scheme")
        assert scheme == ("slate" if colours == "dark" else "default")
        assert not page.evaluate(CONTRAST), "contrast under 4.5 (WCAG AA)"
