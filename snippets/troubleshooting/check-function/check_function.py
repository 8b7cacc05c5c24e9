# SPDX-License-Identifier: MIT-0
"""Find mistakes in a custom autograd Function that raise no error.

    from check_function import check

    x = torch.rand(2, 3, dtype=torch.double, requires_grad=True)
    print(check(Square, x))         # a report for people
    assert not check(Square, x)     # in a test; pytest shows the report

Give it a Function, or anything else that can be called, and then its arguments, by position. Those
that require grad are checked: use double precision, random values, and no square shape. Options:

    like=torch.sigmoid        for surrogate gradients: the function whose derivative backward gives
    expect="second_order"     checks that should fail, one or a set; one that passes is a finding
    rtol, atol                how close numbers have to be; they are widened for float32
    seed                      every call starts from it: a Function may draw torch's random numbers

It returns a list of findings: check, where, seen, expected, section. `_Checks` has every check.
"""

import copy
import gc
import logging
import weakref
from collections import namedtuple
from contextlib import suppress
from itertools import islice, product
from unittest import mock

import torch
from torch.autograd import Function, forward_ad

__version__ = "2.3"
MOST_ENTRIES = 60  # of a tensor, for finite differences
# Steps of finite differences, a second one for float32 within, and how much wider tolerances are:
STEPS = {torch.double: [(6e-6, 1), (5e-3, 10)], torch.float: [(5e-3, 10)]}
STEPS |= {torch.bfloat16: [(0.2, 200)], torch.half: [(0.1, 100)]}
Finding = namedtuple("Finding", "check where seen expected section")  # section: of the site
Call = namedtuple("Call", "given leaves found outputs roots weights total")
"""Of what is found, outputs have fractions, roots have a gradient; total is their weighted sum."""


class Report(list):
    """Findings: false if there are none. Its notes are no mistakes: they say what is uncertain."""

    def __str__(self):
        text = "{}\n    seen:     {}\n    expected: {}\n    section:  {}"
        lines = [f"{self.name}: {len(self)} finding{'s' * (len(self) != 1)}"]
        lines += [text.format(", ".join(filter(None, one[:2])), *one[2:]) for one in self]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def check(function, *inputs, like=None, expect=(), rtol=1e-3, atol=1e-5, seed=0, **unknown):
    """Check a Function. The manual is the docstring of this module."""
    if unknown:
        raise TypeError(f"check has no option {[*unknown]}; arguments of a Function are positional")
    expect = {expect} if isinstance(expect, str) else {*expect}
    if unknown := expect - {*CHECKS}:
        raise ValueError(f"there is no check {[*unknown]}; the checks are {', '.join(CHECKS)}")
    checks = _Checks(function, like, inputs, rtol, atol, seed)
    reentrant = mock.patch("torch.autograd._is_checkpoint_valid", return_value=True, create=True)
    with torch.random.fork_rng(), torch.enable_grad(), reentrant:
        checks._run(expect)
    if checks.report:  # pytest shows what a test that fails has logged
        log = logging.getLogger("check_function")
        log.setLevel(logging.INFO)
        log.info("%s", checks.report)
    return checks.report


