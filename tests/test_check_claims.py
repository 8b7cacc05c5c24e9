"""What pages say that check_function.py finds, it finds.

Sections say "The check `linear` finds it" or "No check finds it" of the wrong Function of their
program, the tables by symptom say it again, and recipes say which checks their Function fails, or
which `like` it passes with."""

import functools
import gc
import re
import runpy
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from problems import report, skip

from builder.content import pages, snippets
from builder.content.parts import Include, Prose
from builder.content.paths import SNIPPETS

FILE = SNIPPETS / "troubleshooting/check-function/check_function.py"
tool = SimpleNamespace(**runpy.run_path(str(FILE)))

MANUAL = "troubleshooting/check-function"
MISTAKES = "troubleshooting/silent-mistakes/"
FOUND = re.compile(r"(?<!fails )\b[Tt]he checks? ((?:(?: and )?\[?`\w+`(?:\]\(\S+\))?)+)")
UNFOUND = re.compile(
    r"No check (?:of `\S+` )?finds it|`check_function\.py` (?:does|ca)n't find it"
    r"|The checks of `check_function\.py` don't find it"
)

X, XY = "rand(2, 3)", "rand(2, 3), rand(2, 3)"
SECTIONS = {
    "memory-grows#output-on-ctx": ("Exp", X, "ExpSaved"),
    "memory-grows#losses-kept": ("Square", X, ""),
    "memory-grows#two-steps": ("Square in steps-attribute", X, "Square in steps-saved"),
    "memory-grows#state-carried-over": ("Scale", XY, "ScaleSaved"),
    "memory-grows#input-changed":
        ("but(Square, backward=lambda ctx, g: (2 * ctx.saved_tensors[0] * g, None))", f"{X}, ''", ""),
    "memory-grows#module-on-ctx": ("Sin", f"{X}, torch.cos", "Sin"),
    "memory-grows#hook-names-its-tensor": ("Square", X, "Square"),
    "memory-grows#hooks-never-removed": ("Square", X, "Square"),
    "memory-grows#gradient-with-its-graph": ("Square", X, "Square"),
    "memory-grows#pack-hook": ("Exp", X, "Exp"),
    "memory-grows#output-changed": ("Exp in edge-attribute", X, "Exp in edge-saved"),
    "memory-grows#two-outputs": (
        "but(SinCos, backward=lambda ctx, g, h: (g * ctx.kept[1] - h * ctx.kept[0], None))",
        f"{X}, [0, 1]", "",
    ),
    "memory-grows#view-of-output": (
        "lambda x: Exp.apply(x, 'save y.t()'); lambda x: Exp.apply(x, 'attribute')", X,
        "lambda x: Exp.apply(x, 'save y')",
    ),
    "memory-grows#setup-context-returns": ("Square", X, "SquareWithoutReturn"),
    "memory-grows#list-on-the-class": ("Square", X, "SquareSaved"),
    "none-or-zero#none-returned": ("Scale", "rand(2, 3), rand()", "ScaleBoth"),
    "none-or-zero#parameter-from-outside": ("Scale", X, "lambda x: ScaleBy.apply(x, weight)"),
    "none-or-zero#tensors-in-a-list": ("call_with_list", f"{XY}, {X}", "TotalOfAll"),
    "none-or-zero#needs-input-grad-index": ("Scale", XY, "ScaleAsNeeded"),
    "none-or-zero#a-list-returned": ("Parts", X, "PartsAsTuple"),
    "none-or-zero#rounded-away": ("torch.round", X, "Round"),
    "none-or-zero#backward-on-module": ("Round()", X, "RoundByFunction()"),
    "none-or-zero#non-differentiable-output": ("SquareAndCube", X, "SquareAndCubeUnmarked"),
    "none-or-zero#none-becomes-zero": ("Scale", f"{X}, 3.0", "ScaleBoth"),
    "none-or-zero#materialized-zeros": ("Scale", X, ""),
    "none-or-zero#jvp-by-two-backwards": ("SquareOnce", X, "Square"),
    "second-derivative#intermediate": ("Exp2", X, "Exp2FromInput"),
    "second-derivative#detached": ("Cube", X, "CubeByTorch"),
    "second-derivative#once-differentiable": (
        "CubeOnce; CubeOnce in a-function-for-the-derivative", X,
        "Cube; CubeByTwo in a-function-for-the-derivative",
    ),
    "second-derivative#jvp-detached": ("Square", X, "SquareConnected"),
    "second-derivative#nested-jvp": ("Cube", X, "Cube"),
    "second-derivative#vmap-whole-batch": ("Centre", X, "CentreGenerated"),
    "second-derivative#vmap-forward-called": ("RoundByForward", X, "Round"),
    "second-derivative#vmap-attribute": ("Cube in vmap-attribute", X, "Cube in vmap-saved"),
    "second-derivative#vmap-two-saves": ("Product", XY, ""),
    "second-derivative#vmap-output-without-the-batch": ("ProductAndCopy", XY, ""),
    "wrong-value#grad-output-forgotten": ("Cube", X, "CubeInChain"),
    "wrong-value#exchanged": ("Product", XY, "ProductInOrder"),
    "wrong-value#forward-called": ("Round.forward", X, "Round"),
    "wrong-value#attribute-changed": ("Square", X, "SquareSaved"),
    "wrong-value#changed-unseen": ("Square", X, "Square"),
    "wrong-value#saved-then-changed": ("SquareInPlace", X, "Square"),
    "wrong-value#state-on-class": ("Scale", f"{X}, 2.0", "ScaleOnCtx"),
    "wrong-value#grad-adds-up": ("Square", X, "Square"),
    "wrong-value#shape-of-the-output": ("AddBias", "rand(2, 3), rand(3)", "AddBiasSummed"),
    "wrong-value#added-by-hand": ("Scale", "rand(2, 3), rand()", "ScaleReturned"),
    "wrong-value#drawn-again": ("Dropout", X, "DropoutKept"),
    "wrong-value#never-filled": ("Head", "rand(4, 3)", "HeadOverZeros"),
    "wrong-value#grad-output-changed": ("Double", X, "DoubleOutOfPlace"),
    "wrong-value#input-changed": ("Double", X, "DoubleMarked"),
    "wrong-value#saved-tensor-written": ("Square", X, "SquareOutOfPlace"),
    "wrong-value#shared-gradients": ("Add", XY, "AddCloned"),
    "wrong-value#square-only": (
        "SpecialSpmmFunction", "torch.tensor([[0, 1], [1, 2]]), rand(2), (2, 3), rand(3, 4)", ""
    ),
    "wrong-value#forgotten-sum":
        ("VectorMatrix", "rand(2), rand(2, 2).detach()", "VectorMatrixSummed"),
    "learn/in-place-operations#in-place-operations": (
        "but(TimesTen, backward=lambda ctx, g, h: (10 * g, 10 * h), forward=lambda ctx, x, y:"
        " (ctx.mark_dirty(x), ctx.mark_dirty(y), (x.mul_(10), y.mul_(10)))[2])", XY, "",
    ),
    "learn/returning-gradients#dtype":
        ("Double", f"{X}, torch.int64", "lambda x, _: Double.apply(x, torch.float64)"),
    "learn/saving-tensors/memory#outputs": ("Exp in detached-output", X, "Exp in output-saved"),
    "learn/special-outputs#unprotected-views": ("Alias", X, ""),
    "practice/kernels#assumes": ("Cube in which-tests-find-it", X, ""),
    "practice/kernels#stride-zero": ("Cube", f"{X}, False", ""),
    "practice/kernels#tests": ("Cube", X, ""),
    "practice/shared-gradients#constant": ("Weighted", "rand(2)", "WeightedTimes"),
    "reference/function-base/saved#saved_variables": ("Square in saved-variables-under-vmap", X, ""),
    "reference/function-ctx#mark_non_differentiable":
        ("ClipWithMask in mark-non-differentiable-is-lost", X, ""),
}  # fmt: skip
"""By section: the wrong Function, its inputs, and the corrected one, if there is one beside it. The
program is the first of the section, or that which is named after `in`."""
SECTIONS = {key if "/" in key else MISTAKES + key: row for key, row in SECTIONS.items()}

