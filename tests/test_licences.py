"""What others have written is named with its licence, which stands beside it."""

from problems import report

from handbook import licences
from handbook.places import shown

OURS = {"search"}
"""Folders of scripts that are our own."""


def test_every_vendored_folder_has_its_licence_and_is_named():
    named = {what for what, _ in licences.vendored()}
    assets = licences.OVERRIDES / "assets"
    folders = (path for path in assets.iterdir() if path.is_dir() and path.name not in OURS)
    report(
        f"{shown(folder)}: no LICENSE in it; put the one that it came with there"
        for folder in folders
        if shown(folder) not in named
    )
    assert {"overrides/partials/source.html", "overrides/assets/minisearch"} <= named
    assert all(licence for _, licence in [*licences.vendored(), *licences.of_the_theme()])
