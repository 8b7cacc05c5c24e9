"""A page shows messages of errors in red, and folds lines of a program that it showed before."""

import pytest

from builder.content.snippets import Program
from builder.publishing.composed_page import folds
from builder.publishing.red_lines import error_lines

CAUGHT = "try:\n    f()\nexcept RuntimeError as error:\n    print(error)\n"
# By rule an output of a program that prints an error, and its red lines.
RED = {
    "a line that names an exception": ("1\nKeyError: 'a'\nMyError\n2\n", [2, 3]),
    "an exception may be within a line": ("tensor(1.) raises torch.OutOfMemoryError\n", [1]),
    "an exception may be one of torch's": ("torch._dynamo.exc.UserError: f\n", [1]),
    "a word that only looks like one is none": ("errors 3\nError 4\n", []),
    "four words in a row": ("x: one of the variables\nx: one of two\n", [1]),
    "words may have quotes, dots and commas, and digits may be among them": (
        "ctx.saved_tensors, 'x' and y\nexpected 2 gradients, got 1\nexpected 12 gradients, got 1\n",
        [1, 2],
    ),
    "numbers are no words": ("tensor([1., 2., 3., 4.]) True None\n1 2 3 4 5\n", []),
    "the first line is the first that is shown": ("\n\nValueError: a\n", [1]),
    "a message of the compiler, from the line above what is indented": (
        "tensor(2.)\n"
        "Unsupported custom jvp\n  Explanation: no\n  Hint: none\n\n"
        "  Developer debug context: {}\n\n For more, see a page\nNone\n",
        [2, 3, 4, 5, 6, 7, 8],
    ),
    "a message about apply has one more line": (
        "failed\n  Higher Order Operator: a\n  Explanation: b\n  [...]\n0\n",
        [1, 2, 3, 4],
    ),
    "two messages of the compiler are two": (
        "a\n  Explanation: b\n0\nc\n  Explanation: d\n",
        [1, 2, 4, 5],
    ),
    "a message of gradcheck has both matrices": (
        "Jacobian mismatch for output 0 with respect to input 0,\n"
        "numerical:tensor([[1., 0.],\n        [0., 1.]], dtype=torch.float64)\n"
        "analytical:tensor([[2., 0.],\n        [0., 2.]], dtype=torch.float64)\n1 2\n",
        [1, 2, 3, 4, 5],
    ),
    "lines that are indented without a message are values": ("tensor([[1.],\n        [2.]])\n", []),
}

# By rule a program that prints what looks like an error, and whether it is one.
PROGRAMS = {
    "an error is printed where it is caught": (CAUGHT, True),
    "without except there is none": ("print('KeyError')\n", False),
    "what is printed after except is no error": (
        "try:\n    f()\nexcept KeyError:\n    pass\nprint('KeyError')\n",
        False,
    ),
    "except in a text catches nothing": ("print('KeyError', 'except')\n", False),
    "nor does except in a program within a text": (
        'run("""\ntry:\n    f()\nexcept KeyError as e:\n    print(e)\n""")\nprint("KeyError")\n',
        False,
    ),
    "an error may be printed deeper": (
        "for x in y:\n    try:\n        f()\n    except KeyError as e:\n        g(print(e))\n",
        True,
    ),
}

KNOWN = "import torch\n\n\nclass A:\n    def f(x):\n        y = x\n        return y\n\n\n"

# By rule a program whose lines of KNOWN were shown before, its marked lines and its folds.
FOLDS = {
    "three known lines are folded": ("class A:\n    def f(x):\n        y = x\nnew\n", [], [(1, 3)]),
    "two are not": ("class A:\n    def f(x):\nnew\n", [], []),
    "a program may be folded whole": (KNOWN, [], [(1, 7)]),
    "blank lines don't count": ("import torch\n\n\nclass A:\nnew\n", [], []),
    "blank lines around a fold are shown": ("new\n\n" + KNOWN + "new\n", [], [(3, 9)]),
    "a new line parts two folds": (
        "import torch\nclass A:\n    def f(x):\nnew\n" + KNOWN,
        [],
        [(1, 3), (5, 11)],
    ),
    "a marked line is shown, and the definitions around it": (KNOWN, [6], []),
    "a mark at the left leaves what is above it": (KNOWN + "import torch\n", [10], [(1, 7)]),
    "definitions around a new line are shown": (
        KNOWN + "class A:\n    def f(x):\n        new\n",
        [],
        [(1, 7)],
    ),
    "a line is known only with its indentation": ("y = x\nreturn y\ndef f(x):\n", [], []),
}


@pytest.mark.parametrize(("output", "expected"), RED.values(), ids=RED)
def test_messages_of_errors_are_red(output, expected):
    assert error_lines(Program("a.md", CAUGHT, output, None)) == expected


@pytest.mark.parametrize(("code", "is_red"), PROGRAMS.values(), ids=PROGRAMS)
def test_only_what_a_program_catches_is_red(code, is_red):
    assert bool(error_lines(Program("a.md", code, "KeyError\n", None))) == is_red


@pytest.mark.parametrize(("code", "marked", "expected"), FOLDS.values(), ids=FOLDS)
def test_runs_of_known_lines_are_folded(code, marked, expected):
    seen = {line for line in KNOWN.split("\n") if line.strip()}
    assert folds(code, marked, seen) == expected
