"""check_function.py finds what it is for, names the argument, and accuses no correct Function.

The smallest programs are those with which an earlier version was wrong about Functions that people
really wrote: it accused them, missed a mistake, said one thing under many names, or ended."""

import logging
import runpy
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch
from torch import nn
from torch.autograd import Function
from torch.utils.checkpoint import checkpoint

from builder.content import snippets
from builder.content.paths import SNIPPETS

FILE = SNIPPETS / "troubleshooting/check-function/check_function.py"
tool = SimpleNamespace(**runpy.run_path(str(FILE)))


def tensor(*shape, **more):
    generator = torch.Generator().manual_seed(0)
    x = torch.rand(shape, generator=generator, dtype=torch.double) + 0.25
    return x.to(more.get("dtype", torch.double)).requires_grad_()


def function(forward, backward, name="F", **more):
    """A Function from two functions."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (Function,), members | more)


def saving(forward, backward, **more):
    """A Function that saves its inputs: backward gets grad_output and them."""

    def saved(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return forward(*inputs)

    return function(saved, lambda ctx, g: backward(g, *ctx.saved_tensors), **more)


def found(function, *inputs, **more):
    return [(one.check, one.where) for one in tool.check(function, *inputs, **more)]


SQUARE = saving(lambda x: x * x, lambda g, x: 2 * x * g)


# Functions that are right


def positive_power(ctx, x, p):
    assert p > 0
    ctx.save_for_backward(x)
    ctx.p = p
    return x**p


def power_gradient(ctx, g):
    (x,) = ctx.saved_tensors
    return g * ctx.p * x ** (ctx.p - 1), None


def positive_log(x):
    if not bool((x > 0).all()):
        raise ValueError("only positive values")
    return x.log()


def not_negative(x):
    assert bool((x >= 0).all())
    return x * x


def eigenvalues(ctx, a):
    values, vectors = torch.linalg.eigh(a)
    ctx.save_for_backward(vectors)
    return values


def eigenvalues_gradient(ctx, g):
    (vectors,) = ctx.saved_tensors
    if torch.is_grad_enabled():
        raise RuntimeError("no second derivative")
    return vectors @ torch.diag(g) @ vectors.mT


def dropout(ctx, x):
    kept = torch.rand_like(x) > 0.5
    ctx.save_for_backward(kept)
    return x * kept


TABLE = {}


def looked_up(ctx, x):
    ctx.factor = TABLE[id(x)]
    return ctx.factor * x


def only_float(x):
    if x.dtype != torch.float32:
        raise TypeError("only float32")
    return x.sin()


FLOAT_WITHIN = saving(lambda x: x.float().sin().to(x), lambda g, x: g * x.cos())
SPIKE = saving(lambda x: (x > 0.5).float(), lambda g, x: g * x.cos())
INVERSE = saving(torch.inverse, lambda g, a: -(a.inverse().mT @ g @ a.inverse().mT))
EIGENVALUES = function(eigenvalues, eigenvalues_gradient)
LOG = saving(positive_log, lambda g, x: g / x)


def two(ctx, x):
    ctx.save_for_backward(x)
    return x.sin(), x.cos()


def two_gradients(ctx, g, h):
    (x,) = ctx.saved_tensors
    return g * x.cos() - h * x.sin()


WELL = tensor(3, 3).detach() + 3 * torch.eye(3, dtype=torch.double)
RIGHT = {
    "asserts a positive float": (function(positive_power, power_gradient), tensor(2, 3), 3.0),
    "refuses negative values": (LOG, tensor(2, 3)),
    "accepts zero, refuses what is below": (
        saving(not_negative, lambda g, x: 2 * x * g), tensor(2, 3)
    ),
    "float32 within": (FLOAT_WITHIN, tensor(2, 3)),
    "only square matrices": (INVERSE, WELL.requires_grad_()),
    "the apply method": (SQUARE.apply, tensor(2, 3)),
    "a lambda": (lambda x: SQUARE.apply(x), tensor(2, 3)),
    "an operation of torch": (torch.sigmoid, tensor(2, 3)),
    "random numbers": (function(dropout, lambda ctx, g: g * ctx.saved_tensors[0]), tensor(4, 3)),
    "only float32": (saving(only_float, lambda g, x: g * x.cos()), tensor(2, 3, dtype=torch.float)),
    "steep at equal values, in float32": (
        lambda x: nn.functional.layer_norm(x, (5,)), tensor(4, 5, dtype=torch.float)
    ),
    "half precision": (SQUARE, tensor(2, 3, dtype=torch.half)),
    "complex numbers": (
        saving(lambda x: x * x, lambda g, x: g * (2 * x).conj()), tensor(2, 3, dtype=torch.cdouble)
    ),
    "two outputs": (function(two, two_gradients), tensor(2, 3)),
    "no tensor dimension": (SQUARE, tensor()),
    "no entries": (SQUARE, tensor(0, 3)),
    "zeros": (saving(lambda x: x.relu(), lambda g, x: g * (x > 0)), torch.zeros_like(tensor(2, 3), requires_grad=True)),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_correct_function_is_not_accused(name):
    assert found(*RIGHT[name]) == []


def test_a_symmetric_matrix_is_kept_symmetric_by_a_lambda():
    def symmetric(a):
        return EIGENVALUES.apply((a + a.mT) / 2)

    a = tensor(3, 3)
    assert found(symmetric, a, expect={"second_order"}) == []


def test_tensors_of_which_no_copy_is_accepted_stay_as_they_were():
    x = tensor(2, 3)
    before = x.detach().clone()
    TABLE[id(x)] = 3.0
    report = tool.check(function(looked_up, lambda ctx, g: ctx.factor * g), x)
    assert report == [] and any("these very tensors" in note for note in report.notes)
    assert x.equal(before) and x.grad is None and x.requires_grad


@pytest.mark.filterwarnings("ignore:None of the inputs:UserWarning")
@pytest.mark.filterwarnings("ignore:Using backward:UserWarning")
def test_a_reentrant_checkpoint_is_checked():
    report = tool.check(lambda x: checkpoint(SQUARE.apply, x, use_reentrant=True), tensor(2, 3))
    assert {one.check for one in report} <= {"second_order"}


def test_what_hides_mistakes_is_a_note():
    notes = tool.check(SQUARE, tensor(3, 3)).notes
    assert any("square" in note for note in notes)
    assert any("float32" in note for note in tool.check(FLOAT_WITHIN, tensor(2, 3)).notes)
    assert not tool.check(SQUARE, tensor(2, 3)).notes


# Mistakes: what a Function gets, and all that is to be found


def in_place(ctx, g):
    ctx.d *= g
    return ctx.d


def kept_product(ctx, x):
    ctx.d = 2 * x
    return x * x


def frozen_changes_output(ctx, x, b):
    return x + b if b.requires_grad else x + 0


def wrong_when_transposed(ctx, x):
    return x.as_strided(x.shape, torch.empty(x.shape).stride()) * 2


def ratio_saved(ctx, x, k):
    y = x * k
    ctx.save_for_backward(y / x, x)
    return y


def squeezed(g, x, b):
    return g, g.sum(0).squeeze()


def two_wrong(ctx, g, h):
    (x,) = ctx.saved_tensors
    return g * x.cos() - h * x.sin() if h is not None else g.no_such_attribute


def two_unmaterialized(ctx, x):
    ctx.set_materialize_grads(False)
    return two(ctx, x)


def returns_inputs(ctx, inputs, output):
    ctx.save_for_backward(*inputs)
    return inputs


CONTEXT = {"setup_context": staticmethod(returns_inputs)}
X = tensor(2, 3)
MISTAKES = {
    "a product kept and multiplied in place":
        (function(kept_product, in_place), [X], [("backward_again", "argument 0")]),
    "a saved input changed by backward":
        (saving(lambda x: x * x, lambda g, x: x.mul_(2 * g)), [X], [("backward_again", "argument 0")]),
    "an error": (saving(lambda x: x * x, lambda g, x: g.nothing), [X], [("runs", "")]),
    "clamped grad_output": (
        saving(torch.relu, lambda g, x: g.clamp(min=0) * (x > 0)), [X], [("linear", "argument 0")]
    ),
    "squared grad_output":
        (saving(lambda x: x * x, lambda g, x: 2 * x * g * g), [X], [("linear", "argument 0")]),
    "absolute grad_output":
        (saving(lambda x: x * x, lambda g, x: 2 * x * g.abs()), [X], [("linear", "argument 0")]),
    "forgotten grad_output":
        (saving(lambda x: x * x, lambda g, x: 2 * x), [X], [("linear", "argument 0")]),
    "an output that depends on requires_grad": (
        function(frozen_changes_output, lambda ctx, g: (g, g)), [X, tensor(2, 3)],
        [("one_input_at_a_time", "output 0")],
    ),
    "two of three wrong": (
        saving(lambda x, y, z: x * y * z, lambda g, x, y, z: (g * y * z, g * x, g * x)),
        [tensor(2, 3), tensor(2, 3) + 1, tensor(2, 3) + 2],
        [("first_order", "argument 1"), ("first_order", "argument 2")],
    ),
    "no gradient": (
        saving(lambda x, y: x * y, lambda g, x, y: (g * y, None)), [X, tensor(2, 3)],
        [("first_order", "argument 1")],
    ),
    "wrong for transposed inputs": (
        function(wrong_when_transposed, lambda ctx, g: 2 * g), [X],
        [("strided_input", "output 0")],
    ),
    "not a number at zero": (
        function(ratio_saved, lambda ctx, g: (g * ctx.saved_tensors[0], (g * ctx.saved_tensors[1]))),
        [X, tensor(2, 3)],
        [("special_values", "argument 0"), ("second_order", "argument 1")],
    ),
    "squeezed away": (
        saving(lambda x, b: x + b, squeezed), [X, tensor(3)], [("special_shapes", "")]
    ),
    "an output that isn't used": (
        function(two_unmaterialized, two_wrong), [X], [("one_output_at_a_time", "")]
    ),
    "setup_context returns the inputs": (
        function(lambda x: x * x, lambda ctx, g: 2 * ctx.saved_tensors[0] * g, **CONTEXT), [X],
        [("setup_context_returns", "")],
    ),
    "no output requires grad":
        (function(lambda ctx, x: [x * 2], lambda ctx, g: 2 * g), [X], [("runs", "")]),
    "no input requires grad": (SQUARE, [X.detach()], [("runs", "")]),
    "float32 refused": (saving(only_float, lambda g, x: g * x.cos()), [X], [("runs", "")]),
    "float32 within, and wrong": (
        saving(lambda x: x.float().sin().to(x), lambda g, x: 2 * g * x.cos()), [X],
        [("first_order", "argument 0")],
    ),
    "a surrogate": (SPIKE, [X], [("first_order", "argument 0")]),
}  # fmt: skip
"""By mistake: a Function, inputs, and all findings with where they are."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_once_and_named_with_its_argument(name):
    wrong, inputs, findings = MISTAKES[name]
    assert found(wrong, *inputs) == findings


