"""Copies of the project for tests that edit files, and commands that run in them."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from sites import KEPT, run

from builder.content.paths import CACHE, INPUTS, LANGUAGES, ROOT


def copy_project(folder: Path, *more: str) -> Path:
    """Copy what a build reads into an empty folder, what else is named, and the cells of labs."""
    cells = (CACHE / "cells").relative_to(ROOT)
    for source in (ROOT / name for name in (*INPUTS, *more, cells)):
        to = folder / source.relative_to(ROOT)
        if source.is_dir():
            shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, to)
    return folder


def copy_pages(folder: Path, *kept: str) -> Path:
    """Copy the project with only some pages, so that it is built sooner."""
    copy_project(folder)
    for lang in LANGUAGES:
        for page in (folder / "docs" / lang).rglob("*.md"):
            if page.relative_to(folder / "docs" / lang).as_posix() not in kept:
                page.unlink()
    config = folder / "mkdocs.yml"
    before, _, after = config.read_text(encoding="utf-8").partition("\nnav:\n")
    named = "".join(f"  - {uri}\n" for uri in kept)
    after = after[after.index("\n\n") :]
    config.write_text(f"{before}\nnav:\n{named}{after}", encoding="utf-8")
    return folder


def commit_pages(folder: Path) -> None:
    """Copy the project with the pages of KEPT and a file to offer as the archive, and commit it."""
    copy_pages(folder, *KEPT)
    zipfile.ZipFile(folder / "offered.zip", "w").close()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    date = {"GIT_COMMITTER_DATE": "2020-02-02T12:00:00Z"}
    for command in (["init", "--quiet"], ["add", "docs"], ["commit", "--quiet", "-m", "a"]):
        subprocess.run([*git, *command], cwd=folder, env=os.environ | date, check=True)


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
