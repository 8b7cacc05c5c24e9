"""No program keeps others from running. An output that differs on the next run is not recorded."""

import re
import subprocess
import sys

import psutil
import pytest
from projects import copy_project, failing

from builder.content import snippets

GOOD = """\
import os, sys, torch

print(torch.ones(1), torch.get_num_threads(), sys.flags.hash_randomization)
print(os.environ.get("LEFT"), os.path.exists("left"))
"""
GOOD_OUTPUT = "tensor([1.]) 1 0\nNone False\n"

# By name the program, and a part of the message with which it must fail, or None.
PROGRAMS = {
    "exits": ("import os\nprint(1, flush=True)\nos._exit(0)", "before the program came to its end"),
    "segfaults": ("import ctypes\nctypes.string_at(0)", "killed by SIGSEGV"),
    "ends-the-interpreter": ("import sys\nprint(1)\nsys.exit()", "sys.exit()"),
    "never-ends": ("while True:\n    pass", "still running after 3 seconds"),
    "leaves-a-thread": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()\nprint(1)",
        "leaves a thread running",
    ),
    "raises": ("print(1)\n1 / 0", "raises.md:3"),
    "differs-as-a-script": ("print(1 + ('__file__' in globals()))", "make record ONLY=differs-as"),
    "prints-something-else": ("print(2)", "make record ONLY=prints-something-else.md"),
    "changes-the-environment": ("import os\nos.environ['LEFT'] = '1'\nprint(1)", None),
    "breaks-torch": ("import torch\ntorch.ones = None\nprint(1)", None),
    "writes-a-file": ("open('left', 'w').close()\nprint(1)", None),
    "counts-its-arguments": ("import sys\nprint(len(sys.argv))", None),
    "imports-its-module": ("import beside_it\nprint(beside_it.ONE)", None),
    "imports-it-as-a-script": ("import inspect\nimport beside_it\nprint(beside_it.ONE)", None),
    "imports-the-project": ("import builder\nprint(1)", "No module named 'builder'"),
    "imports-its-tests": ("import conftest\nprint(1)", "No module named 'conftest'"),
    "calls-a-compiler": ('print(1, "cc")', "this machine lacks cc"),
}
UNFIT = {
    "another-fence": ("```py\nprint(1)\n```\n", "another-fence.md:1: not the form"),
    "not-recorded": (snippets.text_of("print(1)\n", None), "make record ONLY=not-recorded.md"),
    "shows-no-figure": (snippets.text_of("print(1)\nplt.show()\n", "1\n"), "leaves no figure"),
}
UNRECORDABLE = {
    "a-random-number": ("import torch\nprint(torch.rand(1))", "something else on a second run"),
    "nothing": ("1", "prints nothing"),
    "hangs": ("while True:\n    pass", "still running after 3 seconds"),
    "imports": ("import builder\nprint(1)", "No module named 'builder'"),
}
LIMITED = {"PROGRAM_SECONDS": "3", "PATH": "", "CI": ""}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The project with the programs of this file and no others."""
    folder = copy_project(tmp_path_factory.mktemp("project"), "conftest.py", "pyproject.toml")
    for file in snippets.paths():
        (folder / file.relative_to(snippets.SNIPPETS.parent)).unlink()
    texts = {f"{name}-then-good": snippets.text_of(GOOD, GOOD_OUTPUT) for name in PROGRAMS}
    for name, (code, _) in PROGRAMS.items():
        texts[name] = snippets.text_of(f"{code}\n", "1\n")
    for name, (code, _) in UNRECORDABLE.items():
        texts[f"new/{name}"] = snippets.text_of(f"{code}\n", None)
    for name, text in (texts | {name: text for name, (text, _) in UNFIT.items()}).items():
        snippets.write(folder / "snippets" / f"{name}.md", text)
    snippets.write(folder / "snippets" / "beside_it.py", "ONE = 1\n")
    return folder


def test_every_program_runs_whatever_the_others_do(project):
    before = set(project.rglob("*"))
    command = "pytest -v -p no:cacheprovider --ignore snippets/new"
    printed = failing(project, *command.split(), **LIMITED)
    results = dict(re.findall(r"^snippets/(\S+)\.md::\S.*? ([A-Z]+)", printed, re.MULTILINE))
    expected = {
        f"{name}{then}": "FAILED" if message and not then else "PASSED"
        for name, (_, message) in PROGRAMS.items()
        for then in ("", "-then-good")
    }
    expected["calls-a-compiler"] = "SKIPPED"
    assert results == expected | dict.fromkeys(UNFIT, "FAILED")
    for name, (_, message) in (PROGRAMS | UNFIT).items():
        if message:
            assert re.search(rf"snippets/{name}\.md:\d+: ", printed), name
            assert message in printed, name
    assert "builder/" not in printed, "a traceback shows our own code"
    caches = {".cache", "__pycache__"}
    after = {path for path in project.rglob("*") if not caches & set(path.parts)}
    assert after <= before, "a program left a file"


def test_an_output_that_would_differ_on_the_next_run_is_not_recorded(project):
    folder = project / "snippets" / "new"
    before = {file: file.read_bytes() for file in folder.iterdir()}
    printed = failing(project, "builder.running.record", "new", **LIMITED)
    for name, (_, message) in UNRECORDABLE.items():
        assert re.search(f"snippets/new/{name}.md:2: left as it was: .*", printed)
        assert message in printed
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


def test_a_program_ends_when_the_process_that_started_it_is_killed():
    code = (
        "from builder.content.snippets import Program\nfrom builder.running import runner\n"
        "program = Program('a.md', 'while True: pass', None, None)\n"
        "child = runner.Child(runner.Task(runner.as_script, program))\n"
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
