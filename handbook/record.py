"""Run programs and write what they print under them, and beside them the figure that they draw and,
of those that a page shows step by step, their steps: `make record [ONLY=learn/ctx-vs-self]`."""

import json
import sys

from handbook import addresses, changes, formulas, pages, parts, recording, runner, snippets
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
    outputs = {name: first.stdout for (name, _), first in zip(programs, outcomes, strict=False)}
    stepped = [snippet for snippet in chosen if snippet.name in pages.stepped()]
    failed += _record_steps(stepped, outputs)
    print(f"{recorded} programs recorded, {failed} not recorded, the others unchanged")
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


def steps(chosen: list[Snippet], outputs: dict[str, str]) -> dict[str, tuple[str, str | None]]:
    """By program the HTML of its steps, and why they can't be recorded, if so."""
    programs = [(snippet.name, snippet.code) for snippet in chosen]
    outcomes = runner.run(programs * 2, recording.as_script)
    recorded = {}
    for snippet, first, second in zip(chosen, outcomes, outcomes[len(chosen) :], strict=False):
        problem = first.error or second.error
        if not problem and first.steps != second.steps:
            problem = f"its steps differ on a second run\n{_first_difference(first, second)}"
        elif not problem and first.stdout != outputs[snippet.name]:
            problem = "it prints something else when it is watched"
        shown = ""
        if not problem:
            shown = recording.page_part(snippet.name, snippet.code, json.loads(first.steps))
            problem = recording.too_large(shown)
        recorded[snippet.name] = shown, problem
    return recorded


def _first_difference(first: Outcome, second: Outcome) -> str:
    pairs = zip(json.loads(first.steps), json.loads(second.steps), strict=False)
    return next((f"{one}\n{other}" for one, other in pairs if one != other), "one is longer")


def _record_steps(chosen: list[Snippet], outputs: dict[str, str]) -> int:
    failed = 0
    for name, (shown, problem) in steps(chosen, outputs).items():
        file = snippets.SNIPPETS / name.replace(".md", parts.RECORDED)
        if problem:
            failed += 1
            print(f"snippets/{name}:2: its steps are left as they were: {problem}")
        elif not file.exists() or file.read_text(encoding="utf-8") != shown:
            snippets.write(file, shown)
            print(f"snippets/{name}: steps recorded")
    return failed


if __name__ == "__main__":
    try:
        failed = record(" ".join(sys.argv[1:]))
        changes.write_tables()
        failed += formulas.write()
        addresses.update()
        sys.exit(1 if failed else 0)
    except (SnippetError, addresses.AddressError) as error:
        sys.exit(str(error))
