"""Each language's search knows its own pages, and no others."""

from __future__ import annotations

import json

import pages
import pytest


@pytest.mark.parametrize("lang", pages.LANGUAGES)
def test_the_search_index_holds_the_pages_of_its_language_only(site, lang):
    index = json.loads((site.folder / lang / "search" / "search_index.json").read_text("utf-8"))
    indexed = {entry["location"].partition("#")[0] for entry in index["docs"]}
    expected = {
        uri.removesuffix("index.md") if uri.endswith("index.md") else uri.removesuffix(".md") + "/"
        for uri in pages.pages(lang)
    }
    assert indexed == expected

    own = sum("的" in entry["text"] for entry in index["docs"])
    if lang == "en":
        assert own <= sum("glossary" in entry["location"] for entry in index["docs"]), (
            "Chinese text in the English index"
        )
    else:
        assert own, "no Chinese text in the Chinese index"


def test_the_root_has_no_search_index_of_its_own(site):
    assert not (site.folder / "search").exists()