# Options


def rounded(ctx, x, y):
    return (x + y).round()


def test_behind_an_expected_failure_other_mistakes_are_found():
    missing = function(rounded, lambda ctx, g: (g, None))
    x, y = tensor(2, 3), tensor(2, 3)
    assert found(missing, x, y, expect={"first_order"}) == [("no_gradient", "argument 1")]
    whole = function(rounded, lambda ctx, g: (g, g))
    assert found(whole, x, y, expect={"first_order"}) == []
    turned = function(wrong_when_transposed, lambda ctx, g: 3 * g)
    assert found(turned, x, expect={"first_order"}) == [("strided_input", "output 0")]


def test_a_failure_that_was_expected_and_does_not_come_is_a_finding():
    assert found(SQUARE, X, expect={"second_order"}) == [("second_order", "")]
    with pytest.raises(ValueError, match="no_such_check"):
        tool.check(SQUARE, X, expect={"no_such_check"})


def test_a_surrogate_is_compared_with_the_function_that_it_is_the_derivative_of():
    surrogate = saving(lambda x: (x > 0.5).to(x), lambda g, x: g * x.sigmoid() * (1 - x.sigmoid()))
    assert found(surrogate, X, like=torch.sigmoid) == []
    assert found(surrogate, X, like=torch.tanh) == [("first_order", "argument 0")]
    missing = function(rounded, lambda ctx, g: (g, None))
    inputs = tensor(2, 3), tensor(2, 3)
    assert found(missing, *inputs, like=torch.add) == [("first_order", "argument 1")]


