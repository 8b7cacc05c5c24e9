"""The steps of a program are its lines as they ran, each with what it changed."""

import pytest

from builder.content.snippets import Program
from builder.running import runner, tracer

START = {"contexts": {}, "graph": [], "grad_mode": True}
X = "tensor(3., requires_grad=True)"
SCALAR = "import torch\nx = torch.tensor(3.0, requires_grad=True)\n"
TWICE = """\
import torch
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x
y = Twice.apply(torch.tensor(3.0, requires_grad=True))
"""
CTX = {
    "": "y = Twice.apply(torch.tensor(3.0, requires_grad=True))",
    "needs_input_grad": "(True,)",
    "to_save": "None",
    "saved_tensors": "()",
}
IN_TWICE = {"ctx": "ctx1", "x": X}
Y = "tensor(6., grad_fn=<TwiceBackward>)"


def node(
    label: str, layer: int, variables: tuple = (), edges: tuple = (), context: str = ""
) -> dict:
    """A node of the graph, as the recorder enters it."""
    return dict(label=label, context=context, layer=layer, variables=[*variables], edges=[*edges])


def step(line: int, waiting: tuple = (), **changed: object) -> dict:
    return {"line": line, "waiting": [*waiting], **changed}


# By rule a program and its steps.
PROGRAMS = {
    "a step is a line, with the variables if they changed, and what it prints": (
        "x = 1\ny = [x, 'a']\nprint(x)\n",
        [
            step(1, variables={"": {"x": "1"}}, **START),
            step(2, variables={"": {"x": "1", "y": "[1, 'a']"}}),
            step(3, prints="1\n"),
        ],
    ),
    "a call is a step, and its caller waits": (
        "def f(a):\n    b = a + 1\n    return b\n\nc = f(1)\n",
        [
            step(1, [5], variables={"": {}, "f": {"a": "1"}}, **START),
            step(2, [5], variables={"": {}, "f": {"a": "1", "b": "2"}}),
            step(3, [5], variables={"": {}, "f": {"a": "1", "b": "2", "return": "2"}}),
            step(5, variables={"": {"c": "2"}}),
        ],
    ),
    "a loop has a step for each round, and one for its end": (
        "for i in range(2):\n    print(i)\n",
        [
            step(1, variables={"": {"i": "0"}}, **START),
            step(2, prints="0\n"),
            step(1, variables={"": {"i": "1"}}),
            step(2, prints="1\n"),
            step(1),
        ],
    ),
    "a statement of several lines is one step": (
        "x = [\n    abs(1),\n    abs(2),\n]\n",
        [step(1, variables={"": {"x": "[1, 2]"}}, **START)],
    ),
    "a line that raises says what; try and except are no steps": (
        "try:\n    raise ValueError('A 1.5. B')\nexcept ValueError as e:\n    print('no')\n",
        [
            step(2, raises="ValueError: A 1.5", variables={"": {}}, **START),
            step(4, prints="no\n"),
        ],
    ),
    "a raised error passes through what waits": (
        "def f():\n    return 1 / 0\ntry:\n    f()\nexcept ZeroDivisionError:\n    x = 1\n",
        [
            step(1, [4], variables={"": {}, "f": {}}, **START),
            step(2, [4], raises="ZeroDivisionError: division by zero"),
            step(4, raises="ZeroDivisionError: division by zero", variables={"": {}}),
            step(6, variables={"": {"x": "1"}}),
        ],
    ),
    "neither comprehensions nor private names are shown": (
        "_a = 1\nx = [i for i in range(2)]\ny = (lambda b: b)(2)\n",
        [
            step(1, variables={"": {}}, **START),
            step(2, variables={"": {"x": "[0, 1]"}}),
            step(3, variables={"": {"x": "[0, 1]", "y": "2"}}),
        ],
    ),
    "the graph leads from a variable to the leaves, and grad is shown once it is there": (
        f"{SCALAR}y = x * 2\ny.backward()\nx.grad = None\n",
        [
            step(2, variables={"": {"x": X}}, **START),
            step(
                3,
                variables={"": {"x": X, "y": "tensor(6., grad_fn=<MulBackward0>)"}},
                graph=[node("MulBackward0", 1, ["y"], [1]), node("x", 0)],
            ),
            step(
                4,
                variables={
                    "": {
                        "x": X,
                        "x.grad": "tensor(2.)",
                        "y": "tensor(6., grad_fn=<MulBackward0>)",
                    }
                },
            ),
            step(
                5,
                variables={
                    "": {"x": X, "x.grad": "None", "y": "tensor(6., grad_fn=<MulBackward0>)"}
                },
            ),
        ],
    ),
    "a change in place raises the version": (
        "import torch\nx = torch.tensor(3.0)\nx += 1\n",
        [
            step(2, variables={"": {"x": "tensor(3.)"}}, **START),
            step(3, variables={"": {"x": "tensor(4.)", "x._version": "1"}}),
        ],
    ),
    "the grad mode is shown where it changes": (
        "import torch\nwith torch.no_grad():\n    x = 1\ny = 2\n",
        [
            step(2, variables={"": {}}, contexts={}, graph=[], grad_mode=False),
            step(3, variables={"": {"x": "1"}}),
            step(2, grad_mode=True),
            step(4, variables={"": {"x": "1", "y": "2"}}),
        ],
    ),
    "a ctx has its name and its call, and is the node of what apply returns": (
        TWICE,
        [
            step(
                4,
                [6],
                variables={"": {}, "Twice.forward": IN_TWICE},
                contexts={"ctx1": CTX},
                graph=[],
                grad_mode=False,
            ),
            step(5, [6], variables={"": {}, "Twice.forward": IN_TWICE | {"return": "tensor(6.)"}}),
            step(
                6,
                variables={"": {"y": Y}},
                contexts={"ctx1": CTX | {"is y.grad_fn": "True"}},
                graph=[node("TwiceBackward", 1, ["y"], [1], "ctx1"), node("AccumulateGrad", 0)],
                grad_mode=True,
            ),
        ],
    ),
}

# By rule a program that can't be shown step by step, and a part of what it is told.
REFUSED = {
    "a program has at most 80 steps": ("for i in range(40):\n    x = 1\n", "more than 80 steps"),
    "a view of what changed in place can't be read": (
        f"{SCALAR}y = x.clone().view(1)\ny += 1\n",
        "to read a view after a change in place",
    ),
}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, runner.Outcome]:
    """What came of each program, in a process of its own, by rule."""
    programs = PROGRAMS | REFUSED
    tasks = [
        runner.Task(tracer.as_script, Program("a.md", code, None, None))
        for code, _ in programs.values()
    ]
    return dict(zip(programs, runner.outcomes(tasks), strict=True))


@pytest.mark.parametrize("rule", PROGRAMS)
def test_the_steps_are_what_the_program_did(outcomes, rule):
    assert outcomes[rule].error is None
    assert outcomes[rule].steps == PROGRAMS[rule][1]


@pytest.mark.parametrize("rule", REFUSED)
def test_a_program_that_cannot_be_shown_is_refused(outcomes, rule):
    assert REFUSED[rule][1] in outcomes[rule].error