class _Calls:
    """Calls of a function. Tensors are in dicts, by names such as "argument 0" and "output 0"."""

    def __init__(self, function, like, inputs, rtol, atol, seed):
        self.apply, self.like = (f.apply if isinstance(f, type) else f for f in (function, like))
        owner = getattr(self.apply, "__self__", None) or function
        self.report = Report()
        self.report.name, self.report.notes = getattr(owner, "__name__", type(owner).__name__), {}
        self.note = self.report.notes.setdefault
        inputs = {f"argument {n}": x for n, x in enumerate(inputs)}
        self.tensors = {name: x for name, x in inputs.items() if torch.is_tensor(x)}
        self.values = inputs | {name: x.detach() for name, x in self.tensors.items()}
        self.arguments = [name for name, x in self.tensors.items() if x.requires_grad]
        self.seed, self.own = seed, {}
        dtypes = {torch.double, *(self.values[n].real.dtype for n in self.arguments)} & STEPS.keys()
        self.steps = [(step, rtol * by, atol * by**2) for step, by in max(map(STEPS.get, dtypes))]

    def but(self, **changes):
        """The same calls, but of another function, or with other values."""
        other = copy.copy(self)
        vars(other).update(changes)
        return other

    def call(self, values=None, made=None):
        """Calls with copies of the values, or with what is made from the copies."""
        given = self.values | (values or {})
        given |= {name: x.clone() for name, x in given.items() if torch.is_tensor(x)}
        for name, x in self.own.items():
            x.data = given[name]
        leaves = {name: (given | self.own)[name].requires_grad_() for name in self.arguments}
        given |= self.own or {name: x.clone() for name, x in leaves.items()}
        given |= {name: change(given[name]) for name, change in (made or {}).items()}
        torch.manual_seed(self.seed)
        found = self.apply(*given.values())
        found = found if isinstance(found, tuple) else (found,)
        found = {f"output {n}": y for n, y in enumerate(found)}
        outputs = {name: y for name, y in found.items() if _is_moving(y)}
        roots = {name: y for name, y in outputs.items() if y.requires_grad}
        weights = _random(outputs)
        total = sum((_wide(weights[n]).conj() * _wide(y)).sum().real for n, y in roots.items())
        return Call(given, leaves, found, outputs, roots, weights, total)

    def tried(self, values=None, made=None):
        """A call, or None if the function refuses these values."""
        with suppress(Exception):
            return self.call(values, made)
        return None

    def grads(self, call, weights=None, **more):
        """Gradients by argument. weights: grad_output of the outputs in use."""
        # The leaves are roots, too: where there is no gradient, it is a zero that requires grad.
        zeros = {name: torch.zeros_like(x, requires_grad=True) for name, x in call.leaves.items()}
        weights = zeros | (weights or _copies(call.weights))
        roots = {name: y for name, y in (call.leaves | call.roots).items() if name in weights}
        ys, ws = [*roots.values()], [weights[name] for name in roots]
        torch.manual_seed(self.seed + 1)
        leaves = [*call.leaves.values()]
        found = leaves and torch.autograd.grad(ys, leaves, ws, retain_graph=True, **more)
        return dict(zip(call.leaves, found, strict=True))

    def same(self, call, when):
        """Compares outputs and gradients with those of the first call."""
        return self.differ(call.outputs | self.grads(call), self.base, when)

    def differ(self, these, those, when=""):
        """The tensors that differ from those of the same names: the name, and the numbers."""
        for name in [name for name in these if name in those]:
            a, b = _wide(these[name]), _wide(those[name])
            if a.shape != b.shape:
                yield name, f"shape {[*a.shape]} {when}", f"shape {[*b.shape]}"
            elif (wrong := ~torch.isclose(a, b, *self.steps[0][1:], equal_nan=True)).any():
                at = tuple(wrong.nonzero()[0].tolist())
                yield name, _text(a[at], at, when), _text(b[at])

    def wrong(self, call, grads):
        """By argument, the entry of its gradient that is furthest from finite differences."""
        for name, gradient in grads.items():
            parts, wide = (1, 1j) if gradient.is_complex() else (1,), _wide(gradient.detach())
            chosen = torch.rand(gradient.shape) * gradient.numel() < MOST_ENTRIES
            entries = [*product(map(tuple, chosen.nonzero()[:MOST_ENTRIES].tolist()), parts)]
            got = torch.tensor([(complex(wide[at]) / part).real for at, part in entries]).double()
            for n, (step, rtol, _) in enumerate(self.steps):
                steps = (step, -step, step / 2, -step / 2)[: 4 if step > 1e-3 else 2]
                slopes = [[self.slope(call, name, entry, by) for entry in entries] for by in steps]
                low, high = torch.tensor(slopes, dtype=torch.double).aminmax(dim=0)
                mean, share = (low + high) / 2, 0.1 if step > 1e-3 else rtol
                smooth = high - low <= share * (1 + mean.abs())
                if smooth.all():
                    self.steps = self.steps[n:]
                    break
            nearest = got.clamp(low, high)  # at a kink, all slopes between left and right are right
            wrong = smooth & ~torch.isclose(got, nearest, *self.steps[0][1:])
            if wrong.any():
                k = torch.where(wrong, (got - nearest).abs(), -1).argmax()
                seen = "no gradient" if gradient.requires_grad else _text(got[k], entries[k][0])
                yield name, seen, f"{_text(mean[k])}, by finite differences"
            elif not torch.isclose(got, mean, *self.steps[0][1:]).all():
                self.note("some derivatives couldn't be compared: there are kinks")

    def slope(self, call, name, entry, step):
        """How fast the weighted sum of outputs changes, between here and a step of one entry."""
        (at, part), x = entry, self.values[name].clone()
        x[at] += step * part
        return (self.call({name: x}).total - call.total).item() / step


