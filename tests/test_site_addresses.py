"""An address that others may link to stays, or docs/addresses.txt says where it moved. Each answers
in the built site: on its page, or on one that leads on."""

import pytest
from bs4 import BeautifulSoup
from documents import document
from mkdocs.utils import get_relative_url
from playwright.sync_api import expect
from problems import report

from handbook import addresses
from handbook.addresses import FILE
from handbook.places import LANGUAGES, shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_address_is_listed_and_what_is_listed_is_there(lang):
    there, published = {*addresses.there(lang)}, addresses.published()
    problems = [f"{new} is new; make record ONLY=index" for new in there - {*addresses.listed()}]
    problems += [
        f"{address} is on main; add it again, as `{address} -> new` if it moved"
        for address in published - addresses.listed().keys()
    ]
    for old, new in addresses.listed().items():
        if new != old and (old in there or new not in there):
            problems.append(f"{old} -> {new} is wrong; correct or delete it")
        elif new not in there:
            remedy = "write `old -> new`" if old in published else "make record ONLY=index"
            problems.append(f"{old} is gone; {remedy}")
    report(f"{shown(FILE)}:1: docs/{lang}: {problem}" for problem in sorted(problems))


def test_only_an_address_that_is_not_published_is_removed(tmp_path, monkeypatch):
    file = tmp_path / "addresses.txt"
    monkeypatch.setattr(addresses, "FILE", file)
    monkeypatch.setattr(addresses, "shown", lambda path: path.name)
    file.write_text("a/\nb/\nc/ -> learn/\nlearn/\n", encoding="utf-8")
    monkeypatch.setattr(addresses, "there", lambda lang: ["learn/", "learn/#new"])
    monkeypatch.setattr(addresses, "published", lambda: {"a/", "c/"})
    addresses.update()
    assert file.read_text("utf-8") == "a/\nc/ -> learn/\nlearn/\nlearn/#new\n"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_address_answers_and_one_that_moved_links_to_where_it_is(public, lang):
    problems = []
    for address in addresses.listed():
        url, _, identifier = address.partition("#")
        file = public.folder / lang / url / "index.html"
        if not file.exists() or identifier not in {"", *document(file).ids}:
            problems.append(f"docs/addresses.txt:1: {lang}/{address} does not answer")
    report(problems)
    for page, moved in addresses.moved().items():
        text = (public.folder / lang / page / "index.html").read_text(encoding="utf-8")
        soup = BeautifulSoup(text, "html.parser")
        for identifier, new in moved.items():
            link = soup.select_one(f".moved[id='{identifier}'] a")
            assert link["href"] == get_relative_url(new, page), f"{lang}/{page}#{identifier}"


def test_a_page_that_is_gone_leads_on(reader, public):
    moved = {"": "learn/ctx-vs-self/", "b": "learn/ctx-vs-self/#one-call"}
    text = addresses.gone("learn/gone/", moved, "en", "Moved to {address}")
    assert 'content="noindex"' in text
    page = reader(public)
    gone = f"{public.url}en/learn/gone/"
    page.route(gone, lambda route: route.fulfill(body=text, content_type="text/html"))
    for anchor, new in moved.items():
        page.goto(f"{gone}#{anchor}" if anchor else gone)
        expect(page).to_have_url(f"{public.url}en/{new}")
