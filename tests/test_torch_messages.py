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
    known = Counter((row["file"], row["where"], row["message"]) for row in rows(TABLE))
    seen = Counter()
    problems = []
    for file in FILES:
        for line, where, text in sorted(printed(ast.parse((torch / file).read_text("utf-8")))):
            seen[file, where, text] += 1
            if seen[file, where, text] > known[file, where, text]:
                problems.append(f"{file}:{line}: {text!r}; add a row to {shown(TABLE)}")
    problems += [
        f"{shown(TABLE)}:1: {text!r} is not in {where} of {file}; delete its row"
        for file, where, text in known - seen
        if file in FILES
    ]
    report_of_torch(problems)


def test_every_row_has_a_verdict_with_its_section_or_reason():
    sections = Counter(row["which"] for row in rows(TABLE) if row["verdict"] == "section")
    problems = []
    for number, row in enumerate(rows(TABLE), 2):
        verdict, which = row["verdict"], row["which"]
        where = f"{shown(TABLE)}:{number}: {which!r}"
        if verdict == "left out" and which not in REASONS:
            problems.append(f"{where}: unknown reason; take one of {sorted(REASONS)}")
        elif verdict not in ("section", "same", "left out"):
            problems.append(f"{where}: unknown verdict {verdict!r}; section, same or left out")
        elif verdict != "left out" and sections[which] != 1:
            problems.append(f"{where} is the id of {sections[which]} rows; 1 is needed")
        elif verdict == "section" and not re.fullmatch("[a-z0-9-]{1,30}", which):
            problems.append(f"{where} is no id; at most 30 of a-z, 0-9 and - are")
    report(problems)
