"""Every message that torch can print to someone who writes or uses a Function has a row in
docs/tables/messages.csv: the section that explains it, or the reason why there is none. Torch's
Python files are parsed on each run; the rows of its C++ files are not compared with them."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from problems import report, report_of_torch

from builder.content.paths import TABLES, rows, shown

TABLE = TABLES / "messages.csv"
FILES = (
    "torch/_functorch/autograd_function.py",
    "torch/amp/autocast_mode.py",
    "torch/autograd/function.py",
    "torch/autograd/gradcheck.py",
    "torch/autograd/graph.py",
    "torch/library.py",
    "torch/utils/checkpoint.py",
)
REASONS = {
    "private or for tests only",
    "a path with no Function in it",
    "an assertion about torch's own state",
}
CALLS = {"warn", "warn_once", "warning", "warning_once", "deprecated", "DelayedError"}
"""What prints its first argument, beside `raise`: a warning, or an error in a later backward."""


def constant(node: ast.expr) -> str:
    """The text of an expression, with {} for what is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(func=ast.Attribute(value=called, attr="format")):
            return constant(called)
        case ast.Constant(value=bytes(text)):
            return text.decode()
        case ast.JoinedStr(values=parts):
            return "".join(constant(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return constant(left) + constant(right)
    return "{}"


def message(call: ast.expr | None) -> str:
    """What is printed; where no word of it is constant, the expression as it is written."""
    if isinstance(call, ast.Call) and call.args:
        call = call.args[0]
        if re.search(r"\w", text := constant(call)):
            return " ".join(text.split())
    return " ".join(ast.unparse(call).split()) if call else "raise"


def printed(node: ast.AST, where: str = "") -> Iterator[tuple[int, str, str]]:
    """Line, function and message of each `raise` and each call of CALLS."""
    for child in ast.iter_child_nodes(node):
        inner = where
        match child:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                inner = f"{where}.{child.name}".removeprefix(".")
            case ast.Raise(exc=exc):
                yield child.lineno, where, message(exc)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in CALLS:
                yield child.lineno, where, message(child)
        yield from printed(child, inner)


def test_every_message_of_torch_has_a_row_and_every_row_a_message():
    torch = Path(find_spec("torch").origin).parents[1]
    known = {(row["file"], row["where"], row["message"]) for row in rows(TABLE)}
    lines = {
        (file, where, text): line
        for file in FILES
        for line, where, text in printed(ast.parse((torch / file).read_text("utf-8")))
    }
    problems = [
        f"{file}:{lines[file, where, text]}: {text!r} in {where}; add a row to {shown(TABLE)}"
        for file, where, text in lines.keys() - known
    ]
    problems += [
        f"{shown(TABLE)}:1: {text!r} is not in {where} of {file}; delete its row"
        for file, where, text in known - lines.keys()
        if file in FILES
    ]
    report_of_torch(problems)


def test_every_row_has_a_verdict_with_its_section_or_reason():
    counts = Counter(row["which"] for row in rows(TABLE) if row["verdict"] == "section")
    sections = {which for which, count in counts.items() if count == 1}
    known = {"section": sections, "same": sections, "left out": REASONS}
    report(
        f"{shown(TABLE)}:{number}: {row['verdict']}, {row['which']!r}; write section or same, and an "
        f"id that exactly one row gives to a section, or left out, and one of {sorted(REASONS)}"
        for number, row in enumerate(rows(TABLE), 2)
        if row["which"] not in known.get(row["verdict"], ())
    )
