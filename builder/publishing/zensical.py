"""The site composed for Zensical: `python -m builder.publishing.zensical FOLDER` writes the root
page, which leads to the languages, and each language, each into a folder of its own."""

import sys
from pathlib import Path

from builder.content.paths import DOCS, LANGUAGES, read_text
from builder.content.snippets import write
from builder.publishing import configuration, verdict_table
from builder.publishing.compose import Composer


def compose(folder: Path) -> None:
    """Compose all into a folder. Raises Mistake."""
    for lang in LANGUAGES:
        Composer(lang, folder / lang, own_search=False).compose()
    root = folder / "root"
    config = configuration.for_folder(configuration.read("mkdocs.yml"), root)
    del config["nav"]  # it is the languages'
    write(root / "mkdocs.yml", configuration.as_yaml(config))
    write(root / "docs" / "index.md", read_text(DOCS / "root" / "index.md"))
    write(root / "docs" / "verdicts.json", verdict_table.as_json())


if __name__ == "__main__":
    compose(Path(sys.argv[1]).absolute())
