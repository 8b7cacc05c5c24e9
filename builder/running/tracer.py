"""A program's run, step by step, as the player shows it: the lines in the order in which they ran,
and after each what had changed in the variables, in every ctx, in the graph.

sys.settrace follows the program's own frames, on the thread that it runs on. On the CPU that is
where `backward` runs too; the thread that autograd has for a GPU is not one that Python started,
and is not followed. Looking changes nothing: what a program prints here is what it prints when
nobody looks. Nothing is kept alive for it: a ctx is shown while a variable, or a node of the graph
behind one, leads to it.
"""

import ast
import html
import json
import re
import sys
import weakref
from collections.abc import Callable, Iterator
from inspect import CO_OPTIMIZED
from types import FrameType
from typing import TextIO

import torch
from torch._C import DisableTorchFunction, _FunctionBase
from torch.utils._python_dispatch import _disable_current_modes

from builder.content.paths import Mistake
from builder.content.snippets import Program
from builder.running import runner

MOST_STEPS = 80
MOST_CHARACTERS = 200
NO_STEPS = "import ", "from ", "class ", "def ", "try:", "except "
"""How lines begin that are no steps. A call is one, at the line of its `def`."""

OF_CTX = "needs_input_grad", "to_save", "saved_tensors", "dirty_tensors", "non_differentiable"


def first_lines(code: str) -> dict[int, int]:
    """By line the first line of the statement or header that it belongs to."""
    first = {}
    for node in ast.walk(ast.parse(code)):  # the outer before the inner
        if isinstance(node, ast.stmt):
            start = min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
            first |= dict.fromkeys(range(start, node.end_lineno + 1), node.lineno)
    return first


