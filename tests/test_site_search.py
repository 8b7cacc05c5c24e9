"""Each language's search knows its own pages, and no others, by words that are whole."""

import gzip
import html
import json
import re
from itertools import accumulate, pairwise
from pathlib import Path

import bs4
import material
import pytest
from jieba import Tokenizer
from playwright.sync_api import expect
from problems import report

from handbook import pages, search
from handbook.places import LANGUAGES, PICTURES, ROOT

BETWEEN = "\u200b"

MOST = 160_000
"""Bytes of an index, gzipped."""

MOST_AT_FIRST = 2_000
"""Bytes of the settings and of the worker, which come with every page."""

THEME = Path(material.__file__).parent / "templates"


def index(site, lang: str) -> dict:
    text = (site.folder / lang / "search" / "index.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("self.INDEX="))


def entries(site, lang: str) -> list[dict]:
    """The entries, each with all that leads to it: the text it shows, and its other words."""
    found = index(site, lang)
    for word, steps in found["words"].items():
        for at in accumulate(ord(step) - 33 for step in steps):
            found["entries"][at]["text"] += f" {word}"
    return found["entries"]


def shown(text: str) -> str:
    """A text of the index as a reader sees it."""
    return html.unescape(re.sub("<.*?>", "", text)).replace(BETWEEN, "")


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
    in_index = "\n".join(
        entry["title"] + "\n" + entry["text"] for entry in index(public, "zh")["entries"]
    )
    cut = [BETWEEN.join(jieba.cut(run)) for run in re.findall("[一-鿿]+", written)]
    text = "\n".join([in_index, *cut])
    known = {*index(public, "zh")["words"], *re.findall(r"\w+", in_index.lower())}
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
    path = public.folder / lang / "search" / "index.js"
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
def test_no_excerpt_begins_with_closing_punctuation(public, lang):
    report(
        f"{lang}/{entry['location']}: begins with {paragraph[0]!r}: {paragraph[:40]}"
        for entry in index(public, lang)["entries"]
        for paragraph in re.findall("<p>(.*?)</p>", entry["text"], re.DOTALL)
        if not paragraph or paragraph.strip(f"{BETWEEN} ")[0] in search.CLOSING
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_table_cells_are_separated_in_excerpts(public, lang):
    texts: dict[str, str] = {}
    for entry in index(public, lang)["entries"]:
        page = entry["location"].partition("#")[0]
        texts[page] = f"{texts.get(page, '')}\n{shown(entry['text'])}"
    problems, separated = [], 0
    for page, text in texts.items():
        file = public.folder / lang / page / "index.html"
        soup = bs4.BeautifulSoup(file.read_bytes(), "html.parser")
        for row in soup.select("article tr"):
            cells = [cell.get_text().strip() for cell in row.find_all(["th", "td"])]
            for a, b in pairwise(cell for cell in cells if cell):
                if f"{a} · {b}" in text:
                    separated += 1
                elif len(a + b) > 20 and (f"{a}{b}" in text or f"{a} {b}" in text):
                    problems.append(f"{lang}/{page}: {a!r} and {b!r} are not separated")
    report(problems)
    assert separated > 20


def test_a_paragraph_an_item_and_a_row_are_a_paragraph_each():
    text = "One\nmore.\n\n- item `a|b`\n\n| A | B |\n|---|---|\n| `x\\|y` | [z](w.md) |"
    wanted = ["One more.", "item <code>a|b</code>", "A · B", "<code>x|y</code> · z"]
    assert list(search.paragraphs(text.split("\n"))) == wanted


def test_no_file_of_the_theme_is_changed(public):
    """A file in overrides/ takes the place of the theme's; what else the theme adds is its own."""
    problems, same = [], 0
    for file in (path for path in (THEME / "assets").rglob("*") if path.is_file()):
        name = file.relative_to(THEME)
        if (ROOT / "overrides" / name).exists():
            continue
        for part in ("", *LANGUAGES):
            built = public.folder / part / name
            same += built.exists()
            if built.exists() and built.read_bytes() != file.read_bytes():
                problems.append(f"{part}/{name}: differs from the theme's; don't change its files")
    report(problems)
    assert same > 3 * 30


def test_the_index_is_fetched_with_the_first_query(reader, public):
    page = reader(public, viewport={"width": 1280, "height": 900})
    requests = []
    page.on("request", lambda request: requests.append(request.url.removeprefix(public.url)))

    def of_the_search() -> list[str]:
        return sorted(name for name in requests if "search" in name)

    at_first = ["en/assets/search/worker.js", "en/search/search_index.json"]
    page.goto(f"{public.url}en/learn/ctx-vs-self/", wait_until="networkidle")
    page.locator("[data-md-component=search-query]").click()
    page.wait_for_load_state("networkidle")
    assert of_the_search() == at_first
    for name in at_first:
        assert (public.folder / name).stat().st_size <= MOST_AT_FIRST, name
    page.locator("[data-md-component=search-query]").press_sequentially("mark_dirty")
    page.locator(".md-search-result__link").first.wait_for()
    later = ["en/assets/minisearch/minisearch.js", "en/assets/search/query.js"]
    assert of_the_search() == sorted([*at_first, *later, "en/search/index.js"])
    address = page.locator(".md-search-result__link").first.get_attribute("href")
    requests.clear()
    other = reader(public, viewport={"width": 1280, "height": 900})
    other.on("request", lambda request: requests.append(request.url.removeprefix(public.url)))
    other.goto(address, wait_until="networkidle")
    assert "h=" in address
    other.locator("article mark").first.wait_for()
    assert [name for name in of_the_search() if "?" not in name] == at_first


def test_the_search_completes_the_last_word(reader, public):
    page = reader(public, viewport={"width": 1280, "height": 900})
    page.goto(f"{public.url}en/", wait_until="networkidle")
    box = page.locator("[data-md-component=search-query]")
    box.click()
    box.press_sequentially("mark_di")
    expect(page.locator("[data-md-component=search-suggest]")).to_have_text("mark_dirty")


def test_the_root_has_no_search_index_of_its_own(public):
    assert not (public.folder / "search").exists()
