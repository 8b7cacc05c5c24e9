"""The composed site, built by Zensical: `python -m builder.publishing.zensical FOLDER PYTHON`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from builder.content.paths import LANGUAGES, ROOT
from builder.publishing.compose import Composer, compose_root
from builder.publishing.configuration import Settings


def build(folder: Path, python: str, settings: Settings) -> None:
    """Raises CalledProcessError after Zensical has said what is wrong, or Mistake."""
    shutil.rmtree(folder, ignore_errors=True)
    compose_root(folder / "root", settings)
    for lang in LANGUAGES:
        Composer(lang, folder / lang, settings).compose()
    command = [python, "-m", "zensical", "build", "--strict", "-f", "mkdocs.yml"]
    for name, at in [("root", ""), *((lang, lang) for lang in LANGUAGES)]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # where it finds our extension
        subprocess.run(command, cwd=folder / name, env=environment, check=True)
        shutil.move(folder / name / "site", folder / "site" / at)


if __name__ == "__main__":
    settings = Settings(root_url=os.environ["SITE_URL"].rstrip("/") + "/", own_search=False)
    build(Path(sys.argv[1]).absolute(), os.path.abspath(sys.argv[2]), settings)