class Tracer:
    """Watches the frames of one program; `steps` is what it saw. stdout: what the program prints.
    Raises Mistake."""

    def __init__(self, code: str, stdout: TextIO):
        self._first = first_lines(code)
        self._lines = code.splitlines()
        self._stdout = stdout
        self._at: dict[FrameType, int | None] = {}  # of each frame, the module's first, its step
        self._contexts = weakref.WeakKeyDictionary()  # of each ctx the name
        self._graded: set[str] = set()
        self._calls: dict[str, str] = {}
        self._before: dict = {}
        self.steps: list[dict] = []

    def __call__(self, frame: FrameType, event: str, arg: object) -> Callable | None:
        code, name = frame.f_code, frame.f_code.co_name
        is_function = code.co_flags & CO_OPTIMIZED and not name.startswith("<")
        if code.co_filename != sys.argv[0] or not (is_function or name == "<module>"):
            return None  # neither is a class body, nor what has no name
        if event == "call":
            self._at[frame] = self._first[code.co_firstlineno] if self._at else None
            self._step(frame)
        elif event == "line":
            line = self._first[frame.f_lineno]
            if self._lines[line - 1].lstrip().startswith(NO_STEPS):
                line = None
            if self._at[frame] != line:
                self._step(frame)
                self._at[frame] = line
        elif event == "exception" and arg[0] is not StopIteration:
            self._step(frame, raises=f"{arg[0].__name__}: {_first_sentence(arg[1])}")
        elif event == "return":
            self._step(frame, arg)
            del self._at[frame]
        return self

    def _step(self, frame: FrameType, result: object = None, raises: str = "") -> None:
        """The line that a frame was at has run. After an error none has: that ended it."""
        line, self._at[frame] = self._at[frame], None
        if line is None:
            return
        if len(self.steps) == MOST_STEPS:
            raise Mistake(f"it takes more than {MOST_STEPS} steps; show a shorter program")
        state = self._state([*self._at], result)
        step = {"line": line, "waiting": [*filter(None, self._at.values())]}
        if raises:
            step["raises"] = raises
        step |= {key: part for key, part in state.items() if self._before.get(key) != part}
        sys.stdout.flush()
        if printed := self._stdout.read():
            step["prints"] = printed
        self._before = state
        self.steps.append(step)

    def _state(self, frames: list[FrameType], result: object) -> dict:
        """What is there now, every value as torch prints it. The program's own modes don't see the
        values being read. result: what the last frame is about to return.

        variables: by frame, as the function is called, the module's being ''. contexts: by name,
        ctx1 being that of the first call; of each, first where it was called. graph: of each node
        its label, the name of its ctx or '', its distance from the leaves as layer, the variables
        whose grad_fn it is, and the positions of the nodes that its edges lead to.
        """
        variables: dict[str, dict[str, str]] = {}
        with _disable_current_modes(), DisableTorchFunction():
            tensors: list[tuple[str, torch.Tensor]] = []
            contexts: dict[str, object] = {}
            for frame in frames:
                code = frame.f_code
                called = "" if code.co_name == "<module>" else code.co_qualname
                rows = variables[called.split("<locals>.")[-1]] = {}
                for name, value in frame.f_locals.items():
                    if not name.startswith("_"):
                        rows |= self._rows(name, value, frames[0], tensors)
                        if found := self._ctx_name(value):
                            contexts[found] = value
            if result is not None:
                rows |= self._rows("return", result, frames[0], tensors)
            graph = self._graph(tensors, contexts)
            names = [name for name in self._calls if name in contexts]
            rows_of = {name: self._of_ctx(name, contexts[name], tensors) for name in names}
        grad_mode = torch.is_grad_enabled()
        return dict(variables=variables, contexts=rows_of, graph=graph, grad_mode=grad_mode)

    def _rows(self, name: str, value: object, module: FrameType, tensors: list) -> dict[str, str]:
        """What is shown of a variable; tensors are entered among those seen."""
        if isinstance(value, torch.nn.Module):
            same = [key for key in module.f_locals if module.f_locals[key] is value and key != name]
            rows = {name: same[0] if same else type(value).__name__}
            for key, parameter in vars(value).get("_parameters", {}).items():
                rows |= self._rows(f"{name}.{key}", parameter, module, tensors)
            return rows
        kinds = (torch.Tensor, _FunctionBase, int, float, str, tuple, list)
        if not isinstance(value, kinds) and value is not None:
            return {}
        rows = {name: self._text(value)}
        if isinstance(value, torch.Tensor):
            tensors.append((name, value))
            if value.is_leaf and value.requires_grad:
                if value.grad is not None:
                    self._graded.add(name)
                if name in self._graded:  # also when it is gone again
                    rows[f"{name}.grad"] = self._text(value.grad)
            if value._version:
                rows[f"{name}._version"] = str(value._version)
        return rows

    def _ctx_name(self, value: object) -> str:
        """The name of a ctx, given when something first has it; empty for anything else."""
        if not isinstance(value, _FunctionBase):
            return ""
        if value not in self._contexts:
            self._contexts[value] = name = f"ctx{len(self._calls) + 1}"
            at = next(iter(self._at.values()))
            self._calls[name] = self._lines[at - 1].strip() if at else ""
        return self._contexts[value]

    def _of_ctx(self, name: str, ctx: object, tensors: list) -> dict[str, str]:
        rows = {"": self._calls[name]}
        rows |= {f"is {key}.grad_fn": "True" for key, tensor in tensors if tensor.grad_fn is ctx}
        for key in OF_CTX:
            try:
                value = getattr(ctx, key)
                if value is not None or key == "to_save":
                    rows[key] = self._text(value)
            except RuntimeError as error:
                rows[key] = f"{type(error).__name__}: {_first_sentence(error)}"
        return rows | {key: self._text(value) for key, value in vars(ctx).items()}

    def _graph(self, tensors: list, contexts: dict[str, object]) -> list[dict]:
        nodes: dict[object, dict] = {}
        leaves = {id(tensor): name for name, tensor in reversed(tensors)}

        def entered(node: object) -> dict:
            """The entry of a node; it is made when it is first asked for, then those behind it."""
            if node not in nodes:
                if context := self._ctx_name(node):
                    contexts[context] = node
                label = type(node).__name__
                if label == "AccumulateGrad":
                    label = leaves.get(id(node.variable), label)
                entry = dict(label=label, context=context, layer=0, variables=[], edges=[])
                nodes[node] = entry
                for behind in (behind for behind, _ in node.next_functions if behind is not None):
                    entry["layer"] = max(entry["layer"], 1 + entered(behind)["layer"])
                    entry["edges"].append([*nodes].index(behind))
            return nodes[node]

        for name, tensor in tensors:
            if tensor.grad_fn is not None:
                names = entered(tensor.grad_fn)["variables"]
                names += [name] if name not in names else []
        return [*nodes.values()]

    def _text(self, value: object) -> str:
        if name := self._ctx_name(value):
            return name
        is_tensor = isinstance(value, torch.Tensor)
        if is_tensor and value.requires_grad and value._is_view() and value._version:
            raise Mistake("to read a view after a change in place renews its node")
        if isinstance(value, tuple | list):
            inner = ", ".join(map(self._text, value))
            ending = "," if len(value) == 1 else ""
            return f"[{inner}]" if isinstance(value, list) else f"({inner}{ending})"
        if is_tensor or value is None or isinstance(value, int | float | str):
            text = re.sub(r"\s+", " ", repr(value)).removeprefix("Parameter containing: ")
            return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…"
        return type(value).__name__


