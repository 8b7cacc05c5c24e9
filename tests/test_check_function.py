"""check_function.py finds each silent mistake by the check that its page names, and passes the cure.
Every Function of the cookbook fails only the checks that its page names."""

import runpy
import types

import pytest
import torch
from torch import nn, rand
from torch.autograd import Function
from torch.autograd.function import FunctionMeta

from builder.content import snippets
from builder.content.paths import SNIPPETS

FILE = SNIPPETS / "troubleshooting/check-function/check_function.py"

COOKBOOK = {
    "complex-product/product":
        ([rand(2, 3, dtype=torch.cdouble, requires_grad=True) for _ in "ab"], set()),
    "custom-op/side-by-side": ([(2, 3)], set()),
    "dropout/dropout": ([(2, 3), 0.5, 3], set()),
    "fused-loss/cross-entropy": ([(2, 3), torch.tensor([0, 2])], {"second_order"}),
    "gradient-clipping/clip": ([(2, 3), 100.0], {"linear"}),
    "gradient-reversal/reverse": ([(2, 3), 0.5], {"first_order"}),
    "implicit/fixed-point": ([(2, 3), 0.5 * rand(3, dtype=torch.double)], set()),
    "in-place-activation/relu-in-place": ([(2, 3)], set()),
    "linear/linear": ([(2, 3), (5, 3), (5,)], set()),
    "module-again/run-again":
        ([nn.Linear(3, 5), ["weight", "bias"], (2, 3), (5, 3), (5,)], {"second_order"}),
    "numpy/convolve": ([(5,), (3,)], {"special_shapes", "second_order"}),
    "piecewise/maximum": ([(2, 3), (2, 3)], set()),
    "quantization-step/quantize-step": ([(2, 3), (2, 1), -4, 3], {"first_order"}),
    "recomputing/gaussian-bump": ([(2, 3)], set()),
    "reversible/chain": ([2 * [nn.LayerNorm(3)], (2, 3), (2, 3), *4 * [(3,)]], {"second_order"}),
    "spike/spike": ([(2, 3), (3,)], {"first_order"}),
    "stable-gradient/log1p-exp": ([(2, 3)], set()),
    "straight-through/round": ([(2, 3)], {"first_order"}),
    "straight-through/quantize": ([(2, 3), 2], {"first_order"}),
    "transforms/complete": ([(2, 3), 2.5], set()),
    "vector-quantization/nearest-row": ([(2, 3), (4, 3)], {"first_order"}),
    "weighted-sum/weighted-sum": ([(2, 3), (3,)], set()),
}  # fmt: skip
"""By program: the inputs of its Function, and the checks that it fails, which its page names."""

MISTAKES = {
    "none-or-zero/none-returned": ("Scale", "ScaleBoth", [(3,), ()], "first_order"),
    "none-or-zero/needs-input-grad-index":
        ("Scale", "ScaleAsNeeded", [(3,), (3,)], "one_input_at_a_time"),
    "none-or-zero/a-list-returned": ("Parts", "PartsAsTuple", [(3,)], "runs"),
    "none-or-zero/jvp-by-two-backwards": ("SquareOnce", "Square", [(3,)], "second_order"),
    "wrong-value/grad-output-forgotten": ("Cube", "CubeInChain", [(3,)], "linear"),
    "wrong-value/gradients-exchanged": ("Product", "ProductInOrder", [(3,), (3,)], "first_order"),
    "wrong-value/saved-then-changed": ("SquareInPlace", "Square", [(3,)], "first_order"),
    "wrong-value/shape-of-the-output": ("AddBias", "AddBiasSummed", [(2, 3), (3,)], "first_order"),
    "wrong-value/attribute-changed": ("Square", "SquareSaved", [(3,)], "changed_later"),
    "wrong-value/state-on-the-class": ("Scale", "ScaleOnCtx", [(3,), 2.0], "second_call"),
    "wrong-value/input-changed-unmarked": ("Double", "DoubleMarked", [(3,)], "inputs_kept"),
    "wrong-value/drawn-again-in-backward":
        ("Dropout", "DropoutKept", [(8,)], "backward_again"),
    "wrong-value/grad-output-changed": ("Double", "DoubleOutOfPlace", [(3,)], "backward_again"),
    "wrong-value/saved-tensor-written": ("Square", "SquareOutOfPlace", [(3,)], "backward_again"),
    "second-derivative/intermediate-saved": ("Exp2", "Exp2FromInput", [(3,)], "second_order"),
    "second-derivative/detached-in-backward": ("Cube", "CubeByTorch", [(3,)], "second_order"),
    "second-derivative/once-differentiable-without-its-error":
        ("CubeOnce", "Cube", [(3,)], "second_order"),
    "second-derivative/vmap-of-a-whole-batch":
        ("Centre", "CentreGenerated", [(2, 3)], "vmap_like_a_loop"),
    "../../learn/transforms/vmap-must-call-apply":
        ("RoundByForward", "Round", [(2, 3)], "vmap_like_a_loop", "first_order"),
    "memory-grows/output-on-ctx": ("Exp", "ExpSaved", [(3,)], "freed_at_once"),
    "memory-grows/list-on-the-class": ("Square", "SquareSaved", [(3,)], "second_call"),
    "memory-grows/setup-context-returns":
        ("Square", "SquareWithoutReturn", [(3,)], "setup_context_returns"),
    "memory-grows/state-carried-over": ("Scale", "ScaleSaved", [(3,), ()], "changed_later"),
}  # fmt: skip
"""By program: the wrong Function, the right one, inputs, the check, and what the right one fails."""


