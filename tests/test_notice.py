"""NOTICE lists the third-party parts of the repository and of the built site, with licences."""

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import material
from mkdocs.structure.files import Files
from problems import report

from handbook import pages
from handbook.places import ROOT, shown

THEME = Path(material.__file__).parent / "templates"
ASSETS = ROOT / "overrides" / "assets"
VENDORED = [path for path in ASSETS.iterdir() if path.is_dir() and path.name != "search"]


def compare(kind: str, present: set[str]) -> None:
    """Fail with what is present but matches no row of NOTICE whose first column begins with the
    kind, and with each such row that nothing matches."""
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    rows = re.findall(rf"^  ({kind}.*?) {{2,}}\S.*? {{2,}}\S", text, re.MULTILINE)
    unlisted = {what for what in present if not any(fnmatch(what, row) for row in rows)}
    unused = {row for row in rows if not any(fnmatch(what, row) for what in present)}
    report(
        [f"NOTICE:1: {what} is not listed; add it with its licence" for what in unlisted]
        + [f"NOTICE:1: there is no {row} any more; delete its row" for row in unused]
    )


def test_every_vendored_folder_has_its_licence():
    report(
        f"{shown(folder)}: no LICENSE in it; add the one it came with"
        for folder in VENDORED
        if not (folder / "LICENSE").is_file()
    )


def test_every_vendored_folder_and_every_copied_template_is_listed():
    templates = (ROOT / "overrides").rglob("*.html")
    copies = [file for file in templates if "Copied from " in file.read_text(encoding="utf-8")]
    compare("overrides/", {shown(path) for path in VENDORED + copies})


def test_every_file_that_a_build_copies_from_the_theme_is_listed():
    config, files = pages.config("en"), Files([])
    files.add_files_from_theme(config.theme.get_env(), config)
    theirs = {file.src_uri for file in files if Path(file.abs_src_path).is_relative_to(THEME)}
    compare("assets/", theirs)


def test_every_package_and_every_icon_set_of_the_theme_is_listed():
    maps = (json.loads(file.read_text(encoding="utf-8")) for file in THEME.rglob("*.map"))
    sources = " ".join(source for one in maps for source in one["sources"])
    compare("npm: ", {f"npm: {name}" for name in re.findall("node_modules/([^/]+)", sources)})
    folders = (path for path in (THEME / ".icons").iterdir() if path.is_dir())
    compare("icons: ", {f"icons: {folder.name}" for folder in folders})