def _first_sentence(error: BaseException) -> str:
    return re.split(r"[.:;] |\n| \(", str(error))[0].rstrip(".")[:MOST_CHARACTERS]


def as_script(program: Program) -> dict[str, object]:
    """Run a program as a script. Returns its steps. Raises Mistake if it can't be shown so."""
    with open("stdout", encoding="utf-8") as stdout:
        tracer = Tracer(program.code, stdout)
        sys.settrace(tracer)
        runner.as_script(program)
        sys.settrace(None)
    return {"steps": tracer.steps}


def page_part(program: Program, steps: list[dict]) -> str:
    """What a page includes: the steps as a table, and as the data that the player shows."""
    lines = program.code.splitlines()
    address = f"steps-{program.path.stem}"
    head = (_either("步", "step"), _either("运行了", "has run"), _either("变化", "what changed"))
    table, before = [f"<thead><tr><th>{'</th><th>'.join(head)}</th></tr></thead>"], {}
    for number, step in enumerate(steps, 1):
        ran = _code(lines[step["line"] - 1].strip())
        row = (str(number), ran, "<br>".join(_changes(step, before)))
        table.append(f'<tr id="{address}-{number}"><td>{"</td><td>".join(row)}</td></tr>')
        before |= step
    data = ",\n".join(json.dumps(step, ensure_ascii=False) for step in steps)
    template = f"<template>[{html.escape(data, quote=False)}]</template>"
    opening = f'<div class="steps" id="{address}">'
    return "\n".join([opening, "<table>", *table, "</table>", template, "</div>\n"])


def _code(text: str) -> str:
    return f"<code>{html.escape(text, quote=False)}</code>"


def _either(chinese: str, english: str) -> str:
    """Words in both languages; a page has those of its own."""
    return f'<span lang="zh">{chinese}</span> <span lang="en">{english}</span>'


def _changes(step: dict, before: dict) -> Iterator[str]:
    """What a step changed, in HTML, most of it as Python code."""
    for part in ("variables", "contexts"):
        for owner, rows in step.get(part, {}).items():
            prefix = f"{owner}." if part == "contexts" else ""
            known = before.get(part, {}).get(owner, {})
            for name, value in rows.items():
                is_node = name.startswith("is ")
                line = f"{owner} {name}" if is_node else f"{prefix}{name} = {value}"
                if name and known.get(name) != value:
                    yield _code(line)
    for context in before.get("contexts", {}):
        if context not in step.get("contexts", [context]):
            gone = _code(context)
            yield _either(f"列出的变量都不通向 {gone}", f"no variable shown leads to {gone}")
    graph = step.get("graph", [])
    names = [node["context"] or node["label"] for node in graph]
    edges = [f"{names[at]} → {names[to]}" for at, node in enumerate(graph) for to in node["edges"]]
    if edges:
        yield f"{_either('图：', 'graph:')} {', '.join(map(_code, edges))}"
    if "grad_mode" in step:
        yield _code(f"torch.is_grad_enabled() = {step['grad_mode']}")
    for key, chinese in (("raises", "报错"), ("prints", "打印")):
        if key in step:
            yield f"{_either(chinese, key)} {_code(step[key].rstrip())}"
