"""Measure builds, rebuilds and the run of programs, and how they grow with the pages, as ratios
within one run: `make bench`."""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import psutil

from handbook.compose import Composer, Settings
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
        Composer(lang, folder / "plain" / lang, Settings("http://127.0.0.1:8000/")).compose()
        plain.append([*MKDOCS, "build", "-f", f"plain/{lang}/mkdocs.yml"])
    reference = seconds(*plain, cwd=folder)
    by = "plain Material builds of the composed pages, one after the other"
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
    """A hundred copies of the site's own programs, run as `make check` runs them."""
    copy_project(folder, "conftest.py", "pyproject.toml")
    shutil.rmtree(folder / "snippets")
    models = sorted((SNIPPETS / "learn" / "ctx-vs-self").glob("*.md"))
    for number in range(PROGRAMS):
        copy = folder / "snippets" / f"{number}.md"
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(models[number % len(models)], copy)
    torch = seconds([sys.executable, "-c", "import torch"], cwd=folder)
    run = seconds([sys.executable, "-m", "pytest", "-q", "snippets"], cwd=folder)
    report(f"{PROGRAMS} programs / import torch", run, torch)


def bench_growth(scale: list[int]) -> None:
    """What it takes with several times the pages, by what it takes with the pages as they are.

    Processor time, of all processes together: other work on the machine counts for little.
    """
    reference = {}
    for times in (1, *scale):
        with tempfile.TemporaryDirectory() as temporary:
            found = grown(Path(temporary), times)
        reference = reference or found
        for (what, unit), ours in found.items():
            if times > 1:
                report(f"{what}, {times} times the pages", ours, reference[what, unit], unit)


def grown(folder: Path, times: int) -> dict[tuple[str, str], float]:
    """What it takes, by name and unit, with so many times the pages."""
    multiply_pages(copy_project(folder, "tests", "conftest.py", "pyproject.toml"), times)
    with Preview(folder) as site:
        site.wait_for("Serving on", 300 * times)
        whole = spent(site.pid)
        page = folder / "docs" / "zh" / "learn" / "ctx-vs-self.md"
        for number in range(REPEATS):
            until_shown(page, [f"{site.address}zh/learn/ctx-vs-self/"], number)
        rebuild = (spent(site.pid) - whole) / REPEATS
        built = folder / ".cache" / "running" / str(site.pid)
        html = sum(file.stat().st_size for file in built.glob("??/**/*.html"))
        index = sum(len(gzip.compress(file.read_bytes())) for file in built.glob("??/search/*"))
    checks = [str(file) for file in sorted((folder / "tests").glob("test_page_*.py"))]
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *checks], cwd=folder, check=True, capture_output=True
    )
    after = os.times()
    return {
        ("whole build", "s"): whole,
        ("an edited page, until it shows", "s"): rebuild,
        ("checks of pages", "s"): sum(after[2:4]) - sum(before[2:4]),
        ("HTML", "kB"): html / 1e3,
        ("search index, gzipped", "kB"): index / 1e3,
    }


def multiply_pages(folder: Path, times: int) -> None:
    """Add copies of all pages, each in a folder and a part of the navigation of its own; of labs
    they are ordinary pages."""
    for lang in LANGUAGES:
        docs = folder / "docs" / lang
        config = folder / f"mkdocs.{lang}.yml"
        text = config.read_text(encoding="utf-8")
        nav = re.sub("^(?=.)", "    ", text.partition("\nnav:\n")[2], flags=re.MULTILINE)
        for copy in (f"copy{number}" for number in range(2, times + 1)):
            shutil.copytree(docs, docs / copy, ignore=shutil.ignore_patterns("copy*"))
            text += f"  - {copy}:\n" + re.sub(r"(\S+\.md)$", rf"{copy}/\1", nav, flags=re.MULTILINE)
        config.write_text(text, encoding="utf-8")


def spent(pid: int) -> float:
    """The processor time of a process and all that it started, in seconds."""
    one = psutil.Process(pid)
    return sum(sum(each.cpu_times()[:4]) for each in (one, *one.children(recursive=True)))


def report(what: str, ours: float, reference: float, unit: str = "s") -> None:
    figures = f"({ours:.2f} {unit} / {reference:.2f} {unit})"
    print(f"{ours / reference:6.2f}  {what}  {figures}", flush=True)


if __name__ == "__main__":
    scale = os.environ.get("SCALE") or "3 10"
    if not re.fullmatch(r"[\d ]+", scale):
        sys.exit(f'bench: SCALE={scale!r} is no list of numbers; write it as in SCALE="3 10"')
    for bench in (bench_builds, bench_programs):
        with tempfile.TemporaryDirectory() as temporary:
            bench(Path(temporary))
    bench_growth([int(times) for times in scale.split()])
