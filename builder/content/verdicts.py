"""The cases of the table "Can I save it?", and their verdicts.

snippets/learn/saving-tensors/table/<then>/<what>-<how>.md is a case: what is stored, how, and what
happens then. Its program prints what came of it in lines of one form, with the backend of
torch.compile in front if there are several. The verdict is read from them:

    Function: 6.0           what the Function gives
    raises: KeyError: 'x'   or its error
    autograd: 6.0           what plain autograd gives for the same operation
    alive: True             or whether the memory of the tensor is still in use
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from builder.content import differences, snippets
from builder.content.paths import Mistake, Problem
from builder.content.snippets import Program

FOLDER = "learn/saving-tensors/table"
WHAT = "input output intermediate parameter outside captured number list none mask view outputs"
HOW = "saved attribute again extra recorded spread forward"
"""The words that a program's name is made of."""

RAISED = {
    "save_for_backward can only save ": "refused",
    "not yet supported for torch.compile": "unavailable",
}
_LINE = re.compile(r"^(?:(?P<backend>\w+) )?(?P<kind>Function|raises|alive): (?P<value>.*)", re.M)
_AUTOGRAD = re.compile(r"^autograd: (.*)", re.M)


@dataclass(frozen=True)
class Case:
    """A case of the table. backend: of torch.compile, or empty; verdict: on the pinned release."""

    what: str
    how: str
    then: str
    backend: str
    program: Program
    verdict: str

    def verdict_on(self, release: str) -> str | None:
        """The verdict on a recorded release: also unavailable, if the program doesn't come to one,
        because it needs what isn't there. None if it has not been run there in its present form."""
        run = differences.run_of(self.program, release)
        if not run:
            return None
        found = verdicts(run.get("output", self.program.output or "")).get(self.backend)
        return found or ("unavailable" if "error" in run else None)


def verdicts(output: str) -> dict[str, str]:
    """The verdicts that an output gives, by backend: right or wrong, freed or kept, raises or, by
    the message, one of RAISED."""
    right, found = _AUTOGRAD.search(output), {}
    for backend, kind, value in _LINE.findall(output):
        if kind == "raises":
            found[backend] = next((RAISED[text] for text in RAISED if text in value), "raises")
        elif kind == "alive" and value in ("True", "False"):
            found[backend] = "kept" if value == "True" else "freed"
        elif kind == "Function" and right:
            found[backend] = "right" if value == right[1] else "wrong"
    return found


def are_kept(program: Program, release: str) -> bool:
    """Whether a program is one of the table, and has the same verdicts on a release."""
    is_case = program.name.startswith(FOLDER)
    return is_case and all(case.verdict_on(release) == case.verdict for case in cases_of(program))


def cases_of(program: Program) -> list[Case]:
    """The cases of a program, one for each backend. Raises Mistake, with file and line, if its name
    isn't one of a case, or if it prints no verdict."""
    what, _, how = program.path.stem.partition("-")
    if what not in WHAT.split() or how not in HOW.split():
        wanted = f"name it <what>-<how>, of these: {WHAT}; {HOW}"
        raise Mistake(Problem(program.path, 1, wanted))
    found = verdicts(program.output or "")
    if not found:
        wanted = "it prints no verdict: no `Function: …` and `autograd: …`, no `alive: …`"
        raise Mistake(Problem(program.path, 2, wanted))
    then = program.path.parent.name
    return [Case(what, how, then, backend, program, found[backend]) for backend in found]


def cases() -> Iterator[Case]:
    """All cases. Raises Mistake."""
    for path in snippets.paths(FOLDER):
        yield from cases_of(snippets.read(path))
