"""Every Function of the cookbook is tried by check_function.py, and fails what its page says."""

import pytest
import torch
from programs import executed
from torch.autograd.function import FunctionMeta

from handbook.places import SNIPPETS

RECIPE = "troubleshooting/silent-mistakes/check-function.md"


torch.manual_seed(0)


def rand(*shape: int) -> torch.Tensor:
    return torch.rand(shape, dtype=torch.double, requires_grad=True)


TRIED = {
    "custom-op/side-by-side": ((rand(2, 3),), set()),
    "fused-loss/cross-entropy": ((rand(2, 3), torch.tensor([0, 2])), {"second_order"}),
    "gradient-clipping/clip": ((rand(2, 3), 100.0), set()),
    "gradient-reversal/reverse": ((rand(2, 3), 0.5), {"first_order"}),
    "implicit/fixed-point": ((rand(2, 3), 0.5 * rand(3).detach()), set()),
    "in-place-activation/relu-in-place": ((rand(2, 3),), set()),
    "linear/linear": ((rand(2, 3), rand(5, 3), rand(5)), set()),
    "numpy/convolve": ((rand(5), rand(3)), {"second_order"}),
    "piecewise/maximum": ((rand(2, 3), rand(2, 3)), set()),
    "recomputing/gaussian-bump": ((rand(2, 3),), set()),
    "stable-gradient/log1p-exp": ((rand(2, 3),), set()),
    "straight-through/round": ((rand(2, 3),), {"first_order"}),
    "straight-through/quantize": ((rand(2, 3), 2), {"first_order"}),
    "transforms/complete": ((rand(2, 3) + 0.5, 2.5), set()),
    "weighted-sum/weighted-sum": ((rand(2, 3), rand(3)), set()),
}
"""By program: what its Function takes, and the tries that it fails, which its page names."""


@pytest.mark.parametrize("name", TRIED)
def test_a_function_of_the_cookbook_fails_no_try_but_those_its_page_names(name):
    program = executed(f"cookbook/{name}.md")
    (function,) = (
        value
        for key, value in program.items()
        if isinstance(value, FunctionMeta) and value.__module__ == "program"
    )
    inputs, fails = TRIED[name]
    assert executed(RECIPE)["check"](function, *inputs).keys() == fails


def test_every_page_of_the_cookbook_has_a_function_that_is_tried():
    pages = {path.name for path in (SNIPPETS / "cookbook").iterdir()}
    assert pages == {name.partition("/")[0] for name in TRIED}
