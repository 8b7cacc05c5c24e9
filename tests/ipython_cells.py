"""The code cells of notebooks, run by IPython as a kernel runs them. Each notebook has a process of
its own, forked from one that has imported torch and IPython."""

import json
import sys

from builder.content.snippets import Program
from builder.running import runner


def run_cells(notebook: Program) -> dict[str, str]:
    """In a new process: run cells, given as JSON, pairs of id and source, and print as JSON what
    each prints. Raises the error of the first that fails."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    HistoryManager.enabled = False  # or it would write in the history of whoever runs the tests
    shell = InteractiveShell.instance()
    hook = shell.displayhook  # keeps what a cell displays, which is not among what it prints
    hook.write_output_prompt = hook.write_format_data = lambda *_: None
    printed = {}
    for identifier, source in json.loads(notebook.code):
        with capture_output() as captured:
            result = shell.run_cell(source, store_history=True)
        result.raise_error()
        printed[identifier] = captured.stdout
    print(json.dumps(printed))
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")  # a notebook may draw several, a program one
    return {}


def main() -> None:
    """Run notebooks, which standard input has as JSON: names and cells. Print of each, as JSON,
    what its cells print and its error."""
    runner.PRELOADED["IPython.core.interactiveshell"] = ""
    runner.SECONDS *= 4
    books = json.load(sys.stdin)
    programs = [Program(name, json.dumps(cells), None, None) for name, cells in books.items()]
    tasks = [runner.Task(run_cells, program) for program in programs]
    outcomes = runner.outcomes(tasks)
    ran = zip(books, outcomes, strict=True)
    print(json.dumps({name: [outcome.output, outcome.error] for name, outcome in ran}))
