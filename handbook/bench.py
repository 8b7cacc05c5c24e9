"""Measure builds, rebuilds and the run of programs, as ratios within one run: `make bench`."""

import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from handbook.places import LANGUAGES, SNIPPETS
from handbook.preview import MKDOCS, Preview, copy_project

PROGRAMS = 100
REPEATS = 3


def seconds(*commands: list[str], cwd: Path, without: str = "nothing") -> float:
    """The best of some runs of commands, one after the other, each without a folder left before."""
    times = []
    for _ in range(REPEATS):
        shutil.rmtree(cwd / without, ignore_errors=True)
        start = time.perf_counter()
        for command in commands:
            subprocess.run(command, cwd=cwd, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def bench_builds(folder: Path) -> None:
    copy_project(folder)
    build = [*MKDOCS, "build", "--strict"]
    first = seconds(build, cwd=folder, without=".cache")
    later = seconds(build, cwd=folder)
    plain = []
    for lang in LANGUAGES:
        (folder / f"plain.{lang}.yml").write_text(f"INHERIT: mkdocs.{lang}.yml\nhooks: []\n")
        plain.append([*MKDOCS, "build", "-f", f"plain.{lang}.yml", "-d", f"plain/{lang}"])
    reference = seconds(*plain, cwd=folder)
    by = "plain Material builds, one after the other"
    report(f"cold strict build, nothing kept / {by}", first, reference)
    report(f"cold strict build, with .cache / {by}", later, reference)
    with Preview(folder) as site:
        site.wait_for("Serving on", 120)
        page = folder / "docs" / "zh" / "learn" / "ctx-vs-self.md"
        snippet = folder / "snippets" / "index" / "self-and-ctx.md"
        for what, edited, shown_at in (
            ("page", page, ["zh/learn/ctx-vs-self/"]),
            ("snippet, in both languages", snippet, [f"{lang}/" for lang in LANGUAGES]),
        ):
            addresses = [site.address + at for at in shown_at]
            times = [until_shown(edited, addresses, number) for number in range(REPEATS)]
            report(f"an edited {what}, until it shows / {by}", min(times), reference)


def until_shown(file: Path, addresses: list[str], number: int) -> float:
    """Seconds from an edit of the file until all addresses show it, the server's pause included."""
    mark = f"edited{number}"
    text = file.read_text(encoding="utf-8")
    if "snippets" in file.parts:
        text = re.sub("import torch.*", f"import torch  # {mark}", text, count=1)
    else:
        text += f"\n{mark}\n"
    start = time.perf_counter()
    file.write_text(text, encoding="utf-8")
    while not all(mark in fetch(address) for address in addresses):
        if time.perf_counter() - start > 60:
            raise TimeoutError("the edit did not show")
        time.sleep(0.02)
    return time.perf_counter() - start


def fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as response:
        return response.read().decode("utf-8")


def bench_programs(folder: Path) -> None:
    """A hundred copies of the site's own programs, judged as `make check` judges them."""
    copy_project(folder, "conftest.py", "pyproject.toml")
    shutil.rmtree(folder / "snippets")
    models = sorted((SNIPPETS / "learn" / "ctx-vs-self").glob("*.md"))
    for number in range(PROGRAMS):
        copy = folder / "snippets" / f"{number}.md"
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(models[number % len(models)], copy)
    torch = seconds([sys.executable, "-c", "import torch"], cwd=folder)
    judged = seconds([sys.executable, "-m", "pytest", "-q", "snippets"], cwd=folder)
    report(f"{PROGRAMS} programs, judged twice each / import torch", judged, torch)


def report(what: str, ours: float, reference: float) -> None:
    print(f"{ours / reference:6.2f}  {what}  ({ours:.2f} s / {reference:.2f} s)", flush=True)


if __name__ == "__main__":
    for bench in (bench_builds, bench_programs):
        with tempfile.TemporaryDirectory() as temporary:
            bench(Path(temporary))
