"""The search of each language: what its index holds, what the browser fetches, and which pages
and sections the queries of tests/searches.csv and the beginnings of error messages find."""

import csv
import gzip
import html
import json
import re
from itertools import accumulate, pairwise
from os.path import commonprefix
from pathlib import Path

import pytest
from jieba import Tokenizer
from playwright.sync_api import expect
from problems import report
from test_site_html import CELL

from handbook import pages, search
from handbook.places import LANGUAGES, PICTURES, ROOT

TABLE = Path(__file__).with_name("searches.csv")
BETWEEN = "\u200b"
"""What jieba writes between words."""

FIRST, SECTIONS = 2, 3
"""The page has to be among the first results, its section among the first that a result lists."""

MOST = 160_000
"""Bytes of an index, gzipped."""

MOST_AT_FIRST = 2_000
"""Bytes of the settings and of the worker, which come with every page."""

ASK = """async queries => {
  const { base, search } = JSON.parse(document.getElementById("__config").textContent)
  const worker = new Worker(new URL(search, location))
  const ask = message => new Promise((then, failed) => {
    worker.onmessage = answer => then(answer.data)
    worker.onerror = failed
    worker.postMessage(message)
  })
  const index = await fetch(new URL(`${base}/search/search_index.json`, location))
  await ask({ type: 0, data: { ...await index.json(), options: {} } })
  const found = []
  for (const query of queries) {
    const { items } = (await ask({ type: 2, data: query })).data
    found.push(items.map(sections => sections.map(section => section.location)
      .sort((a, b) => a.includes("#") - b.includes("#"))))
  }
  return found
}"""
"""Asks the search worker as the theme's script does. Of an answer the theme shows each page with its
best sections and folds the others away under "more on this page", where a reader looks at a few."""


