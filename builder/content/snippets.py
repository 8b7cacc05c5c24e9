"""The snippet files: a program each, and under it the output it was seen to print. A program may
import modules that stand beside its file, as `name.py`; nothing else of the project."""

import difflib
import functools
import os
import re
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from builder.content.paths import CACHE, SNIPPETS, Mistake, Problem, pinned, read_text, shown

_PARTS = re.compile(r"```python\n(.+?\n)```(?:\n.*?^```text\n(.+?\n)```)?", re.DOTALL | re.M)
"""The program and its output."""

EXTRA = {
    "triton": r"\btriton\b", "onnx": r"\bonnx\b", "onnxscript": r"\bonnx\b",
    "ninja": "cpp_extension", "setuptools": "cpp_extension", "pytest": r"\bimport pytest\b",
}  # fmt: skip
"""Packages besides torch, numpy and matplotlib, and an expression for programs that need them."""
COMPILERS = {"cc": '"cc"', "c++": "cpp_extension"}

MOST_LINES = 60
MOST_CHARACTERS = 6000
"""A longer output can't be read at a glance; pytest-codeblocks reads no file of 10,000 lines."""

_IMPORTED = re.compile(r"^(?:from|import) (\w+)", re.MULTILINE)

UNSTABLE = {
    r"\b0x[0-9a-f]{6,}\b": "a memory address",
    r"(?<![\w.])/(?:tmp|home|root|usr|opt|var|Users)/": "a file path",
    r"\b[A-Z]:\\\\?\w|\bFile \"|site-packages|\.py:\d+": "a file path",
    r"\b\d\d:\d\d:\d\d\b|\b\d{4}-\d\d-\d\d\b": "a time",
    r"\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|seconds|secs)\b": "a duration",
    r"\x1b": "an ANSI escape",
    r"\+(?:cpu|cu\d+)\b": "the build of torch",
}


@dataclass(frozen=True)
class Outcome:
    """What a run printed and drew, the figure as SVG; its error: a traceback, or that it hung, for
    example; and what builder.running.tracer recorded of it."""

    output: str
    error: str | None
    figure: str | None = None
    steps: list[dict] | None = None


@dataclass(frozen=True)
class Program:
    """A program with what it printed and drew when it was recorded, if it is.

    name: its path below snippets/, as pages include it; modules: those beside it that it imports,
    each as the name of its file and its code.
    """

    name: str
    code: str
    output: str | None
    figure: str | None
    modules: tuple[tuple[str, str], ...] = ()

    @functools.cached_property
    def whole_code(self) -> str:
        """The program and its modules."""
        return "".join([self.code, *(code for _, code in self.modules)])

    def beside(self, module: str) -> str:
        """The path of one of its modules below snippets/."""
        return f"{self.name.rpartition('/')[0]}/{module}".lstrip("/")

    @property
    def path(self) -> Path:
        return SNIPPETS / self.name

    @property
    def where(self) -> str:
        """File and line of the program, for messages."""
        return f"{shown(self.path)}:2"


def paths(only: str = "") -> list[Path]:
    """All snippet files, or those below one folder (or the one file) of snippets/.

    Raises Mistake if `only` names nothing.
    """
    start = SNIPPETS / only.removeprefix("snippets/")
    named = {start, start.with_suffix(".md")}
    files = [*filter(Path.is_file, named)] or sorted(start.rglob("*.md"))
    if only and not files:
        raise Mistake(
            f"ONLY={only!r}: no such snippet and no such folder of snippets; name one, as in "
            "ONLY=learn/ctx-vs-self, or leave ONLY out for a page without programs"
        )
    return files


