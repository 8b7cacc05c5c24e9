"""Copies of the project for tests that edit files, and commands of Python that run in them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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


def edit(file: Path, old: str, new: str) -> None:
    """Replace the first `old` in a file, which has to be there."""
    before, found, after = file.read_text(encoding="utf-8").partition(old)
    assert found, f"{old!r} is not in {file}"
    file.write_text(before + new + after, encoding="utf-8")


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What came of a module of Python that was run in a folder, with all that it printed."""
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder, env=os.environ | environment, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip


def failing(folder: Path, *command: str, **environment: str) -> str:
    """What a module of Python prints that has to fail."""
    result = run(folder, *command, **environment)
    assert result.returncode != 0, result.stdout
    return result.stdout