class _Checks(_Calls):
    """The checks. Each gets a call, and gives findings: where, what it saw, what it expected."""

    def _run(self, expect):
        """Run the checks, except those that would only repeat what another has found."""
        self.failed, self.skipped = dict.fromkeys(CHECKS), set()
        self.own = {} if self.tried() else self.tensors
        for name in (name for name in CHECKS if name not in self.skipped):  # they become more
            found, self.where, self.when = {}, "", ""
            most = None if name in THOROUGH else 1  # every wrong argument, or the first finding
            try:
                for where, *texts in islice(getattr(self, name)(self.call()), most):
                    found.setdefault(where, texts)
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                found = found or {self.where: (text, f"no error {self.when}".strip())}
            self.failed[name] = found
            if name in expect:
                found = {} if found else {"": ("it passes", "that it fails")}
            elif found:
                self.skipped |= {*REPEATS.get(name, ())}
            section = f"troubleshooting/check-function#{name}"
            self.report += [Finding(name, where, *texts, section) for where, texts in found.items()]
        if self.steps[0][0] > 1e-3:
            percent = f"{100 * self.steps[0][1]:.3g} percent"
            self.note(f"computed in float32 or less: only mistakes above {percent} are found")
        for name, x in self.own.items():
            x.data = self.values[name]

    def runs(self, call):
        """An error, outputs without a gradient, or other outputs in the next call."""
        if not call.roots:
            kinds = ", ".join(sorted({type(y).__name__ for y in call.found.values()}))
            seen = f"no output requires grad; returned: {kinds}"
            return [("", seen if call.leaves else "no input requires grad", "a tensor that does")]
        self.base = _copies(call.outputs | self.grads(call))
        self.functions = {node._forward_cls for node in _nodes(call)}
        if any(self.differ(self.but(seed=self.seed + 1).call().outputs, self.base)):
            self.skipped |= {"strided_input", "vmap_like_a_loop"}  # it draws random numbers
        if self.own:
            self.skipped |= {"second_call", "special_shapes"}
            self.note("it takes these very tensors only, no copies, so some checks see less")
        for name, x in call.leaves.items():
            if x.dim() > 1 and x.shape == x.mT.shape:
                self.note(f"{name} is square, which hides exchanged dimensions")
        for name in [name for name in call.outputs if name not in call.roots]:
            self.note(f"{name} doesn't require grad: is that intended?")
        return self.differ(self.call().outputs, self.base, "in a second call")

    def backward_again(self, call):
        """A backward pass that uses up, adds to or overwrites what the next one needs."""
        before = _copies(call.weights | call.given)
        self.grads(call, call.weights)
        for name, *numbers in self.differ(call.weights | call.given, before, "after backward"):
            yield "grad_output" if name in call.weights else name, *numbers
        yield from self.but(seed=self.seed + 1).same(call, "in the second backward pass")

    def inputs_kept(self, call):
        """An input that is changed in place without mark_dirty."""
        for name, x in call.given.items():
            if torch.is_tensor(x) and not any(x is y for y in call.found.values()):
                yield from self.differ({name: x}, self.values, "after the call")

    def setup_context_returns(self, call):
        """A value that setup_context returns, which is never freed."""
        kinds = set()
        for function in [f for f in self.functions if f.setup_context != Function.setup_context]:
            watch = staticmethod(lambda *args, f=function.setup_context: kinds.add(type(f(*args))))
            with mock.patch.object(function, "setup_context", watch):
                self.call()
        return [("", f"setup_context returns a {k.__name__}", "None") for k in kinds - {type(None)}]

    def linear(self, call):
        """A grad_output that is forgotten, clipped, squared, or used without its sign."""
        w, v = call.weights, _random(call.outputs, 1)
        at_w, at_v = self.grads(call, w), self.grads(call, v)
        for a, b in [(1, 1), (-3, 0), (1000, 0)][: 3 if self.steps[0][0] < 0.1 else 2]:
            seen = self.grads(call, {name: a * w[name] + b * v[name] for name in w})
            expected = {name: a * at_w[name] + b * at_v[name] for name in at_w}
            when = "for a sum of two grad_output" if b else f"for {a} * grad_output"
            yield from self.differ(seen, expected, when)

    def first_order(self, call):
        """A wrong gradient or jvp."""
        grads = self.grads(call)
        if self.like:
            like, self.where = self.but(apply=self.like), "like"  # if it raises
            for name, seen, number in self.differ(grads, like.grads(like.call())):
                yield name, seen, f"{number}, from `like`, unless `like` itself is wrong"
            return
        yield from self.wrong(call, grads)
        has_jvp = any(function.jvp is not Function.jvp for function in self.functions)
        for name in [name for name in grads if has_jvp and name in self.tensors]:
            (tangent,) = _random({name: self.values[name]}, 1).values()
            with forward_ad.dual_level():
                call = self.call(made={name: lambda x, t=tangent: forward_ad.make_dual(x, t)})
                seen = forward_ad.unpack_dual(call.total).tangent or torch.zeros(())
            expected = (tangent.conj() * grads[name]).sum().real
            yield from self.differ({name: seen}, {name: expected}, "in forward mode")

    def no_gradient(self, call):
        """No gradient for an argument, where the gradient isn't the derivative anyway."""
        wrong = not self.like and self.failed["first_order"]
        for name, gradient in self.grads(call).items():
            if wrong and name not in wrong and gradient.requires_grad:
                moved = self.call({name: self.values[name] + 1.3})
                if any(self.differ(moved.outputs, self.base)):
                    yield name, "no gradient, though outputs depend on it", "a gradient"

    def one_input_at_a_time(self, call):
        """A gradient, or an output, that depends on which inputs require grad."""
        for only in ([], *([name] for name in self.arguments)):
            alone, what = self.but(arguments=only), f"only {only[0]}" if only else "nothing"
            yield from alone.same(alone.call(), f"if {what} requires grad")

    def one_output_at_a_time(self, call):
        """A backward that is wrong or fails if an output isn't used."""
        parts = {out: self.grads(call, {out: call.weights[out]}) for out in call.roots}
        for name, part in parts.items():
            if len(parts) > 1 and not any(g.any() for g in part.values()):
                self.note(f"{name} gives no gradient. For an index, use mark_non_differentiable.")
        total = {name: sum(part[name] for part in parts.values()) for name in call.leaves}
        return self.differ(total, self.base, "as a sum over the outputs")

    def second_call(self, call):
        """State outside ctx, which the next call overwrites."""
        moving = {name: x for name, x in self.values.items() if _is_moving(x) or type(x) is float}
        for factor in (0.5, -0.5):
            self.tried({name: factor * x for name, x in moving.items()})
        return self.same(call, "after another call")

    def strided_gradient(self, call):
        """A kernel that takes every grad_output to be contiguous."""
        weights = {name: _strided(w) for name, w in call.weights.items()}
        return self.differ(self.grads(call, weights), self.base, "for strided grad_output")

    def strided_input(self, call):
        """A kernel that takes every input to be contiguous."""
        for name in self.arguments:
            try:
                yield from self.same(self.call(made={name: _strided}), f"for {name} strided")
            except Exception:
                self.note(f"{name} has to be contiguous")

    def freed_at_once(self, call):
        """A cycle through ctx, such as an output kept as an attribute."""
        kept = [weakref.ref(node) for node in _nodes(call)]
        gc.collect(0)  # now, so that it doesn't come of itself, and frees the cycle
        del call
        if any(node() is not None for node in kept):
            yield "", "ctx outlives the outputs", "it is freed with them"

    def changed_later(self, call):
        """A tensor kept as an attribute: backward uses what it holds by then."""
        tensors = call.given if self.failed["freed_at_once"] else call.given | call.found
        for name in _copies(tensors):
            call = self.call()
            (call.given | call.found)[name].detach().zero_()
            with suppress(RuntimeError):  # autograd has noticed
                for of, now, before in self.differ(self.grads(call), self.base):
                    seen = f"once it has changed, the gradient of {of} is {now}"
                    yield name, seen, f"{before}, or an error"

    def special_values(self, call):
        """A gradient that is wrong where an input is zero, or its values are equal."""
        for name, value in product(self.arguments, (0.0, 0.7)):
            same = {name: torch.full_like(self.values[name], value)}
            yield from self._special(same, f"when every entry of {name} is {value:g}")

    def special_shapes(self, call):
        """A backward that fails for a size of 0 or 1 that forward accepts."""
        tensors = _copies(self.values).items()
        # On a device, an index out of range ends the process:
        on_device = any(x.device.type != "cpu" and not _is_moving(x) for _, x in tensors)
        sizes = {size for _, x in tensors for size in x.shape if size > 1}
        sizes -= {x for x in self.values.values() if type(x) is int}
        hint = "; a number that matters only for small sizes, such as eps, may be wrong"
        for size, new in () if on_device else product(sorted(sizes), (0, 1)):
            cut = {n: x[tuple(slice(new if k == size else k) for k in x.shape)] for n, x in tensors}
            yield from self._special(cut, f"when size {size} is cut to {new}", hint)

    def _special(self, values, when, hint=""):
        """Checks gradients for other values, if the Function accepts them."""
        special = self.but(values=self.values | values, steps=self.steps[:1], note=str)
        if call := special.tried():
            self.when = when
            grads = special.grads(call)
            is_known = self.like or self.failed["first_order"]
            with suppress(Exception):  # it may refuse a step to one side
                for where, seen, expected in () if is_known else special.wrong(call, grads):
                    yield where, f"its gradient: {seen}, {when}", expected + hint

    def second_order(self, call):
        """A wrong second derivative: an intermediate saved, or backward detached."""
        weights = {f"grad_output of {name}": w for name, w in call.weights.items()}

        def gradient(*values):
            call = self.call(dict(zip(self.values, values, strict=False)))
            weights = dict(zip(call.outputs, values[len(self.values) :], strict=True))
            return tuple(self.grads(call, weights, create_graph=True).values())

        values, arguments = self.values | weights, [*self.arguments, *weights]
        backward = self.but(apply=gradient, like=None, values=values, arguments=arguments)
        return backward.first_order(backward.call())

    def vmap_like_a_loop(self, call):
        """A vmap rule that computes something else than a loop, or raises."""
        has_rule = any(f.generate_vmap_rule or f.vmap is not Function.vmap for f in self.functions)
        dims = [(0, -1, None) if torch.is_tensor(x) else (None,) for x in self.values.values()]
        for in_dims in islice(product(*dims), 3**5 if has_rule else 0):
            self.when = f"under vmap with in_dims={in_dims}"
            batched = {n: d for n, d in zip(self.values, in_dims, strict=True) if d is not None}
            other = batched and self.tried(call.leaves, dict.fromkeys(batched, _another))
            if not other:
                continue
            stack = {n: lambda x, d=d: torch.stack([x, _another(x)], d) for n, d in batched.items()}
            batch = self.but(apply=torch.vmap(self.apply, in_dims)).call(made=stack)
            loop = {n: torch.stack([call.outputs[n], other.outputs[n]]) for n in call.outputs}
            yield from self.differ(batch.outputs, loop, self.when)
            loop = self.grads(call._replace(roots={n: loop[n] for n in call.roots}), batch.weights)
            yield from self.differ(self.grads(batch), loop, self.when)


