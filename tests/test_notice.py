"""NOTICE lists the third-party parts of the repository and of the built site, with licences."""

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import material
from mkdocs.structure.files import Files
from problems import report

from builder.content import pages
from builder.content.paths import ROOT, shown

THEME = Path(material.__file__).parent / "templates"
ASSETS = ROOT / "overrides" / "assets"
VENDORED = [path for path in ASSETS.iterdir() if path.is_dir() and path.name != "search"]


def differences(kind: str, present: set[str]) -> Iterator[str]:
    """What is present but matches no row of NOTICE of its kind, and rows that nothing matches."""
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    rows = re.findall(rf"^  ({kind}.*?) {{2,}}\S.*? {{2,}}\S", text, re.MULTILINE)
    for what in present:
        if not any(fnmatch(what, row) for row in rows):
            yield f"NOTICE:1: {what} is not listed; add it with its licence"
    for row in rows:
        if not any(fnmatch(what, row) for what in present):
            yield f"NOTICE:1: there is no {row} any more; delete its row"


def test_everything_that_others_made_is_listed():
    for folder in VENDORED:
        assert (folder / "LICENSE").is_file(), f"{shown(folder)}: add the licence it came with"
    templates = (ROOT / "overrides").rglob("*.html")
    copies = [file for file in templates if "Copied from " in file.read_text(encoding="utf-8")]
    config, files = pages.config("en"), Files([])
    files.add_files_from_theme(config.theme.get_env(), config)
    maps = (json.loads(file.read_text(encoding="utf-8")) for file in THEME.rglob("*.map"))
    sources = " ".join(source for one in maps for source in one["sources"])
    present = {
        "overrides/": {shown(path) for path in VENDORED + copies},
        "assets/": {one.src_uri for one in files if THEME in Path(one.abs_src_path).parents},
        "npm: ": {f"npm: {name}" for name in re.findall("node_modules/([^/]+)", sources)},
        "icons: ": {f"icons: {one.name}" for one in (THEME / ".icons").iterdir() if one.is_dir()},
    }
    report(problem for kind in present for problem in differences(kind, present[kind]))
