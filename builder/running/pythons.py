"""The site built with other Pythons, and compared with the one in a folder:
`python -m builder.running.pythons site 3.12 3.13`.

Each builds in an environment of its own under .cache/, with the site's packages alone, no torch.
"""

import filecmp
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from builder.content.paths import CACHE, ROOT, Mistake

LOCKED = ROOT / "requirements-site.txt"


def find(version: str) -> str | None:
    """An interpreter of a version, such as 3.12, that really runs: on the PATH or among those of
    pyenv, whose command of that name may be one that only fails."""
    return next((python for python in _candidates(version) if _runs(python, version)), None)


def _candidates(version: str) -> Iterator[str]:
    yield from filter(None, [shutil.which(f"python{version}")])
    if shutil.which("pyenv"):
        for name in _printed("pyenv", "versions", "--bare").split():
            if name.startswith(f"{version}."):
                yield f"{_printed('pyenv', 'prefix', name).strip()}/bin/python"


def _runs(python: str, version: str) -> bool:
    return (
        _printed(python, "-c", "import sys; print(*sys.version_info[:2], sep='.')")
        == f"{version}\n"
    )


def _printed(*command: str) -> str:
    """What a command prints; empty if there is none or it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout if not done.returncode else ""


def differences(one: Path, other: Path) -> list[str]:
    """The paths of the files that two folders don't have alike, byte for byte."""
    names = {
        path.relative_to(root)
        for root in (one, other)
        for path in root.rglob("*")
        if path.is_file()
    }
    _, differing, missing = filecmp.cmpfiles(one, other, names, shallow=False)
    return sorted(str(name) for name in differing + missing)


def build(python: str, version: str) -> Path:
    """The site as another Python builds it. Raises Mistake if it can't, or warns of a fork."""
    folder = CACHE / "pythons" / version
    environment, site = folder / "env", folder / "site"
    _done(python, "-m", "venv", "--clear", environment)
    python = environment / "bin" / "python"
    _done(python, "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", LOCKED)
    warn = "always::DeprecationWarning:multiprocessing.popen_fork"
    said = _done(python, "-W", warn, "-m", "mkdocs", "build", "--strict", "--site-dir", site)
    if "fork()" in said:
        raise Mistake(f"Python {version} warns of a fork: {said[-500:]}")
    return site


def _done(*command: str | Path) -> str:
    """What a command that has to succeed says. Raises Mistake with its last words if it fails."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Mistake(f"{' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return done.stderr


def main(site: Path, versions: list[str]) -> int:
    """Build with every version that is here. Returns how many of them made another site."""
    failed = 0
    for version in versions:
        python = find(version)
        if not python:
            print(f"Python {version}: not on this machine, so the site was not built with it")
            failed += bool(os.environ.get("GITHUB_ACTIONS"))  # everything is installed there
            continue
        different = differences(site, build(python, version))
        failed += bool(different)
        verdict = (
            f"differs in {len(different)} files: {different[:5]}" if different else "is the same"
        )
        print(f"Python {version}: the site {verdict}")
    return failed


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
    except Mistake as mistake:
        sys.exit(str(mistake))
