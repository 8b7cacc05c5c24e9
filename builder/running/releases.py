"""What every program prints on other releases of torch:
`make releases [RELEASES="2.6.0 2.15.0"] [ONLY=learn/ctx-vs-self]`.

Each release is installed into an environment of its own under .cache/, which is removed afterwards,
and every program runs on it. What it printed is data, in docs/tables/releases/<release>.json. A
program that is recorded in its present form is not run again, so one that was only moved keeps its
run, and an interrupted run goes on where it stopped. The run of an edited program stays until a new
one replaces it. A run goes with the file of its program.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from builder.content import differences, snippets
from builder.content.paths import CACHE, Mistake, pinned
from builder.content.snippets import Program
from builder.running import runner

RELEASES = (
    "2.15.0", "2.14.1", "2.13.0", "2.13.0-3.13", "2.12.1", "2.10.0", "2.8.0", "2.6.0", "2.4.1",
    "2.2.2", "2.0.1",
)  # fmt: skip
"""2.13.0-3.13 is 2.13.0 on Python 3.13; the others run on the Python of this environment."""

_RAISED = re.compile(r"^[\w.]+(?:Error|Exception|Unsupported|Warning|Exit)\b.*", re.MULTILINE)
"""The line of a traceback that names the error."""


def write(release: str, data: dict) -> None:
    """Write what is recorded of a release: of a program that prints the same, its digest alone."""
    short = {
        name: entry if len(entry) > 1 else entry["digest"]
        for name, entry in sorted(data["programs"].items())
    }
    text = json.dumps(data | {"programs": short}, ensure_ascii=False, indent=1)
    snippets.write(differences.FOLDER / f"{release}.json", f"{text}\n")


def steady(text: str) -> str:
    """A text without what differs from run to run and from machine to machine."""
    text = re.sub(r"0x[0-9a-f]{6,}", "0x…", text)
    return re.sub(r"(?<![\w:/])(?:/[\w.+-]+){2,}/", "…/", text)


def entry_of(program: Program, outcome: runner.Outcome) -> dict:
    """What is recorded of a run."""
    entry = {"digest": differences.digest(program.whole_code)}
    output = steady(outcome.output)
    if outcome.error:
        raised = _RAISED.findall(outcome.error) or outcome.error.rstrip().splitlines()[:1]
        return entry | {"error": steady(raised[-1])[:400], "output": output}
    return entry if output == steady(program.output or "") else entry | {"output": output}


def install(release: str) -> Path:
    """The interpreter of a new environment with torch, numpy and matplotlib. Raises Mistake if it
    can't be had."""
    folder = CACHE / "releases" / release
    python = folder / "bin" / "python"
    torch, _, version = release.partition("-")
    old = differences.number(torch) < (2, 3)  # the first that can use numpy 2
    numpy, matplotlib = ("1.26.4", "3.8.4") if old else (pinned("numpy"), pinned("matplotlib"))
    packages = [f"torch=={torch}", f"numpy=={numpy}", f"matplotlib=={matplotlib}", "setuptools<81"]
    interpreter = f"python{version}" if version else sys.executable
    _output(release, [interpreter, "-m", "venv", "--clear", folder])
    _output(release, [python, "-m", "pip", "install", "--quiet", "--no-cache-dir", *packages])
    return python


def _output(release: str, command: list) -> str:
    """What a command prints. Raises Mistake with its last words if it fails."""
    environment = {**os.environ, "PIP_CONSTRAINT": os.devnull}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise Mistake(f"{release}: there is no {command[0]} on the PATH; install it") from None
    except subprocess.CalledProcessError as error:
        raise Mistake(f"{release}: {command[0]} fails: {error.stderr.strip()[-500:]}") from None
    return done.stdout


def kept(runs: dict[str, dict | None], recorded: dict[str, dict]) -> dict[str, dict]:
    """What stays recorded of a release, by name of a program.

    runs: by name of each program that there is, its run in its present form, if any; recorded: what
    the data has by name. A program that was edited keeps its run.
    """
    found = {name: run or recorded.get(name) for name, run in runs.items()}
    return {name: run for name, run in found.items() if run}


def run_on(release: str, only: str) -> None:
    """Run the programs that are not recorded on a release yet, and record what they print.

    Raises Mistake if they can't be run; the data stays as it was.
    """
    every = map(snippets.read, snippets.paths())
    runs = {program.name: differences.run_of(program, release) for program in every}
    data = differences.read(release)
    data |= {"programs": kept(runs, data["programs"])}
    chosen = map(snippets.read, snippets.paths(only))
    missing = [one for one in chosen if not (runs[one.name] or differences.is_left_out(one))]
    if missing:
        python = install(release)
        versions = (
            "import json, platform, numpy, torch; print(json.dumps({'torch': torch.__version__, "
            "'python': platform.python_version(), 'numpy': numpy.__version__}))"
        )
        data |= json.loads(_output(release, [python, "-c", versions]))
        outcomes = runner.run_with(python, missing)
        try:
            for count, (program, outcome) in enumerate(zip(missing, outcomes, strict=True), 1):
                data["programs"][program.name] = entry_of(program, outcome)
                if count % 100 == 0:
                    print(f"{release}: {count} of {len(missing)}", flush=True)
        finally:
            write(release, data)
    kinds = Counter(map(differences.outcome, data["programs"].values()))
    counts = ", ".join(f"{kinds[kind]} {kind}" for kind in ("same", "different", "error"))
    print(f"{release} ({data['torch']}): {counts}")


if __name__ == "__main__":
    failed = False
    for name in os.environ.get("RELEASES", "").split() or RELEASES:
        try:
            run_on(name, os.environ.get("ONLY", ""))
        except Mistake as mistake:
            failed = True
            print(mistake)
        finally:
            shutil.rmtree(CACHE / "releases", ignore_errors=True)
    sys.exit(failed)