CHECKS = [name for name in vars(_Checks) if not name.startswith("_")]
REPEATS = {  # by check, those that would say again what it has found
    "runs": CHECKS[1:],
    "backward_again": {*CHECKS} - {"inputs_kept", "setup_context_returns", "freed_at_once"},
    "setup_context_returns": ["freed_at_once"],
    "first_order": ["special_values", "second_order"],
    "second_call": ["strided_gradient", "strided_input", "changed_later"],
    "linear": ["first_order", "no_gradient", "one_output_at_a_time", *CHECKS[-4:-1]],
}
THOROUGH = {"inputs_kept", "first_order", "no_gradient", "one_input_at_a_time", "strided_input"}
THOROUGH |= {"changed_later", "special_values", "special_shapes"}


def _is_moving(x):
    return torch.is_tensor(x) and (x.is_floating_point() or x.is_complex())


def _another(x):
    """Another sample of a batch."""
    return x / 2 if _is_moving(x) else x.roll(1)


def _strided(x):
    """A copy that isn't contiguous: transposed, with a gap after every number."""
    return torch.stack([x.transpose(0, -1)] * 2, -1)[..., 0].transpose(0, -1)


def _copies(tensors):
    return {name: x.detach().clone() for name, x in tensors.items() if torch.is_tensor(x)}


def _nodes(call):
    """The nodes of Functions in the graph of a call."""
    nodes = [call.total.grad_fn]
    for node in nodes:  # they become more
        nodes += {other for other, _ in node.next_functions} - {None, *nodes}
    return [node for node in nodes if hasattr(node, "_forward_cls")]


def _random(tensors, seed=0):
    """Random numbers like tensors, always the same."""
    torch.default_generator.manual_seed(seed)
    return {name: torch.randn(x.shape, dtype=_wide(x).dtype).to(x) for name, x in tensors.items()}


def _wide(x):
    return x.cpu().to(torch.cdouble if x.is_complex() else torch.double)


def _text(number, at=(), when=""):
    return " ".join(filter(None, [f"{number:.4g}", f"at {[*at]}" if at else "", when]))
