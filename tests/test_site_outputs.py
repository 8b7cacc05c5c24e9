"""An output says that it is one, in the page's language, and an error is told from the others."""

import re

import pytest
from problems import report

from handbook import pages, snippets
from handbook.places import LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_output_is_labelled_and_errors_are_told_from_others(public, lang):
    problems = []
    words = pages.config(lang).extra["outputs"]
    for uri, page in pages.pages(lang).items():
        programs = [one.program for one in page.includes if one.is_program]
        wanted = ["error" if one.shows_error else "output" for one in programs if one.output]
        html = (public.folder / lang / pages.url(uri, "") / "index.html").read_text("utf-8")
        for kind, word in words.items():
            label = f'<span class="filename">{word}</span>'
            there = len(
                re.findall(rf'<div class="language-text no-copy {kind}[ \w]*">{label}', html)
            )
            if there != wanted.count(kind):
                problems.append(f"{page.shown}: {there} of {wanted.count(kind)} {kind} labelled")
        if '<div class="language-text highlight">' in html:
            problems.append(f"{page.shown}: an output without a label")
    report(problems)


def test_a_program_that_prints_within_except_shows_an_error():
    code = "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    print(error)\n"
    assert snippets.Snippet("a.md", code, "division by zero\n", None).shows_error
    assert not snippets.Snippet("a.md", "print(1)\n", "1\n", None).shows_error
