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
