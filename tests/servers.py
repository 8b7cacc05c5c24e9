"""A running `mkdocs serve`, and what it prints."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


@contextlib.contextmanager
def serving(folder: Path, temporary: Path) -> Iterator[tuple[subprocess.Popen, str, TextIO]]:
    """A running `mkdocs serve`: the process, its address, and what it prints. It keeps its files in
    the temporary folder, and is killed at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        at = f"127.0.0.1:{probe.getsockname()[1]}"
    log = folder / "serve.log"
    with log.open("w", encoding="utf-8") as stream:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("mkdocs"), "serve", "--dev-addr", at],
            cwd=folder, env=os.environ | {"TMPDIR": str(temporary)}, stdout=stream, stderr=stream,
        )  # fmt: skip
    with log.open(encoding="utf-8") as printed:
        try:
            yield process, f"http://{at}/", printed
        finally:
            process.kill()
            process.wait()


def until(text: str, printed: TextIO) -> str:
    """What a server prints from now on until it has printed a text."""
    found = ""
    for _ in range(3000):
        found += printed.read()
        if text in found:
            return found
        time.sleep(0.02)
    raise TimeoutError(f"no {text!r} within a minute:\n{found}")
