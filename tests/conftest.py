"""The built site: built strictly, once for each kind of hosting, and served on loopback.
And a reader's browser to look at it with."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent

# Kinds of hosting: the path of the site, and the repository it names.
AT_THE_ROOT = ("/", "")
UNDER_A_PATH = ("/ctx/", "https://github.com/example/ctx")

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
    """A built site: the folder that a host serves, and the site's own address and path there."""

    host_folder: Path
    base: str
    url: str

    @property
    def folder(self) -> Path:
        return self.host_folder / self.base.strip("/")

    def html(self) -> list[Path]:
        return sorted(self.folder.rglob("*.html"))


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args) -> None:
        pass


def _build(base: str, host_folder: Path, repo_url: str) -> Iterator[Site]:
    handler = functools.partial(_Quiet, directory=str(host_folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = Site(host_folder, base, f"http://127.0.0.1:{server.server_address[1]}{base}")
        result = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(site.folder)],
            cwd=ROOT,
            env={
                **os.environ,
                "SITE_URL": site.url,
                "REPO_URL": repo_url,
                "NO_MKDOCS_2_WARNING": "1",
            },
            capture_output=True,
            text=True,
            timeout=300,
        )
        if result.returncode:
            pytest.fail(
                f"mkdocs build --strict failed:\n{result.stdout}{result.stderr}", pytrace=False
            )
        yield site
        server.shutdown()


@pytest.fixture(
    scope="session", params=[AT_THE_ROOT, UNDER_A_PATH], ids=["at-the-root", "under-a-path"]
)
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    base, repo_url = request.param
    yield from _build(base, tmp_path_factory.mktemp("host"), repo_url)


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
def reader(browser: Browser, site) -> Iterator[Callable[..., Page]]:
    """Opens a new reader's tab; at the end no page may have complained or asked another host."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_tab(**options) -> Page:
        context = browser.new_context(**{"locale": "en-GB", **options})
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: m.type == "error" and complaints.append(f"console: {m.text}"))
        page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
        page.on(
            "request",
            lambda request: (
                request.url.startswith((site.url, "data:", "blob:"))
                or complaints.append(f"asks {request.url}")
            ),
        )
        return page

    yield open_tab
    for context in contexts:
        context.close()
    assert not complaints, "\n".join(complaints)
