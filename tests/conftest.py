"""The built site, and a reader's browser to look at it with. The browser gets the site's address
from its folder, so that what is tested is what will stand there."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

from handbook.places import ROOT
from handbook.preview import MKDOCS

HOW_TO_GET_CHROMIUM = (
    "no Chromium found: install the distribution's package so that `chromium` is on PATH, "
    "or run `.venv/bin/playwright install chromium`"
)
QUIET = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip


@dataclass(frozen=True)
class Site:
    """A built site: its folder, and the address at which it stands."""

    folder: Path
    url: str

    @property
    def base(self) -> str:
        return urlsplit(self.url).path

    def html(self) -> list[Path]:
        return sorted(self.folder.rglob("*.html"))

    def address(self, file: Path) -> str:
        return self.url + file.relative_to(self.folder).as_posix().removesuffix("index.html")

    def file(self, path: str) -> Path:
        """What a plain host serves at the path of an address."""
        file = self.folder / unquote(path).removeprefix(self.base)
        return file / "index.html" if path.endswith("/") else file

    def answer(self, route: Route) -> None:
        """Serve a browser's request."""
        file = self.file(urlsplit(route.request.url).path)
        if file.is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(path=self.folder / "404.html", status=404)


def _build(folder: Path, url: str, **environment: str) -> Site:
    result = subprocess.run(
        [*MKDOCS, "build", "--strict", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, "SITE_URL": url, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    if result.returncode:
        pytest.fail(f"mkdocs build --strict:\n{result.stdout}{result.stderr}", pytrace=False)
    return Site(folder, url)


@pytest.fixture(scope="session")
def public(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site for the address it will have."""
    return built_site(tmp_path_factory)


def built_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site as BUILT_SITE names it, or built here."""
    url = os.environ.get("SITE_URL", "http://127.0.0.1:8000/")
    built = os.environ.get("BUILT_SITE")
    return Site(ROOT / built, url) if built else _build(tmp_path_factory.mktemp("public"), url)


@pytest.fixture(scope="session")
def under_a_path(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site under a path, with a repository and a day on which it was proved; with pytest-xdist, built once for all."""
    folder = tmp_path_factory.mktemp("under-a-path")
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = tmp_path_factory.getbasetemp().parent / "under-a-path"
    site = Site(folder / "site", "https://example.org/docs/ctx/")
    with FileLock(f"{folder}.lock"):
        if not site.folder.exists():
            repository = "https://github.com/example/ctx"
            _build(site.folder, site.url, REPO_URL=repository, VERIFIED_ON="2026-01-31")
    return site


@pytest.fixture(scope="session", params=["public", "under_a_path"])
def site(request: pytest.FixtureRequest) -> Site:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    on_path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        executable = on_path or playwright.chromium.executable_path
        if not Path(executable).exists():
            if os.environ.get("CI"):
                pytest.fail(HOW_TO_GET_CHROMIUM, pytrace=False)
            pytest.skip(HOW_TO_GET_CHROMIUM)
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a new reader's tab on a site; at the end no page may have complained, nor asked
    another host."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_tab(site: Site, **options: object) -> Page:
        def elsewhere(route: Route) -> None:
            complaints.append(f"asks {route.request.url}")
            route.abort()

        context = browser.new_context(**{"locale": "en-GB", **options})
        context.set_default_timeout(10_000)
        context.route("**/*", elsewhere)
        context.route(f"{site.url}**", lambda route: site.answer(route))
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: m.type == "error" and complaints.append(f"console: {m.text}"))
        page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
        return page

    yield open_tab
    for context in contexts:
        context.close()
    assert not complaints, "\n".join(complaints)
