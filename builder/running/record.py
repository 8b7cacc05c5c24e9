"""Run programs and write what they print under them, and beside them the figure that they draw and,
of those that a page shows step by step, their steps: `make record [ONLY=learn/ctx-vs-self]`."""

import sys
from collections.abc import Iterator
from dataclasses import replace

from builder.content import pages, parts, snippets
from builder.content.paths import Mistake, shown
from builder.content.snippets import Outcome
from builder.running import runner, tracer
from builder.running.runner import Task

ON_A_SECOND_RUN = "on a second run; use fixed values or a fixed seed"


def record_programs(only: str = "") -> list[str]:
    """Record the programs below a folder of snippets/, or all. Returns what could not be recorded
    and was left as it was, and why, by file and line. Raises Mistake if `only` names nothing."""
    tasks, problems, changed = [], [], 0
    stepped = {name for page in pages.every() for name in page.stepped}
    for path in snippets.paths(only):
        try:
            program = snippets.read(path)
        except Mistake as mistake:
            problems.append(str(mistake))
            continue
        snippets.export(program)
        if lacking := snippets.lacking(program.code):
            print(f"{program.where}: left as it was: this machine lacks {lacking}")
        else:
            work = tracer.as_script if program.name in stepped else runner.as_script
            tasks.append(Task(work, program))
    for (_, program), outcome in zip(tasks, run_twice(tasks), strict=True):
        if outcome.error:
            problems.append(f"{program.where}: left as it was: {outcome.error}")
            continue
        if departure := snippets.departure(program, outcome, "than before"):
            changed += 1
            snippets.write(program.path, snippets.text_of(program.code, outcome.output))
            snippets.write(program.path.with_suffix(".svg"), outcome.figure)
            print(f"snippets/{program.name}: recorded: {departure}")
        steps = program.path.with_suffix(parts.RECORDED)
        if outcome.steps and snippets.write(steps, tracer.page_part(program, outcome.steps)):
            print(f"{shown(steps)}: steps recorded")
    print(f"{changed} programs recorded, {len(problems)} not recorded, the others unchanged")
    return problems


def run_twice(tasks: list[Task]) -> Iterator[Outcome]:
    """Run programs twice. Yields their outcomes, whose error is also that what a program prints or
    draws can't be shown on a page, or differs on its second run."""
    outcomes = [*runner.outcomes(tasks * 2)]
    for task, first, second in zip(tasks, outcomes, outcomes[len(tasks) :], strict=False):
        problem = (
            first.error
            or second.error
            or snippets.unfit(task.program.code, first)
            or snippets.departure(first, second, ON_A_SECOND_RUN)
            or (first.steps != second.steps and f"its steps differ {ON_A_SECOND_RUN}")
        )
        yield replace(first, error=problem or None)


if __name__ == "__main__":
    try:
        sys.exit("\n".join(record_programs(" ".join(sys.argv[1:]))) or None)
    except Mistake as mistake:
        sys.exit(str(mistake))
