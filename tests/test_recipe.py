"""check_function.py finds each mistake by the try that the page names, and lets the cure pass."""

import types

import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from handbook import snippets
from handbook.places import SNIPPETS

RECIPE = "troubleshooting/silent-mistakes/check-function.md"


@pytest.fixture(scope="module")
def check():
    module = types.ModuleType("check_function")
    exec(snippets.read(SNIPPETS / RECIPE).code, vars(module))
    return module.check


def gradients(grad_output, x, weight):
    return grad_output * 2 * x * weight, (grad_output * x**2).sum(0)


class Right(Function):
    """x**2 * weight, which each of the others gets wrong in one place; so it is the cure of all."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x**2 * weight

    @staticmethod
    def backward(ctx, grad_output):
        return gradients(grad_output, *ctx.saved_tensors)


class StateOnTheClass(Right):
    @staticmethod
    def forward(ctx, *inputs):
        StateOnTheClass.kept = inputs
        return Right.forward(ctx, *inputs)

    @staticmethod
    def backward(ctx, grad_output):
        return gradients(grad_output, *StateOnTheClass.kept)


class Attributes(Right):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.kept = x, weight
        return x**2 * weight

    @staticmethod
    def backward(ctx, grad_output):
        return gradients(grad_output, *ctx.kept)


class OutputOnCtx(Right):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        ctx.y = x**2 * weight
        return ctx.y


class Unmarked(Right):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x.clone(), weight)
        return x.pow_(2) * weight


class NoneReturned(Right):
    @staticmethod
    def backward(ctx, grad_output):
        return Right.backward(ctx, grad_output)[0], None


class GradOutputChanged(Right):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_weight = (grad_output * x**2).sum(0)
        return grad_output.mul_(2 * x * weight), grad_weight


class SavedTensorWritten(Right):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_weight = (grad_output * x**2).sum(0)
        with torch.no_grad():
            x.data.mul_(2)
        return grad_output * x * weight, grad_weight


class IntermediateSaved(Right):
    @staticmethod
    def forward(ctx, x, weight):
        square = x**2
        ctx.save_for_backward(x, weight, square)
        return square * weight

    @staticmethod
    def backward(ctx, grad_output):
        x, weight, square = ctx.saved_tensors
        return grad_output * 2 * x * weight, (grad_output * square).sum(0)


class OnceDifferentiable(Right):
    backward = staticmethod(once_differentiable(Right.backward))


class NumpyInBackward(Right):
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = (tensor.detach() for tensor in ctx.saved_tensors)
        grad_x = grad_output * torch.from_numpy(2 * (x * weight).numpy())
        return grad_x, (grad_output * x**2).sum(0)


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


MISTAKES = {
    StateOnTheClass: "second_call",
    Attributes: "changed_later",
    OutputOnCtx: "freed_at_once",
    Unmarked: "inputs_kept",
    NoneReturned: "first_order",
    GradOutputChanged: "backward_again",
    SavedTensorWritten: "backward_again",
    IntermediateSaved: "second_order",
    OnceDifferentiable: "second_order",
    NumpyInBackward: "second_order",
}


def inputs(*shapes: tuple[int, ...]) -> list[torch.Tensor]:
    torch.manual_seed(0)
    return [torch.rand(shape, dtype=torch.double, requires_grad=True) for shape in shapes]


@pytest.mark.parametrize("wrong", MISTAKES, ids=lambda function: function.__name__)
def test_a_mistake_is_found_by_the_try_that_the_page_names(check, wrong):
    assert MISTAKES[wrong] in check(wrong, *inputs((2, 3), (3,)))


def test_what_is_right_passes(check):
    assert check(Right, *inputs((2, 3), (3,))) == {}


def test_exchanged_dimensions_are_found_and_square_inputs_told(check):
    assert "first_order" in check(Transposed, *inputs((2, 3)))
    assert "shapes_not_square" in check(Right, *inputs((3, 3), (3,)))


def test_signs_indices_scalars_and_jvp_are_looked_at_too(check):
    (x,) = inputs((4, 3))
    signs = (x - 0.5).detach().requires_grad_()
    assert "second_call" in check(ReluOnTheClass, signs)
    assert "changed_later" in check(Chosen, x, torch.tensor([2, 0]))
    assert "backward_again" in check(Loss, x)
    assert "first_order" in check(CubeWithAWrongJvp, x)


@pytest.mark.parametrize("right", [Cube, Relu, Halves], ids=lambda function: function.__name__)
def test_what_is_right_passes_with_views_and_jvp(check, right):
    assert check(right, *inputs((4, 3))) == {}


def test_what_is_right_passes_with_a_buffer_and_with_complex_numbers(check):
    (x,) = inputs((4, 3))
    assert check(RunningMean, x, torch.zeros(3, dtype=torch.double)) == {}
    assert check(Halves, torch.rand(4, 3, dtype=torch.cdouble, requires_grad=True)) == {}
