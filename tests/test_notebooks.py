"""Every notebook offered for download runs from top to bottom in a fresh IPython, and prints in
each cell what the page shows. To leave this out: `pytest -m "not notebooks"`."""

import json
import sys
from pathlib import Path

import nbformat
import pytest
from problems import differing, report, skip
from rendered import readable

from builder.content import snippets
from builder.content.snippets import Program
from builder.running import runner

FILE = Path(__file__).with_name("ipython_cells.py")
RUN_CELLS = "import ipython_cells\nipython_cells.run()\n"


def code_cells(notebook: str) -> dict[str, tuple[str, str]]:
    """By id the source of each code cell and what it is said to print; the first installs torch."""
    cells = [cell for cell in nbformat.reads(notebook, 4).cells if cell.cell_type == "code"]
    return {
        cell.id: (cell.source, "".join(out.text for out in cell.outputs if "text" in out))
        for cell in cells[1:]
    }


@pytest.mark.notebooks
def test_a_downloaded_notebook_prints_what_its_page_shows(public, uris, monkeypatch):
    """It may take four times as long as a program. Each runs in a process of its own."""
    monkeypatch.setenv("PROGRAM_SECONDS", f"{4 * runner.SECONDS}")
    module = FILE.name, FILE.read_text(encoding="utf-8")
    programs, expected, left_out = [], [], []
    for page in readable("en", uris):
        if lacking := snippets.lacking("".join(program.code for program in page.programs)):
            left_out.append(f"{page.uri}: this machine lacks {lacking}")
        elif page.programs:
            notebook = f"en/notebooks/{page.uri.replace('.md', '.ipynb')}"
            cells = code_cells(public.text(notebook))
            sources = json.dumps({name: source for name, (source, _) in cells.items()})
            modules = module, ("cells.json", sources)
            programs.append(Program(page.uri, RUN_CELLS, None, None, modules))
            expected.append([(name, printed) for name, (_, printed) in cells.items()])
    problems = []
    outcomes = runner.run_with(Path(sys.executable), programs)
    for program, wanted, outcome in zip(programs, expected, outcomes, strict=True):
        what = f"the notebook of {program.name}"
        if outcome.error:
            problems.append(f"{what}: {outcome.error}")
        else:
            problems += differing(what, wanted, [*json.loads(outcome.output).items()])
    report(problems)
    if left_out:
        skip("\n".join(left_out))
