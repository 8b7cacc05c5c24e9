"""`mkdocs serve` in a copy of the project, for tests and measurements that edit files."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from handbook.places import CACHE, INPUTS, LANGUAGES, ROOT

MKDOCS = [sys.executable, "-m", "mkdocs"]


def copy_project(folder: Path, *more: str) -> Path:
    """Copy what a build reads into an empty folder, and what else is named; and the cells of labs,
    which are slow to render."""
    for name in (*INPUTS, *more, (CACHE / "cells").relative_to(ROOT)):
        source = ROOT / name
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, folder / name)
    return folder


def keep_pages(folder: Path, *kept: str) -> Path:
    """Leave only some pages in a copy of the project, so that it is built sooner."""
    for lang in LANGUAGES:
        for page in (folder / "docs" / lang).rglob("*.md"):
            if page.relative_to(folder / "docs" / lang).as_posix() not in kept:
                page.unlink()
    config = folder / "mkdocs.yml"
    before, _, after = config.read_text(encoding="utf-8").partition("  navigation:\n")
    named = "".join(f"    - {uri}\n" for uri in kept)
    after = after[after.index("\n\n") :]
    config.write_text(f"{before}  navigation:\n{named}{after}", encoding="utf-8")
    return folder


class Preview:
    """A running `mkdocs serve`; a context manager that ends it."""

    def __init__(self, folder: Path, mkdocs: list[str] = MKDOCS, **environment: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            at = f"127.0.0.1:{probe.getsockname()[1]}"
        self.address = f"http://{at}/"
        self._log = folder / "serve.log"
        self._seen = 0
        with self._log.open("w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [*mkdocs, "serve", "--dev-addr", at],
                cwd=folder,
                env={**os.environ, **environment},
                stdout=log,
                stderr=log,
            )
        self.pid = self._process.pid

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """What was printed since the last call, up to and with the line that holds the text.

        Raises TimeoutError.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            new = self._log.read_text(encoding="utf-8")[self._seen :]
            end = new.find("\n", new.find(text)) + 1
            if text in new and end:
                self._seen += end
                return new[:end]
            time.sleep(0.02)
        raise TimeoutError(f"no {text!r} within {seconds} s:\n{new}")

    def end(self, by: int = signal.SIGINT) -> int:
        """Ask the server to end and wait for it; returns its exit status."""
        self._process.send_signal(by)
        try:
            return self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()
