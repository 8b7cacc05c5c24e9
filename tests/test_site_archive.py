"""The archive, unpacked and read from a folder on disk by a browser without a network."""

import os
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from documents import document
from playwright.sync_api import Page, Route, expect
from problems import report
from test_site_languages_in_browser import choose_language, scheme
from test_site_requests import NAMED, foreign_in_css

from handbook import archive
from handbook.places import LANGUAGES, ROOT

RESULT = ".md-search-result__link"
FOUND = "learn/static-methods.html"


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive: as ARCHIVE names it, or built here."""
    given = os.environ.get("ARCHIVE")
    if given:
        return ROOT / given
    file = tmp_path_factory.mktemp("archive") / "site.zip"
    archive.build(file)
    return file


@pytest.fixture(scope="session")
def folder(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What it unpacks to, in a folder whose name is no address as it stands."""
    place = tmp_path_factory.mktemp("unpacked") / "a folder 文件夹"
    with zipfile.ZipFile(packed) as file:
        file.extractall(place)
    assert [child.name for child in place.iterdir()] == [archive.FOLDER]
    return place / archive.FOLDER


@pytest.fixture
def open_tab(browser) -> Iterator[Callable[[str], Page]]:
    """Opens a tab of a reader who prefers a language; at the end no page may have complained, nor
    asked for anything but a file."""
    contexts, complaints = [], []

    def elsewhere(route: Route) -> None:
        complaints.append(f"asks {route.request.url}")
        route.abort()

    def complain(request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the reader has gone on to another page
            complaints.append(f"did not get {request.url}")

    def tab(locale: str) -> Page:
        size = {"width": 1280, "height": 900}
        context = browser.new_context(locale=locale, color_scheme="light", viewport=size)
        contexts.append(context)
        context.set_default_timeout(10_000)
        context.route(re.compile("^(?!file:)"), elsewhere)
        page = context.new_page()
        page.on("requestfailed", complain)
        page.on("console", lambda m: m.type != "log" and complaints.append(f"console: {m.text}"))
        page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
        return page

    yield tab
    for context in contexts:
        context.close()
    assert not complaints, "\n".join(complaints)


def search(page: Page, words: str) -> None:
    box = page.locator("[data-md-component=search-query]")
    box.click()
    box.fill(words)
    box.dispatch_event("keyup")


def at(file: Path) -> re.Pattern:
    """The address of a file, whichever its place and whatever is looked for."""
    return re.compile(re.escape(file.as_uri()) + "([?#]|$)")


@pytest.mark.parametrize(
    ("lang", "other", "words"), [("zh", "en", "静态方法"), ("en", "zh", "static method")]
)
def test_from_the_start_page_by_search_to_the_other_language(open_tab, folder, lang, other, words):
    page = open_tab(lang)
    page.goto((folder / "index.html").as_uri())
    page.wait_for_url((folder / lang / "index.html").as_uri())
    for _ in range(2):  # from "as the system" over light to dark
        page.locator("label.md-header__button[for^=__palette]:visible").click()

    search(page, "symints")  # part of a name
    expect(page.locator(f"{RESULT}[href*='reference/function-base/']").first).to_be_visible()
    search(page, words)
    page.locator(f"{RESULT}[href*='{FOUND}']").first.click()
    page.wait_for_url(at(folder / lang / FOUND))
    expect(page.locator("article mark").first).to_be_visible()

    choose_language(page, other)
    page.wait_for_url(at(folder / other / FOUND))
    assert page.locator("html").get_attribute("lang") == other
    assert scheme(page) == "slate"
    page.goto((folder / "index.html").as_uri())
    page.wait_for_url((folder / other / "index.html").as_uri())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_program_plays_to_its_last_step(open_tab, folder, lang):
    page = open_tab(lang)
    page.goto((folder / lang / "learn/ctx-vs-self.html").as_uri())
    page.locator(".controls button").nth(3).click()
    expect(page.locator(".said p")).to_contain_text("16 / 16")


def test_every_link_leads_to_a_file_and_nothing_is_loaded_from_a_host(folder):
    problems = []
    pages = sorted(folder.rglob("*.html"))
    assert len(pages) > 100
    for file in pages:
        for tag in document(file).tags:
            where = f"{file.relative_to(folder)}:{tag.line}"
            for attribute in ("src", "href", "data", "srcset", "poster"):
                link = tag.given.get(attribute)
                if not link:
                    continue
                address = urlsplit(urljoin(file.as_uri(), link))
                there, anchor = Path(unquote(address.path)), unquote(address.fragment)
                if address.scheme != "file":
                    if tag.name != "a" and not tag.rel & NAMED:
                        problems.append(f"{where}: loads {link}")
                elif not there.is_file() or folder not in there.parents:
                    problems.append(f"{where}: {link!r} leads to no file of the archive")
                elif there.suffix == ".html" and anchor not in {"", "__", *document(there).ids}:
                    problems.append(f"{where}: {link!r}: that page has no #{anchor}")
        styles = document(file).styles
        problems += [
            f"{file}: a style loads {a}" for style in styles for a in foreign_in_css(style)
        ]
    for file in folder.rglob("*.css"):
        foreign = foreign_in_css(file.read_text(encoding="utf-8"))
        problems += [f"{file.relative_to(folder)}: loads {address}" for address in foreign]
    report(problems)


def test_the_same_site_gives_the_same_bytes(packed, folder, tmp_path):
    """What was unpacked has other times, and comes in another order."""
    archive.pack(folder, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()


def test_about_leads_to_the_archive_where_the_site_has_it(public):
    offered = bool(os.environ.get("ARCHIVE"))
    assert (public.folder / "site.zip").exists() == offered
    for lang in LANGUAGES:
        about = (public.folder / lang / "about/index.html").read_text(encoding="utf-8")
        link = '<a href="../../site.zip" download><code>site.zip</code></a>'
        assert "<code>site.zip</code>" in about
        assert (link in about) == offered, f"{lang}/about"
