"""What every program prints on other releases of torch:
`make releases [RELEASES="2.6.0 2.15.0"] [ONLY=learn/ctx-vs-self]`.

Each release is installed into an environment of its own under .cache/, which is removed afterwards
(KEEP=1 leaves it), and every program runs on it. What it printed is data, in
docs/tables/releases/<release>.json. A program whose syntax tree is recorded is not run again
(AGAIN=1 runs it), so a program that was only moved keeps its run, and an interrupted run goes on
where it stopped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from handbook import changes, runner, snippets
from handbook.places import CACHE, ROOT, pinned
from handbook.snippets import Snippet, SnippetError

RELEASES = (
    "2.15.0", "2.14.1", "2.13.0", "2.13.0-3.13", "2.12.1", "2.10.0", "2.8.0", "2.6.0", "2.4.1",
    "2.2.2", "2.0.1",
)  # fmt: skip
"""2.13.0-3.13 is 2.13.0 on Python 3.13; the others run on the Python of this environment."""
NIGHTLY = "https://download.pytorch.org/whl/nightly/cpu"
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
    changes.forget()


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
    """The interpreter of an environment with a release of torch, or with the nightly build.

    Raises ReleaseError if it can't be had.
    """
    folder = CACHE / "releases" / release
    folder.parent.mkdir(parents=True, exist_ok=True)
    python = folder / "bin" / "python"
    if (folder / "complete").exists():
        return python
    if shutil.disk_usage(ROOT).free < GIGABYTES * 2**30:
        raise ReleaseError(f"{release}: less than {GIGABYTES} GB free; make room for it")
    torch, _, version = release.partition("-")
    old = torch != "nightly" and changes.number(torch) < BEFORE_NUMPY_2
    numpy, matplotlib = ("1.26.4", "3.8.4") if old else (pinned("numpy"), pinned("matplotlib"))
    wanted = [f"torch=={torch}", f"numpy=={numpy}", f"matplotlib=={matplotlib}", "setuptools<81"]
    if torch == "nightly":
        wanted[:1] = ["--pre", "--extra-index-url", NIGHTLY, "torch"]
    interpreter = shutil.which(f"python{version}") if version else sys.executable
    if not interpreter:
        raise ReleaseError(f"{release}: no python{version} on the PATH; install it")
    _output(release, [interpreter, "-m", "venv", "--clear", folder])
    _output(release, [python, "-m", "pip", "install", "--quiet", "--no-cache-dir", *wanted])
    (folder / "complete").touch()
    return python


def _output(release: str, command: list) -> str:
    """What a command prints. Raises ReleaseError with its last error if it fails."""
    environment = {**os.environ, "PIP_CONSTRAINT": os.devnull}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"{command[0]} fails and prints nothing"]
        errors = [line for line in lines if line.startswith("ERROR")]
        if "connection broken by" in done.stderr:
            errors.append("pip can't reach its package index; is there a network?")
        raise ReleaseError(f"{release}: {(errors or lines)[-1][:300]}")
    return done.stdout


def versions(release: str, python: Path) -> dict[str, str]:
    ask = (
        "import json, platform, numpy, torch; print(json.dumps({'torch': torch.__version__, "
        "'python': platform.python_version(), 'numpy': numpy.__version__}))"
    )
    return json.loads(_output(release, [python, "-c", ask]))


def run(release: str, wanted: list[Snippet], data: dict, save: Callable[[], None]) -> None:
    """Run programs on a release and enter into its data what they do, saving now and then.

    Raises ReleaseError if they can't be run; the data stays as it was.
    """
    python = install(release)
    data |= versions(release, python)
    began = time.monotonic()
    runs = runner.run_with(python, [(one.name, one.code) for one in wanted])
    try:
        for count, (number, found) in enumerate(runs, 1):
            data["programs"][wanted[number].name] = outcome(wanted[number], found)
            if count % 100 == 0:
                save()
                each = (time.monotonic() - began) / count
                left = f"{each * (len(wanted) - count):.0f} s left"
                print(f"{release}: {count} of {len(wanted)}, {left}", flush=True)
    finally:
        runs.close()
        save()


def record(release: str, only: str, again: bool) -> None:
    """Run the programs that are not recorded on a release yet, and record what they print.

    Raises ReleaseError if they can't be run; the data stays as it was.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+(-\d+\.\d+)?", release):
        raise ReleaseError(f"{release}: no release of torch; name it as 2.6.0 or 2.6.0-3.12")
    data = dict(changes.read(release))
    recorded, data["programs"] = data["programs"], {}
    for program in map(snippets.read, snippets.paths()):
        entry = changes.run(release, program) or recorded.get(program.name)
        if entry:
            data["programs"][program.name] = entry
    wanted = [
        program
        for program in map(snippets.read, snippets.paths(only))
        if again or not changes.run(release, program)
    ]
    if wanted:
        run(release, wanted, data, lambda: write(release, data))
    else:
        write(release, data)
    kinds = Counter(map(changes.kind, data["programs"].values()))
    print(
        f"{release} ({data['torch']}): {kinds['same']} the same, {kinds['different']} different, "
        f"{kinds['error']} errors"
    )


