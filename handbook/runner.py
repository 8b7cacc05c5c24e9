"""Run programs, each in a process that can harm nothing but itself.

A program's process is forked from one that has torch loaded already, so that it costs
milliseconds instead of torch's import. It has a process group and a temporary folder of its own,
a time limit, and ends when its parent does. It has passed only when it says so at its end.

Run as a script, this module is the process that programs are forked from: their names and texts
go in on standard input, their outcomes come out on standard output, as JSON.
"""

import _thread
import contextlib
import faulthandler
import functools
import gc
import importlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from handbook import figures
from handbook.places import ROOT

SECONDS = float(os.environ.get("PROGRAM_SECONDS", "30"))
"""How long a program may take."""

FORKS = hasattr(os, "fork")
MOST_BYTES = 50_000_000  # of one file that a program writes, its output among them
PRELOAD = {
    "torch": "torch",
    "torch._dynamo": "gradcheck|compile|torch.func|vmap|jvp|checkpoint",
    "numpy": "numpy|torch",
    "matplotlib.pyplot": "matplotlib",
}
"""What is loaded before programs are forked, if one of them has what stands beside it."""


@dataclass(frozen=True)
class Outcome:
    """What a program printed and drew, and what went wrong: a traceback, say, or that it hung."""

    stdout: str
    error: str | None
    figure: str | None = None
    """The figure that it left open, as SVG."""
    steps: str | None = None
    """What handbook.recording saw of its run, as JSON."""


def preload(programs: list[str]) -> None:
    """Load what programs import, in the process that they are forked from."""
    for module, wanted in PRELOAD.items():
        if re.search(wanted, "".join(programs)):
            with contextlib.suppress(ImportError):
                importlib.import_module(module)
    gc.collect()
    gc.freeze()  # or the collections of each child would copy all of this


class Child:
    """A forked process that does one piece of work; `outcome` waits for it and ends it."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="program-"))
        self._verdict, told = os.pipe()
        leash, self._leash = os.pipe()
        self.limit = time.monotonic() + SECONDS
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self._leash)
                _work_alone(work, self._folder, leash, told)
            finally:
                os._exit(1)
        os.close(told)
        os.close(leash)

    def fileno(self) -> int:
        """What becomes readable when there is an outcome."""
        return self._verdict

    def outcome(self) -> Outcome:
        """Wait for the verdict up to the time limit, end the process group, tidy up."""
        try:
            verdict = self._read_verdict()
        except TimeoutError as error:
            verdict = json.dumps(str(error))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self._verdict)
        os.close(self._leash)
        stdout, stderr, figure, steps = (
            _text(self._folder / name) for name in ("stdout", "stderr", "figure.svg", "steps.json")
        )
        shutil.rmtree(self._folder, ignore_errors=True)
        if verdict:
            error = json.loads(verdict)
        else:
            error = f"{_end_of(status)} before the program came to its end\n{stderr}".rstrip()
        return Outcome(stdout, error, figure or None, steps or None)

    def _read_verdict(self) -> bytes:
        """What the child said; nothing if it ended without a word."""
        text = b""
        while not text.endswith(b"\n"):
            left = max(0.0, self.limit - time.monotonic())
            if not select.select([self._verdict], [], [], left)[0]:
                raise TimeoutError(f"still running after {SECONDS:g} seconds; ended")
            part = os.read(self._verdict, 65536)
            if not part:
                return b""
            text += part
        return text


def _end_of(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"the interpreter ended with code {os.WEXITSTATUS(status)}"


def _text(file: Path) -> str:
    """What a program wrote; of something endless, as much as a message can use."""
    if not file.exists():
        return ""
    with file.open(encoding="utf-8", errors="replace", newline="") as stream:
        return stream.read(MOST_BYTES // 50)


def _work_alone(work: Callable[[], object], folder: Path, leash: int, told: int) -> None:
    """In the new process: work, say what went wrong or that nothing did, and end."""
    import resource

    os.setsid()
    faulthandler.disable()  # it would write to the terminal
    _thread.start_new_thread(_follow, (leash, folder))  # unseen by the program's threading
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, (0, 1, 2), "rww")
    for name in ("random", "numpy.random", "torch"):  # a fork would draw what its siblings draw
        if name in sys.modules:
            sys.modules[name].seed()
    error, alone = None, os.getpid()
    try:
        work()
        left = [thread.name for thread in threading.enumerate()[1:] if not thread.daemon]
        if left:
            error = f"it leaves a thread running ({', '.join(left)}); join it"
    except SystemExit:
        error = "it ends the interpreter by sys.exit(); let it come to its end"
    except BaseException as raised:
        error = _told(raised)
    if os.getpid() != alone:  # a process that the program forked, and that came this far
        return
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        os.write(told, f"{json.dumps(error)}\n".encode())


def _follow(leash: int, folder: Path | None = None) -> None:
    """End this process and those it started when the one that holds the leash is gone."""
    os.read(leash, 1)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def _told(error: BaseException) -> str:
    """A traceback without this module's own frames."""
    while error.__traceback__ and error.__traceback__.tb_frame.f_code.co_filename == __file__:
        error = error.with_traceback(error.__traceback__.tb_next)
    return "".join(traceback.format_exception(error))[-20_000:]


