"""A pasted message is answered with its section."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect
from problems import report
from sites import PHONE

from builder.content import differences, pages, parts
from builder.content.paths import LANGUAGES
from builder.publishing import error_pages
from builder.publishing.red_lines import messages, shows_error

LIST = error_pages.FOLDER
MOST = 4
"""So many sections are an answer."""

# As people paste them, from many releases and programs, with the section that answers.
PASTED = {
    "function SignBackward returned an incorrect number of gradients (expected 2, got 1)":
        "wrong-number",
    "Function ODEAdjointBackward returned an invalid gradient at index 2 - expected shape [4] but "
    "got [1, 4]": "invalid-gradient",
    "trying to differentiate twice a function that was markedwith @once_differentiable":
        "differentiate-twice",
    "Trying to backward through the graph a second time, but the saved intermediate results have "
    "already been freed. Specify retain_graph=True when calling backward the first time.":
        "second-backward",
    'File "<stdin>", line 8, in backward\nTypeError: \'<\' not supported between instances of '
    "'tuple' and 'int'": "forgotten-comma",
    "aligned=ctx.aligned)\nRuntimeError: expected scalar type Half but found Float":
        "autocast-dtypes",
    "AttributeError: 'SomeFunctionBackward' object has no attribute '_fwd_used_autocast'":
        "custom-bwd-without-fwd",
    "RuntimeError: expected mat1 and mat2 to have the same dtype, but got: c10::BFloat16 != float":
        "autocast-dtypes",
    "RuntimeError: mat1 and mat2 must have the same dtype, but got Half and Float":
        "double-from-numpy",
    "TypeError: Scale.forward() missing 1 required positional argument: 'factor'":
        "missing-argument",
    "Output 0 of FlipBackward is a view and its base or another view of its base has been modified "
    "inplace. This view was created inside a custom Function": "base-modified",
    "Output 0 of UnbindBackward0 is a view and is being modified inplace. This view is the output "
    "of a function that returns multiple views.": "multiple-views",
    "IndexError: tuple index out of range": "not-enough-values",
    "NotImplementedError: You must implement the backward function for custom autograd.Function.":
        "no-backward",
    "TypeError: NetBackward.forward: expected Tensor or tuple of Tensor (got list) for return "
    "value 1": "no-requires-grad",
    "AttributeError: 'GradReverseBackward' object has no attribute 'lambd'": "no-attribute",
    "Parameter at index 447 with name mlp.down_proj.weight has been marked as ready twice.":
        "ready-once",
    "For complex Tensors, both grad_output and output are required to have the same dtype.":
        "mismatch-in-shape",
    "TypeError: assigned grad expected to be a Tensor or None but got grad of type float":
        "assigned-gradient",
}  # fmt: skip


def outputs(lang: str) -> Iterator[tuple[str, str]]:
    """By the id of its section each message, what the failing programs print, and their messages
    on other releases."""
    for page in filter(error_pages.is_one, pages.pages(lang).values()):
        for section in error_pages.sections(page):
            yield section.heading.id, section.message
            programs = (include.program for include in parts.includes(section.rest))
            for program in (one for one in programs if one and shows_error(one)):
                yield section.heading.id, program.output
                for difference in differences.of_program(program):
                    for message in messages(replace(program, output=difference.output)):
                        yield section.heading.id, message


def pasted(page: Page, text: str) -> list[str]:
    """The sections that the field answers a text with, the nearest first."""
    return page.locator("#paste").evaluate("looks.pasted", text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_program_prints_on_any_release_is_answered_with_its_section(visit, lang):
    page = visit(f"{lang}/{LIST}", size=PHONE)
    problems = []
    for section, output in outputs(lang):
        answers = pasted(page, f"Traceback (most recent call last):\n  File x\n{output}")
        if section not in answers and len(answers) < MOST:
            problems.append(f"#{section}: {answers} for {output[:80]!r}")
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_answer_to_a_message_as_people_paste_it_is_its_section(visit, lang):
    page = visit(f"{lang}/{LIST}")
    answers = {text: [*pasted(page, text), ""][0] for text in PASTED}
    assert answers == PASTED


@pytest.mark.parametrize(("place", "lang"), [(LIST, "en"), ("", "zh")])
def test_the_answer_has_cause_and_change_and_the_search_is_offered(visit, public, place, lang):
    page = visit(f"{lang}/{place}")
    assert not page.evaluate("self.ERRORS"), "the data came before it was needed"
    assert pasted(page, "leaf variable that requ") == ["leaf-in-place"]
    assert pasted(page, "ValueError: too many values to unpack (expected 1)")
    message = "returned an incorrect number of gradients (expected 7, got 2)"
    assert pasted(page, message)
    card = page.locator(".answer-card")
    errors = json.loads(public.text(f"{lang}/errors.json"))["errors"]
    (error,) = (error for error in errors if error["url"].endswith("#wrong-number"))
    expect(card.locator(".message")).to_have_text(error["message"])
    expect(card.locator("del")).to_have_text([f"- {line}" for line in error["before"]])
    expect(card.locator("ins")).to_have_text([f"+ {line}" for line in error["after"]])
    assert pasted(page, "RuntimeError: no such message at all") == []
    page.locator(".paste output a").click()
    expect(page.locator("[data-md-component=search-query]")).to_have_value("no such message at all")
    expect(page.locator(".md-search-result__meta")).not_to_be_empty()
    assert pasted(page, "") == []


def test_in_the_archive_the_field_answers_too(visit, unpacked):
    page = visit(f"zh/{LIST}index.html", unpacked)
    assert pasted(page, "leaf variable that requ") == ["leaf-in-place"]
    page.locator(".answer-card p:last-child a").click()
    page.wait_for_url("**/calling.html#leaf-in-place")
