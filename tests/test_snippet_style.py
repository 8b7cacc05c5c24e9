"""Programs are formatted and linted by ruff."""

from __future__ import annotations

import json
import subprocess
import sys

import snippets

RUFF = [sys.executable, "-m", "ruff"]


def test_programs_are_formatted():
    result = subprocess.run(
        [*RUFF, "format", "--check", "snippets"],
        cwd=snippets.ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, (
        result.stdout + result.stderr + "To format them: .venv/bin/ruff format snippets"
    )


def test_programs_are_free_of_lint(tmp_path):
    lines = {}
    for path in snippets.paths():
        snippet = snippets.read(path)
        file = (tmp_path / snippet.name).with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(snippet.code, encoding="utf-8")
        lines[str(file.resolve())] = snippet
    result = subprocess.run(
        [
            *RUFF,
            "check",
            "--config",
            "snippets/ruff.toml",
            "--output-format",
            "json",
            str(tmp_path),
        ],
        cwd=snippets.ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode in (0, 1), result.stderr
    problems = []
    for found in json.loads(result.stdout):
        snippet = lines[found["filename"]]
        line = snippet.line + found["location"]["row"] - 1
        problems.append(f"snippets/{snippet.name}:{line}: {found['code']} {found['message']}")
    assert not problems, "\n".join(sorted(problems))


def test_hooks_tools_and_tests_are_formatted_and_free_of_lint():
    folders = ["hooks", "tools", "tests", "conftest.py"]
    for command in (["format", "--check"], ["check"]):
        result = subprocess.run(
            [*RUFF, *command, *folders],
            cwd=snippets.ROOT,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert result.returncode == 0, result.stdout + result.stderr
