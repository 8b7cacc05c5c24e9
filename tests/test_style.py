"""Every package that is imported is named in an input file of the requirements. ruff finds programs
and Python formatted and free of lint. The modules of builder/ import only those below them. Copies
of the theme's templates are up to date."""

import ast
import hashlib
import importlib.metadata
import re
from pathlib import Path

import material
from problems import report
from rendered import readable_programs
from sites import run

from builder.content import snippets
from builder.content.paths import ROOT, shown

LAYERS = """
hook
language_build
compose
configuration composed_page
lab_cells
notebooks
error_pages
other_releases search_index verdict_table
red_lines markup
record releases type_checkers device_verdicts
tracer
runner
figures
verdicts
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


def ruff(*arguments: str) -> str:
    """What ruff prints of what it finds."""
    result = run(ROOT, "ruff", *arguments)
    assert result.returncode in (0, 1), result.stdout
    return result.stdout


def test_everything_is_formatted_and_python_free_of_lint():
    unformatted = ruff("format", "--check", "--output-format", "concise", "snippets", *PYTHON)
    lines = [f"{line}; make format" for line in unformatted.splitlines() if "unformatted" in line]
    found = ruff("check", "--quiet", "--output-format", "concise", "snippets", *PYTHON)
    report(lines + found.splitlines())


def test_programs_are_free_of_lint(only):
    """ruff reads no Markdown, so it gets the programs as files, which begin one line later."""
    files = [str(snippets.export(snippet)) for snippet in readable_programs(only)]
    options = ("--config", "snippets/ruff.toml", "--no-respect-gitignore")
    found = (
        ruff("check", "--quiet", "--output-format", "concise", *options, *files) if files else ""
    )
    place = r"(?m)^\.cache/programs/(.*)\.py:(\d+)"
    report(re.sub(place, lambda at: f"snippets/{at[1]}.md:{int(at[2]) + 1}", found).splitlines())


def imported(code: str) -> set[str]:
    """The modules that code imports, whole: `a.b` and `a.b.c` for `from a.b import c`."""
    modules = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            modules |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
    return modules


def test_every_import_is_named_in_an_input_file():
    inputs = ("requirements-site.in", "requirements-test.in", "requirements-torch.txt")
    text = "".join((ROOT / name).read_text("utf-8") for name in inputs)
    named = {*re.findall(r"(?m)^[a-z][\w-]*", normal(text))}
    providers = importlib.metadata.packages_distributions()
    files = [*ROOT.glob("builder/**/*.py"), *ROOT.glob("tests/*.py"), ROOT / "conftest.py"]
    codes = {shown(file): file.read_text("utf-8") for file in files}
    codes |= {snippet.where: snippet.code for snippet in readable_programs()}
    report(
        f"{file}: imports {name}; name one of {providers[name]} in a requirements-*.in"
        for file, code in codes.items()
        for name in {module.partition(".")[0] for module in imported(code)} & providers.keys()
        if named.isdisjoint(map(normal, providers[name]))
    )


def normal(name: str) -> str:
    """The name of a package as all its spellings are written."""
    return name.lower().replace("_", "-")


def test_both_locked_files_have_the_same_versions():
    site, test = (
        {*re.findall(r"(?m)^([\w.-]+)==([\w.]+)", (ROOT / name).read_text("utf-8"))}
        for name in ("requirements-site.txt", "requirements-test.txt")
    )
    assert site <= test, f"requirements-test.txt has not {sorted(site - test)}; make lock"


def test_a_module_imports_only_modules_below_it_and_rooms_that_it_may():
    lines = enumerate(LAYERS.split("\n"))
    layer = {module: number for number, line in lines for module in line.split()}
    files = {file.stem: file for file in (ROOT / "builder").rglob("[!_]*.py")}
    assert files.keys() == layer.keys()
    report(
        f"{shown(file)}:1: imports {module}, which is not below it, or in a room beside it"
        for name, file in files.items()
        for module in imported(file.read_text("utf-8"))
        if (parts := module.split("."))[0] == "builder" and len(parts) == 3 and parts[2] in layer
        if layer[parts[2]] <= layer[name] or parts[1] not in ROOMS.get(file.parent.name, {parts[1]})
    )


def test_the_theme_has_not_changed_a_template_since_it_was_copied():
    """The first comment of a copy ends in the first half of the original's SHA-256."""
    theme = Path(material.__file__).parent / "templates"
    problems = []
    for copy in (ROOT / "overrides").rglob("*.html"):
        original = theme / copy.relative_to(ROOT / "overrides")
        text = copy.read_text(encoding="utf-8")
        if original.exists() and "{% extends" not in text:
            digest = hashlib.sha256(original.read_bytes()).hexdigest()[:32]
            if digest not in text:
                problems.append(f"{shown(copy)}:1: the theme's is now {digest}; copy it anew")
    report(problems)
