"""The field of the list of error messages shows the section of what was pasted, and little else."""

import pytest
from playwright.sync_api import expect
from problems import report
from sites import PHONE

from builder.content import pages, parts
from builder.content.paths import LANGUAGES

LIST = "troubleshooting/errors/"
MOST = 12
"""So many rows a phone shows on two screens."""


def outputs(lang: str) -> dict[str, str]:
    """What the first program of each section of the error pages prints, by the section's id. The
    program about CUDA's message prints that of the CPU."""
    printed = {
        "cuda-out-of-memory": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate"
    }
    for uri, page in pages.pages(lang).items():
        section = ""
        for part in page.parts if uri.startswith(LIST) and uri != f"{LIST}index.md" else ():
            if isinstance(part, parts.Heading):
                section = part.id
            elif isinstance(part, parts.Include) and part.is_program and part.program.shows_error:
                printed.setdefault(section, part.program.output)
    return printed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_pasted_message_finds_its_section(visit, lang):
    page = visit(f"{lang}/{LIST}", size=PHONE)
    everything = page.evaluate("looks.pasted", "")
    problems = []
    for section, output in outputs(lang).items():
        shown = page.evaluate(
            "looks.pasted", f"Traceback (most recent call last):\n  File x\n{output}"
        )
        if section in everything and section not in shown:
            problems.append(f"#{section} is not shown for {output[:80]!r}")
        if len(shown) > MOST:
            problems.append(f"{len(shown)} rows are shown for {output[:80]!r}")
    report(problems)
    assert page.evaluate("looks.pasted", "leaf variable that requ") == ["leaf-in-place"]
    assert page.evaluate("looks.pasted", "no such message at all") == []
    assert page.evaluate("looks.pasted", "") == everything


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_script_the_field_is_hidden(visit, lang):
    page = visit(f"{lang}/{LIST}", java_script_enabled=False)
    expect(page.locator(".paste")).to_be_hidden()
    expect(page.locator("article li > a[href*='#']").first).to_be_visible()