@functools.cache
def read(path: Path) -> Program:
    """A snippet file's program. It is read once, until `differences.forget`. Raises Mistake unless
    the file has the form of a snippet, recorded or not yet."""
    text = read_text(path).rstrip("\n") + "\n"
    parts = _PARTS.match(text)
    code, output = parts.groups() if parts else ("<the program>\n", None)
    formed = text_of(code, output)
    if text != formed or re.search(r"^\s*(```|~~~)", f"{code}{output or ''}", re.MULTILINE):
        same = "\n" if text == formed else os.path.commonprefix([text, formed])
        wrong = (
            "not the form of a snippet: one fence that opens with exactly ```python, no fence "
            "inside it, and below it nothing but what make record wrote"
        )
        raise Mistake(Problem(path, same.count("\n") + 1, wrong))
    name, drawing = path.relative_to(SNIPPETS).as_posix(), path.with_suffix(".svg")
    figure = read_text(drawing) if drawing.exists() else None
    files = (path.with_name(f"{module}.py") for module in dict.fromkeys(_IMPORTED.findall(code)))
    modules = ((file.name, read_text(file)) for file in files if file.is_file())
    return Program(name, code, output, figure, tuple(modules))


def text_of(code: str, output: str | None) -> str:
    """A snippet file's text; without an output, as it is before it is recorded."""
    recorded = f"\n<!--pytest-codeblocks:expected-output-->\n\n```text\n{output}```\n"
    return f"```python\n{code}```\n{recorded if output else ''}"


@functools.lru_cache(maxsize=8192)
def extra(programs: str) -> tuple[str, ...]:
    """What programs need besides torch, numpy and matplotlib, as pip takes it."""
    needed = (name for name, wanted in EXTRA.items() if re.search(wanted, programs))
    return tuple(f"{name}=={pinned(name)}" for name in needed)


def lacking(programs: str) -> str:
    """What programs need and this machine lacks, by name; empty if nothing."""
    wanted = EXTRA | COMPILERS
    needed = (name for name, pattern in wanted.items() if re.search(pattern, programs))
    return ", ".join(name for name in needed if not (find_spec(name) or shutil.which(name)))


def unfit(code: str, result: Program | Outcome) -> str | None:
    """Why what a program prints and draws can't be shown on a page, if so, and what to do: nothing
    to see, too long, or never the same."""
    shows, output = code.rstrip().endswith("\nplt.show()"), result.output
    if result.figure and not shows:
        return "it draws a figure and does not end in plt.show(); add that line"
    if shows and not result.figure:
        return "it ends in plt.show() and leaves no figure open; draw one, or leave the line out"
    if not output.strip():
        return "it prints nothing, so there is nothing to show or to check; print what matters"
    if "```" in output or "~~~" in output:
        return "it prints a fence, which would end the fence around its output"
    lines = output.count("\n") + 1
    if lines > MOST_LINES or len(output) > MOST_CHARACTERS:
        return (
            f"it prints {lines} lines, {len(output)} characters: too long to show (at most "
            f"{MOST_LINES} lines, {MOST_CHARACTERS} characters); print what matters"
        )
    for pattern, what in UNSTABLE.items():
        match = re.search(pattern, output)
        if match:
            return f"it prints {what}, {match[0]!r}; print something that is the same on every run"
    if not output.endswith("\n"):
        return "its output ends without a newline; end it with print()"
    return None


def departure(old: Program | Outcome, new: Outcome, what: str) -> str | None:
    """How a result differs from an earlier one, if so. what: which, and what to do."""
    for does, *texts in (("prints", old.output, new.output), ("draws", old.figure, new.figure)):
        if texts[0] != texts[1]:
            before, after = ((text or "").splitlines() for text in texts)
            lines = [*difflib.unified_diff(before, after, lineterm="", n=1)][2:42]
            return "\n".join([f"it {does} something else {what}", *lines])
    return None


def write(path: Path, text: str | None) -> bool:
    """Replace a file whole, or delete it; written beside and renamed, it is never half there.
    Returns whether it was otherwise."""
    if text is None:
        path.unlink(missing_ok=True)
        return True
    if path.is_file() and path.read_text("utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8", newline="\n")
    os.replace(beside, path)
    return True


def export(program: Program) -> Path:
    """The program as a .py file that an editor can run and complete, and ruff can check, with its
    modules."""
    path = CACHE / "programs" / Path(program.name).with_suffix(".py")
    write(path, program.code)
    for name, code in program.modules:
        write(path.with_name(name), code)
    return path
