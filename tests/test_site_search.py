"""Each language's search knows its own pages, and no others, by words that are whole."""

import json

import pytest

from handbook import pages
from handbook.places import LANGUAGES, ROOT


def entries(site, lang: str) -> list[dict]:
    path = site.folder / lang / "search" / "search_index.json"
    return json.loads(path.read_text(encoding="utf-8"))["docs"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_search_index_holds_the_pages_of_its_language_only(public, lang):
    found = entries(public, lang)
    indexed = {entry["location"].partition("#")[0] for entry in found}
    assert indexed == {pages.url(uri, "") for uri in pages.pages(lang)}
    chinese = [entry for entry in found if "的" in entry["text"]]
    if lang == "en":
        assert all("glossary" in entry["location"] for entry in chinese), "Chinese in English"
    else:
        assert chinese, "no Chinese text in the Chinese index"


def test_every_term_of_ours_that_stands_in_the_index_is_one_word(public):
    text = "".join(entry["title"] + entry["text"] for entry in entries(public, "zh"))
    run = text.replace("\u200b", "")
    terms = (ROOT / "search-terms.txt").read_text(encoding="utf-8").split("\n")
    cut = [
        term
        for term in (line.partition(" ")[0] for line in terms if line)
        if term in run and f"\u200b{term}\u200b" not in text
    ]
    assert not cut, f"search-terms.txt: cut by jieba; give them a greater weight: {cut}"


def test_the_root_has_no_search_index_of_its_own(public):
    assert not (public.folder / "search").exists()