LIKE = re.compile(r"`check\((\w+), [^`]+, like=([^`]+)\)`")
LIKES = {"Round": "torch.clone", "RoundByFunction()": "torch.clone"}
"""The `like` of corrected Functions whose gradient isn't the derivative."""

OUTSIDE = {
    "#compile-|operations#grad-output|#torch-compile": "only torch.compile makes it wrong",
    "in-place-changes#": "the caller changes a tensor after the call, and the Function is right",
    "#autocast": "only autocast makes it wrong",
    "#no-gradient": "a list of causes, without a program",
    "kernels#temporary": "it reads memory that has been freed",
    "#keyword-only": "check takes no keyword arguments",
}
"""Sections of which it is said that no check finds the mistake, and why they have no row."""

STEPS = "randn(2, 3), rand(2, 1), -4, 3"
RECIPES = [
    ("cookbook/complex-product", "Product", ", ".join(["rand(2, 3, dtype=torch.cdouble)"] * 2)),
    ("cookbook/custom-op", "Cumsum", X),
    ("cookbook/dropout", "Dropout", f"{X}, 0.5, 3"),
    ("cookbook/fused-loss", "CrossEntropy", f"{X}, torch.tensor([2, 0])"),
    ("cookbook/gradient-clipping", "ClipGradient", f"{X}, 1e6"),
    ("cookbook/gradient-reversal", "Reverse", f"{X}, 0.5"),
    ("cookbook/implicit", "lambda x, w: FixedPoint.apply(x, 0.7 * w)", f"{X}, rand(3)"),
    ("cookbook/in-place-activation", "ReluInPlace", "randn(2, 3)"),
    ("cookbook/linear", "Linear", f"{X}, rand(5, 3), rand(5)"),
    ("cookbook/linear", "Linear", "rand(4, 2, 3), rand(5, 3), None"),
    ("cookbook/module-again", "RunAgain", f"module.requires_grad_(), names, {X}, *parameters"),
    ("cookbook/numpy", "Convolve", "rand(5), rand(3)"),
    ("cookbook/piecewise", "Maximum", "randn(2, 3), randn(2, 3)"),
    ("cookbook/quantization-step", "QuantizeStep", STEPS),
    ("cookbook/recomputing", "GaussianBump", "randn(2, 3)"),
    ("cookbook/reversible", "ReversibleChain", f"modules[:2], {XY}, *parameters[:8]"),
    ("cookbook/spike", "Spike", "randn(4, 2, 3), rand(2, 1)"),
    ("cookbook/stable-gradient", "Log1pExp", "randn(2, 3)"),
    ("cookbook/straight-through", "Round", "randn(2, 3)"),
    ("cookbook/straight-through", "Quantize in quantize", "randn(2, 3), 2"),
    ("cookbook/transforms", "Power", f"{X}, 2.5"),
    ("cookbook/vector-quantization", "VectorQuantize", "randn(2, 3), randn(5, 3)"),
    ("cookbook/weighted-sum", "WeightedSum", f"{X}, rand(3)"),
    ("learn/rules", "ScaledTanh", f"{X}, rand(3), 0.5"),
]
"""By page, a Function of its first program, or of that which is named, and its inputs."""


