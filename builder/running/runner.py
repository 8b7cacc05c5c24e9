"""Run programs, each in a process that can harm nothing but itself.

multiprocessing's fork server imports torch once, and every program runs in a process forked from
it. The process has its own process group, temporary folder and time limit, and ends when its parent
ends. A program has succeeded only if its process reports this at the end.
"""

import _thread
import contextlib
import gc
import io
import json
import multiprocessing
import os
import re
import resource
import runpy
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import types
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from subprocess import PIPE, Popen
from typing import NamedTuple

from builder.content.paths import ROOT
from builder.content.snippets import Outcome, Program
from builder.running import figures

SECONDS = float(os.environ.get("PROGRAM_SECONDS", "30"))
"""How long a program may take. It is ended after that, and after those that began before it."""

CONTEXT = multiprocessing.get_context("forkserver")
AT_A_TIME = 2 * (os.cpu_count() or 1)
"""Some of them have ended, and wait for those before them."""
MOST_BYTES = 50_000_000
"""The size limit of a file that a program writes, including its output."""
PRELOADED = {
    "builder.running.runner": "",
    "pytest_codeblocks.plugin": "as_block",
    "torch": "torch",
    "torch._dynamo": "gradcheck|compile|torch.func|vmap|jvp|checkpoint",
    "torch._inductor.compile_fx": "torch.compile",
    "numpy": "numpy|torch",
    "matplotlib.pyplot": "matplotlib",
}
"""Modules that the fork server imports, each if the tasks' text contains the expression."""
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "MPLBACKEND": "agg",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",  # or a thread of its pool outlives the program
    "TRITON_INTERPRET": "1",  # read when triton is imported, as torch._dynamo does
    "MATPLOTLIBRC": str(Path(__file__).with_name("matplotlibrc")),
}


class Task(NamedTuple):
    """What a process does with a program. It can return more fields of Outcome."""

    work: Callable[[Program], dict[str, object] | None]
    program: Program


