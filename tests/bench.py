"""`make bench`: what a build costs, as shares of plain MkDocs with Material on the same composed
pages, both without a cache; and what an edit costs while the site is served, as shares of the first
build. Other work on the machine disturbs wall time, and CPU time less."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from projects import copy_project, edit, serving

from builder.content.paths import CACHE, LANGUAGES, ROOT
from builder.publishing.compose import Composer

PLAIN = re.compile(r"(?m)^  builder\.publishing\.markup:Markup: \{\}\n")
BUILD = sys.executable, "-m", "mkdocs", "build", "--quiet"
EDITS = {
    "docs/en/learn/ctx-vs-self.md": ("\n## ", "\nOne more sentence.\n\n## "),
    "snippets/learn/ctx-vs-self/a-new-ctx-per-call.md": ("\n\n", "\n# One more comment.\n\n"),
}


def cost(*command: str | Path, cwd: Path = ROOT) -> tuple[float, float]:
    """Wall and CPU seconds of a command that has to succeed, with its processes."""
    before = os.times()
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    *_, user, system, elapsed = (b - a for a, b in zip(before, os.times(), strict=True))
    return elapsed, user + system


@mock.patch.dict(os.environ, OWN_SEARCH="false")
def plain(folder: Path) -> list[float]:
    """Both languages, one after the other, by Material with its own search and nothing of ours."""
    costs = []
    for lang in LANGUAGES:
        stage = folder / lang
        Composer(lang, stage).compose()
        config = stage / "mkdocs.yml"
        config.write_text(PLAIN.sub("", config.read_text(encoding="utf-8")), encoding="utf-8")
        costs.append(cost(*BUILD, cwd=stage))
    return [sum(kind) for kind in zip(*costs, strict=True)]


def edits(folder: Path) -> Iterator[str]:
    """How long it takes until an edit of a page, and of a program, shows."""
    project = copy_project(folder / "project")
    with serving(project, folder / "temporary") as server:
        began = time.monotonic()
        server.until("Serving on")
        first = time.monotonic() - began
        for name, change in EDITS.items():
            edit(project / name, *change)
            began = time.monotonic()
            assert "pages" in server.until("Reloading browsers"), name
            yield f"{name}: {(time.monotonic() - began) / first:.3f} of the first build"


def main() -> None:
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    for cache in ("templates", "cells"):
        shutil.rmtree(CACHE / cache, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = cost(*BUILD, "--site-dir", folder / "site")
        for what, our, their in zip(("wall", "CPU"), ours, plain(folder), strict=True):
            print(f"{what}: {our:.1f} s, plain Material {their:.1f} s, share {our / their:.2f}")
        print(*edits(folder), sep="\n")


if __name__ == "__main__":
    main()