def newest() -> str:
    """The newest release that pip finds."""
    command = [sys.executable, "-m", "pip", "index", "versions", "torch"]
    output = _output("the newest torch", command)
    version = re.search(r"\(([\d.]+)(?:\+\w+)?\)", output)
    if not version:
        raise ReleaseError(f"pip index versions torch names no release: {output[:300]!r}")
    return version[1]


def news(release: str) -> int:
    """Run all programs on a release and report those that don't do what is recorded of it, or of
    the newest recorded release if this one isn't.

    The report, a table, is printed and added to the summary of a GitHub job; nothing is recorded.
    Returns how many programs it lists. Raises ReleaseError if they can't be run.
    """
    recorded = changes.recorded()
    base = release if release in recorded else recorded[0]
    before, data = changes.read(base)["programs"], {"programs": {}}
    run(release, [snippets.read(path) for path in snippets.paths()], data, lambda: None)
    rows = [
        f"| `{name.removesuffix('.md')}` | {_cell(before.get(name, {}))} | {_cell(entry)} |"
        for name, entry in data["programs"].items()
        if entry != before.get(name)
    ]
    title = f"torch {data['torch']}: {len(rows)} programs do what is not recorded of {base}"
    head = ["", "| program | recorded | now |", "|---|---|---|"] if rows else []
    report = "\n".join([f"## {title}", *head, *rows])
    with open(os.environ.get("GITHUB_STEP_SUMMARY", os.devnull), "a", encoding="utf-8") as summary:
        summary.write(f"{report}\n")
    print(report)
    return len(rows)


def _cell(entry: dict) -> str:
    """What a program did: its kind, and the error if there is one."""
    return f"{changes.kind(entry)} `{entry['error']}`" if "error" in entry else changes.kind(entry)


def main(is_news: bool, names: list[str]) -> int:
    """Record releases, or report news of them; without names, all of RELEASES, or the newest.

    Returns how many failed, and how many programs the news lists.
    """
    failed = 0
    for name in names or (["newest"] if is_news else RELEASES):
        release = name
        try:
            if is_news:
                release = newest() if name == "newest" else name
                failed += news(release)
            else:
                record(release, os.environ.get("ONLY", ""), bool(os.environ.get("AGAIN")))
        except (ReleaseError, SnippetError) as error:
            failed += 1
            print(error)
        finally:
            if not os.environ.get("KEEP"):
                shutil.rmtree(CACHE / "releases" / release, ignore_errors=True)
    if not (is_news or failed):
        changes.write_tables()
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["news"], os.environ.get("RELEASES", "").split()) > 0)
