"""`make zensical`: the composed site, built by Zensical, the successor of Material.

    python -m handbook.successor FOLDER PYTHON

FOLDER/site is the site. PYTHON is that of an environment where Zensical is installed. SITE_URL,
REPO_URL and VERIFIED_ON are as for `make build`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from handbook import hosting
from handbook.compose import Composer, Settings, compose_root
from handbook.places import LANGUAGES, ROOT, Mistake


def build(folder: Path, python: str, settings: Settings) -> None:
    """Build the site below a folder.

    Raises CalledProcessError after Zensical has said what is wrong, or Mistake.
    """
    shutil.rmtree(folder, ignore_errors=True)
    stage, site = folder / "stage", folder / "site"
    compose_root(stage / "root", settings)
    _build(stage / "root", python, site)
    for lang in LANGUAGES:
        composer = Composer(lang, stage / lang, settings)
        composer.compose()
        _build(stage / lang, python, site / lang)
        composer.put_copies(site / lang)
    hosting.write(site, settings.root_url)


def _build(stage: Path, python: str, site: Path) -> None:
    """Zensical writes a site only below the folder of its configuration, so it is moved."""
    command = [python, "-m", "zensical", "build", "--strict", "-f", "mkdocs.yml"]
    finding_the_extension = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=stage, env=finding_the_extension, check=True)
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(stage / "site", site)


if __name__ == "__main__":
    where = Settings(
        root_url=os.environ["SITE_URL"].rstrip("/") + "/",
        repo_url=os.environ.get("REPO_URL", ""),
        verified_on=os.environ.get("VERIFIED_ON", ""),
        own_search=False,
    )
    try:
        build(Path(sys.argv[1]).absolute(), os.path.abspath(sys.argv[2]), where)
    except Mistake as mistake:
        sys.exit(str(mistake))
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
