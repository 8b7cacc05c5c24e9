# SPDX-License-Identifier: MIT-0
"""Find mistakes in a custom autograd Function that raise no error.

    from check_function import check

    x = torch.rand(2, 3, dtype=torch.double, requires_grad=True)
    print(check(Square, x))         # a report for people
    assert not check(Square, x)     # in a test; pytest shows the report

The first argument is the Function, or anything else that can be called. The others are what it is
called with. Tensors that require grad are checked: give them double precision, random values, and
a shape that isn't square. Options:

    like=torch.sigmoid        compare backward with the derivative of this function instead, for
                              straight-through estimators and surrogate gradients
    expect={"second_order"}   checks that are expected to fail; one that passes is a finding
    rtol, atol                how close numbers have to be; they are widened for float32
    seed                      every call starts from it: a Function may draw torch's random numbers

The report is a list of findings. It is empty, and so false, if nothing is wrong. A finding has
`check`, `where`, `seen`, `expected` and `section`, the section of the site about it. Notes say what
couldn't be told. Every check is a method of `_Checks` and says which mistake it looks for.
"""

import gc
import logging
import weakref
from functools import partial
from itertools import islice, product
from types import SimpleNamespace
from typing import NamedTuple
from unittest import mock

import torch
import torch.autograd.forward_ad as fwAD
from torch import is_tensor
from torch.autograd import Function

__version__ = "2.0"
MOST_ENTRIES = 60  # of a tensor, for finite differences
MOST_CASES = 242  # of batch dimensions, for vmap: all of five tensors
# By precision: steps of finite differences, and how much wider the tolerances are. The second step
# is for where the first doesn't settle.
STEPS = {torch.double: [(6e-6, 1), (5e-3, 10)], torch.float: [(5e-3, 10)]}
STEPS |= {torch.bfloat16: [(0.2, 200)], torch.half: [(0.1, 100)]}
LAYOUTS = {
    "expanded": lambda x: x.new_ones(()).expand(x.shape),
    "transposed": lambda x: x.transpose(0, -1).contiguous().transpose(0, -1) if x.dim() else x,
    "sliced": lambda x: torch.stack([x, x], -1)[..., 0],
}


class Finding(NamedTuple):
    """What a check found, where, and what it should have found."""

    check: str
    where: str
    seen: str
    expected: str

    @property
    def section(self):
        return f"troubleshooting/check-function#{self.check}"

    def __str__(self):
        title = f"{self.check}, {self.where}" if self.where else self.check
        lines = f"seen:     {self.seen}", f"expected: {self.expected}", f"section:  {self.section}"
        return "\n    ".join([title, *lines])


class Report(list):
    """Findings. Its notes are worth knowing, and no mistakes."""

    def __init__(self, name):
        super().__init__()
        self.name, self.notes = name, {}

    def __str__(self):
        count = f"{self.name}: {len(self)} finding{'s' * (len(self) != 1)}"
        return "\n".join([count, *map(str, self), *(f"note: {note}" for note in self.notes)])

    def __repr__(self):
        found = "; ".join(f"{finding.check} {finding.where}".strip() for finding in self)
        return f"<{self.name}: {found or 'nothing found'}>"


def check(function, *inputs, like=None, expect=(), rtol=1e-3, atol=1e-5, seed=0):
    """Check a Function. The manual is the docstring of this module."""
    if unknown := {*expect} - {*CHECKS}:
        raise ValueError(f"there is no check {sorted(unknown)}; there are {CHECKS}")
    checks = _Checks(function, inputs, rtol, atol, seed)
    with torch.random.fork_rng(), torch.enable_grad():
        checks._run(like, {*expect})
    if checks.report:  # pytest shows what a test that fails has logged
        log = logging.getLogger("check_function")
        log.setLevel(logging.INFO)
        log.info("%s", checks.report)
    return checks.report


