"""The answers of the page of questions are folded, and so are the outputs of its programs; in
print all are open, without JavaScript too."""

import pytest

from handbook import pages, parts
from handbook.places import LANGUAGES


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
