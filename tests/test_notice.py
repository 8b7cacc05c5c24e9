"""NOTICE lists the third-party parts of the repository and of the built site, with licences."""

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import material
from mkdocs.config import load_config
from mkdocs.structure.files import Files

from builder.content.paths import ROOT, shown

THEME = Path(material.__file__).parent / "templates"


def test_everything_that_others_made_is_listed():
    folders = [path for path in (ROOT / "overrides/assets").iterdir() if path.is_dir()]
    vendored = [folder for folder in folders if folder.name != "search"]
    assert all((folder / "LICENSE").is_file() for folder in vendored), vendored
    templates = (ROOT / "overrides").rglob("*.html")
    copies = [file for file in templates if "Copied from " in file.read_text(encoding="utf-8")]
    config, files = load_config(str(ROOT / "mkdocs.en.yml")), Files([])
    files.add_files_from_theme(config.theme.get_env(), config)
    maps = (json.loads(file.read_text(encoding="utf-8")) for file in THEME.rglob("*.map"))
    sources = " ".join(source for sources in maps for source in sources["sources"])
    present = [
        *map(shown, vendored + copies),
        *(file.src_uri for file in files if THEME in Path(file.abs_src_path).parents),
        *(f"npm: {name}" for name in {*re.findall("node_modules/([^/]+)", sources)}),
        *(f"icons: {folder.name}" for folder in (THEME / ".icons").iterdir() if folder.is_dir()),
    ]
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^  (\S+(?: \S+)*) {2,}\S.*? {2,}\S", notice)
    missing = [part for part in present if not any(fnmatch(part, row) for row in rows)]
    gone = [row for row in rows if not any(fnmatch(part, row) for part in present)]
    assert not missing, f"NOTICE:1: give these rows, with their licences: {missing}"
    assert not gone, f"NOTICE:1: delete the rows of these, which are gone: {gone}"
