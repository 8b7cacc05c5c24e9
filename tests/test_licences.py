"""What others have written is named with its licence, which stands beside it."""

from problems import report

from handbook import licences
from handbook.places import shown


def test_every_vendored_folder_has_its_licence_and_is_named():
    named = {what for what, _ in licences.vendored()}
    folders = (folder for folder in (licences.OVERRIDES / "assets").iterdir() if folder.is_dir())
    report(
        f"{shown(folder)}: no LICENSE in it; put the one that it came with there"
        for folder in folders
        if shown(folder) not in named
    )
    assert "overrides/partials/source.html" in named
    assert all(licence for _, licence in [*licences.vendored(), *licences.of_the_theme()])
