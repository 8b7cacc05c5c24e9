"""Displayed formulas as MathML, which needs no script; `make record` writes them.

A file of docs/formulas/ keeps its LaTeX as annotation. To write a new one, write the LaTeX alone;
to change one, change the annotation.
"""

import html
import re
from pathlib import Path

from builder.content.paths import Mistake, Problem

_ANNOTATION = re.compile(r'<annotation encoding="application/x-tex">(.*?)</annotation>', re.DOTALL)


def latex(text: str) -> str:
    """The LaTeX of a formula's file."""
    match = _ANNOTATION.search(text)
    return html.unescape(match[1] if match else text).strip()


def made(path: Path) -> str:
    """What a page includes for the LaTeX of a formula's file.

    Raises Mistake if the LaTeX can't be read.
    """
    from latex2mathml.converter import convert  # the site is built without it

    formula = latex(path.read_text(encoding="utf-8"))
    try:
        mathml = convert(formula, display="block")
    except Exception as error:  # the library has a dozen, without a common base
        text = f"the LaTeX {formula!r} can't be read: {error!r}; correct it"
        raise Mistake(Problem(path, 1, text)) from error
    mathml = mathml.replace("<math ", f'<math alttext="{html.escape(formula)}" ', 1)
    mathml = mathml.replace("<mrow>", "<semantics><mrow>", 1).removesuffix("</math>")
    kept = html.escape(formula, quote=False)
    annotation = f'<annotation encoding="application/x-tex">{kept}</annotation>'
    return f'<div class="formula" tabindex="0">{mathml}{annotation}</semantics></math></div>\n'
