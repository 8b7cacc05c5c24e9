"""While serving, an edit builds only the pages that it changes, and the result is the site of a
whole build, byte for byte. Nothing is left when the server ends."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import psutil
from problems import report
from projects import copy_pages, edit
from sites import KEPT, Site, build

from builder.content.paths import LANGUAGES

ADDED = '\n--8<-- "learn/graph-networks/sparse-product.md"\n\n## '
EDITS = [
    ("docs/zh/learn/ctx-vs-self.md", "\n## ", "\n加一句。\n\n## ", "zh built, 1 pages"),
    ("docs/en/index.md", "\n## ", ADDED, "en built, 1 pages"),
    ("docs/en/labs/index.md", "\n## ", "\nEdited.\n\n## ", "en built, 1 pages"),
    ("snippets/learn/graph-networks/sparse-product.md", "torch", "torch  # edited", "en built, 2 pages"),
    ("snippets/labs/three-tiers/alive-at-each-step.md", "gc", "gc  # edited", "zh built, 1 pages"),
    ("docs/pictures/apply-and-back.svg", "<g", "<g data-edited=''", "zh built, 1 pages"),
    (
        "docs/tables/releases/2.15.0.json",
        'vs-self/nothing-is-implicit.md": "',
        'vs-self/nothing-is-implicit.md": "0',
        "zh built, 1 pages",
    ),
    ("docs/tables/terms.csv", "内存泄露", "内存泄了", "zh built, 0 pages"),
    ("docs/zh/glossary.md", "\n# ", "\n# 改过的", "zh built, whole"),
]  # fmt: skip
"""A file, what is replaced in it, once, by what, and what the server then prints."""


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


def test_after_every_edit_the_site_is_that_of_a_whole_build(tmp_path):
    folder, temporary = copy_pages(tmp_path / "project", *KEPT), tmp_path / "temporary"
    temporary.mkdir()
    with serving(folder, temporary) as (_, address, printed):
        until("Serving on", printed)
        for name, old, new, expected in EDITS:
            edit(folder / name, old, new)
            log = until("Reloading", printed)
            assert expected in log, name
            others = [lang for lang in LANGUAGES if f"docs/{lang}" not in name]
            assert len(others) > 1 or f"{others[0]} built" not in log
        whole = Site(tmp_path / "whole", address, is_whole=False)
        build(whole, folder)
        (served,) = temporary.glob("mkdocs_languages_*")
        for lang in LANGUAGES:
            report(differences(served / lang, whole.folder / lang))


def differences(one: Path, other: Path) -> list[str]:
    """The files that two folders don't have alike, byte for byte; `one` has to hold a site."""
    ours, theirs = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (one, other)
    )
    assert len(ours) > len(KEPT)
    names = sorted(ours.keys() | theirs.keys())
    return [
        f"{name}: {one} and {other} differ" for name in names if ours.get(name) != theirs.get(name)
    ]


def test_a_server_that_is_killed_leaves_no_process_and_one_that_ends_no_folder(tmp_path):
    folder, temporary = copy_pages(tmp_path / "project", "index.md"), tmp_path / "temporary"
    temporary.mkdir()
    with serving(folder, temporary) as (killed, _, printed):
        until("Serving on", printed)
        workers = psutil.Process(killed.pid).children(recursive=True)
        assert len(workers) == len(LANGUAGES)
        killed.kill()
        assert not psutil.wait_procs(workers, 10)[1], "workers outlive the server"
    left = {*temporary.iterdir()}
    with serving(folder, temporary) as (ended, _, printed):
        until("Serving on", printed)
        ended.send_signal(signal.SIGTERM)
        assert ended.wait(10) == 0
        assert {*temporary.iterdir()} == left


def test_languages_are_built_by_spawned_processes_too(tmp_path):
    folder = copy_pages(tmp_path, "index.md")
    code = (
        "import multiprocessing\n"
        "from mkdocs.__main__ import cli\n"
        "multiprocessing.set_start_method('spawn')\n"
        "cli(['build'])\n"
    )
    subprocess.run([sys.executable, "-P", "-c", code], cwd=folder, check=True, timeout=60)
    assert all((folder / "site" / lang / "index.html").exists() for lang in LANGUAGES)
