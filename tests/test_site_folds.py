"""Lines of a program that an earlier program on the page already has are folded, and nothing is
missing: not in what is copied, not without JavaScript, not where the lines are marked."""

import re

import pytest
from playwright.sync_api import expect

from builder.content.paths import LANGUAGES
from builder.publishing.composed_page import folds

PAGE = "troubleshooting/errors/backward/"
COPIED = """block => {
    const code = block.querySelector("code")
    code.setAttribute("data-md-copying", "")
    const copied = code.innerText
    code.removeAttribute("data-md-copying")
    return copied
}"""

RESERVED = """() => {
    const blocks = [...document.querySelectorAll("code[style*=lines]")]
    const heights = () => blocks.map(block => block.getBoundingClientRect().height)
    const reserved = heights()
    for (const block of blocks) block.style.contentVisibility = "visible"
    return heights().map((height, n) => [reserved[n], height])
}"""

FIRST = "import torch\n\n\nclass A:\n    def f(x):\n        return x\n\n\nprint(A)\n"


def test_a_run_of_three_lines_is_folded_and_a_shorter_one_is_not():
    seen = {line for line in FIRST.split("\n") if line.strip()}
    assert folds(FIRST.replace("print(A)", "print(2)"), [], seen) == [(1, 6)]
    assert folds("import torch\nclass A:\nprint(2)\n", [], seen) == []


def test_a_marked_line_and_the_definitions_around_a_shown_line_are_not_folded():
    seen = {line for line in FIRST.split("\n") if line.strip()}
    assert folds(FIRST, [6], seen) == []
    program = FIRST.replace("return x", "y = x\n        return y")
    assert folds(program + "a\nb\nc\n", [], seen | {"a", "b", "c"}) == [(10, 13)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_press_opens_a_fold_and_copying_gets_all_lines(public, reader, lang):
    page = reader(public, viewport={"width": 1280, "height": 900})
    page.goto(f"{public.url}{lang}/{PAGE}", wait_until="networkidle")
    blocks = page.locator(".highlight:has(.folded)")
    assert blocks.count() > 3
    html = (public.folder / lang / PAGE / "index.html").read_text(encoding="utf-8")
    assert html.count("data-fold=") == blocks.count()
    for number in range(blocks.count()):
        block = blocks.nth(number)
        whole = re.sub("⋯.*?(?:lines as before|行)", "", block.locator("code").text_content())
        assert block.evaluate(COPIED).rstrip() == whole.rstrip()
    hidden = blocks.first.locator(".folded").first
    assert hidden.evaluate("it => it.getBoundingClientRect().height") == 0
    blocks.first.locator(".unfold").first.click()
    assert hidden.evaluate("it => it.getBoundingClientRect().height") > 40
    expect(blocks.first.locator(".unfold")).to_have_count(0)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_program_out_of_sight_has_nearly_the_height_that_it_will_have(public, reader, lang):
    page = reader(public, viewport={"width": 360, "height": 780}, has_touch=True)
    page.goto(f"{public.url}{lang}/{PAGE}", wait_until="networkidle")
    pairs = page.evaluate(RESERVED)
    assert any(reserved != height for reserved, height in pairs), "all were laid out"
    assert [pair for pair in pairs if abs(pair[0] - pair[1]) > 12] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_javascript_nothing_is_folded(public, reader, lang):
    page = reader(public, java_script_enabled=False)
    page.goto(f"{public.url}{lang}/{PAGE}")
    assert page.locator(".unfold, .folded").count() == 0