class Child:
    """A process that runs one program in a folder. If ours dies, it ends and deletes the folder."""

    def __init__(self, task: Task) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="program-"))
        self.process = CONTEXT.Process(target=_run_program, args=(self._folder, task))
        os.environ.update(ENVIRONMENT)  # for the server, which starts with the first process
        main = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")  # or the process would import it
        try:
            self.process.start()
        finally:
            sys.modules["__main__"] = main
        self.limit = time.monotonic() + SECONDS

    def outcome(self) -> Outcome:
        """Wait for the program up to the time limit, and end its process group."""
        self.process.join(max(0.0, self.limit - time.monotonic()))
        code = self.process.exitcode
        stdout, stderr, report = map(self._text, ("stdout", "stderr", "report.json"))
        self.end()
        if code is None:
            return Outcome(stdout, f"still running after {SECONDS:g} seconds; ended")
        if not report:
            how = f"the interpreter ended with code {code}"
            if code < 0:
                how = f"killed by {signal.Signals(-code).name}"
            return Outcome(stdout, f"{how} before the program came to its end\n{stderr}".rstrip())
        return Outcome(stdout, **json.loads(report))

    def end(self) -> None:
        """End the process and those that it started, and delete its folder."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _text(self, name: str) -> str:
        """A file that the process wrote. Of a very long one, as much as a message can use."""
        file = self._folder / name
        written = file.read_bytes()[: MOST_BYTES // 50] if file.exists() else b""
        return written.decode(errors="replace")


def _end_with_parent(folder: Path) -> None:
    multiprocessing.parent_process().join()
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def _run_program(folder: Path, task: Task) -> None:
    """In the new process: run a program, write the report and exit."""
    gc.freeze()  # or garbage collections would copy all memory that is shared with the server
    os.setsid()
    os.chdir(folder)
    _thread.start_new_thread(_end_with_parent, (folder,))  # not listed in threading.enumerate()
    report, own_pid = Path("report.json").absolute(), os.getpid()
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, file in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    output = sys.stdout = os.fdopen(1, "w")
    sys.stdin, sys.stderr = os.fdopen(0), os.fdopen(2, "w")
    del sys.argv[1:]  # those of the command that runs the programs
    for module in ("random", "numpy.random", "torch"):  # or all would draw the same numbers
        if module in sys.modules:
            sys.modules[module].seed()
    for name, code in task.program.modules:
        Path(name).write_text(code, encoding="utf-8")
    _leave_project(folder)
    fields: dict[str, object] = {"error": None}
    try:
        fields |= task.work(task.program) or {}
        fields["figure"] = figures.open_figure(task.program.name)
        left = [thread.name for thread in threading.enumerate()[1:] if not thread.daemon]
        if left:
            fields["error"] = f"it leaves a thread running ({', '.join(left)}); join it"
    except SystemExit:
        fields["error"] = "it ends the interpreter by sys.exit(); let it come to its end"
    except BaseException as raised:
        fields["error"] = _traceback(raised, task.program.name)
    if os.getpid() == own_pid:  # and not a process that the program forked
        with contextlib.suppress(Exception):
            output.flush()
        report.write_text(json.dumps(fields), encoding="utf-8")
    os._exit(0)


def _leave_project(folder: Path) -> None:
    """Let programs import from their folder, and no longer from the project or its tests."""
    ours = {ROOT, ROOT / "tests"}
    sys.path[:] = [str(folder), *(path for path in sys.path if Path(path).absolute() not in ours)]
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__file__", None) or ""
        if name.partition(".")[0] == "builder" or Path(file).parent in ours:
            del sys.modules[name]


def _traceback(error: BaseException, name: str) -> str:
    """A traceback without the frames above the program's, and with the lines of its snippet's file.

    A script begins on the second line of that file. A block has a line before its code.
    """
    frames = error.__traceback__
    ours = r"pytest_codeblocks|builder.running|runpy"
    while frames and re.search(ours, frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    text = "".join(traceback.format_exception(error.with_traceback(frames)))[-20_000:]
    file = rf'File "(<string>|[^"\n]*{re.escape(Path(name).stem)}\.py)", line (\d+)'
    return re.sub(file, lambda at: f"snippets/{name}:{int(at[2]) + (at[1] != '<string>')}", text)


def as_script(program: Program) -> None:
    """Run a program as Python runs a script, in a file."""
    file = Path(f"{program.path.stem}.py").absolute()
    file.write_text(program.code, encoding="utf-8")
    runpy.run_path(str(file), run_name="__main__")


def as_block(program: Program) -> None:
    """Run a program as pytest-codeblocks does."""
    from pytest_codeblocks import main, plugin

    plugin.stdout_io = lambda: contextlib.nullcontext(io.StringIO())  # leave the output in stdout
    block = main.CodeBlock(f'__name__ = "__main__"\n{program.code}', lineno=1, syntax="python")
    try:
        plugin.TestBlock.runtest(types.SimpleNamespace(name=program.name, obj=block))
    except RuntimeError as error:  # its message has the whole program, and not the traceback
        raise error.__context__ from None


def outcomes(tasks: list[Task]) -> Iterator[Outcome]:
    """Run programs, several at a time. Yields their outcomes in the order of the tasks. Closing the
    iterator ends what is still running.

    The first tasks of this process choose what is preloaded.
    """
    text = "".join(f"{work.__name__} {program.whole_code}" for work, program in tasks)
    needed = [module for module, wanted in PRELOADED.items() if re.search(wanted, text)]
    CONTEXT.set_forkserver_preload(needed)
    running: deque[Child] = deque()
    try:
        for task in tasks:
            if len(running) == AT_A_TIME:
                yield running.popleft().outcome()
            running.append(Child(task))
        while running:
            yield running.popleft().outcome()
    finally:
        for child in running:
            child.end()


def run_with(python: Path, programs: list[Program]) -> Iterator[Outcome]:
    """Run programs as scripts with another interpreter. Yields their outcomes in order. Raises
    RuntimeError if that interpreter fails."""
    command = [python, "-c", "from builder.running import runner; runner.main()"]
    with Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, encoding="utf-8") as process:
        json.dump([*map(asdict, programs)], process.stdin)
        process.stdin.close()
        for line in process.stdout:
            yield Outcome(**json.loads(line))
    if process.returncode:
        raise RuntimeError("the process that runs the programs ended; see above")


def main() -> None:
    """Run the programs that standard input has as JSON, and print their outcomes as JSON."""
    programs = [Program(**fields) for fields in json.load(sys.stdin)]
    for outcome in outcomes([Task(as_script, program) for program in programs]):
        print(json.dumps(asdict(outcome)), flush=True)
