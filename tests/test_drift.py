"""`make drift` names the sections that one language has newer, and no others; where there is no
history it says so and fails nothing."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from handbook import drift

IDENTITY = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Runs git in an empty folder that belongs to no checkout."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("LC_ALL", "C")

    def run(*arguments: str) -> None:
        subprocess.run(["git", *IDENTITY, *arguments], cwd=tmp_path, check=True)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., None]:
    """Writes the two pages: the text of the sections #a and #b in either."""

    def pages(zh: tuple[str, str], en: tuple[str, str]) -> None:
        for lang, (a, b) in (("zh", zh), ("en", en)):
            text = f"---\nx: y\n---\n# T {{ #t }}\n\n## A {{ #a }}\n\n{a}\n\n## B {{ #b }}\n\n{b}\n"
            (tmp_path / f"{lang}.md").write_text(text, encoding="utf-8")

    return pages


@pytest.fixture
def commit(write: Callable[..., None], git: Callable[..., None]) -> Callable[..., None]:
    """Writes the two pages and commits them, in a checkout of their own."""
    git("init", "--quiet")

    def pages(zh: tuple[str, str], en: tuple[str, str]) -> None:
        write(zh, en)
        git("add", ".")
        git("commit", "--quiet", "--message", "a commit")

    return pages


def named(folder: Path) -> list[tuple[str, str, int]]:
    """The sections named: id, and file and line of the newer."""
    found = drift.drifts(folder / "zh.md", folder / "en.md", drift.read(folder))
    return [(name, newer.file.name, newer.line) for name, (newer, _) in found.items()]


def test_a_section_is_named_until_its_counterpart_is_touched(commit, tmp_path):
    commit(("甲", "乙"), ("a", "b"))
    assert named(tmp_path) == []
    commit(("甲", "乙"), ("a", "b 2"))
    assert named(tmp_path) == [("b", "en.md", 10)]
    commit(("甲 3", "乙"), ("a", "b 2"))
    assert named(tmp_path) == [("a", "zh.md", 6), ("b", "en.md", 10)]
    commit(("甲 3", "乙 4"), ("a", "b 2"))
    assert named(tmp_path) == [("a", "zh.md", 6)]
    commit(("甲 3\n5", "乙 4"), ("a\n5", "b 2"))
    assert named(tmp_path) == []


def test_what_is_not_committed_counts_too(commit, write, tmp_path):
    commit(("甲", "乙"), ("a", "b"))
    write(("甲", "乙"), ("a 2", "b"))
    assert named(tmp_path) == [("a", "en.md", 6)]
    write(("甲 2", "乙"), ("a 2", "b"))
    assert named(tmp_path) == []


def test_without_a_whole_history_it_says_so_in_a_line(commit, git, tmp_path, monkeypatch, capsys):
    def said(folder: Path) -> str:
        monkeypatch.setattr(drift, "ROOT", folder)
        drift.main()
        return capsys.readouterr().out

    (tmp_path / "no-checkout").mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert re.fullmatch(
        "drift: nothing to compare: .*not a git repository.*\n", said(tmp_path / "no-checkout")
    )
    for text in "12":
        commit((text, text), (text, text))
    git("clone", "--quiet", "--depth", "1", tmp_path.as_uri(), "cut-short")
    assert re.fullmatch("drift: nothing to compare: .*cut short.*\n", said(tmp_path / "cut-short"))
    monkeypatch.setenv("PATH", "")
    assert said(tmp_path) == "drift: nothing to compare: git is not installed\n"
