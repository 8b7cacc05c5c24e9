"""Print the pages that one language has committed later than the other: `make drift`."""

import subprocess
import sys
from pathlib import Path

from handbook import pages
from handbook.places import LANGUAGES, ROOT


def committed(folder: Path) -> dict[str, int]:
    """When each page was last committed, by its path in a checkout, in seconds since 1970.

    Raises OSError without git, and subprocess.CalledProcessError where git has no history.
    """
    command = ["git", "log", "--format=%ct", "--name-only", "--relative", "--", "docs"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, encoding="utf-8")
    times: dict[str, int] = {}
    for line in done.stdout.splitlines():
        if line.isdigit():
            time = int(line)
        elif line:
            times.setdefault(line, time)
    return times


def drifts(times: dict[str, int], uris: list[str]) -> list[tuple[float, str]]:
    """How many days the newer language of a page is ahead, and that file; the most days first."""
    found = []
    for uri in uris:
        paths = [f"docs/{lang}/{uri}" for lang in LANGUAGES]
        if times.keys() >= {*paths}:
            older, newer = sorted(paths, key=times.__getitem__)
            found.append(((times[newer] - times[older]) / 86400, newer))
    return sorted(((days, newer) for days, newer in found if days), reverse=True)


if __name__ == "__main__":
    try:
        for days, newer in drifts(committed(ROOT), pages.concerned(" ".join(sys.argv[1:]))):
            print(f"{newer}: committed {days:.1f} days after the other language")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"drift: nothing to compare: {getattr(error, 'stderr', None) or error}")
