"""What every program prints on other releases of torch:
`make releases [RELEASES="2.6.0 2.15.0"] [ONLY=learn/ctx-vs-self]`.

Each release is installed into an environment of its own under .cache/, which is removed afterwards
(KEEP=1 leaves it), and every program runs on it. What it printed is data, in
docs/tables/releases/<release>.json. A program whose syntax tree is the one recorded is not run
again (AGAIN=1 runs it), so that an interrupted run goes on where it stopped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from handbook import changes, runner, snippets
from handbook.places import CACHE, ROOT, pinned
from handbook.snippets import Snippet, SnippetError

RELEASES = (
    "2.15.0", "2.14.1", "2.13.0", "2.12.1", "2.10.0", "2.8.0", "2.6.0", "2.4.1", "2.2.2", "2.0.1",
)  # fmt: skip
BEFORE_NUMPY_2 = (2, 3)
"""From this torch on, numpy 2 can be used."""
GIGABYTES = 10
"""What a release may take on the disk while it is installed."""


_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_PATH = re.compile(r"(?<![\w:/])(?:/[\w.+-]+){2,}/")
_RAISED = re.compile(r"^[\w.]+(?:Error|Exception|Unsupported|Warning|Exit)\b.*", re.MULTILINE)
"""The line of a traceback that names the error."""


class ReleaseError(Exception):
    """A release can't be run; says why and what to do."""


def write(release: str, data: dict) -> None:
    data["programs"] = dict(sorted(data["programs"].items()))
    data["checksum"] = changes.checksum(data)
    short = {
        name: entry if len(entry) > 1 else entry["tree"] for name, entry in data["programs"].items()
    }
    text = json.dumps(data | {"programs": short}, ensure_ascii=False, indent=1)
    changes.FOLDER.mkdir(exist_ok=True)
    snippets.write(changes.file(release), f"{text}\n")


def steady(text: str) -> str:
    """A text without what differs from run to run and from machine to machine."""
    return _PATH.sub("…/", _ADDRESS.sub("0x…", text))


def outcome(program: Snippet, found: runner.Outcome) -> dict:
    """What is recorded of a run."""
    entry = {"tree": changes.tree(program.code)}
    output = steady(found.stdout)
    if found.error:
        raised = _RAISED.findall(found.error) or found.error.rstrip().splitlines()[:1]
        return entry | {"error": steady(raised[-1])[:400], "output": output}
    return entry if output == steady(program.output or "") else entry | {"output": output}


def install(release: str) -> Path:
    """The interpreter of an environment with a release of torch.

    Raises ReleaseError if it can't be had.
    """
    folder = CACHE / "releases" / release
    folder.parent.mkdir(parents=True, exist_ok=True)
    python = folder / "bin" / "python"
    if (folder / "complete").exists():
        return python
    if shutil.disk_usage(ROOT).free < GIGABYTES * 2**30:
        raise ReleaseError(f"{release}: less than {GIGABYTES} GB free; make room for it")
    old = tuple(map(int, release.split(".")[:2])) < BEFORE_NUMPY_2
    numpy, matplotlib = ("1.26.4", "3.8.4") if old else (pinned("numpy"), pinned("matplotlib"))
    wanted = [f"torch=={release}", f"numpy=={numpy}", f"matplotlib=={matplotlib}", "setuptools<81"]
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-cache-dir", *wanted],
        env={**os.environ, "PIP_CONSTRAINT": os.devnull},
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise ReleaseError(f"{release}: {(errors or [done.stderr.strip()])[-1]}")
    (folder / "complete").touch()
    return python


def versions(python: Path) -> dict[str, str]:
    said = subprocess.run(
        [
            python, "-c",
            "import json, platform, numpy, torch; print(json.dumps({'torch': torch.__version__, "
            "'python': platform.python_version(), 'numpy': numpy.__version__}))",
        ],
        capture_output=True, text=True,
    )  # fmt: skip
    if said.returncode:
        raise ReleaseError(f"its interpreter does not start: {said.stderr.strip()[-300:]}")
    return json.loads(said.stdout)


