"""Every message that torch can print to someone who writes or uses a Function has a row in
docs/tables/messages.csv: the section that explains it, or the reason why there is none. Torch's
Python files are parsed on each run; the rows of its C++ files are not compared with them."""

import ast
import csv
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from problems import report, report_of_torch

from handbook.places import TABLES, shown

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


class Row(NamedTuple):
    file: str
    where: str
    message: str
    verdict: str
    which: str


@pytest.fixture(scope="module")
def rows() -> list[tuple[int, Row]]:
    """The rows of the table, with their lines in it."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return [(reader.line_num, Row(**row)) for row in reader]


def constant(node: ast.expr) -> str:
    """The text of an expression, with {} for what is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return text
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
        text = constant(call.args[0])
        call = call.args[0]
        if re.search(r"\w", text):
            return " ".join(text.split())
    return " ".join(ast.unparse(call).split()) if call else "raise"


def sites(node: ast.AST, where: str = "") -> Iterator[tuple[int, str, str]]:
    """The line, the function and the message of each `raise` and each call of CALLS."""
    for child in ast.iter_child_nodes(node):
        inner = where
        match child:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                inner = f"{where}.{child.name}".removeprefix(".")
            case ast.Raise(exc=exc):
                yield child.lineno, where, message(exc)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in CALLS:
                yield child.lineno, where, message(child)
        yield from sites(child, inner)


@pytest.mark.parametrize("file", FILES)
def test_every_message_of_torch_has_a_row_and_every_row_a_message(file, rows):
    source = (Path(torch.__file__).parents[1] / file).read_text(encoding="utf-8")
    found = sorted(sites(ast.parse(source)))
    unmatched = Counter((row.where, row.message) for _, row in rows if row.file == file)
    problems = []
    for line, *site in found:
        unmatched[tuple(site)] -= 1
        if unmatched[tuple(site)] < 0:
            problems.append(f"{file}:{line}: {site[1]!r}; add a row to {shown(TABLE)}")
    for number, row in rows:
        if row.file == file and unmatched[row.where, row.message] > 0:
            problems.append(
                f"{shown(TABLE)}:{number}: {row.message!r} is not in {row.where} of {file}; "
                "delete the row"
            )
    report_of_torch(problems)


def test_the_rows_are_sorted_by_file_and_have_a_verdict_with_its_section_or_reason(rows):
    sections = Counter(row.which for _, row in rows if row.verdict == "section")
    problems = [
        f"{shown(TABLE)}:{number}: {row.file} stands after {before.file}; sort the rows by file"
        for (_, before), (number, row) in pairwise(rows)
        if row.file < before.file
    ]
    for number, row in rows:
        match row.verdict:
            case "section" | "same" if not re.fullmatch("[a-z0-9-]{1,30}", row.which):
                problem = f"{row.which!r} is no short id: lower case and hyphens, 30 at most"
            case "section" | "same" if sections[row.which] != 1:
                problem = f"{sections[row.which]} rows are the section {row.which!r}; let one be"
            case "left out" if row.which not in REASONS:
                problem = f"unknown reason {row.which!r}; take one of {sorted(REASONS)}"
            case "section" | "same" | "left out":
                continue
            case _:
                problem = f"unknown verdict {row.verdict!r}; section, same or left out"
        problems.append(f"{shown(TABLE)}:{number}: {problem}")
    report(problems)
