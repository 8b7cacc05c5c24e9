"""Every listed address answers in the built site: on its page, or on one that leads on."""

import pytest
from bs4 import BeautifulSoup
from documents import document
from mkdocs.utils import get_relative_url
from playwright.sync_api import expect
from problems import report

from handbook import addresses
from handbook.places import LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_address_answers(public, lang):
    problems = []
    for address in addresses.listed():
        url, _, identifier = address.partition("#")
        file = public.folder / lang / url / "index.html"
        if not file.exists() or identifier not in {"", *document(file).ids}:
            problems.append(f"docs/addresses.txt:1: {lang}/{address} does not answer")
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_moved_is_linked_from_where_it_was(public, lang):
    for page, moved in addresses.moved().items():
        text = (public.folder / lang / page / "index.html").read_text(encoding="utf-8")
        soup = BeautifulSoup(text, "html.parser")
        for identifier, new in moved.items():
            link = soup.select_one(f".moved[id='{identifier}'] a")
            assert link["href"] == get_relative_url(new, page), f"{lang}/{page}#{identifier}"


@pytest.mark.parametrize(
    ("anchor", "end"), [("", "learn/ctx-vs-self/"), ("#b", "learn/ctx-vs-self/#one-call")]
)
def test_a_page_that_is_gone_leads_on(reader, public, anchor, end):
    moved = {"": "learn/ctx-vs-self/", "b": "learn/ctx-vs-self/#one-call"}
    text = addresses.gone("learn/gone/", moved, "en", "Moved to {address}")
    page = reader(public)
    gone = f"{public.url}en/learn/gone/"
    page.route(gone, lambda route: route.fulfill(body=text, content_type="text/html"))
    page.goto(gone + anchor)
    expect(page).to_have_url(f"{public.url}en/{end}")
    assert 'content="noindex"' in text
