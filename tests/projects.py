"""Copies of the project for tests that edit files, and commands that run in them."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from sites import run

from builder.content.paths import INPUTS, LANGUAGES, ROOT


def copy_project(folder: Path, *more: str) -> Path:
    """Copy what a build reads into an empty folder, what else is named, and the cells of labs."""
    for name in (*INPUTS, *more, ".cache/cells"):
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        elif (ROOT / name).exists():
            shutil.copy2(ROOT / name, folder / name)
    return folder


def copy_pages(folder: Path, *kept: str) -> Path:
    """Copy the project with only some pages, so that it is built sooner."""
    copy_project(folder)
    for lang in LANGUAGES:
        for page in (folder / "docs" / lang).rglob("*.md"):
            if page.relative_to(folder / "docs" / lang).as_posix() not in kept:
                page.unlink()
    config = folder / "mkdocs.yml"
    nav = "".join(["nav:\n", *(f"  - {uri}\n" for uri in kept)])
    text = config.read_text(encoding="utf-8")
    config.write_text(re.sub(r"(?m)^nav:\n( .*\n)*", nav, text), encoding="utf-8")
    return folder


def edit(file: Path, old: str, new: str) -> None:
    """Replace the first `old` in a file, which has to be there."""
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {file}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def failing(folder: Path, *command: str, **environment: str) -> str:
    """What a module of Python prints that is run in a folder and has to fail."""
    result = run(folder, *command, **environment)
    assert result.returncode != 0, result.stdout
    return result.stdout


@dataclass
class Server:
    """A running `mkdocs serve`: its process, its address, and what it prints."""

    process: subprocess.Popen
    address: str
    printed: TextIO

    def until(self, text: str) -> str:
        """What it prints from now on until it has printed a text."""
        said = ""
        for _ in range(3000):
            said += self.printed.read()
            if text in said:
                return said
            time.sleep(0.02)
        raise TimeoutError(f"no {text!r} within a minute:\n{said}")


@contextlib.contextmanager
def serving(folder: Path, temporary: Path) -> Iterator[Server]:
    """A server of a copy of the project. It keeps its files in the temporary folder, which is made
    if it isn't there, and is killed at the end."""
    temporary.mkdir(exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        at = f"127.0.0.1:{probe.getsockname()[1]}"
    log = folder / "serve.log"
    with log.open("w", encoding="utf-8") as stream, log.open(encoding="utf-8") as printed:
        process = subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", at],
            cwd=folder, env=os.environ | {"TMPDIR": str(temporary)}, stdout=stream, stderr=stream,
        )  # fmt: skip
        try:
            yield Server(process, f"http://{at}/", printed)
        finally:
            process.kill()
            process.wait()
