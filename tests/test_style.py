"""Every package that is imported is named in an input file of the requirements. ruff finds programs
and Python formatted and free of lint. The modules of builder/ import only those below them. Copies
of the theme's templates are up to date."""

import ast
import hashlib
import importlib.metadata
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import material
from problems import report

from builder.content import snippets
from builder.content.paths import ROOT, shown

LAYERS = """
hook
language_build zensical
compose
page_files
configuration composed_page
lab_cells
notebooks
included
error_pages
other_releases search_index verdict_table
red_lines hosting markup
record releases type_checkers device_verdicts
tracer
runner
figures
checks verdicts
differences formulas pages
parts
snippets
paths
"""
"""The modules of builder/, from the highest to the lowest: each imports only those below it."""

ROOMS = {"content": {"content"}, "running": {"running", "content"}}
ROOMS["publishing"] = {"publishing", "content"}
"""From which rooms the modules of a room may import."""

PYTHON = ["builder", "tests", "conftest.py"]

INPUTS_OF_LOCKS = ["requirements-site.in", "requirements-test.in", "requirements-torch.txt"]
LOCKS = ["requirements-site.txt", "requirements-test.txt"]


def ruff(*arguments: str) -> str:
    """What ruff prints of what it finds."""
    command = [sys.executable, "-m", "ruff", *arguments]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


def test_everything_is_formatted_and_python_free_of_lint():
    unformatted = ruff("format", "--check", "--output-format", "concise", "snippets", *PYTHON)
    lines = [f"{line}; make format" for line in unformatted.splitlines() if "unformatted" in line]
    found = ruff("check", "--output-format", "concise", "snippets", *PYTHON).splitlines()
    report(lines + [line for line in found if line != "All checks passed!"])


def test_programs_are_free_of_lint(only):
    """ruff reads no Markdown, so it gets the programs as files, which begin one line later."""
    lines = {str(snippets.export(snippet)): snippet for snippet in snippets.fit(only)}
    found = ruff(
        "check", "--config", "snippets/ruff.toml", "--output-format", "json", "--no-respect-gitignore",
        *lines,
    )  # fmt: skip
    report(
        f"snippets/{lines[one['filename']].name}:{one['location']['row'] + 1}: "
        f"{one['code']} {one['message']}"
        for one in json.loads(found)
        if one["filename"] in lines
    )


def imported(file: Path) -> set[tuple[str, str]]:
    """The modules of the package that a module imports, each with its room."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("builder."):
            _, room, *module = node.module.split(".")
            found |= {(room, name) for name in module or [name.name for name in node.names]}
    return found


def test_every_import_is_named_in_an_input_file():
    """And the two locked files have no package in two versions."""
    inputs = "".join((ROOT / name).read_text("utf-8") for name in INPUTS_OF_LOCKS)
    wanted = {name.lower().replace("_", "-") for name in re.findall(r"(?m)^[A-Za-z][\w-]*", inputs)}
    providers = importlib.metadata.packages_distributions()
    problems = []
    files = [
        ROOT / "conftest.py",
        *(file for name in PYTHON[:2] for file in (ROOT / name).rglob("*.py")),
    ]
    for file, code in [
        *((shown(file), file.read_text("utf-8")) for file in files),
        *((snippet.where, snippet.code) for snippet in snippets.fit()),
    ]:
        for name in sorted(set(imported_packages(code))):
            given = {one.lower().replace("_", "-") for one in providers.get(name, ())}
            if given and not given & wanted:
                problems.append(
                    f"{file}: imports {name}; name {sorted(given)} in a requirements-*.in"
                )
    locked = [
        dict(re.findall(r"(?m)^([\w.-]+)==([\w.]+)", (ROOT / name).read_text("utf-8")))
        for name in LOCKS
    ]
    problems += [
        f"{LOCKS[1]}: {name} is {locked[1].get(name)}, and in {LOCKS[0]} {version}; make lock"
        for name, version in locked[0].items()
        if locked[1].get(name) != version
    ]
    report(problems)


def imported_packages(code: str) -> Iterator[str]:
    """The packages at the top of what code imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def test_a_module_imports_only_modules_below_it_and_rooms_that_it_may():
    lines = enumerate(LAYERS.split("\n"))
    layer = {module: number for number, line in lines for module in line.split()}
    files = {file.stem: file for file in (ROOT / "builder").rglob("[!_]*.py")}
    assert files.keys() == layer.keys()
    report(
        f"{shown(file)}:1: imports {room}.{other}, which is not below it, or in a room beside it"
        for module, file in files.items()
        for room, other in imported(file)
        if layer[other] <= layer[module] or room not in ROOMS.get(file.parent.name, {room})
    )


def test_the_theme_has_not_changed_a_template_since_it_was_copied():
    """The first comment of a copy ends in the first half of the original's SHA-256."""
    theme = Path(material.__file__).parent / "templates"
    problems = []
    for copy in (ROOT / "overrides").rglob("*.html"):
        name = copy.relative_to(ROOT / "overrides").as_posix()
        original, text = theme / name, copy.read_text(encoding="utf-8")
        if original.exists() and "{% extends" not in text:
            digest = hashlib.sha256(original.read_bytes()).hexdigest()[:32]
            if digest not in text:
                problems.append(f"overrides/{name}:1: the theme's is now {digest}; copy it anew")
    report(problems)
