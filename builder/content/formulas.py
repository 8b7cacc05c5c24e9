"""Displayed formulas as MathML, which needs no script."""

import html
from pathlib import Path

from latex2mathml.converter import convert

from builder.content.paths import Mistake, Problem, read_text


def mathml(file: Path) -> str:
    """What a page shows for the LaTeX that a file holds, as HTML.

    Raises Mistake if the LaTeX can't be read.
    """
    latex = read_text(file).strip()
    try:
        formula = convert(latex, display="block")
    except Exception as error:  # the library has a dozen, without a common base
        text = f"the LaTeX can't be read: {error!r}; correct it"
        raise Mistake(Problem(file, 1, text)) from error
    formula = formula.replace("<math ", f'<math alttext="{html.escape(latex)}" ', 1)
    return f'<div class="formula" tabindex="0">{formula}</div>'