def test_tolerances_say_how_close_numbers_have_to_be():
    nearly = saving(lambda x: x * x, lambda g, x: 2.002 * x * g)
    assert found(nearly, X, rtol=1e-2) == []
    assert found(nearly, X, rtol=1e-5)[0] == ("first_order", "argument 0")


def test_a_call_leaves_random_numbers_and_inputs_as_they_were():
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    tool.check(nn.functional.dropout, X)
    assert torch.rand(3).equal(expected) and X.grad is None


# What one user's Functions showed


def leaky(ctx, x):
    ctx.save_for_backward(x)
    return nn.functional.leaky_relu(x, 0.1)


def leaky_gradient(ctx, g):
    (x,) = ctx.saved_tensors
    return torch.where(x > 0, g, 0.1 * g)


KINKS = {
    "relu": saving(torch.relu, lambda g, x: g * (x > 0)),
    "leaky_relu": function(leaky, leaky_gradient),
    "abs": saving(torch.abs, lambda g, x: g * x.sign()),
}
WRONG_KINK = saving(torch.relu, lambda g, x: g * (x > 0) * 1.2)


@pytest.mark.parametrize(("name", "seeds"), [("leaky_relu", 30), ("relu", 5), ("abs", 5)])
def test_a_kink_in_float32_is_not_accused_with_any_seed(name, seeds):
    for seed in range(seeds):
        x = torch.randn(4, 5, generator=torch.Generator().manual_seed(seed)).requires_grad_()
        assert found(KINKS[name], x, seed=seed) == []