def index(site, lang: str) -> dict:
    text = (site.folder / lang / "search" / "index.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("self.INDEX="))


def text_of(source: str) -> str:
    return html.unescape(re.sub("<.*?>", "", source))


def searched(site, lang: str) -> dict[str, str]:
    """All text that leads to an entry, shown or not, by the location of the entry."""
    data = index(site, lang)
    for word, steps in data["words"].items():
        for number in accumulate(ord(step) - 33 for step in steps):
            data["entries"][number]["text"] += f" {word}"
    return {entry["location"]: entry["text"] for entry in data["entries"]}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_index_is_small_and_holds_the_text_of_its_language_only(public, lang):
    path = public.folder / lang / "search" / "index.js"
    size = len(gzip.compress(path.read_bytes()))
    assert size <= MOST, f"{lang}: {size} bytes; let results show less, SHOWN in handbook/search.py"
    assert not (public.folder / "search").exists(), "the root page needs no index"
    texts = searched(public, lang)
    indexed = {location.partition("#")[0] for location in texts}
    assert indexed == {pages.url(uri, "") for uri in pages.pages(lang)}
    chinese = [location for location, text in texts.items() if re.search("[一-鿿]", text)]
    if lang == "en":
        assert all("glossary" in location for location in chinese), "Chinese in English"
    else:
        assert chinese, "no Chinese text in the Chinese index"
    report(
        f"{lang}/{location}: the index holds a program, {line!r}"
        for location, text in texts.items()
        for line in re.findall(r"^import .*|^class .*:$", text, re.MULTILINE)
    )


def test_no_term_of_ours_is_cut(public):
    """Of what is further down, the index has the words alone, so pages are cut here as the search
    plugin cuts them."""
    jieba = Tokenizer()
    jieba.load_userdict(str(ROOT / "search-terms.txt"))
    written = "\n".join(page.text for page in pages.pages("zh").values())
    data = index(public, "zh")
    in_index = "\n".join(f"{entry['title']}\n{entry['text']}" for entry in data["entries"])
    cut = [BETWEEN.join(jieba.cut(run)) for run in re.findall("[一-鿿]+", written)]
    text = "\n".join([in_index, *cut])
    known = {*data["words"], *re.findall(r"\w+", in_index.lower())}
    problems = []
    for number, line in enumerate((ROOT / "search-terms.txt").read_text("utf-8").splitlines(), 1):
        term = line.partition(" ")[0]
        cuts = {one for one in re.findall(f"{BETWEEN}?".join(term), text) if BETWEEN in one}
        if cuts or (term in written and term.lower() not in known):
            parts = "|".join(min(cuts, default=term).split(BETWEEN))
            problems.append(f"search-terms.txt:{number}: {parts} is cut; give it a greater weight")
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_letters_in_pictures_are_not_in_the_index(public, lang):
    start = pages.pages(lang)["index.md"].text.partition("\n## ")[0]
    word = "saved_tensors"
    assert "one-self-two-ctx.svg" in start
    assert word not in start
    assert word in (PICTURES / "one-self-two-ctx.svg").read_text(encoding="utf-8")
    text = searched(public, lang)[""]
    assert "torch.autograd.Function" in text
    assert word not in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_excerpts_begin_with_a_word_and_separate_the_cells_of_tables(public, lang):
    problems, texts, separated = [], {}, 0
    for entry in index(public, lang)["entries"]:
        page = entry["location"].partition("#")[0]
        shown = text_of(entry["text"]).replace(BETWEEN, "")
        texts[page] = f"{texts.get(page, '')}\n{shown}"
        problems += [
            f"{lang}/{entry['location']}: begins with {paragraph[:1]!r}: {paragraph[:40]}"
            for paragraph in re.findall("<p>(.*?)</p>", entry["text"], re.DOTALL)
            if not paragraph or paragraph.strip(f"{BETWEEN} ")[0] in search.CLOSING
        ]
    for page, text in texts.items():
        built = (public.folder / lang / page / "index.html").read_text(encoding="utf-8")
        for row in built.split("<tr")[1:]:
            cells = [text_of(cell[0]).strip() for cell in CELL.finditer(row)]
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


def test_the_index_is_fetched_with_the_first_query(reader, public):
    requests = []

    def open_page(address: str):
        page = reader(public)
        requests.clear()
        page.on("request", lambda request: requests.append(request.url.removeprefix(public.url)))
        page.goto(address, wait_until="networkidle")
        return page

    def of_the_search() -> list[str]:
        return sorted(name for name in requests if "search" in name and "?" not in name)

    at_first = ["en/assets/search/worker.js", "en/search/search_index.json"]
    page = open_page(f"{public.url}en/learn/ctx-vs-self/")
    box, results = page.locator("[data-md-component=search-query]"), ".md-search-result__link"
    box.click()
    page.wait_for_load_state("networkidle")
    assert of_the_search() == at_first
    for name in at_first:
        assert (public.folder / name).stat().st_size <= MOST_AT_FIRST, name
    box.press_sequentially("mark_di")
    expect(page.locator("[data-md-component=search-suggest]")).to_have_text("mark_dirty")
    box.press_sequentially("rty")
    page.locator(results).first.wait_for()
    later = ["en/assets/minisearch/minisearch.js", "en/assets/search/query.js"]
    assert of_the_search() == sorted([*at_first, *later, "en/search/index.js"])
    address = page.locator(results).first.get_attribute("href")
    assert "h=" in address
    open_page(address).locator("article mark").first.wait_for()
    assert of_the_search() == at_first


@pytest.fixture
def ask(reader, public):
    """Answers, for one language, what the search finds for each of some queries."""

    def of(lang: str, queries: list[str]) -> list[list[list[str]]]:
        page = reader(public)
        page.goto(f"{public.url}{lang}/", wait_until="networkidle")
        return page.evaluate(ASK, queries)

    return of


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_query_leads_to_the_page_and_the_section_that_answer(ask, lang):
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [pair for pair in enumerate(csv.DictReader(file), 2) if pair[1]["language"] == lang]
    answers = ask(lang, [row["query"] for _, row in rows])
    problems = []
    for (number, row), found in zip(rows, answers, strict=True):
        seen = [link for links in found[:FIRST] for link in links[: 1 + SECTIONS]]
        wanted = pages.url(row["page"], "") + (row["section"] and f"#{row['section']}")
        if wanted not in seen:
            problems.append(
                f"tests/searches.csv:{number}: {row['query']!r} leads not to {wanted or '/'} "
                f"but to {', '.join(seen) or 'nothing'}"
            )
    report(problems)


def beginnings(lang: str) -> dict[str, str]:
    """Of every message that is a heading, the shortest beginning that ends at a word and is that
    of no other, forty characters at least where it has them; by the address of its section."""
    messages = {
        f"{pages.url(uri, '')}#{identifier}": text.strip()
        for uri, page in pages.pages(lang).items()
        if uri.startswith("troubleshooting/errors/") and not uri.endswith("index.md")
        for level, identifier, text in page.headings
        if level == 2 and identifier != "next"
    }
    shared = {
        address: max(
            len(commonprefix([message, messages[other]])) for other in messages.keys() - {address}
        )
        for address, message in messages.items()
    }
    return {
        address: re.match(rf".{{{max(39, shared[address])},}}?\w\b|.*", message)[0]
        for address, message in messages.items()
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_beginning_of_a_message_leads_to_its_section(ask, lang):
    """The page itself always stands before its sections."""
    queries = beginnings(lang)
    answers = ask(lang, list(queries.values()))
    report(
        f"{lang}: {query!r} leads not to {wanted} but to {', '.join(found[0][:2] if found else [])}"
        for (wanted, query), found in zip(queries.items(), answers, strict=True)
        if not found or wanted not in found[0][:2]
    )
