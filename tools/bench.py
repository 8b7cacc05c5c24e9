"""Measure builds, rebuilds and the snippet run, as ratios within one run: `make bench`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import preview

import snippets

PROGRAMS = 100
REPEATS = 3
MKDOCS = [sys.executable, "-m", "mkdocs"]


def seconds(*commands: list[str], cwd: Path) -> float:
    """The best of some runs of commands, one after the other."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for command in commands:
            subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def bench_builds(folder: Path) -> None:
    preview.copy_project(folder)
    ours = seconds([*MKDOCS, "build", "--strict"], cwd=folder)
    for lang in ("zh", "en"):
        (folder / f"plain.{lang}.yml").write_text(f"INHERIT: mkdocs.{lang}.yml\nhooks: []\n")
    plain = seconds(
        *(
            [*MKDOCS, "build", "-f", f"plain.{lang}.yml", "-d", f"plain/{lang}"]
            for lang in ("zh", "en")
        ),
        cwd=folder,
    )
    report("cold strict build / plain Material builds, one after the other", ours, plain)

    with preview.Preview(folder) as site:
        site.wait_for("Serving on", 120)
        page = folder / "docs" / "zh" / "index.md"
        snippet = folder / "snippets" / "index" / "self-and-ctx.md"
        for what, edit, shown_at in (
            ("rebuild after one edited page / plain builds", page, ["zh/"]),
            ("rebuild after one edited snippet / plain builds", snippet, ["zh/", "en/"]),
        ):
            times = [
                until_shown(edit, [site.address + at for at in shown_at], n) for n in range(REPEATS)
            ]
            report(what, min(times), plain)


def until_shown(file: Path, addresses: list[str], number: int) -> float:
    """Seconds from an edit of the file until all addresses show it, the server's pause included."""
    mark = f"edited{number}"
    text = file.read_text(encoding="utf-8")
    if file.parts[-3] == "snippets":
        text = re.sub("import torch.*", f"import torch  # {mark}", text, count=1)
    else:
        text += f"\n{mark}\n"
    start = time.perf_counter()
    file.write_text(text, encoding="utf-8")
    wait_until(lambda: all(mark in fetch(address) for address in addresses))
    return time.perf_counter() - start


def fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as response:
        return response.read().decode("utf-8")


def wait_until(true: Callable[[], bool], limit: float = 60) -> None:
    until = time.monotonic() + limit
    while not true():
        if time.monotonic() > until:
            raise TimeoutError("the edit did not show")
        time.sleep(0.02)


def bench_snippets(folder: Path) -> None:
    """A hundred copies of the site's own first programs, run as `make check` runs them."""
    models = sorted((snippets.FOLDER / "learn" / "ctx-vs-self").glob("*.md"))
    for number in range(PROGRAMS):
        model = models[number % len(models)]
        copy(model, folder / "snippets" / f"{number:03}-{model.name}")
    for name in (
        "tools/snippets.py",
        "tools/programs.py",
        "tools/figures.py",
        "tests/test_snippet_output.py",
        "conftest.py",
        "pyproject.toml",
    ):
        copy(snippets.ROOT / name, folder / name)
    torch = seconds([sys.executable, "-c", "import torch"], cwd=folder)
    both = seconds([sys.executable, "-m", "pytest", "-q"], cwd=folder)
    report(f"{PROGRAMS} programs, twice each / import torch", both, torch)


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def report(what: str, ours: float, reference: float) -> None:
    print(f"{ours / reference:6.2f}  {what}  ({ours:.2f} s / {reference:.2f} s)", flush=True)


if __name__ == "__main__":
    for bench in (bench_builds, bench_snippets):
        with tempfile.TemporaryDirectory() as temporary:
            bench(Path(temporary))
