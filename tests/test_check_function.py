"""check_function.py finds each silent mistake by the check that its page names, and passes the cure.
Every Function of the cookbook fails only the checks that its page names."""

import types

import pytest
import torch
from torch import rand
from torch.autograd import Function
from torch.autograd.function import FunctionMeta

from handbook import snippets
from handbook.places import SNIPPETS

RECIPE = "troubleshooting/silent-mistakes/check-function.md"

COOKBOOK = {
    "custom-op/side-by-side": ([(2, 3)], set()),
    "fused-loss/cross-entropy": ([(2, 3), torch.tensor([0, 2])], {"second_order"}),
    "gradient-clipping/clip": ([(2, 3), 100.0], set()),
    "gradient-reversal/reverse": ([(2, 3), 0.5], {"first_order"}),
    "implicit/fixed-point": ([(2, 3), 0.5 * rand(3, dtype=torch.double)], set()),
    "in-place-activation/relu-in-place": ([(2, 3)], set()),
    "linear/linear": ([(2, 3), (5, 3), (5,)], set()),
    "numpy/convolve": ([(5,), (3,)], {"second_order"}),
    "piecewise/maximum": ([(2, 3), (2, 3)], set()),
    "recomputing/gaussian-bump": ([(2, 3)], set()),
    "stable-gradient/log1p-exp": ([(2, 3)], set()),
    "straight-through/round": ([(2, 3)], {"first_order"}),
    "straight-through/quantize": ([(2, 3), 2], {"first_order"}),
    "transforms/complete": ([(2, 3), 2.5], set()),
    "weighted-sum/weighted-sum": ([(2, 3), (3,)], set()),
}
"""By program: the inputs of its Function, and the checks that it fails, which its page names."""

MISTAKES = {
    "none-or-zero/none-returned": ("Scale", "ScaleBoth", [(3,), ()], "first_order"),
    "none-or-zero/a-list-returned": ("Parts", "PartsAsTuple", [(3,)], "freed_at_once"),
    "none-or-zero/jvp-by-two-backwards": ("SquareOnce", "Square", [(3,)], "second_order"),
    "wrong-value/grad-output-forgotten": ("Cube", "CubeInChain", [(3,)], "first_order"),
    "wrong-value/gradients-exchanged": ("Product", "ProductInOrder", [(3,), (3,)], "first_order"),
    "wrong-value/saved-then-changed": ("SquareInPlace", "Square", [(3,)], "first_order"),
    "wrong-value/shape-of-the-output": ("AddBias", "AddBiasSummed", [(2, 3), (3,)], "first_order"),
    "wrong-value/attribute-changed": ("Square", "SquareSaved", [(3,)], "changed_later"),
    "wrong-value/state-on-the-class": ("Scale", "ScaleOnCtx", [(3,), 2.0], "second_call"),
    "wrong-value/input-changed-unmarked": ("Double", "DoubleMarked", [(3,)], "inputs_kept"),
    "wrong-value/grad-output-changed": ("Double", "DoubleOutOfPlace", [(3,)], "backward_again"),
    "wrong-value/saved-tensor-written": ("Square", "SquareOutOfPlace", [(3,)], "backward_again"),
    "second-derivative/intermediate-saved": ("Exp2", "Exp2FromInput", [(3,)], "second_order"),
    "second-derivative/detached-in-backward": ("Cube", "CubeByTorch", [(3,)], "second_order"),
    "second-derivative/once-differentiable-without-its-error": (
        "CubeOnce", "Cube", [(3,)], "second_order",
    ),
    "memory-grows/output-on-ctx": ("Exp", "ExpSaved", [(3,)], "freed_at_once"),
    "memory-grows/list-on-the-class": ("Square", "SquareSaved", [(3,)], "second_call"),
    "memory-grows/state-carried-over": ("Scale", "ScaleSaved", [(3,), ()], "changed_later"),
}  # fmt: skip
"""By program: the wrong Function, the right one, their inputs, the check that the page names."""


def executed(name: str) -> dict[str, object]:
    """The names that a program defines, after its run in this process."""
    module = types.ModuleType("program")
    exec(snippets.read(SNIPPETS / name).code, vars(module))
    return vars(module)


@pytest.fixture(scope="module")
def check():
    return executed(RECIPE)["check"]


def inputs(*given: object) -> list[object]:
    """Inputs of a Function, the same on each call: for a shape a tensor with a gradient."""
    torch.manual_seed(0)
    tensor = {"dtype": torch.double, "requires_grad": True}
    return [rand(one, **tensor) if isinstance(one, tuple) else one for one in given]