UNSEEN = {
    "none-or-zero/parameter-from-outside": ("Scale", [(3,)]),
    "none-or-zero/non-differentiable-output": ("SquareAndCube", [(3,)]),
    "wrong-value/added-by-hand-and-returned": ("Scale", [(3,), ()]),
    "wrong-value/changed-through-data": ("Square", [(3,)]),
    "second-derivative/jvp-without-its-second-term": ("Square", [(3,)]),
    "../../learn/special-outputs/detached-alias": ("Alias", [(3,)]),
}
"""By program: a Function with a mistake that no check finds, and inputs."""


def executed(name: str) -> dict[str, object]:
    """The names that a program defines, after its run in this process."""
    module = types.ModuleType("program")
    exec(snippets.read(SNIPPETS / name).code, vars(module))
    return vars(module)


@pytest.fixture(scope="module")
def check():
    found = runpy.run_path(str(FILE))["check"]
    return lambda *given, **more: {one.check for one in found(*given, **more)}


def inputs(*given: object) -> list[object]:
    """Inputs of a Function, the same on each call: for a shape a tensor with a gradient."""
    torch.manual_seed(0)
    tensor = {"dtype": torch.double, "requires_grad": True}
    return [rand(one, **tensor) if isinstance(one, tuple) else one for one in given]


def function_of(name: str) -> type[Function]:
    """The one Function that a program of the cookbook defines."""
    values = executed(f"cookbook/{name}.md").values()
    (function,) = (x for x in values if isinstance(x, FunctionMeta) and x.__module__ == "program")
    return function


@pytest.mark.parametrize("name", COOKBOOK)
def test_a_function_of_the_cookbook_fails_only_the_checks_that_its_page_names(check, name):
    given, fails = COOKBOOK[name]
    assert check(function_of(name), *inputs(*given), expect=fails) == set()


def test_every_page_of_the_cookbook_has_a_function_that_is_checked():
    pages = {path.name for path in (SNIPPETS / "cookbook").iterdir()}
    missing = pages - {name.partition("/")[0] for name in COOKBOOK}
    assert not missing, f"give {missing} rows in COOKBOOK: inputs, and the checks that they fail"


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_by_the_check_that_the_page_names_and_its_cure_passes(check, name):
    wrong, right, given, found, *fails = MISTAKES[name]
    program = executed(f"troubleshooting/silent-mistakes/{name}.md")
    assert found in check(program[wrong], *inputs(*given))
    assert check(program[right], *inputs(*given)) == {*fails}


@pytest.mark.parametrize("name", UNSEEN)
def test_no_check_finds_a_mistake_of_which_the_page_says_so(check, name):
    wrong, given = UNSEEN[name]
    program = executed(f"troubleshooting/silent-mistakes/{name}.md")
    assert check(program[wrong], *inputs(*given)) == set()


def test_mistakes_that_only_some_inputs_show_are_found(check):
    weighted_sum = function_of("weighted-sum/weighted-sum")
    assert check(weighted_sum, *inputs((3, 3), (3,))) == set()
    product = executed("reference/function-ctx/both-saves-under-a-generated-rule.md")["Product"]
    assert check(product, *inputs((2, 3), (2, 3))) == {"vmap_like_a_loop"}


def test_a_kernel_passes_unless_strides_or_its_vmap_rule_are_wrong(check, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    kernels = executed("practice/kernels/with-transforms.md")
    assert check(kernels["CubeBackward"], *inputs((2, 3), (2, 3))) == set()
    cube = kernels["Cube"]
    rule = staticmethod(lambda info, in_dims, x: (cube.apply(x) + 1, in_dims[0]))
    assert check(type("Wrong", (cube,), {"vmap": rule}), *inputs((3,))) == {"vmap_like_a_loop"}
    for step, shape in ((0, (4,)), (1, (2, 3)), (2, (4,))):
        back = staticmethod(lambda ctx, g, step=step: cube.backward(ctx, g) * (g.stride(0) != step))
        wrong = type("Wrong", (cube,), {"backward": back})
        assert "strided_gradient" in check(wrong, *inputs(shape))


def test_a_wrong_jvp_is_found_and_the_function_of_the_ten_rules_passes(check):
    power = function_of("transforms/complete")
    wrong = type("Wrong", (power,), {"jvp": staticmethod(lambda ctx, x, _: 2 * x)})
    assert "first_order" in check(wrong, *inputs((4, 3), 3.0))
    function = executed("learn/rules/all-ten-kept.md")["ScaledTanh"]
    assert check(function, *inputs((2, 3), (3,), 0.5)) == set()
