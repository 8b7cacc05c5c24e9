"""check_function.py finds each mistake by the check that the page names; the cure passes."""

import pytest
import torch
from programs import executed
from torch.autograd import Function

RECIPE = "troubleshooting/silent-mistakes/check-function.md"


@pytest.fixture(scope="module")
def check():
    return executed(RECIPE)["check"]


def gradients(grad_output, x, weight):
    return grad_output * 2 * x * weight, (grad_output * x**2).sum(0)


class Right(Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x**2 * weight

    @staticmethod
    def backward(ctx, grad_output):
        return gradients(grad_output, *ctx.saved_tensors)


class Transposed(Function):
    """The transpose of x; its gradient is put into the shape of x without being transposed."""

    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.t().clone()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.reshape(ctx.shape)


class Relu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x > 0)


class ReluOnTheClass(Relu):
    @staticmethod
    def forward(ctx, x):
        ReluOnTheClass.positive = x > 0
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ReluOnTheClass.positive


class Chosen(Function):
    """The rows that an index names; the index is an attribute."""

    @staticmethod
    def forward(ctx, x, index):
        ctx.index, ctx.shape = index, x.shape
        return x[index]

    @staticmethod
    def backward(ctx, grad_output):
        zeros = grad_output.new_zeros(ctx.shape)
        return zeros.index_put((ctx.index,), grad_output, accumulate=True), None


class Loss(Function):
    """Writes into grad_output where no second derivative is asked for."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x**2).sum()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        if not torch.is_grad_enabled():
            return grad_output.mul_(2) * x
        return grad_output * 2 * x


class Cube(Function):
    @staticmethod
    def forward(x):
        return x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return tangent * 3 * x**2


class CubeWithAWrongJvp(Cube):
    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return tangent * 2 * x**2


class Halves(Function):
    """Two views."""

    @staticmethod
    def forward(ctx, x):
        return x[:1], x[1:]

    @staticmethod
    def backward(ctx, *grad_outputs):
        return torch.cat(grad_outputs)


class RunningMean(Function):
    """Changes an input that gets no gradient, marks it and returns it."""

    @staticmethod
    def forward(ctx, x, mean):
        mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        ctx.mark_dirty(mean)
        ctx.mark_non_differentiable(mean)
        return 2 * x, mean

    @staticmethod
    def backward(ctx, grad_output, _):
        return 2 * grad_output, None


def inputs(*shapes: tuple[int, ...]) -> list[torch.Tensor]:
    torch.manual_seed(0)
    return [torch.rand(shape, dtype=torch.double, requires_grad=True) for shape in shapes]


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
"""By program: the wrong Function, the right one, what they take, the check that the page names."""


def taken(*shapes: tuple[int, ...] | float) -> list[torch.Tensor | float]:
    tensors = iter(inputs(*(shape for shape in shapes if isinstance(shape, tuple))))
    return [next(tensors) if isinstance(shape, tuple) else shape for shape in shapes]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_by_the_check_that_the_page_names_and_its_cure_passes(check, name):
    wrong, right, shapes, found = MISTAKES[name]
    program = executed(f"troubleshooting/silent-mistakes/{name}.md")
    assert found in check(program[wrong], *taken(*shapes))
    assert check(program[right], *taken(*shapes)) == {}


def test_random_numbers_drawn_again_are_found(check):
    program = executed("troubleshooting/silent-mistakes/wrong-value/drawn-again-in-backward.md")
    assert "backward_again" in check(program["Dropout"], *inputs((8,)))
    assert "backward_again" not in check(program["DropoutKept"], *inputs((8,)))


def test_an_index_of_needs_input_grad_is_found_where_an_input_needs_none(check):
    program = executed("troubleshooting/silent-mistakes/none-or-zero/needs-input-grad-index.md")
    x, weight = inputs((3,), (3,))
    assert "first_order" in check(program["Scale"], x.detach(), weight)
    assert check(program["ScaleAsNeeded"], x.detach(), weight) == {}


def test_a_right_function_passes(check):
    assert check(Right, *inputs((2, 3), (3,))) == {}


def test_the_function_of_the_ten_rules_passes(check):
    function = executed("learn/rules/all-ten-kept.md")["ScaledTanh"]
    assert check(function, *inputs((2, 3), (3,)), 0.5) == {}


def test_exchanged_dimensions_are_found_and_square_inputs_reported(check):
    assert "first_order" in check(Transposed, *inputs((2, 3)))
    assert "shapes_not_square" in check(Right, *inputs((3, 3), (3,)))


def test_signs_indices_scalars_and_jvp_are_checked_too(check):
    (x,) = inputs((4, 3))
    signs = (x - 0.5).detach().requires_grad_()
    assert "second_call" in check(ReluOnTheClass, signs)
    assert "changed_later" in check(Chosen, x, torch.tensor([2, 0]))
    assert "backward_again" in check(Loss, x)
    assert "first_order" in check(CubeWithAWrongJvp, x)


@pytest.mark.parametrize("right", [Cube, Relu, Halves], ids=lambda function: function.__name__)
def test_a_right_function_passes_with_views_and_jvp(check, right):
    assert check(right, *inputs((4, 3))) == {}


def test_a_right_function_passes_with_a_buffer_and_with_complex_numbers(check):
    (x,) = inputs((4, 3))
    assert check(RunningMean, x, torch.zeros(3, dtype=torch.double)) == {}
    assert check(Halves, torch.rand(4, 3, dtype=torch.cdouble, requires_grad=True)) == {}