def record(release: str, only: str, again: bool) -> None:
    """Run the programs of a release that are not recorded yet, and record what they print.

    Raises ReleaseError if they can't be run; the data stays as it was.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", release):
        raise ReleaseError(f"{release}: no release of torch; name it as 2.6.0")
    data = dict(changes.read(release))
    everything = [snippets.read(path) for path in snippets.paths("")]
    there = {program.name for program in everything}
    chosen = [snippets.read(path) for path in snippets.paths(only)]
    wanted = [
        program
        for program in chosen
        if again or data["programs"].get(program.name, {}).get("tree") != changes.tree(program.code)
    ]
    data["programs"] = {name: entry for name, entry in data["programs"].items() if name in there}
    if wanted:
        python = install(release)
        data |= versions(python)
        began = time.monotonic()
        scripts = runner.Scripts([(one.name, one.code) for one in wanted], python)
        try:
            for number, program in enumerate(wanted):
                data["programs"][program.name] = outcome(program, scripts[number])
                if number % 100 == 99:
                    write(release, data)
                    each = (time.monotonic() - began) / (number + 1)
                    left = f"{each * (len(wanted) - number - 1):.0f} s left"
                    print(f"{release}: {number + 1} of {len(wanted)}, {left}", flush=True)
        finally:
            scripts.close()
            write(release, data)
    else:
        write(release, data)
    found = data["programs"].values()
    errors = sum("error" in entry for entry in found)
    different = sum("output" in entry for entry in found) - errors
    same = len(found) - different - errors
    print(f"{release} ({data['torch']}): {same} the same, {different} different, {errors} errors")


def newest() -> str:
    """The newest release that pip finds."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "index", "versions", "torch"],
        env={**os.environ, "PIP_CONSTRAINT": os.devnull}, capture_output=True, text=True,
    )  # fmt: skip
    found = re.search(r"\(([\d.]+)(?:\+\w+)?\)", done.stdout)  # a CPU build says so
    if not found:
        raise ReleaseError(f"pip finds no torch: {done.stderr.strip()[-300:]}")
    return found[1]


def news() -> int:
    """Run all programs on the newest release and report what is not recorded of it yet, as a table,
    to the summary of a GitHub job if there is one. Returns how many programs that are."""
    release = newest()
    before = changes.read(release)["programs"].copy()
    record(release, "", again=True)
    rows = [
        f"| `{name.removesuffix('.md')}` | {changes.kind(before.get(name, {}))} "
        f"| {changes.kind(entry)} |"
        for name, entry in changes.read(release)["programs"].items()
        if entry != before.get(name, {"tree": entry["tree"]})
    ]
    title = f"torch {release}: {len(rows)} programs do what is not recorded"
    report = "\n".join([f"## {title}", "", "| program | recorded | now |", "|---|---|---|", *rows])
    with open(os.environ.get("GITHUB_STEP_SUMMARY", os.devnull), "a", encoding="utf-8") as summary:
        summary.write(f"{report}\n")
    print(report)
    return len(rows)


def main() -> int:
    if sys.argv[1:] == ["news"]:
        try:
            return min(news(), 1)
        except ReleaseError as error:
            print(error)
            return 1
    releases = os.environ.get("RELEASES", "").split() or RELEASES
    failed = 0
    for release in releases:
        try:
            record(release, os.environ.get("ONLY", ""), bool(os.environ.get("AGAIN")))
        except (ReleaseError, SnippetError) as error:
            failed += 1
            print(error)
        finally:
            if not os.environ.get("KEEP"):
                shutil.rmtree(CACHE / "releases" / release, ignore_errors=True)
    if not failed:
        changes.write_tables()
    return failed


if __name__ == "__main__":
    sys.exit(main())