def function_of(name: str) -> type[Function]:
    """The one Function that a program of the cookbook defines."""
    values = executed(f"cookbook/{name}.md").values()
    (function,) = (
        value
        for value in values
        if isinstance(value, FunctionMeta) and value.__module__ == "program"
    )
    return function


def made(**methods: object) -> type[Function]:
    """A Function with these methods."""
    return type("Made", (Function,), {name: staticmethod(of) for name, of in methods.items()})


@pytest.mark.parametrize("name", COOKBOOK)
def test_a_function_of_the_cookbook_fails_only_the_checks_that_its_page_names(check, name):
    given, fails = COOKBOOK[name]
    assert check(function_of(name), *inputs(*given)).keys() == fails


def test_every_page_of_the_cookbook_has_a_function_that_is_checked():
    pages = {path.name for path in (SNIPPETS / "cookbook").iterdir()}
    assert pages == {name.partition("/")[0] for name in COOKBOOK}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_by_the_check_that_the_page_names_and_its_cure_passes(check, name):
    wrong, right, given, found = MISTAKES[name]
    program = executed(f"troubleshooting/silent-mistakes/{name}.md")
    assert found in check(program[wrong], *inputs(*given))
    assert check(program[right], *inputs(*given)) == {}


def test_random_numbers_drawn_again_are_found(check):
    program = executed("troubleshooting/silent-mistakes/wrong-value/drawn-again-in-backward.md")
    assert "backward_again" in check(program["Dropout"], *inputs((8,)))
    assert "backward_again" not in check(program["DropoutKept"], *inputs((8,)))


def test_an_index_of_needs_input_grad_is_found_where_an_input_needs_none(check):
    program = executed("troubleshooting/silent-mistakes/none-or-zero/needs-input-grad-index.md")
    x, weight = inputs((3,), (3,))
    assert "first_order" in check(program["Scale"], x.detach(), weight)
    assert check(program["ScaleAsNeeded"], x.detach(), weight) == {}


def test_the_function_of_the_ten_rules_passes(check):
    function = executed("learn/rules/all-ten-kept.md")["ScaledTanh"]
    assert check(function, *inputs((2, 3), (3,), 0.5)) == {}


def test_exchanged_dimensions_are_found_and_square_inputs_reported(check):
    transposed = made(
        forward=lambda ctx, x: x.t().clone(),
        backward=lambda ctx, grad_output: grad_output.reshape(grad_output.shape[::-1]),
    )
    assert "first_order" in check(transposed, *inputs((2, 3)))
    weighted_sum = function_of("weighted-sum/weighted-sum")
    assert "shapes_not_square" in check(weighted_sum, *inputs((3, 3), (3,)))


def test_signs_kept_on_the_class_are_found(check):
    def forward(ctx, x):
        function.positive = x > 0
        return x.clamp(min=0)

    function = made(forward=forward, backward=lambda ctx, grad: grad * function.positive)
    (x,) = inputs((4, 3))
    assert "second_call" in check(function, (x - 0.5).detach().requires_grad_())


def test_an_index_kept_as_an_attribute_is_found(check):
    def forward(ctx, x, index):
        ctx.index, ctx.shape = index, x.shape
        return x[index]

    def backward(ctx, grad_output):
        zeros = grad_output.new_zeros(ctx.shape)
        return zeros.index_put((ctx.index,), grad_output, accumulate=True), None

    function = made(forward=forward, backward=backward)
    assert "changed_later" in check(function, *inputs((4, 3), torch.tensor([2, 0])))


def test_writing_into_grad_output_without_a_second_derivative_is_found(check):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x**2).sum()

    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return (grad_output * 2 if torch.is_grad_enabled() else grad_output.mul_(2)) * x

    assert "backward_again" in check(made(forward=forward, backward=backward), *inputs((4, 3)))


def test_a_wrong_jvp_is_found(check):
    power = function_of("transforms/complete")
    wrong = type("Wrong", (power,), {"jvp": staticmethod(lambda ctx, x, _: 2 * x)})
    assert "first_order" in check(wrong, *inputs((4, 3), 3.0))


def test_two_views_complex_numbers_and_a_buffer_pass(check):
    def forward(ctx, x, mean):
        mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        ctx.mark_dirty(mean)
        ctx.mark_non_differentiable(mean)
        return 2 * x, mean

    halves = made(
        forward=lambda ctx, x: (x[:1], x[1:]),
        backward=lambda ctx, *grad_outputs: torch.cat(grad_outputs),
    )
    running_mean = made(forward=forward, backward=lambda ctx, grad, _: (2 * grad, None))
    assert check(halves, *inputs((4, 3))) == {}
    assert check(halves, rand(4, 3, dtype=torch.cdouble, requires_grad=True)) == {}
    assert check(running_mean, *inputs((4, 3), torch.zeros(3, dtype=torch.double))) == {}
