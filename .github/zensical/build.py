"""Build the root page and both languages with Zensical, from the same configs and pages.

Run from the project's root, in Zensical's own environment. Argument: a folder, made anew, for a
copy of the project; its `site` is the site. SITE_URL is where that will stand.

A copy, because Zensical reads pages and writes a site only below the folder of a config, and
cannot be told of another place on its command line. Beside each config stands one that inherits
from it and says what hooks/languages.py says to MkDocs: the folder and the address.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

READ = ["docs", "snippets", "overrides", "handbook"]
CONFIGS = {"": "mkdocs.yml", "zh/": "mkdocs.zh.yml", "en/": "mkdocs.en.yml"}
"""By the path in the site. The root comes first: its build empties the whole folder."""


ELSEWHERE = ("ARCHIVE", "OFFLINE")
"""What concerns the site that MkDocs builds, and not this one."""


def copy(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name in READ:
        shutil.copytree(name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in CONFIGS.values():
        shutil.copy2(name, folder)


def build(folder: Path, path: str, address: str) -> int:
    """Build what stands at a path of the site; returns Zensical's exit status."""
    config = folder / f"zensical.{CONFIGS[path]}"
    lines = [
        f"INHERIT: {CONFIGS[path]}",
        f"site_dir: site/{path}",
        f"site_url: {address}{path}",
        f"extra: {{scope: {urlsplit(address).path}}}",
    ]
    if not os.environ.get("REPO_URL"):
        lines.append("edit_uri: null")  # or it becomes a link within the site
    config.write_text("\n".join(lines), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "-f", config.name],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in ELSEWHERE},
    ).returncode


if __name__ == "__main__":
    copied = Path(sys.argv[1])
    copy(copied)
    url = os.environ["SITE_URL"].rstrip("/") + "/"
    sys.exit(any(build(copied, path, url) for path in CONFIGS))
