"""While serving, an edit builds only the pages that it changes, and the result is the site of a
whole build, byte for byte. Nothing is left when the server ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from problems import report

from handbook.places import LANGUAGES
from handbook.preview import MKDOCS, Preview, copy_project, keep_pages

BARE = [str(Path(sys.executable).with_name("mkdocs"))]

KEPT = [
    "index.md", "about.md", "glossary.md", "learn/ctx-vs-self.md", "learn/in-place-operations.md",
    "learn/graph-networks.md", "labs/index.md", "labs/three-tiers.md", "labs/memory-lifetime.md", "reference/history.md",
]  # fmt: skip
ADDED = '\n--8<-- "learn/graph-networks/sparse-product.md"\n\n## '
EDITS = [
    ("docs/zh/learn/ctx-vs-self.md", "\n## ", "\n加一句。\n\n## ", "zh built, 1 pages"),
    ("docs/en/index.md", "\n## ", ADDED, "en built, 1 pages"),
    ("docs/en/labs/index.md", "\n## ", "\nEdited.\n\n## ", "en built, 1 pages"),
    ("docs/zh/labs/three-tiers.md", "\n## ", "\n加一句。\n\n## ", "zh built, 1 pages"),
    ("snippets/learn/graph-networks/sparse-product.md", "torch", "torch  # edited", "en built, 2 pages"),
    ("snippets/labs/three-tiers/alive-at-each-step.md", "gc", "gc  # edited", "zh built, 1 pages"),
    ("snippets/labs/memory-lifetime/an-input-is-kept.svg", "<path", "<path class=''", "zh built, 1 pages"),
    ("docs/pictures/apply-and-back.svg", "<g", "<g data-edited=''", "zh built, 1 pages"),
    ("docs/tables/history.md", "0.", "0.0", "zh built, 1 pages"),
    ("handbook/compose.py", "script-link", "script-link edited", "zh built, whole"),
    (
        "docs/tables/releases/2.15.0.json",
        'vs-self/nothing-is-implicit.md": "',
        'vs-self/nothing-is-implicit.md": "0',
        "zh built, 1 pages",
    ),
    ("docs/tables/terms.csv", "内存泄露", "内存泄了", "zh built, 0 pages"),
    ("docs/zh/glossary.md", "\n# ", "\n# 改过的", "zh built, whole"),
    ("docs/zh/about.md", "\n## ", "\n加一句。\n\n## ", "zh built, 1 pages"),
]  # fmt: skip
"""A file, what is replaced in it, once, by what, and what the server then prints. It restarts after
an edit of the build's own code, so the data that it keeps in memory is edited after that."""


def test_after_every_edit_the_site_is_that_of_a_whole_build(tmp_path):
    folder = keep_pages(copy_project(tmp_path / "project"), *KEPT)
    with Preview(folder, BARE) as site:
        site.wait_for("Serving on")
        for name, old, new, expected in EDITS:
            edit(folder / name, old, new)
            log = site.wait_for("Serving on" if name.startswith("handbook") else "Reloading")
            assert expected in log, name
            others = [lang for lang in LANGUAGES if f"docs/{lang}" not in name]
            if len(others) == 1:
                assert f"{others[0]} built" not in log
        served = folder / ".cache" / "running" / str(site.pid)
        subprocess.run(
            [*MKDOCS, "build", "-d", str(tmp_path / "whole")],
            cwd=folder, env={**os.environ, "SITE_URL": site.address}, check=True, capture_output=True,
        )  # fmt: skip
        for lang in LANGUAGES:
            report(differences(served / lang, tmp_path / "whole" / lang))


def edit(file: Path, old: str, new: str) -> None:
    """Replace the first `old` in a file, which has to be there."""
    before, found, after = file.read_text(encoding="utf-8").partition(old)
    assert found, f"{old!r} is not in {file}"
    file.write_text(before + new + after, encoding="utf-8")


def differences(one: Path, other: Path) -> list[str]:
    """The files that two folders don't have alike, byte for byte; `one` has to hold a site."""
    ours, theirs = (
        {
            file.relative_to(folder): file.read_bytes()
            for file in folder.rglob("*")
            if file.is_file()
        }
        for folder in (one, other)
    )
    assert len(ours) > len(KEPT)
    names = sorted(ours.keys() | theirs.keys())
    return [
        f"{name}: {one} and {other} differ" for name in names if ours.get(name) != theirs.get(name)
    ]


def test_a_server_that_ends_or_is_killed_leaves_nothing(tmp_path):
    folder = keep_pages(copy_project(tmp_path / "project"), "index.md")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {"TMPDIR": str(temporary)}
    with Preview(folder, **environment) as killed:
        killed.wait_for("Serving on")
        workers = psutil.Process(killed.pid).children(recursive=True)
        assert len(workers) == len(LANGUAGES)
        killed.end(signal.SIGKILL)
        assert not psutil.wait_procs(workers, 10)[1], "workers outlive the server"
        (left,) = temporary.glob("mkdocs_*")
    with Preview(folder, **environment) as ended:
        ended.wait_for("Serving on")
        assert not left.exists(), "a later start does not remove what a killed one left"
        assert ended.end(signal.SIGTERM) == 0
        assert not list(temporary.glob("mkdocs_*"))
        assert not list((folder / ".cache" / "running").iterdir())


def test_two_ctrl_c_end_a_build(tmp_path):
    folder = copy_project(tmp_path)
    build = subprocess.Popen(
        [*MKDOCS, "build"], cwd=folder, start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    for _ in range(2):
        time.sleep(1.5)
        os.killpg(build.pid, signal.SIGINT)
    build.communicate(timeout=8)
    assert build.returncode != 0
    with pytest.raises(ProcessLookupError):  # no process of its group is left
        os.killpg(build.pid, 0)


def test_languages_are_built_by_spawned_processes_too(tmp_path):
    folder = keep_pages(copy_project(tmp_path), "index.md")
    (folder / "spawn.py").write_text(
        "import multiprocessing\n"
        "from mkdocs.__main__ import cli\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    cli(['build'])\n"
    )
    subprocess.run([sys.executable, "-P", "spawn.py"], cwd=folder, check=True, timeout=60)
    assert all((folder / "site" / lang / "index.html").exists() for lang in LANGUAGES)