class _Calls:
    """Calls of the Function, each with copies of its inputs, and from the seed."""

    def __init__(self, function, inputs, rtol, atol, seed):
        self.apply = getattr(function, "apply", function)
        owner = getattr(self.apply, "__self__", function)
        self.report = Report(getattr(owner, "__name__", type(owner).__name__))
        self.inputs, self.rtol, self.atol, self.seed = inputs, rtol, atol, seed
        self.data = {n: x.data for n, x in enumerate(inputs) if is_tensor(x)}
        copies = [x.detach().clone() if is_tensor(x) else x for x in inputs]
        self.values = dict(enumerate(copies))
        self.numbers = [n for n, x in enumerate(inputs) if is_tensor(x) and x.requires_grad]
        self.arguments = [f"argument {n}" for n in self.numbers]
        dtypes = {self.values[n].abs().dtype for n in self.numbers} & STEPS.keys()
        self.steps = STEPS[max(dtypes, key=[*STEPS].index, default=torch.double)]
        self.own_inputs = self.by_backward = False

    def call(self, changed=None, only=None, made=None, apply=None):
        """Call the Function. Returns what it was given and what it returned.

        changed: other values, by argument; only: the arguments that require grad; made: by
        argument, what makes its value from a copy; apply: what to call instead.
        """
        given, leaves = self.values | (changed or {}), {}
        for n, x in given.items():
            if is_tensor(x):
                given[n] = x.detach().clone()
                if self.own_inputs:
                    self.inputs[n].data, given[n] = given[n], self.inputs[n]
                if n in (self.numbers if only is None else only):
                    leaves[n] = given[n].requires_grad_()
                    given[n] = leaves[n] if self.own_inputs else leaves[n].clone()
                given[n] = (made or {}).get(n, lambda x: x)(given[n])
        torch.manual_seed(self.seed)
        found = (apply or self.apply)(*given.values())
        found = [*found] if isinstance(found, tuple) else [found]
        outputs = [y for y in found if _is_moving(y)]
        return SimpleNamespace(leaves=leaves, given=given, found=found, outputs=outputs)

    def grads(self, call, weights=None, again=0, create_graph=False):
        """The gradients of a call, for each argument that requires grad: a tensor, None, or ... if
        it didn't require grad in this call. weights: by output, the grad_output, or None."""
        pairs = zip(call.outputs, weights or _random(call.outputs), strict=True)
        used = [(y, w) for y, w in pairs if w is not None and y.requires_grad]
        ys, ws, leaves = [y for y, _ in used], [w for _, w in used], [*call.leaves.values()]
        more = {"retain_graph": True, "create_graph": create_graph}
        torch.manual_seed(self.seed + 1 + again)
        if self.by_backward:
            for leaf in leaves:
                leaf.grad = None
            torch.autograd.backward(ys, ws, **more)
            found = [leaf.grad for leaf in leaves]
        else:
            found = leaves and torch.autograd.grad(ys, leaves, ws, allow_unused=True, **more)
        found = dict(zip(call.leaves, found, strict=True))
        return [found.get(n, ...) for n in self.numbers]

    def results(self, call):
        """What a call computes: outputs and gradients, as `self.names` names them."""
        return [*(y.detach().clone() for y in call.outputs), *self.grads(call)]

    def functions(self, call):
        """The Functions in the graph of a call, by their nodes."""
        nodes, seen = [y.grad_fn for y in call.outputs], {}
        while nodes:
            node = nodes.pop()
            if node is not None and node not in seen:
                seen[node] = getattr(node, "_forward_cls", None)
                nodes += [next_node for next_node, _ in node.next_functions]
        return {node: function for node, function in seen.items() if function}

    def differ(self, these, those, when, names=None):
        """The first pair that differs: its name, and the numbers. None counts as zero."""
        factor = self.steps[0][1]
        close = {"rtol": self.rtol * factor, "atol": self.atol * factor**2, "equal_nan": True}
        for name, *pair in zip(names or self.names[-len(these) :], these, those, strict=True):
            tensors = [x for x in pair if x is not None]
            if not tensors or ... in pair:
                continue
            a, b = (_wide(torch.zeros_like(tensors[0]) if x is None else x) for x in pair)
            if a.shape != b.shape:
                return [(name, f"shape {[*a.shape]} {when}", f"shape {[*b.shape]}")]
            for at in (~torch.isclose(a, b, **close)).nonzero().tolist():
                seen, expected = f"{a[tuple(at)]:.4g}", f"{b[tuple(at)]:.4g}"
                return [(name, f"{seen}{f' at {at}' if at else ''} {when}".strip(), expected)]
        return []

    def slopes(self, value, values, n, entries, step):
        """How value(values) changes with entries of one of them, to the right and to the left."""
        middle, slopes = value(values), []
        for at, part in entries:
            right, left = values[n].clone(), values[n].clone()
            right[tuple(at)] += step * part
            left[tuple(at)] -= step * part
            rise, fall = value(values | {n: right}) - middle, middle - value(values | {n: left})
            slopes.append((rise / step, fall / step))
        return slopes

    def wrong(self, value, values, n, gradient, when="", steps=None):
        """The entry of a gradient that is furthest from finite differences, if it is wrong.

        value: a function of values, by number, that returns a number; n: what the gradient is for.
        Where right and left differ, the first step doesn't settle, or there is a kink.
        """
        indices = torch.ones(values[n].shape).nonzero().tolist()
        parts = (1, 1j) if values[n].is_complex() else (1,)
        entries = [*product(indices[:: len(indices) // MOST_ENTRIES + 1], parts)]
        wide = _wide(torch.zeros_like(values[n]) if gradient is None else gradient)
        got = [(complex(wide[tuple(at)]) / part).real for at, part in entries]
        for step, factor in steps or self.steps:
            slopes = self.slopes(value, values, n, entries, step)
            least, share = (0.1, 0.1) if step > 1e-3 else (self.atol, self.rtol)
            smooth = [abs(a - b) <= least + share * max(abs(a), abs(b)) for a, b in slopes]
            means = [(a + b) / 2 for a, b in slopes]
            far = [abs(a - b) for a, b in zip(got, means, strict=True)]
            most = [self.atol * factor**2 + self.rtol * factor * abs(mean) for mean in means]
            wrong = [k for k in range(len(got)) if not far[k] <= most[k]]
            real = [k for k in wrong if smooth[k]]
            if not wrong or (real and all(smooth)):
                break
        if real:
            k = max(real, key=far.__getitem__)
            at, seen = entries[k][0], "None" if gradient is None else f"{got[k]:.4g}"
            seen = f"{seen}{f' at {at}' if at else ''} {when}".strip()
            return [(f"argument {n}", seen, f"{means[k]:.4g}, by finite differences")]
        if wrong and not steps:
            self.note("some derivatives couldn't be compared: there are kinks")
        elif not wrong and step != self.steps[0][0]:
            self.steps = self.steps[1:]
            self.note("tolerances are wide, as differences want large steps: float32 within?")
        return []

    def note(self, text):
        self.report.notes[text] = True


class _Checks(_Calls):
    """The checks. Each returns findings: where, what it saw, what it expected."""

    def _run(self, like, expect):
        """Run the checks, except those that would only repeat what another has found."""
        self.like, self.failed = like, {}
        skipped, errors = set(), set()
        for name in CHECKS:
            if name in skipped:
                continue
            try:
                found = [Finding(name, *one) for one in getattr(self, name)()]
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                found = [Finding(name, "", text, "no error")] if text not in errors else []
                errors.add(text)
            if found:
                self.failed[name] = {one.where for one in found}
            if name in expect:
                found = [] if found else [Finding(name, "", "it passes", "that it fails")]
            elif found:
                skipped |= {*REPEATS.get(name, ())}
            first = {one.where: one for one in reversed(found)}
            self.report += [first[where] for where in dict.fromkeys(one.where for one in found)]
        for n, data in self.data.items() if self.own_inputs else ():
            self.inputs[n].data = data

    def runs(self):
        """An error, outputs without a gradient, or other outputs in the next call."""
        if not self.numbers:
            return [("", "no input requires grad", "at least one")]
        try:
            call = self.call()
        except Exception:
            self.own_inputs = True
            call = self.call()
            self.note("it takes these very tensors only, no copies, so some checks see less")
        if not any(y.requires_grad for y in call.outputs):
            kinds = ", ".join(sorted({type(y).__name__ for y in call.found}))
            return [("", f"no output requires grad; returned: {kinds}", "a tensor that does")]
        self.outputs = [f"output {n}" for n, y in enumerate(call.found) if _is_moving(y)]
        self.names = self.outputs + self.arguments
        try:
            self.base = self.results(call)
        except RuntimeError as error:
            if ".grad()" not in str(error):
                raise
            self.by_backward = True  # as a reentrant checkpoint wants it
            self.base = self.results(self.call())
        self._look_at(call)
        return self.differ(self.call().outputs, call.outputs, "in a second call", self.outputs)

    def _look_at(self, call):
        for n in self.numbers:
            rows, columns = (0, 1, *self.values[n].shape)[-2:]
            if rows == columns > 1:
                self.note(f"argument {n} is square, which hides exchanged dimensions")
        for name, y in zip(self.outputs, call.outputs, strict=True):
            if not y.requires_grad:
                self.note(f"{name} doesn't require grad: is that intended?")
        self.seed += 1
        self.is_random = any(self.differ(self.call().outputs, call.outputs, "", self.outputs))
        self.seed -= 1

    def backward_again(self):
        """A backward pass that uses up, adds to or overwrites what the next one needs."""
        call = self.call()
        weights, given = _random(call.outputs), [*filter(is_tensor, call.given.values())]
        before = [x.detach().clone() for x in (*weights, *given)]
        first = [g if g is None else g.clone() for g in self.grads(call, weights)]
        names = ["grad_output"] * len(weights) + ["an input"] * len(given)
        changed = self.differ([*weights, *given], before, "after backward", names)
        second = first if changed else self.grads(call, again=1)
        return changed or self.differ(second, first, "in the second backward pass")

    def inputs_kept(self):
        """An input that is changed in place without mark_dirty."""
        call = self.call()
        for n, x in call.given.items():
            if is_tensor(x) and not any(x is y for y in call.found):
                yield from self.differ([x], [self.values[n]], "after the call", [f"argument {n}"])

    def setup_context_returns(self):
        """A value that setup_context returns, which is never freed."""
        for function in {*self.functions(self.call()).values()}:
            if (setup := function.setup_context) is not Function.setup_context:
                returned = []
                watch = staticmethod(lambda *args, f=setup, r=returned: r.append(f(*args)))
                with mock.patch.object(function, "setup_context", watch):
                    self.call()
                kinds = {type(value).__name__ for value in returned} - {"NoneType"}
                yield from (("", f"setup_context returns a {kind}", "None") for kind in kinds)

    def linear(self):
        """A grad_output that is forgotten, clipped, squared, or used without its sign."""
        call = self.call()
        w, v = _random(call.outputs), _random(call.outputs, 1)
        at_w, at_v = self.grads(call, w), self.grads(call, v)
        both = self.grads(call, [*map(_sum, w, v)])
        yield from self.differ(both, [*map(_sum, at_w, at_v)], "for a sum of two grad_output")
        for factor in (-3, 1000) if self.steps[0][1] < 100 else (-3,):
            seen = self.grads(call, [factor * x for x in w])
            expected = [g if g is None else factor * g for g in at_w]
            yield from self.differ(seen, expected, f"for {factor} * grad_output")

    def _value(self, values):
        """The outputs as one number: what backward differentiates."""
        return sum(_dot(*pair) for pair in _weighted(_differentiable(self.call(values))))

    def first_order(self):
        """A wrong gradient or jvp."""
        call, found = self.call(), []
        got = self.grads(call)
        if self.like:
            like = _Calls(self.like, self.inputs, self.rtol, self.atol, self.seed)
            for name, g, h in zip(self.arguments, got, like.grads(like.call()), strict=True):
                found += self.differ([g], [h], "", [name])
            return [(name, seen, f"{right}, from `like`") for name, seen, right in found]
        for n, g in zip(self.numbers, got, strict=True):
            found += self.wrong(self._value, self.values, n, g)
        return found or self._forward_mode(got, lambda call: _weighted(_differentiable(call)))

    def _forward_mode(self, grads, terms):
        """Compares forward mode with gradients, if there is a jvp."""
        if all(f.jvp is Function.jvp for f in self.functions(self.call()).values()):
            return
        for n, gradient in zip(self.numbers, grads, strict=True):
            (tangent,) = _random([self.values[n]], n + 1)
            with fwAD.dual_level():
                dual = self.call(made={n: lambda x, t=tangent: fwAD.make_dual(x, t)})
                pairs = [(w, fwAD.unpack_dual(y).tangent) for w, y in terms(dual)]
                seen = sum(_dot(w, t) for w, t in pairs if t is not None)
            expected = 0 if gradient is None else _dot(gradient, tangent)
            pair = ([torch.tensor(x, dtype=torch.double)] for x in (seen, expected))
            yield from self.differ(*pair, "in forward mode", [f"argument {n}"])

    def no_gradient(self):
        """No gradient for an argument, where the gradient isn't the derivative anyway."""
        wrong = self.failed.get("first_order", set())
        for n, gradient in zip(self.numbers, self.base[len(self.outputs) :], strict=True):
            if gradient is None and wrong and not self.like and f"argument {n}" not in wrong:
                x, outputs = self.values[n], self.base[: len(self.outputs)]
                moved = [self.call({n: other}).outputs for other in (x + 1, -2 * x)]
                if any(self.differ(ys, outputs, "", self.outputs) for ys in moved):
                    yield f"argument {n}", "None, though outputs depend on it", "a gradient"

    def one_input_at_a_time(self):
        """A gradient, or an output, that depends on which inputs require grad."""
        for only in ([], *([n] for n in self.numbers)):
            when = f"if {f'only argument {only[0]}' if only else 'nothing'} requires grad"
            yield from self.differ(self.results(self.call(only=only)), self.base, when)

    def one_output_at_a_time(self):
        """A backward that is wrong or fails if an output isn't used."""
        call = self.call()
        weights, total = _random(call.outputs), [None for _ in self.numbers]
        numbers = [n for n, y in enumerate(call.outputs) if y.requires_grad]
        for n in numbers:
            used = [w if m == n else None for m, w in enumerate(weights)]
            total = [*map(_sum, total, self.grads(call, used))]
        return self.differ(total, self.grads(call), "as a sum over the outputs")

    def second_call(self):
        """State outside ctx, which the next call overwrites."""
        call = self.call()
        moving = {n: x for n, x in self.values.items() if _is_moving(x) or type(x) is float}
        for factor in () if self.own_inputs else (-0.5, 0.5):
            try:
                self.call({n: factor * x for n, x in moving.items()})
                break
            except Exception:  # it may refuse negative values
                continue
        return self.differ(self.results(call), self.base, "after another call")

    def strided_gradient(self):
        """A kernel that takes every grad_output to be contiguous."""
        call = self.call()
        for layout, change in LAYOUTS.items():
            weights = [change(w) for w in _random(call.outputs)]
            plain = self.grads(call, [w.contiguous() for w in weights])
            seen = self.grads(call, weights)
            yield from self.differ(seen, plain, f"for grad_output that is {layout}")

    def strided_input(self):
        """A kernel that takes every input to be contiguous."""
        for n in () if self.is_random else self.numbers:
            layout = "transposed" if self.values[n].dim() > 1 else "sliced"
            try:
                seen = self.results(self.call(made={n: LAYOUTS[layout]}))
                yield from self.differ(seen, self.base, f"for argument {n} {layout}")
            except Exception:
                self.note(f"argument {n} has to be contiguous")

    def freed_at_once(self):
        """A cycle through ctx, such as an output kept as an attribute."""
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            kept = [weakref.ref(node) for node in self.functions(self.call())]
            is_kept = any(node() is not None for node in kept)
        finally:
            if was_enabled:
                gc.enable()
        return [("", "ctx outlives the outputs", "it is freed with them")] if is_kept else []

    def changed_later(self):
        """A tensor kept as an attribute: backward uses what it holds by then."""
        first = self.call()
        names = [f"argument {n}" for n in first.given]
        if "freed_at_once" not in self.failed:  # or it would find that output again
            names += [f"output {n}" for n in range(len(first.found))]
        for n, name in enumerate(names):
            call = self.call()
            if is_tensor(x := [*call.given.values(), *call.found][n]):
                x.detach().zero_()
                try:
                    seen = self.grads(call)
                except RuntimeError as error:
                    if "inplace" not in str(error):
                        raise
                    continue
                for of, now, before in self.differ(seen, self.base[len(self.outputs) :], ""):
                    text = f"once it has changed, the gradient of {of} is {now}"
                    yield name, text, f"{before}, or an error"

    def special_values(self):
        """A gradient that is wrong where an input is zero, or its values are equal."""
        for n, (name, value) in product(self.numbers, {"zero": 0.0, "equal": 0.7}.items()):
            values = {n: torch.full_like(self.values[n], value)}
            yield from self._special(values, f"with argument {n} all {name}", [n])

    def special_shapes(self):
        """A backward that fails for a size of 0 or 1 that forward accepts."""
        tensors = {n: x for n, x in self.values.items() if is_tensor(x)}
        sizes = {size for x in tensors.values() for size in x.shape}
        sizes -= {x for x in self.values.values() if type(x) is int}
        on_device = (x for x in tensors.values() if x.device.type != "cpu" and not _is_moving(x))
        if any(True for _ in on_device):  # there, an index out of range would end the process
            sizes = ()
        for size, new in product(sorted(sizes), (0, 1)):
            if size > new:
                cuts = {
                    n: [slice(new if k == size else None) for k in x.shape]
                    for n, x in tensors.items()
                }
                cut = {n: x[tuple(cuts[n])] for n, x in tensors.items()}
                yield from self._special(cut, f"with size {size} made {new}", self.numbers)

    def _special(self, values, when, numbers):
        """Checks gradients for other values: of these arguments, and all that aren't finite."""
        try:
            call = self.call(values)
        except Exception:  # it refuses these values
            return
        if not all(y.isfinite().all() for y in call.outputs):
            return
        try:
            grads = self.grads(call)
        except Exception as error:
            yield "", f"{type(error).__name__}: {error} {when}", "a gradient"
            return
        for n, g in zip(self.numbers, grads, strict=True):
            is_wanted = n in numbers or not (g is None or g.isfinite().all())
            if is_wanted and not self.like and "first_order" not in self.failed:
                values = self.values | values
                yield from self.wrong(self._value, values, n, g, when, self.steps[:1])

    def second_order(self):
        """A wrong second derivative: an intermediate saved, or backward detached."""
        call, count, found = self.call(), len(self.values), []
        weights = [w.requires_grad_() for w in _random(call.outputs)]
        used = _weighted(self.grads(call, weights, create_graph=True))
        used = [(u, g) for u, g in used if g.requires_grad]
        sources = call.leaves | {count + n: w for n, w in enumerate(weights)}
        seconds = [None for _ in sources]
        if used:
            us, gs = zip(*used, strict=True)
            seconds = torch.autograd.grad(gs, [*sources.values()], us, allow_unused=True)

        def value(values):
            weights = [values[count + n] for n in range(len(values) - count)]
            inputs = {n: values[n] for n in self.values}
            return sum(_dot(*pair) for pair in _weighted(self.grads(self.call(inputs), weights)))

        values = self.values | {count + n: w.detach() for n, w in enumerate(weights)}
        for n, g in zip(sources, seconds, strict=True):
            when = "" if n < count else "(grad_output)"
            found += self.wrong(value, values, n, g, when)
        forward = self._forward_mode(
            seconds[: len(self.numbers)], lambda call: _weighted(self.grads(call))
        )
        is_lost = all(second is None for second in seconds)
        return found[:1] if is_lost and found else found or forward

    def vmap_like_a_loop(self):
        """A vmap rule that computes something else than a loop."""
        functions = self.functions(self.call()).values()
        has_rule = (f.generate_vmap_rule or f.vmap is not Function.vmap for f in functions)
        dims = [(0, -1, None) if is_tensor(x) else (None,) for x in self.values.values()]
        cases = [*islice(product(*dims), MOST_CASES)]
        cases, errors = [case for case in cases if {*case} != {None}], []
        for in_dims in cases if any(has_rule) and not self.is_random else ():
            try:
                if found := self._unlike_a_loop(in_dims):
                    return found
            except Exception as error:
                errors.append(error)
        if errors and len(errors) == len(cases):
            raise errors[0]
        return []

    def _unlike_a_loop(self, in_dims):
        """Compares two samples under vmap with two calls."""

        def batched(dim, x):
            return torch.stack([x, _another(x)], dim)

        made = {n: partial(batched, dim) for n, dim in enumerate(in_dims) if dim is not None}
        both = self.call(made=made, apply=torch.vmap(self.apply, in_dims))
        loop = self.call(), self.call(made=dict.fromkeys(made, _another))
        weights = _random(both.outputs)
        grads = [self.grads(call, [w[k] for w in weights]) for k, call in enumerate(loop)]
        pairs = zip(*(call.outputs for call in loop), strict=True)
        expected = [*map(torch.stack, pairs), *map(_sum, *grads)]
        seen = [*both.outputs, *self.grads(both, weights)]
        return self.differ(seen, expected, f"under vmap with in_dims={in_dims}")


CHECKS = [name for name in vars(_Checks) if not name.startswith("_")]
REPEATS = {
    "runs": CHECKS[1:],
    "backward_again": {*CHECKS} - {"inputs_kept", "setup_context_returns", "freed_at_once"},
    "setup_context_returns": ["freed_at_once"],
    "first_order": ["special_values", "second_order"],
    "second_call": ["changed_later"],
    "linear": ["first_order", "no_gradient", "one_output_at_a_time", *CHECKS[-4:-1]],
}
"""By check, those that would say again what it has found."""


def _is_moving(x):
    return is_tensor(x) and (x.is_floating_point() or x.is_complex())


def _differentiable(call):
    return [y if y.requires_grad else None for y in call.outputs]


def _wide(x):
    return x.detach().cpu().to(torch.cdouble if x.is_complex() else torch.double)


def _dot(a, b):
    return (_wide(a).conj() * _wide(b)).sum().real.item()


def _sum(a, b):
    return a if b is None else b if a is None else a + b


def _another(x):
    """Another sample of a batch."""
    return x / 2 if _is_moving(x) else x.roll(1)


def _random(tensors, kind=0):
    """Random numbers like tensors, always the same; None for None."""
    made = []
    for n, x in enumerate(tensors):
        generator = torch.Generator().manual_seed(100 * kind + n)
        dtype = torch.cdouble if x is not None and x.is_complex() else torch.double
        made.append(
            x if x is None else torch.randn(x.shape, dtype=dtype, generator=generator).to(x)
        )
    return [x if x is None else x.detach() for x in made]


def _weighted(tensors):
    """Those that are tensors, each with random weights."""
    return [pair for pair in zip(_random(tensors), tensors, strict=True) if pair[1] is not None]