def rand(*shape: int, dtype: torch.dtype = torch.double) -> torch.Tensor:
    return (torch.rand(shape, dtype=dtype) + 0.25).requires_grad_()


def randn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.double, requires_grad=True)


def but(function: type, **methods: Callable) -> type:
    """The Function with other methods: some programs never reach their backward."""
    return type(function.__name__, (function,), {k: staticmethod(f) for k, f in methods.items()})


def checks_in(text: str) -> set[str]:
    return {*re.findall(r"`(\w+)`", text)} & {*tool.CHECKS}


@functools.cache
def texts(lang: str = "en") -> dict[str, str]:
    """The prose by section."""
    return {
        f"{uri.removesuffix('.md')}#{heading.id}": "".join(
            part.text for part in parts if isinstance(part, Prose)
        )
        for uri, page in pages.pages(lang).items()
        for heading, parts in page.sections
    }


def names_of_checks(text: str) -> list[str]:
    """The checks that a text names: of a table in the order of its rows, and else sorted."""
    cells = re.findall(r"^\| .* \| (.*) \|$", text, re.MULTILINE)
    rest = re.sub(r"(?m)^\|.*$", "", text)
    return [*map(sorted, map(checks_in, cells)), sorted(checks_in(rest))]


def links(text: str, key: str) -> list[str]:
    """The sections that a text links to."""
    uri = key.partition("#")[0] + ".md"
    targets = [pages.target(link, uri) for link in re.findall(r"\]\((\S+)\)", text)]
    return [f"{uri.removesuffix('.md')}#{anchor}" for uri, anchor in filter(None, targets)]


@functools.cache
def claims() -> dict[str, list[set[str]]]:
    """By section, the checks that are said to find its mistake, each time that it is said."""
    said = defaultdict(list)
    for key, text in texts().items():
        page, _, section = key.partition("#")
        if page == MANUAL:  # it has a section for each check, and one for what none finds
            check = {section} & {*tool.CHECKS}
            for mistake in links(text, key) if check or section == "limits" else ():
                said[mistake] += [check] if mistake.startswith(MISTAKES) else []
            continue
        said[key] += [checks_in(match[1]) for match in FOUND.finditer(text)]
        said[key] += [set()] * len(UNFOUND.findall(text))
        rows = re.findall(r"^\| .* \| (.*) \| (.*) \|$", text, re.MULTILINE)
        for causes, check in rows if key.startswith(f"{MISTAKES}index#symptoms-") else ():
            for mistake in links(causes, key):
                assert checks_in(check) or check == "no check finds it"
                said[mistake].append(checks_in(check))
    return {key: found for key, found in said.items() if found}


