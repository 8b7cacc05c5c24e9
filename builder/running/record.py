"""Run programs and write what they print under them, and beside them the figure that they draw and,
of those that a page shows step by step, their steps: `make record [ONLY=learn/ctx-vs-self]`."""

import json
import sys
from dataclasses import replace
from pathlib import Path

from builder.content import formulas, pages, parts, snippets
from builder.content.paths import Mistake, shown
from builder.content.snippets import Outcome, Program
from builder.running import runner, tracer

ON_A_SECOND_RUN = "on a second run; use fixed values or a fixed seed"


def record_programs(only: str = "") -> list[str]:
    """Record the programs below a folder of snippets/, or all. Returns what could not be recorded
    and was left as it was, and why, by file and line. Raises Mistake if `only` names nothing."""
    programs, problems = [], []
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
            programs.append(program)
    stepped, changed, on_pages = [], 0, pages.stepped()
    for program, outcome in zip(programs, run_twice(programs, runner.as_script), strict=True):
        if outcome.error:
            problems.append(f"{program.where}: left as it was: {outcome.error}")
            continue
        if snippets.departure(program, outcome, ""):
            changed += 1
            _write(program, outcome)
        if program.name in on_pages:
            stepped.append(replace(program, output=outcome.output))
    tables, refused = step_tables(stepped)
    for file, table in tables.items():
        if snippets.write(file, table):
            print(f"{shown(file)}: steps recorded")
    problems += refused
    print(f"{changed} programs recorded, {len(problems)} not recorded, the others unchanged")
    return problems


def run_twice(programs: list[Program], work: runner.Work) -> list[Outcome]:
    """Run programs twice. Returns their outcomes, whose error is also that what a program prints or
    draws can't be shown on a page, or differs on its second run."""
    tasks = [runner.Task(work, program) for program in programs]
    outcomes = [*runner.outcomes(tasks * 2)]
    checked = []
    for program, first, second in zip(programs, outcomes, outcomes[len(tasks) :], strict=False):
        problem = (
            first.error
            or second.error
            or snippets.unfit(program.code, first)
            or snippets.departure(first, second, ON_A_SECOND_RUN)
        )
        if not problem and first.steps != second.steps:
            problem = f"its steps differ {ON_A_SECOND_RUN}"
        checked.append(replace(first, error=problem))
    return checked


def _write(program: Program, outcome: Outcome) -> None:
    snippets.write(program.path, snippets.text_of(program.code, outcome.output))
    snippets.write(program.path.with_suffix(".svg"), outcome.figure)
    print(f"snippets/{program.name}: recorded")
    print(snippets.difference(program.output, outcome.output))
    if outcome.figure != program.figure:
        print(f"figure {'drawn' if outcome.figure else 'removed'}")


def step_tables(programs: list[Program]) -> tuple[dict[Path, str], list[str]]:
    """Run programs step by step. Returns by file the HTML of their steps, and why those of others
    can't be recorded, by file and line."""
    tables, problems = {}, []
    for program, outcome in zip(programs, run_twice(programs, tracer.as_script), strict=True):
        problem = outcome.error
        if not problem and outcome.output != program.output:
            problem = "it prints something else when it is watched"
        if problem:
            problems.append(f"{program.where}: its steps are left as they were: {problem}")
        else:
            table = tracer.page_part(program, json.loads(outcome.steps))
            tables[program.path.with_suffix(parts.RECORDED)] = table
    return tables, problems


if __name__ == "__main__":
    try:
        problems = record_programs(" ".join(sys.argv[1:]))
        formulas.write_all()
        sys.exit("\n".join(problems) or None)
    except Mistake as mistake:
        sys.exit(str(mistake))
