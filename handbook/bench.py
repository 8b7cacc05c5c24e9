"""Print how long a build, an edit and the programs take, as ratios: `make bench`."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from handbook.compose import Composer, Settings
from handbook.places import LANGUAGES, ROOT
from handbook.preview import MKDOCS, Preview, copy_project


def seconds(*commands: list[str], cwd: Path = ROOT) -> float:
    """How long commands take, one after the other. Raises CalledProcessError if one fails."""
    start = time.perf_counter()
    for command in commands:
        subprocess.run(command, cwd=cwd, check=True, capture_output=True)
    return time.perf_counter() - start


def report(what: str, ours: float, reference: float) -> None:
    print(f"{ours / reference:6.2f}  {what}  ({ours:.1f} s / {reference:.1f} s)", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy_project(Path(temporary))
        build = seconds([*MKDOCS, "build", "--strict"], cwd=folder)
        for lang in LANGUAGES:
            Composer(lang, folder / "plain" / lang, Settings("http://127.0.0.1:8000/")).compose()
        configs = [f"plain/{lang}/mkdocs.yml" for lang in LANGUAGES]
        plain = seconds(*([*MKDOCS, "build", "-f", config] for config in configs), cwd=folder)
        report("a build / plain Material on the composed pages", build, plain)
        with Preview(folder) as site:
            site.wait_for("Serving on", 300)
            start = time.perf_counter()
            with (folder / "docs/en/learn/ctx-vs-self.md").open("a", encoding="utf-8") as page:
                page.write("\nAn edit.\n")
            site.wait_for("Reloading")
            report("an edited page until it shows / the same", time.perf_counter() - start, plain)
    programs = seconds([sys.executable, "-m", "pytest", "-q", "snippets/learn"])
    torch = seconds([sys.executable, "-c", "import torch"])
    report("the programs of learn/ / import torch", programs, torch)
