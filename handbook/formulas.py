"""Displayed formulas as MathML, which needs no script; `make record` writes them.

A file of docs/formulas/ keeps its LaTeX as annotation. To write a new one, write the LaTeX alone;
to change one, change the annotation.
"""

import html
import re
from pathlib import Path

from handbook.places import FORMULAS, shown

_ANNOTATION = re.compile(r'<annotation encoding="application/x-tex">(.*?)</annotation>', re.DOTALL)


def latex(text: str) -> str:
    """The LaTeX of a formula's file."""
    match = _ANNOTATION.search(text)
    return html.unescape(match[1] if match else text).strip()


def mathml(formula: str) -> str:
    """What a page includes for a formula in LaTeX.

    Raises ValueError if the LaTeX can't be read.
    """
    from latex2mathml.converter import convert  # the site is built without it

    try:
        made = convert(formula, display="block")
    except Exception as error:  # the library has a dozen, without a common base
        raise ValueError(f"{type(error).__name__}: {error}") from error
    kept = html.escape(formula, quote=False)
    made = made.replace("<math ", f'<math alttext="{html.escape(formula)}" ', 1)
    made = made.replace("<mrow>", "<semantics><mrow>", 1)
    made = made.removesuffix("</math>")
    annotation = f'<annotation encoding="application/x-tex">{kept}</annotation>'
    return f'<div class="formula" tabindex="0">{made}{annotation}</semantics></math></div>\n'


def paths() -> list[Path]:
    return sorted(FORMULAS.glob("*.html"))


def problem(path: Path) -> str | None:
    """Why a file is not what its LaTeX makes, and what to do, if so."""
    text = path.read_text(encoding="utf-8")
    try:
        same = mathml(latex(text)) == text
    except ValueError as error:
        return f"{shown(path)}:1: the LaTeX {latex(text)!r} can't be read: {error}; correct it"
    return None if same else f"{shown(path)}:1: not what its LaTeX makes; make record ONLY=index"


def write() -> int:
    """Convert the formulas that are not what their LaTeX makes.

    Names each whose LaTeX can't be read, and returns how many these are.
    """
    failed = 0
    for file in filter(problem, paths()):
        try:
            made = mathml(latex(file.read_text(encoding="utf-8")))
            file.write_text(made, encoding="utf-8", newline="\n")
        except ValueError:
            failed += 1
            print(problem(file))
    return failed
