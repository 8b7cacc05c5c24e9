"""The programs of the table of verdicts, run on another device: `make verdicts DEVICE=cuda`."""

import sys
from dataclasses import replace

from builder.content import snippets, verdicts
from builder.running import runner


def differing(device: str) -> list[str]:
    """Where a verdict differs from the recorded one, by file, in words."""
    programs = [snippets.read(path) for path in snippets.paths(verdicts.FOLDER)]
    start = f"import torch\n\ntorch.set_default_device({device!r})\n"
    there = (replace(program, code=start + program.code) for program in programs)
    tasks = [runner.Task(runner.as_script, program) for program in there]
    found = []
    for program, outcome in zip(programs, runner.outcomes(tasks), strict=True):
        here = verdicts.verdicts(outcome.output)
        for case in verdicts.cases_of(program):
            none = (outcome.error or "no verdict").rstrip().splitlines()[-1]
            verdict = here.get(case.backend, none)
            if verdict != case.verdict:
                backend = f" ({case.backend})" if case.backend else ""
                found.append(f"{program.where}{backend}: {verdict}, recorded {case.verdict}")
    print(f"{device}: {len(programs)} programs, {len(found)} verdicts differ")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(differing(sys.argv[1])) or None)
