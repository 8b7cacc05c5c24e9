"""The composed site, built by Zensical: `python -m builder.publishing.zensical FOLDER PYTHON`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from builder.content.paths import DOCS, LANGUAGES, ROOT, read_text
from builder.content.snippets import write
from builder.publishing import configuration, verdict_table
from builder.publishing.compose import Composer


def compose(folder: Path) -> None:
    """Compose the languages, and the root page, which leads to them. Raises Mistake."""
    for lang in LANGUAGES:
        Composer(lang, folder / lang, own_search=False).compose()
    root = folder / "root"
    config = configuration.for_folder(configuration.read("mkdocs.yml"), root)
    del config["nav"]  # it is the languages'
    write(root / "mkdocs.yml", configuration.as_yaml(config))
    write(root / "docs" / "index.md", read_text(DOCS / "root" / "index.md"))
    write(root / "docs" / "verdicts.json", verdict_table.as_json())


def build(folder: Path, python: str) -> None:
    """Raises CalledProcessError after Zensical has said what is wrong, or Mistake."""
    shutil.rmtree(folder, ignore_errors=True)
    compose(folder)
    command = [python, "-m", "zensical", "build", "--strict", "-f", "mkdocs.yml"]
    for name, at in [("root", ""), *((lang, lang) for lang in LANGUAGES)]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # where it finds our extension
        subprocess.run(command, cwd=folder / name, env=environment, check=True)
        shutil.move(folder / name / "site", folder / "site" / at)


if __name__ == "__main__":
    build(Path(sys.argv[1]).absolute(), os.path.abspath(sys.argv[2]))
