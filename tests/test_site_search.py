"""Each language's search knows its own pages, and no others, by words that are whole."""

import gzip
import json
import re
from itertools import accumulate

import pytest
from jieba import Tokenizer
from mkdocs.exceptions import BuildError
from problems import report

from handbook import pages, search
from handbook.places import LANGUAGES, PICTURES, ROOT

BETWEEN = "\u200b"


MOST = 160_000
"""Bytes that a reader fetches, gzipped, on turning to the search."""


def index(site, lang: str) -> dict:
    path = site.folder / lang / "search" / "search_index.json"
    return json.loads(path.read_text(encoding="utf-8"))


def entries(site, lang: str) -> list[dict]:
    """The entries, each with all that leads to it: what it shows, and the words further down."""
    found = index(site, lang)
    for word, steps in found["config"]["words"].items():
        for at in accumulate(ord(step) - 33 for step in steps):
            found["docs"][at]["text"] += f" {word}"
    return found["docs"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_search_index_holds_the_pages_of_its_language_only(public, lang):
    found = entries(public, lang)
    indexed = {entry["location"].partition("#")[0] for entry in found}
    assert indexed == {pages.url(uri, "") for uri in pages.pages(lang)}
    chinese = [entry for entry in found if re.search("[一-鿿]", entry["text"])]
    if lang == "en":
        assert all("glossary" in entry["location"] for entry in chinese), "Chinese in English"
    else:
        assert chinese, "no Chinese text in the Chinese index"


def test_no_term_of_ours_is_cut(public):
    """jieba writes a zero-width space between words; of what is further down, the index has the
    words alone, so pages are cut here as the search plugin cuts them."""
    jieba = Tokenizer()
    jieba.load_userdict(str(ROOT / "search-terms.txt"))
    written = "\n".join(page.text for page in pages.pages("zh").values())
    shown = "\n".join(
        entry["title"] + "\n" + entry["text"] for entry in index(public, "zh")["docs"]
    )
    cut = [BETWEEN.join(jieba.cut(run)) for run in re.findall("[一-鿿]+", written)]
    text = "\n".join([shown, *cut])
    known = {*index(public, "zh")["config"]["words"], *re.findall(r"\w+", shown.lower())}
    problems = []
    for number, line in enumerate((ROOT / "search-terms.txt").read_text("utf-8").splitlines(), 1):
        term = line.partition(" ")[0]
        cuts = {one for one in re.findall(f"{BETWEEN}?".join(term), text) if BETWEEN in one}
        if cuts or (term in written and term.lower() not in known):
            said = "|".join(min(cuts, default=term).split(BETWEEN))
            problems.append(f"search-terms.txt:{number}: {said} is cut; give it a greater weight")
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_search_index_is_small(public, lang):
    path = public.folder / lang / "search" / "search_index.json"
    size = len(gzip.compress(path.read_bytes()))
    assert size <= MOST, f"{lang}: {size} bytes; let results show less, SHOWN in handbook/search.py"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_of_a_program_the_index_holds_the_names_only(public, lang):
    report(
        f"{lang}/{entry['location']}: the index holds a program, {line!r}"
        for entry in entries(public, lang)
        for line in re.findall(r"^import .*|^class .*:$", entry["text"], re.MULTILINE)
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_letters_in_pictures_are_not_in_the_index(public, lang):
    start = pages.pages(lang)["index.md"].text.partition("\n## ")[0]
    word = "saved_tensors"
    assert "one-self-two-ctx.svg" in start
    assert word not in start
    assert word in (PICTURES / "one-self-two-ctx.svg").read_text(encoding="utf-8")
    found = {entry["location"]: entry["text"] for entry in entries(public, lang)}
    assert "torch.autograd.Function" in found[""]
    assert word not in found[""]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", search.corrections())
def test_the_scripts_of_the_search_are_corrected(public, lang, name):
    """They are written once more when a page is built anew."""
    (file,) = (public.folder / lang).glob(f"assets/javascripts/{name}")
    script = file.read_text(encoding="utf-8")
    expressions = search.corrections()[name]
    assert all(right in script for right in expressions.values())
    assert search.corrected(script, expressions) == script


def test_a_script_that_is_not_the_one_corrected_ends_the_build():
    with pytest.raises(BuildError, match=r"correct it in handbook/search\.py"):
        search.corrected("another script", search.WORKER)


def test_index_and_worker_are_fetched_when_a_reader_turns_to_the_search(reader, public):
    page = reader(public, viewport={"width": 1280, "height": 900})
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{public.url}en/learn/ctx-vs-self/", wait_until="networkidle")
    assert asked
    assert not [address for address in asked if "search" in address]
    page.locator("[data-md-component=search-query]").fill("mark_dirty")
    page.locator(".md-search-result__link").first.wait_for()
    assert [address for address in asked if "/workers/search." in address]
    address = page.locator(".md-search-result__link").first.get_attribute("href")
    other = reader(public, viewport={"width": 1280, "height": 900})
    other.goto(address, wait_until="networkidle")
    assert "h=" in address
    other.locator("article mark").first.wait_for()


def test_the_root_has_no_search_index_of_its_own(public):
    assert not (public.folder / "search").exists()
