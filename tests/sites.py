"""A built site, how one is built, how two differ, and how wide its readers' screens are."""

import filecmp
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Route

from builder.content.paths import ROOT

DESK, PHONE = (1280, 900), (360, 740)
KEPT = [
    "index.md", "about.md", "glossary.md", "learn/ctx-vs-self.md", "learn/in-place-operations.md",
    "learn/graph-networks.md", "labs/index.md", "labs/three-tiers.md", "labs/memory-lifetime.md",
    "reference/history.md", "reference/releases.md",
]  # fmt: skip
"""Pages of every kind: enough where a whole site would say no more."""
SETTINGS = {
    "SOURCE_DATE_EPOCH": "1580644800",  # 2020-02-02
    "REPO_URL": "https://github.com/example/ctx",
    "VERIFIED_ON": "2026-01-31",
    "ARCHIVE": "LICENSE",  # any file
}
"""For a build with a date, a repository, a date of verification and an archive."""


@dataclass(frozen=True)
class Site:
    """A built site: its folder, and the address at which it stands."""

    folder: Path
    url: str
    is_whole: bool = True
    """Whether it has every page, and not only those of KEPT."""

    @property
    def base(self) -> str:
        return unquote(urlsplit(self.url).path)

    @property
    def is_archive(self) -> bool:
        return self.url.startswith("file:")

    def text(self, path: str) -> str:
        """The text of a file of the site."""
        return (self.folder / path).read_text(encoding="utf-8")

    def address(self, file: Path) -> str:
        path = file.relative_to(self.folder).as_posix()
        return self.url + (path if self.is_archive else path.removesuffix("index.html"))

    def file(self, path: str) -> Path:
        """What a plain host serves at the path of an address; in an archive, the file itself."""
        file = self.folder / unquote(path).removeprefix(self.base)
        return file / "index.html" if path.endswith("/") and not self.is_archive else file

    def answer(self, route: Route) -> None:
        """Serve a browser's request, with what the build tells hosts to send."""
        file, status = self.file(urlsplit(route.request.url).path), 200
        if not file.is_file():
            file, status = self.folder / "404.html", 404
        headers = dict(re.findall(r"(?m)^  ([\w-]+): (.*)$", self.text("_headers")))
        route.fulfill(path=file, status=status, headers=headers)


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What came of a module of Python that was run in a folder, with all that it printed."""
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder, env=os.environ | environment, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip


def build(site: Site, project: Path = ROOT, **environment: str) -> None:
    """Build a site into its folder, strictly if it is to have every page."""
    command = ["mkdocs", "build", "-d", str(site.folder), *(["--strict"] if site.is_whole else [])]
    result = run(project, *command, **{"SITE_URL": site.url, **environment})
    if result.returncode:
        pytest.fail(f"{' '.join(command)}:\n{result.stdout}", pytrace=False)


def differences(ours: Path, theirs: Path) -> list[str]:
    """The files that two folders don't have alike, byte for byte; they have to hold a site."""
    files = [(top, file) for top in (ours, theirs) for file in top.rglob("*") if file.is_file()]
    paths = {file.relative_to(top) for top, file in files}
    same, *differing = filecmp.cmpfiles(ours, theirs, paths, shallow=False)
    assert len(same) > len(KEPT)
    return [f"{path}: {ours} and {theirs} differ" for paths in differing for path in paths]