@functools.cache
def recipes() -> dict[str, set[str]]:
    """By page, the checks that its Function is said to fail."""
    said = defaultdict(set)
    for key, text in texts().items():
        page = key.partition("#")[0]
        for words in re.split(r"\n\n|\n(?=- )", text):
            says = "check-function.md" in words and re.search(r"\b(pass|passes|fails?)\b", words)
            if says and not page.startswith("troubleshooting/"):
                said[page] |= checks_in(words)
    return said


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list]]:
    """Executes the program of a section or page that defines a Function, and checks that."""

    def check(key: str, text: str, inputs: str, like: str = "None", **options: object) -> list:
        text, _, stem = text.partition(" in ")
        uri, _, section = key.partition("#")
        page = pages.pages("en")[f"{uri}.md"]
        parts = next((parts for heading, parts in page.sections if heading.id == section), ())
        programs = [part.program for part in parts if isinstance(part, Include) and part.program]
        if stem or not programs:
            programs = [one for one in page.programs if stem in ("", one.path.stem)]
        program = programs[0]
        if lacking := snippets.lacking(program.code):
            skip(f"{program.where}: this machine lacks {lacking}")
        names = {"__name__": "program"}
        exec(compile(program.code, program.where, "exec"), names)
        gc.enable()
        names |= {"rand": rand, "randn": randn, "but": but, "torch": torch}
        torch.manual_seed(0)
        inputs = eval(f"[{inputs}]", names)
        return tool.check(eval(text, names), *inputs, like=eval(like, names), **options)

    monkeypatch.chdir(tmp_path)
    gc.freeze()  # some programs collect garbage many times
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield check
    gc.unfreeze()
    torch.use_deterministic_algorithms(False)


@pytest.mark.parametrize("key", SECTIONS)
def test_the_checks_that_a_section_names_find_its_mistake(key, checked):
    wrong, inputs, _ = SECTIONS[key]
    said = set().union(*claims().get(key, ()))
    for text in wrong.split("; "):
        found = checked(key, text, inputs)
        assert said <= {one.check for one in found} if said else not found, f"{said} {found}"


@pytest.mark.parametrize("key", [key for key, row in SECTIONS.items() if row[2]])
def test_a_corrected_function_passes_all_checks(key, checked):
    _, inputs, right = SECTIONS[key]
    for text in right.split("; "):
        found = checked(key, text, inputs, LIKES.get(text, "None"))
        assert not found, str(found)


@pytest.mark.parametrize("page, function, inputs", RECIPES, ids=[" ".join(r[:2]) for r in RECIPES])
def test_a_recipe_fails_the_checks_that_its_page_names_and_passes_the_others(
    page, function, inputs, checked
):
    assert page in recipes()
    likes = dict(
        LIKE.findall("".join(t for key, t in texts().items() if key.startswith(f"{page}#")))
    )
    like = likes.get(function.partition(" in ")[0], "None")
    found = checked(page, function, inputs, like, expect=recipes()[page])
    assert not found, str(found)


def test_every_sentence_about_a_check_has_a_row():
    """So has every section of the pages of mistakes that names a check in another way."""
    said = claims()
    outside = {key for key in said if not any(said[key]) and re.search("|".join(OUTSIDE), key)}
    own = re.compile(rf"{MISTAKES}(?!index)([\w-]+)#(?!\1$|next$)")
    report(
        f"{key}: give it a row in SECTIONS, or a reason in OUTSIDE, or delete what it has there"
        for key in sorted({*said} ^ {*SECTIONS} ^ outside)
    )
    report(
        f"{key}: say it as in 'The check `linear` finds it' or 'No check finds it'"
        for key, text in texts().items()
        if own.match(key) and ("check_function.py" in text or checks_in(text))
        if not (FOUND.search(text) or UNFOUND.search(text))
    )
    report(
        f"{key}: {said[key]}; that a check finds it, and that none does"
        for key in said
        if own.match(key) and len({*map(bool, said[key])}) > 1
    )
    report(f"{one}: in OUTSIDE for nothing" for one in OUTSIDE if not re.search(one, str(outside)))


def test_both_languages_name_the_same_checks():
    for key, text in texts().items():
        assert LIKE.findall(text) == LIKE.findall(texts("zh")[key]), key
        if key.startswith(MISTAKES):
            names, others = map(names_of_checks, (text, texts("zh")[key]))
            assert names == others, key


def test_every_note_of_the_tool_is_explained():
    """By its own words, in the first column of the table of notes."""
    code = FILE.read_text("utf-8")
    notes = re.findall(r'note\(\s*f?"(.*?)"\)', code)
    rows = re.findall(r"^\| `(.*?)`", texts()[f"{MANUAL}#notes"], re.MULTILINE)
    assert all(sum(row in note for row in rows) == 1 for note in notes), notes
    assert len(rows) == len(notes) == code.count("note(") > 0


def test_every_recipe_has_a_row():
    cookbook = {uri.removesuffix(".md") for uri in pages.pages("en") if uri.startswith("cookbook/")}
    assert cookbook | {*recipes()} == {page for page, *_ in RECIPES} | {"cookbook/index"}
