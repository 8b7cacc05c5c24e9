"""The built site: built strictly, once for each kind of hosting, and served on loopback."""

from __future__ import annotations

import functools
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


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
        site = Site(
            host_folder, base, f"http://127.0.0.1:{server.server_address[1]}{base}"
        )
        result = subprocess.run(
            [
                sys.executable,
                "-m",
                "mkdocs",
                "build",
                "--strict",
                "--quiet",
                "-d",
                str(site.folder),
            ],
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
                f"mkdocs build --strict failed:\n{result.stdout}{result.stderr}",
                pytrace=False,
            )
        yield site
        server.shutdown()


@pytest.fixture(
    scope="session",
    params=[("/", ""), ("/ctx/", "https://github.com/example/ctx")],
    ids=["at-the-root", "under-a-path-with-a-repository"],
)
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    base, repo_url = request.param
    yield from _build(base, tmp_path_factory.mktemp("host"), repo_url)
