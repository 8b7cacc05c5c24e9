"""Displayed formulas: each file is what its LaTeX makes, and a notebook has the LaTeX."""

from problems import report

from handbook import formulas, notebooks, pages, parts
from handbook.places import FORMULAS


def test_every_formula_is_what_its_latex_makes():
    report(problem for problem in map(formulas.problem, formulas.paths()) if problem)


def test_a_notebook_has_the_latex_of_its_formulas():
    page = pages.pages("en")["cookbook/linear.md"]
    book = notebooks.compose(page.text, page.uri, "en", "https://example.org/en/", "")
    prose = "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")
    for include in parts.includes(page.text):
        if include.file.parent == FORMULAS:
            latex = formulas.latex(include.file.read_text(encoding="utf-8"))
            assert f"$$\n{latex}\n$$" in prose
    assert prose.count("$$") == 4
