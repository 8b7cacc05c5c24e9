"""Each language's search knows its own pages, and no others, by words that are whole."""

import json
import re

import pytest
from mkdocs.exceptions import BuildError
from problems import report

from handbook import pages, search
from handbook.places import LANGUAGES, ROOT

BETWEEN = "\u200b"


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


def test_no_term_of_ours_is_cut(public):
    """jieba writes a zero-width space between words."""
    text = "\n".join(entry["title"] + "\n" + entry["text"] for entry in entries(public, "zh"))
    lines = (ROOT / "search-terms.txt").read_text(encoding="utf-8").splitlines()
    report(
        f"search-terms.txt:{number}: {'|'.join(cut.split(BETWEEN))} is cut; give it a greater weight"
        for number, line in enumerate(lines, 1)
        for cut in re.findall(f"{BETWEEN}?".join(line.partition(" ")[0]), text)
        if BETWEEN in cut
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_of_a_program_the_index_holds_the_names_only(public, lang):
    report(
        f"{lang}/{entry['location']}: the index holds a program, {line!r}"
        for entry in entries(public, lang)
        for line in re.findall(r"^import .*|^class .*:$", entry["text"], re.MULTILINE)
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_letters_in_pictures_are_not_in_the_index(public, lang):
    assert any("one-self-two-ctx.svg" in page.text for page in pages.pages(lang).values())
    assert not [entry for entry in entries(public, lang) if "saved: 15" in entry["text"]]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_worker_of_the_search_is_mended(public, lang):
    """It is written once more when a page is built anew."""
    for file in (public.folder / lang).glob("assets/javascripts/workers/search.*.min.js"):
        script = file.read_text(encoding="utf-8")
        assert all(right in script for right in search.WORKER.values())
        assert search.worker(script) == script


def test_a_worker_that_is_not_the_one_mended_ends_the_build():
    with pytest.raises(BuildError, match="correct WORKER"):
        search.worker("another worker")


def test_the_root_has_no_search_index_of_its_own(public):
    assert not (public.folder / "search").exists()
