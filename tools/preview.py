"""`mkdocs serve` in a copy of the project, for tests and measurements that edit files."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("docs", "snippets", "hooks", "overrides", "tables", "mkdocs.yml", "mkdocs.zh.yml", "mkdocs.en.yml", "search-terms.txt", "requirements-test.txt")  # fmt: skip


def copy_project(folder: Path) -> Path:
    """Copy what a build reads into an empty folder."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy(source, folder / part)
    return folder


class Preview:
    """A running `mkdocs serve`; a context manager that ends it."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/"
        self._lines: queue.Queue[str] = queue.Queue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"],
            cwd=folder,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self.pid = self._process.pid
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._process.stdout:
            self._lines.put(line)

    def wait_for(self, text: str, seconds: float = 60) -> list[str]:
        """The lines printed up to and with the first that holds the text. Raises TimeoutError."""
        until = time.monotonic() + seconds
        seen: list[str] = []
        while True:
            try:
                seen.append(self._lines.get(timeout=max(0.0, until - time.monotonic())))
            except queue.Empty:
                raise TimeoutError(f"no {text!r} within {seconds} s:\n{''.join(seen)}") from None
            if text in seen[-1]:
                return seen

    def __enter__(self) -> Preview:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