def as_script(name: str, code: str) -> None:
    """Become a script, in a folder of its own; then save the figure that it drew."""
    program = os.path.abspath(f"{Path(name).stem}.py")
    Path(program).write_text(code, encoding="utf-8")
    main = types.ModuleType("__main__")
    main.__file__ = program
    sys.modules["__main__"] = main
    sys.argv = [program]
    sys.path[0] = os.path.dirname(program)
    exec(compile(code, program, "exec"), main.__dict__)
    figure = figures.open_figure(name)
    if figure:
        Path("figure.svg").write_text(figure, encoding="utf-8")


class Scripts:
    """Programs being run as scripts, in the order given and several at a time.

    Given as pairs of a name and a text; `scripts[number]` waits for the outcome of one. python:
    the interpreter that runs them; module: the runner that they run in.
    """

    def __init__(
        self,
        programs: list[tuple[str, str]],
        python: str | Path = sys.executable,
        module: str = "handbook.runner",
    ):
        self._outcomes: dict[int, Outcome] = {}
        self._process = subprocess.Popen(
            [python, "-m", module],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
            encoding="utf-8",
            env={
                **os.environ,
                "OMP_NUM_THREADS": "1",
                "PYTHONHASHSEED": "0",
                "PYTHONUTF8": "1",
                "MATPLOTLIBRC": str(Path(__file__).with_name("matplotlibrc")),
            },
        )
        self._process.stdin.write(f"{json.dumps(programs)}\n")
        self._process.stdin.flush()

    def __getitem__(self, number: int) -> Outcome:
        while number not in self._outcomes:
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError("the process that runs the programs ended; see above")
            at, outcome = json.loads(line)
            self._outcomes[at] = Outcome(**outcome)
        return self._outcomes[number]

    def close(self) -> None:
        """End what still runs."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def run(programs: list[tuple[str, str]], module: str = "handbook.runner") -> list[Outcome]:
    """Run programs, given as pairs of a name and a text, and wait for all."""
    scripts = Scripts(programs, module=module)
    try:
        return [scripts[number] for number in range(len(programs))]
    finally:
        scripts.close()


def serve(work: Callable[[str, str], None]) -> None:
    """Be the process that programs are forked from. work: what each does with name and text."""
    programs = json.loads(sys.stdin.readline())
    _thread.start_new_thread(_follow, (0,))
    for number, outcome in _forked(programs, work) if FORKS else _unguarded(programs):
        told = asdict(outcome) | {"error": _located(outcome.error, programs[number][0])}
        print(json.dumps([number, told]), flush=True)


def _located(error: str | None, name: str) -> str | None:
    """A traceback that names the lines of the snippet's file."""
    file = re.escape(f"{Path(name).stem}.py")
    return error and re.sub(
        rf'File "[^"\n]*{file}", line (\d+)', lambda at: f"snippets/{name}:{int(at[1]) + 1}", error
    )


def _forked(
    programs: list[tuple[str, str]], work: Callable[[str, str], None]
) -> Iterator[tuple[int, Outcome]]:
    preload([code for _, code in programs])
    waiting = list(range(len(programs)))[::-1]
    running: dict[Child, int] = {}
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            number = waiting.pop()
            running[Child(functools.partial(work, *programs[number]))] = number
        first = min(child.limit for child in running)
        ready = select.select(list(running), [], [], max(0.0, first - time.monotonic()))[0]
        for child in ready or [child for child in running if child.limit <= time.monotonic()]:
            yield running.pop(child), child.outcome()


def _unguarded(programs: list[tuple[str, str]]) -> Iterator[tuple[int, Outcome]]:
    """Where there is no fork: one after the other in whole new processes, with a time limit."""
    call = f"import sys; sys.path.append({str(ROOT)!r}); from handbook import runner; "
    for number, program in enumerate(programs):
        command = [sys.executable, "-c", f"{call}runner.as_script(*{program!r})"]
        with tempfile.TemporaryDirectory(prefix="program-") as folder:
            try:
                done = subprocess.run(
                    command, cwd=folder, capture_output=True, encoding="utf-8", timeout=SECONDS
                )
            except subprocess.TimeoutExpired:
                yield number, Outcome("", f"still running after {SECONDS:g} seconds; ended")
                continue
            figure = _text(Path(folder) / "figure.svg") or None
            yield number, Outcome(done.stdout, done.stderr if done.returncode else None, figure)


if __name__ == "__main__":
    serve(as_script)
