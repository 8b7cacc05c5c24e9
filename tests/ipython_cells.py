"""The code cells of a notebook, run by IPython as a kernel runs them. test_notebooks.py puts this file
beside a program that calls `run`, and the cells beside it."""

import json
import sys
from pathlib import Path

from IPython.core.history import HistoryManager
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output


def run() -> None:
    """Run the cells of cells.json, sources by id, and print as JSON what each prints. Raises the error
    of the first that fails."""
    HistoryManager.enabled = False  # or it would write in the history of whoever runs the tests
    shell = InteractiveShell.instance()
    hook = shell.displayhook  # keeps what a cell displays, which is not among what it prints
    hook.write_output_prompt = hook.write_format_data = lambda *_: None
    printed = {}
    for identifier, source in json.loads(Path("cells.json").read_text(encoding="utf-8")).items():
        with capture_output() as captured:
            result = shell.run_cell(source, store_history=True)
        result.raise_error()
        printed[identifier] = captured.stdout
    print(json.dumps(printed))
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")  # a notebook may draw several, a program one
