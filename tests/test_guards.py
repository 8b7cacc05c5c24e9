"""No program keeps the others from running, and an output that would differ on the next run is not
recorded."""

import multiprocessing
import os
import re
import subprocess
import sys

import psutil
import pytest

from handbook import runner, snippets
from handbook.preview import copy_project

GOOD = """\
import os, sys, torch

print(torch.ones(1), torch.get_num_threads(), sys.getrecursionlimit())
print(os.environ.get("LEFT"), os.path.exists("left"), os.getcwd() == "/")
"""
GOOD_OUTPUT = "tensor([1.]) 1 1000\nNone False False\n"

# By name the program, and a part of the message with which it must fail, or None.
PROGRAMS = {
    "exits": ("import os\nprint(1, flush=True)\nos._exit(0)", "before the program came to its end"),
    "kills-itself": ("import os\nos.kill(os.getpid(), 9)", "killed by SIGKILL"),
    "segfaults": ("import ctypes\nctypes.string_at(0)", "killed by SIGSEGV"),
    "ends-the-interpreter": ("import sys\nprint(1)\nsys.exit()", "sys.exit()"),
    "never-ends": ("while True:\n    pass", "still running after 3 seconds"),
    "catches-everything": (
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass",
        "still running after 3 seconds",
    ),
    "leaves-a-thread": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()\nprint(1)",
        "leaves a thread running",
    ),
    "forks": ("import os\nprint(1)\nif os.fork() == 0:\n    raise SystemExit\nos.wait()", None),
    "raises": ("print(1)\n1 / 0", "raises.md:3"),
    "has-no-error": (
        "try:\n    print(1)\nexcept ValueError as error:\n    print(error)",
        "leave the try out",
    ),
    "has-an-error": ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    print(1)", None),
    "differs-as-a-script": ("print(1 + ('__file__' in globals()))", "make record ONLY=differs-as"),
    "prints-something-else": ("print(2)", "make record ONLY=prints-something-else.md"),
    "changes-the-folder": ("import os\nos.chdir('/')\nprint(1)", None),
    "changes-the-environment": ("import os\nos.environ['LEFT'] = '1'\nprint(1)", None),
    "sets-threads": ("import torch\ntorch.set_num_threads(2)\nprint(1)", None),
    "sets-a-limit": ("import sys\nsys.setrecursionlimit(99)\nprint(1)", None),
    "breaks-torch": ("import torch\ntorch.ones = None\nprint(1)", None),
    "writes-a-file": ("open('left', 'w').close()\nprint(1)", None),
}
UNFIT = {
    "another-fence": ("```py\nprint(1)\n```\n", "another-fence.md:1: not the form"),
    "byte-order-mark": ("\ufeff" + snippets.text_of("print(1)\n", "1\n"), "byte-order mark"),
    "too-long": (snippets.text_of("print(1)\n", "1\n" * 20_000), "too long to show"),
    "not-recorded": (snippets.text_of("print(1)\n", None), "make record ONLY=not-recorded.md"),
    "shows-no-figure": (snippets.text_of("print(1)\nplt.show()\n", "1\n"), "leaves no figure"),
}
UNRECORDABLE = {
    "an-address": ("print(object())", "a memory address"),
    "a-random-number": ("import torch\nprint(torch.rand(1))", "something else on a second run"),
    "a-time": ("import time\nprint(time.strftime('%H:%M:%S'))", "a time"),
    "no-newline": ("print(1, end='')", "without a newline"),
    "nothing": ("1", "prints nothing"),
    "too-much": ("for n in range(20_000):\n    print(n)", "too long to show"),
    "no-show": ("import matplotlib.pyplot as plt\nplt.plot([1])\nprint(1)", "plt.show()"),
    "hangs": ("while True:\n    pass", "still running after 3 seconds"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The project with the programs of this file and no others."""
    folder = copy_project(tmp_path_factory.mktemp("project"), "conftest.py", "pyproject.toml")
    for file in snippets.paths():
        (folder / file.relative_to(snippets.SNIPPETS.parent)).unlink()
    for name, (code, _) in PROGRAMS.items():
        (folder / "snippets" / f"{name}.md").write_text(snippets.text_of(f"{code}\n", "1\n"))
        (folder / "snippets" / f"{name}-then-good.md").write_text(
            snippets.text_of(GOOD, GOOD_OUTPUT)
        )
    for name, (text, _) in UNFIT.items():
        (folder / "snippets" / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "snippets" / "new").mkdir()
    for name, (code, _) in UNRECORDABLE.items():
        (folder / "snippets" / "new" / f"{name}.md").write_text(snippets.text_of(f"{code}\n", None))
    return folder


def run(folder, *command: str) -> str:
    result = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder, env={**os.environ, "PROGRAM_SECONDS": "3"}, timeout=200,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert result.returncode == 1, result.stdout
    return result.stdout


def test_every_program_runs_whatever_the_others_do(project):
    before = set(project.rglob("*"))
    printed = run(project, "pytest", "-v", "-p", "no:cacheprovider", "--ignore", "snippets/new")
    results = dict(re.findall(r"^snippets/(\S+)\.md::\S.*? (PASSED|FAILED)", printed, re.MULTILINE))
    expected = {
        f"{name}{then}": "FAILED" if message and not then else "PASSED"
        for name, (_, message) in PROGRAMS.items()
        for then in ("", "-then-good")
    }
    assert results == expected | dict.fromkeys(UNFIT, "FAILED")
    for name, (_, message) in (PROGRAMS | UNFIT).items():
        if message:
            assert re.search(rf"snippets/{name}\.md:\d+: ", printed), name
            assert message in printed, name
    assert "handbook/" not in printed, "a traceback shows our own code"
    caches = {".cache", "__pycache__"}
    after = {path for path in project.rglob("*") if not caches & set(path.parts)}
    assert after <= before, "a program left a file"


def test_an_output_that_would_differ_on_the_next_run_is_not_recorded(project):
    folder = project / "snippets" / "new"
    before = {file: file.read_bytes() for file in folder.iterdir()}
    printed = run(project, "handbook.record", "new")
    for name, (_, message) in UNRECORDABLE.items():
        (line,) = re.findall(
            rf"^snippets/new/{name}\.md:2: left as it was: .*$", printed, re.MULTILINE
        )
        assert message in line
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


def test_a_program_ends_when_the_process_that_started_it_is_killed():
    code = (
        "from handbook import runner\n"
        "child = runner.Child(runner.as_script, 'a.md', 'while True: pass')\n"
        "print(child.process.pid, flush=True)\nchild.process.join()"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        program = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    alive = psutil.wait_procs([program], 10)[1]
    for process in alive:
        process.kill()
    assert not alive


def test_programs_run_without_a_fork_server_too(monkeypatch):
    monkeypatch.setattr(runner, "CONTEXT", multiprocessing.get_context("spawn"))
    (outcome,) = runner.run([("a.md", "print(1)\n1 / 0\n")])
    assert outcome.stdout == "1\n"
    assert "snippets/a.md:3, in <module>" in outcome.error
