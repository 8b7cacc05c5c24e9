"""The built site, and a browser to look at it with. The browser gets the site's address answered
from the site's folder, under the policy that hosts are to send."""

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import BrowserContext, Page, sync_playwright
from problems import report, skip
from projects import copy_pages
from sites import DESK, KEPT, SETTINGS, Site, build

from builder.content import pages, paths, snippets
from builder.content.paths import ROOT
from builder.publishing import notebooks

HOW_TO_GET_CHROMIUM = (
    "no Chromium found: install the distribution's package so that `chromium` is on PATH, "
    "or run `.venv/bin/playwright install chromium`"
)
Once = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def only(pytestconfig: pytest.Config) -> str:
    """The folder of snippets/ that --only names; empty for all."""
    return pytestconfig.getoption("only")


@pytest.fixture(scope="session")
def uris(only: str) -> list[str]:
    """The pages that --only concerns, or all: those at its path, below it, indexes above it, and
    those with an include from there."""
    uris = set()
    for page in pages.every():
        here = page.uri.removesuffix(".md").removesuffix("/index")
        names = [include.target.removesuffix(".md") for include in page.includes]
        is_above = page.uri.endswith("/index.md") and f"{only}/".startswith(f"{here}/")
        if is_above or any(f"{name}/".startswith(only and f"{only}/") for name in (here, *names)):
            uris.add(page.uri)
    return sorted(uris)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Makes a file or folder of a name, which one process of pytest-xdist makes for all."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def path_of(name: str, make: Callable[[Path], object]) -> Path:
        path = shared / name
        with FileLock(f"{path}.lock"):
            if not path.exists():
                make(path)
        return path

    return path_of


@pytest.fixture(scope="session")
def public(once: Once) -> Site:
    """The site for the address it will have: as BUILT_SITE names it, or built here."""
    url = os.environ.get("SITE_URL", "http://127.0.0.1:8000/")
    if built := os.environ.get("BUILT_SITE"):
        return Site(ROOT / built, url)
    return Site(once("public", lambda folder: build(Site(folder, url))), url)


@pytest.fixture(scope="session")
def kept(once: Once) -> Path:
    """A copy of the project with the pages of KEPT."""
    return once("project", lambda folder: copy_pages(folder, *KEPT))


@pytest.fixture(scope="session")
def under_a_path(once: Once, kept: Path) -> Site:
    at = functools.partial(Site, url="https://example.org/docs/ctx/", is_whole=False)
    settings = {"PYTHONHASHSEED": "1", "TZ": "UTC"} | SETTINGS
    return at(once("under-a-path", lambda folder: build(at(folder), kept, **settings)))


@pytest.fixture(scope="session")
def unpacked(once: Once, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The archive that ARCHIVE names, or what `make archive` makes, unpacked in a folder whose name
    has to be quoted in an address."""

    def make(archive: Path) -> None:
        subprocess.run(["make", "archive", f"ZIP={archive}"], cwd=ROOT, check=True)

    named = os.environ.get("ARCHIVE")
    archive = ROOT / named if named else once("site.zip", make)
    folder = tmp_path_factory.mktemp("unpacked") / "a folder 文件夹"
    shutil.unpack_archive(archive, folder)
    (unpacked,) = folder.iterdir()
    return Site(unpacked, f"{unpacked.as_uri()}/")


@pytest.fixture(scope="session")
def context() -> Iterator[Callable[..., BrowserContext]]:
    """A reader's browser with some options. It is kept, for to start one takes a second."""
    on_path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        executable = on_path or playwright.chromium.executable_path
        if not Path(executable).exists():
            skip(HOW_TO_GET_CHROMIUM)
        browser = playwright.chromium.launch(executable_path=executable)

        @functools.cache
        def kept(**options: object) -> BrowserContext:
            context = browser.new_context(**options)
            context.add_init_script(path=Path(__file__).with_name("looks.js"))
            return context

        yield kept
        browser.close()


@pytest.fixture
def visit(context: Callable[..., BrowserContext], public: Site) -> Iterator[Callable[..., Page]]:
    """Opens a page of a site, the public one or another, in a tab of a new reader. At the end the
    test fails if a page has reported an error, asked another host, or missed a file."""
    tabs: list[tuple[Site, Page]] = []

    def open_tab(
        path: str, site: Site = public, size: tuple[int, int] = DESK, **options: object
    ) -> Page:
        page = context(**{"locale": "en-GB", **options}).new_page()
        tabs.append((site, page))
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.set_default_timeout(10_000)
        page.route(re.compile("^(?!file:)"), lambda route: route.abort())
        if not site.is_archive:
            page.route(f"{site.url}**", lambda route: site.answer(route))
        page.goto(site.url + path, wait_until="networkidle")
        return page

    yield open_tab
    complaints = []
    for site, page in tabs:
        complaints += [f"script: {error}" for error in page.page_errors(filter="all")]
        complaints += [
            f"console: {message.text} {message.location['url']}"
            for message in page.console_messages(filter="all")
            if message.type in ("error", "warning")
        ]
        if page.url.startswith(site.url):
            page.evaluate("localStorage.clear()")
        page.close()
    report(complaints)


@pytest.fixture
def included(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    """Writes files, by their paths below docs/, which are then all that a page can include."""
    docs = tmp_path / "docs"
    folders = [docs / name for name in ("snippets", "pictures", "tables", "formulas")]
    for module in (notebooks, paths, snippets):
        monkeypatch.setattr(module, "SNIPPETS", folders[0])
    monkeypatch.setattr(paths, "INCLUDED", folders)
    monkeypatch.setattr(paths, "ROOT", tmp_path)

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            snippets.write(docs / name, text)

    return write
