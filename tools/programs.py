"""Run programs as scripts, each in a fresh interpreter process, several at a time.

The processes are forked from a server that has torch loaded already, so that a program costs
milliseconds instead of torch's import. Where there is no fork, each is a whole new process.

This file is both the module that asks and, run as a script, the process that does the work:
jobs go in on standard input, outcomes come out on standard output, as JSON.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import types
from dataclasses import asdict, dataclass
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path

import figures

SECONDS = 30
PRELOAD = ["torch", "torch._dynamo", "torch.autograd.gradcheck", "torch.func", "numpy"]


@dataclass(frozen=True)
class Outcome:
    """What a program printed and drew, and what went wrong: a traceback, say, or that it hung."""

    name: str
    stdout: str
    error: str | None
    figure: str | None = None
    """The figure that it left open, as SVG."""


def run(programs: list[tuple[str, str]]) -> list[Outcome]:
    """Run programs, given as pairs of a name and a source text, and wait for all."""
    worker = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(programs),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        encoding="utf-8",
        env={
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "PYTHONUTF8": "1",
            "MATPLOTLIBRC": str(Path(__file__).with_name("matplotlibrc")),
        },
    )
    return [Outcome(**json.loads(line)) for line in worker.stdout.splitlines()]


def _serve() -> None:
    # One thread starts and reaps all processes: multiprocessing loses exit codes otherwise.
    jobs = [(number, *job) for number, job in enumerate(json.load(sys.stdin))]
    forks = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if forks else "spawn")
    if forks:
        context.set_forkserver_preload(PRELOAD)
    waiting = jobs[::-1]
    running: dict[int, tuple[BaseProcess, float]] = {}
    outcomes: dict[int, Outcome] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folders = [Path(temporary) / str(number) for number, _, _ in jobs]
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                number, name, code = waiting.pop()
                process = _start(context, folders[number], name, code)
                running[number] = process, time.monotonic() + SECONDS
            first_limit = min(limit for _, limit in running.values())
            sentinels = [process.sentinel for process, _ in running.values()]
            wait(sentinels, timeout=max(0.0, first_limit - time.monotonic()))
            for number, (process, limit) in list(running.items()):
                if not process.is_alive() or time.monotonic() > limit:
                    outcomes[number] = _end(process, folders[number], jobs[number][1])
                    del running[number]
    for number in range(len(jobs)):
        print(json.dumps(asdict(outcomes[number])))


def _start(context: BaseContext, folder: Path, name: str, code: str) -> BaseProcess:
    folder.mkdir()
    program = folder / (Path(name).stem + ".py")
    program.write_text(code, encoding="utf-8")
    process = context.Process(target=_execute, args=(str(program), name))
    process.start()
    return process


def _end(process: BaseProcess, folder: Path, name: str) -> Outcome:
    hung = process.is_alive()
    if hung:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.join()
    if hung:
        error = f"still running after {SECONDS} seconds; ended"
    elif process.exitcode != 0:
        error = _text(folder / "stderr") or f"the interpreter ended with code {process.exitcode}"
    else:
        error = None
    figure = _text(folder / "figure.svg") or None
    return Outcome(name, _text(folder / "stdout"), error, figure)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


def _execute(program: str, name: str) -> None:
    """In the new process: become the script, then save the figure that it drew."""
    folder = os.path.dirname(program)
    if hasattr(os, "setsid"):
        os.setsid()
    os.chdir(folder)
    for number, stream in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(stream, os.O_WRONLY | os.O_CREAT), number)
    main = types.ModuleType("__main__")
    main.__file__ = program
    sys.modules["__main__"] = main
    sys.argv = [program]
    sys.path[0] = folder
    try:
        exec(compile(Path(program).read_text("utf-8"), program, "exec"), main.__dict__)
        svg = figures.open_figure(name)
        if svg:
            Path("figure.svg").write_text(svg, encoding="utf-8")
    except BaseException as error:
        if isinstance(error, SystemExit) and not error.code:
            return
        traceback.print_exception(error.with_traceback(error.__traceback__.tb_next))
        sys.exit(1)


if __name__ == "__main__":
    _serve()
