"""What is wrong with a page in either language stops the build, and the message says where."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import preview
import pytest


def build(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.mark.parametrize(
    ("lang", "added", "told"),
    [
        ("en", "[there](nowhere.md)", "nowhere.md"),
        ("zh", "[那里](#nowhere)", "#nowhere"),
        ("en", '--8<-- "index/nowhere.md"', "index/nowhere.md"),
        ("zh", '--8<-- "index/self-and-ctx.md:nowhere"', "nowhere"),
    ],
    ids=["page", "anchor", "snippet", "section"],
)
def test_a_reference_to_nowhere_stops_the_build(tmp_path, lang, added, told):
    folder = preview.copy_project(tmp_path)
    page = folder / "docs" / lang / "index.md"
    page.write_text(f"{page.read_text('utf-8')}\n{added}\n", encoding="utf-8")
    result = build(folder)
    assert result.returncode != 0
    lines = [line for line in result.stdout.splitlines() if told in line]
    assert any(f"{lang}: " in line and "index.md" in line for line in lines), result.stdout
    assert "Traceback" not in result.stdout


@pytest.mark.parametrize("address", ["", "example.org/ctx"])
def test_an_incomplete_address_stops_the_build(tmp_path, address):
    result = build(preview.copy_project(tmp_path), SITE_URL=address)
    assert result.returncode != 0
    assert "site_url" in result.stdout.lower()
    assert "Traceback" not in result.stdout
