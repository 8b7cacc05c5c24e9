"""`make archive`: the site as one zip, read without a server. One site gives the same bytes."""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from handbook.places import ROOT

FOLDER = "ctx-handbook"
"""What the zip unpacks to."""

LEFT_OUT = ("404.html", "sitemap.xml", "sitemap.xml.gz", "search_index.json", "*.map")
"""What only a server answers with, search engines ask for, or search_index.js has too."""


def build(archive: Path) -> None:
    """Build the site for reading from a folder, and pack it.

    Raises subprocess.CalledProcessError if MkDocs can't, after MkDocs has said why.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
        settings = {"OFFLINE": "true", "ARCHIVE": ""}
        subprocess.run(command, cwd=ROOT, env=os.environ | settings, check=True)
        pack(Path(folder), archive)


def pack(site: Path, archive: Path) -> None:
    """Write a folder into a zip, its files in order and all of one time."""
    files = {path.relative_to(site).as_posix(): path for path in site.rglob("*") if path.is_file()}
    with zipfile.ZipFile(archive, "w") as packed:
        for name in sorted(files):
            if not any(files[name].match(pattern) for pattern in LEFT_OUT):
                entry = zipfile.ZipInfo(f"{FOLDER}/{name}")
                entry.external_attr = 0o644 << 16
                packed.writestr(entry, files[name].read_bytes(), zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    try:
        build(ROOT / "site.zip")
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
