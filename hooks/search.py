"""Let readers find what they search for: see handbook/search.py."""

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

sys.path.append(str(Path(__file__).parents[1]))

from handbook import search


def on_page_content(html: str, **_: object) -> str:
    """Keep the letters in pictures out of the index; the theme takes the attribute off again."""
    return html.replace("<svg ", '<svg data-search-exclude="1" ')


def on_post_build(config: MkDocsConfig) -> None:
    search.mend(Path(config.site_dir))
