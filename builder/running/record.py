"""Run programs and write what they print under them, and beside them the figure that they draw and,
of those that a page shows step by step, their steps: `make record [ONLY=learn/ctx-vs-self]`."""

import json
import sys

from builder.content import formulas, pages, parts, snippets
from builder.content.paths import Mistake
from builder.content.snippets import Program
from builder.running import runner, tracer
from builder.running.runner import Outcome


def record(only: str = "") -> int:
    """Record the programs below a folder of snippets/, or all. Returns how many could not be.

    Each runs twice; what differs from run to run is refused. A program that is refused is named,
    and its file left as it was.
    """
    chosen, failed = [], 0
    for path in snippets.paths(only):
        try:
            snippet = snippets.read(path)
            snippets.export(snippet)
            if lacking := snippets.lacking(snippet.code):
                print(f"{snippet.where}: left as it was: this machine lacks {lacking}")
            else:
                chosen.append(snippet)
        except Mistake as mistake:
            failed += 1
            print(mistake)
    recorded = 0
    outputs = {}
    for snippet, first, second in _twice(chosen, runner.as_script):
        outputs[snippet.name] = first.stdout
        problem = _refused(snippet, first, second)
        if problem:
            failed += 1
            print(f"{snippet.where}: left as it was: {problem}")
        elif first.shown != snippet.result:
            recorded += 1
            _write(snippet, first)
    failed += _record_steps([one for one in chosen if one.name in pages.stepped()], outputs)
    print(f"{recorded} programs recorded, {failed} not recorded, the others unchanged")
    return failed


def _twice(chosen: list[Program], work: runner.Work) -> list[tuple[Program, Outcome, Outcome]]:
    """Run programs twice: each with both outcomes."""
    outcomes = runner.run([(snippet.name, snippet.code) for snippet in chosen] * 2, work)
    count = len(chosen)
    return list(zip(chosen, outcomes[:count], outcomes[count:], strict=True))


def _refused(snippet: Program, first: Outcome, second: Outcome) -> str | None:
    """Why a program's outcome can't be recorded, if so, and what to do."""
    return (
        first.error
        or second.error
        or snippets.unfit(snippet.code, *first.shown)
        or snippets.departure(
            first.shown, second.shown, "on a second run; use fixed values or a fixed seed"
        )
    )


def _write(snippet: Program, outcome: Outcome) -> None:
    snippets.write(snippet.path, snippets.text_of(snippet.code, outcome.stdout))
    snippets.write(snippet.path.with_suffix(".svg"), outcome.figure)
    print(f"snippets/{snippet.name}: recorded")
    print(snippets.difference(snippet.output, outcome.stdout))
    if outcome.figure != snippet.figure:
        print(f"figure {'drawn' if outcome.figure else 'removed'}")


def steps(chosen: list[Program], outputs: dict[str, str]) -> dict[str, tuple[str, str | None]]:
    """By program the HTML of its steps, and why they can't be recorded, if so."""
    recorded = {}
    for snippet, first, second in _twice(chosen, tracer.as_script):
        shown = ""
        problem = first.error or second.error
        if not problem and first.steps != second.steps:
            problem = "its steps differ on a second run; use fixed values or a fixed seed"
        elif not problem and first.stdout != outputs[snippet.name]:
            problem = "it prints something else when it is watched"
        elif not problem:
            shown = tracer.page_part(snippet.name, snippet.code, json.loads(first.steps))
        recorded[snippet.name] = shown, problem
    return recorded


def _record_steps(chosen: list[Program], outputs: dict[str, str]) -> int:
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
        formulas.write()
        sys.exit(1 if failed else 0)
    except Mistake as mistake:
        sys.exit(str(mistake))
