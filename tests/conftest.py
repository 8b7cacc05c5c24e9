"""The built site, and a browser to look at it with. The browser gets the site's address answered
from the site's folder, under the policy that hosts are to send."""

import functools
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Route,
    sync_playwright,
)  # fmt: skip
from problems import skip
from projects import copy_pages
from sites import DESK, KEPT, Site, build, build_committed

from builder.content.paths import ROOT

HOW_TO_GET_CHROMIUM = (
    "no Chromium found: install the distribution's package so that `chromium` is on PATH, "
    "or run `.venv/bin/playwright install chromium`"
)
QUIET = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip


def _once(folders: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A file or folder that one process of pytest-xdist makes for all."""
    in_xdist = "PYTEST_XDIST_WORKER" in os.environ
    path = (folders.getbasetemp().parent if in_xdist else folders.getbasetemp()) / name
    with FileLock(f"{path}.lock"):
        if not path.exists():
            make(path)
    return path


@pytest.fixture(scope="session")
def public(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site for the address it will have: as BUILT_SITE names it, or built here."""
    url = os.environ.get("SITE_URL", "http://127.0.0.1:8000/")
    if built := os.environ.get("BUILT_SITE"):
        return Site(ROOT / built, url)
    return Site(_once(tmp_path_factory, "public", lambda folder: build(Site(folder, url))), url)


@pytest.fixture(scope="session")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the pages of KEPT, and one commit."""

    def copy(folder: Path) -> None:
        copy_pages(folder, *KEPT)
        zipfile.ZipFile(folder / "offered.zip", "w").close()
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        date = {"GIT_COMMITTER_DATE": "2020-02-02T12:00:00Z"}
        for command in (["init", "--quiet"], ["add", "docs"], ["commit", "--quiet", "-m", "a"]):
            subprocess.run([*git, *command], cwd=folder, env=os.environ | date, check=True)

    return _once(tmp_path_factory, "project", copy)


@pytest.fixture(scope="session")
def under_a_path(tmp_path_factory: pytest.TempPathFactory, committed: Path) -> Site:
    settings = {"PYTHONHASHSEED": "1", "TZ": "UTC"}
    make = functools.partial(build_committed, project=committed, **settings)
    return make(_once(tmp_path_factory, "under-a-path", make))


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive: as ARCHIVE names it, or built here."""
    given = os.environ.get("ARCHIVE")
    return ROOT / given if given else _once(tmp_path_factory, "site.zip", make_archive)


def make_archive(archive: Path) -> None:
    """What `make archive` makes."""
    subprocess.run(["make", "archive", f"ZIP={archive}"], cwd=ROOT, check=True)


@pytest.fixture(scope="session")
def unpacked(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The unpacked archive, in a folder whose name has to be quoted in an address."""
    folder = tmp_path_factory.mktemp("unpacked") / "a folder 文件夹"
    with zipfile.ZipFile(packed) as file:
        file.extractall(folder)
    (unpacked,) = folder.iterdir()
    return Site(unpacked, f"{unpacked.as_uri()}/")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    on_path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        executable = on_path or playwright.chromium.executable_path
        if not Path(executable).exists():
            skip(HOW_TO_GET_CHROMIUM)
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Callable[..., BrowserContext]:
    """A reader's browser with some options. It is kept, for to start one takes a second."""
    return functools.cache(lambda **options: browser.new_context(**options))


@pytest.fixture
def reader(context: Callable[..., BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Opens a tab of a new reader on a site, as wide as a desktop screen. At the end the test
    fails if a page has reported an error, asked another host, or missed a file."""
    tabs: list[tuple[Site, Page]] = []
    complaints: list[str] = []

    def open_tab(site: Site, viewport: dict[str, int] = DESK, **options: object) -> Page:
        page = context(**{"locale": "en-GB", **options}).new_page()
        tabs.append((site, page))
        page.set_viewport_size(viewport)
        page.set_default_timeout(10_000)
        page.route(re.compile("^(?!file:)"), elsewhere)
        if site.is_archive:
            page.on("requestfailed", missed)
        else:
            page.route(f"{site.url}**", lambda route: site.answer(route))
        page.on("console", printed)
        page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
        return page

    def elsewhere(route: Route) -> None:
        complaints.append(f"asks {route.request.url}")
        route.abort()

    def printed(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"console: {message.text}")

    def missed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the reader has gone on to another page
            complaints.append(f"did not get {request.url}")

    yield open_tab
    for site, page in tabs:
        if page.url.startswith(site.url):
            page.evaluate("localStorage.clear()")
        page.close()
    assert not complaints, "\n".join(complaints)