def test_a_wrong_slope_beside_a_kink_is_found_in_float32():
    for seed in range(5):
        x = torch.randn(4, 5, generator=torch.Generator().manual_seed(seed)).requires_grad_()
        assert found(WRONG_KINK, x, seed=seed) == [("first_order", "argument 0")]


def centred(dims):
    return lambda x: x - x.mean(dims, keepdim=True)


def in_front(x, dim):
    return x if dim is None else x.movedim(dim, 0)


def product_saved(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def product_gradients(ctx, g):
    x, y = ctx.saved_tensors
    return g * y, g * x


def with_vmap(rule, count=1):
    """A Function with a vmap rule: of one input, or a product of two."""
    setup = {"setup_context": staticmethod(product_saved)}
    if count == 1:
        forward, backward = centred((0, 1)), lambda ctx, g: centred((0, 1))(g)
    else:
        forward, backward = lambda x, y: x * y, product_gradients
    return function(forward, backward, vmap=staticmethod(rule), **setup)


def refuses_none(info, in_dims, x, y):
    if in_dims[1] is None:
        raise NotImplementedError("y has to be batched")
    return in_front(x, in_dims[0]) * in_front(y, in_dims[1]), 0


RULES = {
    "centred": (lambda info, in_dims, x: (centred((1, 2))(in_front(x, in_dims[0])), 0), 1, None),
    "product": (
        lambda info, in_dims, x, y: (in_front(x, in_dims[0]) * in_front(y, in_dims[1]), 0), 2, None
    ),
    "wrong shape": (
        lambda info, in_dims, x: (centred((1, 2))(x), 0), 1,
        ("shape [2, 3, 2] under vmap with in_dims=(-1,)", "shape [2, 2, 3]"),
    ),
    "in_dims ignored": (
        lambda info, in_dims, x, y: (x * y, 0), 2,
        ("must match the size", "no error under vmap with in_dims=(0, -1)"),
    ),
    "some in_dims refused": (
        refuses_none, 2,
        ("NotImplementedError: y has to be batched", "no error under vmap with in_dims=(0, None)"),
    ),
}  # fmt: skip
"""By name: a vmap rule, the number of inputs, and what is seen and expected, if it is wrong."""


@pytest.mark.parametrize("name", RULES)
def test_a_vmap_rule_is_compared_for_all_in_dims(name):
    rule, count, texts = RULES[name]
    report = tool.check(with_vmap(rule, count), *[tensor(2, 3), tensor(2, 3)][:count])
    if texts is None:
        assert report == []
    else:
        (finding,) = report
        assert finding.check == "vmap_like_a_loop"
        assert texts[0] in finding.seen and finding.expected == texts[1]


def test_float32_inputs_are_noted_and_double_ones_are_not():
    note = "computed in float32 or less: only mistakes above 1 percent are found"
    assert note in tool.check(SQUARE, tensor(2, 3, dtype=torch.float)).notes
    assert note in tool.check(FLOAT_WITHIN, tensor(2, 3)).notes
    assert note not in tool.check(SQUARE, tensor(2, 3)).notes


def test_the_gradient_at_a_special_value_is_described():
    report = tool.check(*MISTAKES["not a number at zero"][:1], X, tensor(2, 3))
    text = "its gradient: nan at [0, 0], when every entry of argument 0 is 0"
    assert [one.seen for one in report] == [text, "no gradient"]
    assert found(saving(lambda x, k: x * k, lambda g, x, k: (g * k, g * x)), X, tensor(2, 3)) == []


def test_one_expected_check_may_be_a_string():
    detached = saving(lambda x: x * x, lambda g, x: 2 * x.detach() * g)
    assert found(detached, X, expect="second_order") == []
    assert found(SQUARE, X, expect="second_order") == [("second_order", "")]
    with pytest.raises(ValueError, match="no check .'second'.; the checks are runs, .*linear"):
        tool.check(SQUARE, X, expect="second")


def test_like_may_be_wrong_itself():
    def broken(x):
        raise ValueError("no such thing")

    (finding,) = tool.check(SQUARE, X, like=broken)
    assert finding[:3] == ("first_order", "like", "ValueError: no such thing")
    (finding,) = tool.check(SQUARE, X, like=torch.sigmoid)
    assert finding.where == "argument 0" and "unless `like` itself is wrong" in finding.expected
    assert not tool.check(SQUARE, X, like=torch.square)


def normalized(ctx, x):
    norm = x.square().sum(-1, keepdim=True).sqrt()
    ctx.save_for_backward(x, norm)
    return x / norm.clamp(min=0.5)


def normalized_with(eps):
    def gradient(ctx, g):
        x, norm = ctx.saved_tensors
        cut = norm.clamp(min=eps)
        return g / cut - x * (norm > eps) * (g * x).sum(-1, keepdim=True) / cut**3

    return function(normalized, gradient)


def test_a_gradient_that_is_wrong_for_small_sizes_points_to_numbers_such_as_eps():
    x = tensor(2, 9).detach().div(3).requires_grad_()
    expected = {"second_order", "special_values"}
    report = [one for one in tool.check(normalized_with(0.1), x) if one.check not in expected]
    (finding,) = report
    assert finding[:2] == ("special_shapes", "argument 0") and "such as eps" in finding.expected
    assert "when size 9 is cut to 1" in finding.seen
    assert "special_shapes" not in {one.check for one in tool.check(normalized_with(0.5), x)}


def test_an_unknown_keyword_is_explained():
    with pytest.raises(
        TypeError, match="no option .'lam'.; arguments of a Function are positional"
    ):
        tool.check(SQUARE, X, lam=0.3)


def top_two(cast, mark):
    def forward(ctx, x):
        values, indices = x.topk(2)
        ctx.save_for_backward(indices)
        ctx.shape = x.shape
        returned = indices.to(x.dtype) if cast else indices
        if mark:
            ctx.mark_non_differentiable(returned)
        return values, returned

    def backward(ctx, g, _):
        return torch.zeros(ctx.shape, dtype=g.dtype).scatter(-1, ctx.saved_tensors[0], g)

    return function(forward, backward)


@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("cast", [True, False])
def test_an_index_among_floats_that_is_not_marked_is_a_note(cast, mark):
    """Autograd marks an integer output itself, so nothing is missing there."""
    report = tool.check(top_two(cast, mark), tensor(3, 5))
    assert report == []
    assert any("mark_non_differentiable" in note for note in report.notes) == (cast and not mark)
    assert any("doesn't require grad" in note for note in report.notes) == (cast and mark)


# The report


def test_a_report_says_what_was_seen_what_was_expected_and_where_to_read():
    report = tool.check(saving(lambda x: x * x, lambda g, x: 3 * x * g), tensor(1))
    (finding,) = report
    assert report and isinstance(report, list)
    assert float(finding.seen.split()[0]) / float(finding.expected.split(",")[0]) == pytest.approx(
        1.5, rel=1e-3
    )
    assert finding.section == "troubleshooting/check-function#first_order"
    for text in ("F: 1 finding", "argument 0", finding.seen, finding.expected, finding.section):
        assert text in str(report)
    nothing = tool.check(SQUARE, tensor(3, 3))
    assert not nothing and "0 findings\nnote: " in str(nothing)


def test_pytest_shows_the_report_of_a_test_that_fails(caplog):
    with caplog.at_level(logging.NOTSET):
        report = tool.check(saving(lambda x: x * x, lambda g, x: 3 * x * g), tensor(2, 3))
    assert str(report) in caplog.text
    caplog.clear()
    tool.check(SQUARE, X)
    assert not caplog.text


def test_the_tests_of_the_page_run_in_pytest(tmp_path):
    program = snippets.read(FILE.with_name("in-pytest.md"))
    (tmp_path / "test_it.py").write_text(program.code, encoding="utf-8")
    (tmp_path / FILE.name).write_bytes(FILE.read_bytes())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "3 failed, 3 passed" in done.stdout
    assert done.stdout.count("Sine: 1 finding\nfirst_order, argument 0") == 3


def test_every_check_says_what_it_looks_for():
    checks = tool._Checks
    assert all(getattr(checks, name).__doc__ for name in tool.CHECKS)
    assert {*sum(map(list, tool.REPEATS.values()), [])} <= {*tool.CHECKS}
    assert tool.__version__ in FILE.read_text("utf-8") and "MIT-0" in FILE.read_text("utf-8")
