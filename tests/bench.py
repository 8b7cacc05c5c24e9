"""`make bench`: what a build costs, as shares of plain MkDocs with Material on the same composed
pages, both without a cache; and what an edit costs while the site is served, as shares of the first
build. Other work on the machine disturbs wall time, and CPU time less."""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from projects import copy_project
from servers import serving, until

from builder.content.paths import CACHE, LANGUAGES, ROOT
from builder.publishing.compose import Composer
from builder.publishing.configuration import Settings

PLAIN = re.compile(r"(?m)^  builder\.publishing\.markup: \{\}\n")


def cost(*command: str | Path, cwd: Path = ROOT) -> tuple[float, float]:
    """Wall and CPU seconds of a command that has to succeed, with its processes."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ended - began, cpu


def plain(folder: Path) -> tuple[float, float]:
    """Both languages, one after the other, by Material with its own search and nothing of ours."""
    wall = cpu = 0.0
    for lang in LANGUAGES:
        stage = folder / lang
        Composer(lang, stage, Settings("http://127.0.0.1:8000/", own_search=False)).compose()
        config = stage / "mkdocs.yml"
        config.write_text(PLAIN.sub("", config.read_text(encoding="utf-8")), encoding="utf-8")
        seconds = cost(sys.executable, "-m", "mkdocs", "build", "--quiet", cwd=stage)
        wall, cpu = wall + seconds[0], cpu + seconds[1]
    return wall, cpu


def edits(folder: Path) -> dict[str, float]:
    """Seconds until an edit of a page, and of a program, shows, as shares of the first build."""
    project, temporary = copy_project(folder / "project"), folder / "temporary"
    temporary.mkdir()
    shares = {}
    with serving(project, temporary) as (_, _, printed):
        began = time.monotonic()
        until("Serving on", printed)
        first = time.monotonic() - began
        for name, end in {
            "docs/en/learn/ctx-vs-self.md": "\nOne more sentence.\n",
            "snippets/learn/ctx-vs-self/a-new-ctx-per-call.md": "\n",
        }.items():
            with (project / name).open("a", encoding="utf-8") as file:
                file.write(end)
            began = time.monotonic()
            until("Reloading browsers", printed)
            shares[name.partition("/")[0]] = (time.monotonic() - began) / first
    return shares


def main() -> None:
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    for cache in ("templates", "cells"):
        shutil.rmtree(CACHE / cache, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        ours = cost(sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", site)
        theirs = plain(Path(folder))
        for what, one, other in zip(("wall", "CPU"), ours, theirs, strict=True):
            print(f"{what}: {one:.1f} s, plain Material {other:.1f} s, share {one / other:.2f}")
        for what, share in edits(Path(folder)).items():
            print(f"an edit in {what}: {share:.3f} of the first build")


if __name__ == "__main__":
    main()
