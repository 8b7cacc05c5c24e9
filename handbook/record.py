"""Run programs and write what they print under them, and the figure that they draw beside them:
`make record [ONLY=learn/ctx-vs-self]`."""

import sys

from handbook import runner, snippets
from handbook.runner import Outcome
from handbook.snippets import Snippet, SnippetError


def record(only: str = "") -> int:
    """Record the programs below a folder of snippets/, or all. Returns how many could not be.

    Each runs twice; what differs from run to run is refused. A program that is refused is named,
    and its file left as it was.
    """
    chosen, failed = [], 0
    for path in snippets.paths(only):
        try:
            chosen.append(snippets.read(path))
            snippets.export(chosen[-1])
        except SnippetError as error:
            failed += 1
            print(error)
    programs = [(snippet.name, snippet.code) for snippet in chosen]
    outcomes = runner.run(programs + programs)
    recorded = 0
    for number, snippet in enumerate(chosen):
        first, second = outcomes[number], outcomes[number + len(chosen)]
        problem = _refused(snippet, first, second)
        if problem:
            failed += 1
            print(f"{snippet.where}: left as it was: {problem}")
        elif (first.stdout, first.figure) != (snippet.output, snippet.figure):
            recorded += 1
            _write(snippet, first)
    print(f"{recorded} programs recorded anew, {failed} not recorded, the others as before")
    return failed


def _refused(snippet: Snippet, first: Outcome, second: Outcome) -> str | None:
    """Why a program's outcome can't be recorded, if so, and what to do."""
    if first.error or second.error:
        return first.error or second.error
    problem = snippets.unfit(snippet.code, first.stdout, first.figure)
    if problem:
        return problem
    for what, one, other in (
        ("prints", first.stdout, second.stdout),
        ("draws", first.figure, second.figure),
    ):
        if one != other:
            return (
                f"it {what} something else on a second run; use fixed values or a fixed seed\n"
                f"{snippets.difference(one, other)}"
            )
    return None


def _write(snippet: Snippet, outcome: Outcome) -> None:
    snippets.write(snippet.path, snippets.text_of(snippet.code, outcome.stdout))
    snippets.write(snippet.path.with_suffix(".svg"), outcome.figure)
    print(f"snippets/{snippet.name}: recorded")
    if outcome.stdout != snippet.output:
        print(snippets.difference(snippet.output, outcome.stdout))
    if outcome.figure != snippet.figure:
        print(f"figure {'drawn' if outcome.figure else 'removed'}")


if __name__ == "__main__":
    try:
        sys.exit(1 if record(" ".join(sys.argv[1:])) else 0)
    except SnippetError as error:
        sys.exit(str(error))
