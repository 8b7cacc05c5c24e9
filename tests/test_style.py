"""Programs and Python are formatted and free of lint, as ruff has it; the stylesheet is small."""

import json
import subprocess
import sys

import pytest
from problems import report

from handbook import snippets
from handbook.places import CACHE, ROOT
from handbook.snippets import SnippetError

PYTHON = ["handbook", "hooks", "tests", "conftest.py"]


def ruff(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ruff", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("what", [["snippets"], PYTHON], ids=["programs", "python"])
def test_everything_is_formatted(what):
    result = ruff("format", "--check", "--output-format", "concise", *what)
    report(f"{line}; make format" for line in result.stdout.splitlines() if "unformatted" in line)
    assert result.returncode == 0, result.stderr


def test_the_stylesheet_stays_small():
    size = (ROOT / "overrides/assets/handbook.css").stat().st_size
    assert size < 15_000, f"overrides/assets/handbook.css:1: {size} bytes; do with fewer rules"


def test_python_is_free_of_lint():
    result = ruff("check", "--output-format", "concise", *PYTHON)
    assert result.returncode == 0, result.stdout + result.stderr


def test_programs_are_free_of_lint(only):
    """ruff looks at no Markdown, so it is given the programs, and its lines are counted on."""
    lines = {}
    for path in snippets.paths(only):
        try:
            snippet = snippets.read(path)
        except SnippetError:
            continue
        lines[str(snippets.export(snippet))] = snippet
    found = ruff(
        "check", "--config", "snippets/ruff.toml", "--output-format", "json", "--no-respect-gitignore",
        str(CACHE / "programs"),
    )  # fmt: skip
    assert found.returncode in (0, 1), found.stderr
    report(
        f"snippets/{lines[one['filename']].name}:{one['location']['row'] + 1}: "
        f"{one['code']} {one['message']}"
        for one in json.loads(found.stdout)
        if one["filename"] in lines
    )
