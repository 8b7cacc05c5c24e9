"""The player shows the recorded steps by key."""

import pytest
from browsing import axe_problems
from playwright.sync_api import expect
from problems import report
from sites import DESK, PHONE

from builder.content import pages
from builder.content.parts import RECORDED
from builder.content.paths import LANGUAGES

PAGES = sorted(uri for uri, page in pages.pages("en").items() if RECORDED in page.text)
STEPS = {
    1: {"line": 27, "rows": [["torch.is_grad_enabled()", "True"]], "nodes": 0, "output": ""},
    4: {
        "line": 18,
        "waiting": [30],
        "changed": ["needs_input_grad", "ctx", "x", "torch.is_grad_enabled()"],
        "nodes": 2,
    },
    6: {"line": 20, "changed": ["return"]},
    8: {"line": 31, "waiting": [], "changed": ["x", "x", "x._version"], "nodes": 4},
    12: {"line": 34, "changed": [], "output": "SquareAttribute got: 60.0 right: 6.0\n"},
    19: {
        "line": 30,
        "changed": ["is y.grad_fn", "to_save", "saved_tensors", "y", "torch.is_grad_enabled()"],
    },
    22: {"line": 12, "waiting": [33], "changed": ["raise"]},
}
"""Some of what the first player of learn/saving-tensors shows, by step."""


@pytest.mark.parametrize(("colours", "size"), [("light", DESK), ("dark", PHONE)])
def test_by_key_the_player_shows_the_recorded_steps(visit, colours, size):
    page = visit("en/learn/saving-tensors/", color_scheme=colours, size=size)
    player = page.locator(".player").first
    player.locator(".controls button").nth(2).focus()
    for number in range(1, 1 + max(STEPS)):
        shown, expected = player.evaluate("looks.player"), STEPS.get(number, {})
        assert {key: shown[key] for key in expected} == expected, f"step {number}"
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert player.evaluate("looks.player")["line"] == STEPS[1]["line"]
    assert page.evaluate("looks.width") <= size[0]
    report(axe_problems(page))


def test_the_player_of_the_start_page_begins_at_the_first_forward(visit):
    player = visit("en/").locator(".player").first
    expect(player.locator(".said p code")).to_have_text("def forward(self, x):")
    player.locator(".controls button").first.click()
    expect(player.locator(".said p code")).to_have_text("def __init__(self):")


def test_the_address_of_a_step_leads_to_it(visit):
    page = visit("zh/learn/ctx-vs-self/#steps-a-new-ctx-per-call-7")
    player = page.locator(".player")
    expect(player.locator(".said p")).to_contain_text("7 / 16")
    player.locator(".controls button").nth(3).click()
    player.locator(".address").click()
    assert page.url.endswith("#steps-a-new-ctx-per-call-16")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_player_shows_all_at_one_height_and_on_the_screen_of_a_phone(visit, public, lang, size):
    page = visit(f"{lang}/glossary/", size=size)
    problems = []
    for uri in PAGES:  # from page to page as instant navigation brings them
        page.evaluate("looks.follow", f"{public.url}{lang}/{pages.url(uri, '')}")
        expect(page.locator(".player .panel").last).to_be_visible()
        problems += [
            f"{lang}/{uri}: {problem}"
            for problem in page.evaluate("looks.playThrough")
            if size == PHONE or "height changes" in problem or "remark" in problem
        ]
    report(problems)
    assert PAGES
