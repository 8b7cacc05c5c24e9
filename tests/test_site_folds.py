"""Lines of a program that an earlier program on the page already has are folded, and nothing is
missing in what is copied."""

import re

import pytest
from playwright.sync_api import expect

from builder.content.paths import LANGUAGES

PAGE = "troubleshooting/silent-mistakes/second-derivative/"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_press_opens_a_fold_and_copying_gets_all_lines(visit, public, lang):
    page = visit(f"{lang}/{PAGE}")
    blocks = page.locator(".highlight:has(.folded)")
    assert public.text(f"{lang}/{PAGE}index.html").count("data-fold=") == blocks.count() > 3
    for block in blocks.all():
        whole = re.sub("⋯.*?(?:lines as before|行)", "", block.locator("code").text_content())
        assert block.evaluate("looks.copied").rstrip() == whole.rstrip()
    hidden, unfold = blocks.first.locator(".folded").first, blocks.first.locator(".unfold")
    assert hidden.bounding_box()["height"] == 0
    unfold.first.click()
    assert hidden.bounding_box()["height"] > 40
    expect(unfold).to_have_count(0)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_program_out_of_sight_has_nearly_the_height_that_it_will_have(visit, lang):
    page = visit(f"{lang}/{PAGE}", size=(360, 780), has_touch=True)
    pairs = page.evaluate("looks.reserved")
    assert any(reserved != height for reserved, height in pairs), "all were laid out"
    assert [pair for pair in pairs if abs(pair[0] - pair[1]) > 12] == []


@pytest.mark.parametrize("width", [360, 1280])
def test_folds_of_other_releases_stand_below_each_other(visit, width):
    """Each is as high as a finger needs."""
    page = visit("zh/learn/saving-tensors/", size=(width, 780))
    pairs = page.locator("details.differs:has(+ details.differs)")
    assert pairs.count() > 0
    for first in pairs.all():
        box, below = first.bounding_box(), first.locator("+ details").bounding_box()
        assert below["y"] - box["y"] >= box["height"] >= 24
