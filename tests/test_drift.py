"""`make drift` lists the pages that one language has committed later than the other."""

import os
import subprocess

from handbook import drift

IDENTITY = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]


def test_a_page_is_listed_if_one_language_was_committed_later(tmp_path):
    def commit(day: int, *names: str) -> None:
        for name in names:
            file = tmp_path / "docs" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{day}", encoding="utf-8")
        for command in (["add", "."], [*IDENTITY, "commit", "--quiet", "--message", "a"]):
            environment = os.environ | {"GIT_COMMITTER_DATE": f"2026-01-{day:02}T12:00:00Z"}
            subprocess.run(["git", *command], cwd=tmp_path, env=environment, check=True)

    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    commit(1, "zh/a.md", "en/a.md", "zh/b.md", "en/b.md", "zh/c.md", "en/c.md", "zh/d.md")
    commit(2, "zh/a.md", "zh/c.md")
    commit(4, "en/b.md", "en/c.md")
    times = drift.committed(tmp_path)
    assert drift.drifts(times, ["a.md", "b.md", "c.md", "d.md"]) == [
        (3, "docs/en/b.md"),
        (2, "docs/en/c.md"),
        (1, "docs/zh/a.md"),
    ]
    commit(5, "zh/b.md", "en/b.md")
    assert drift.drifts(drift.committed(tmp_path), ["b.md"]) == []
