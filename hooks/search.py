"""Let readers find what they search for: see handbook/search.py."""

import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.pages import Page

sys.path.append(str(Path(__file__).parents[1]))

from handbook import search

_ATTRIBUTE = re.compile(r'\s?data-search-\w+="[^"]+"')


def on_page_content(html: str, **_: object) -> str:
    """Keep the letters in pictures out of the index; `_coloured` takes the attribute off again."""
    return html.replace("<svg ", '<svg data-search-exclude="1" ')


@event_priority(100)
def _plain(_: object, *, page: Page, **__: object) -> None:
    page.coloured = page.content
    page.content = search.plain(page.content)


@event_priority(-100)
def _coloured(_: object, *, page: Page, **__: object) -> None:
    page.content = _ATTRIBUTE.sub("", page.coloured)


on_page_context = CombinedEvent(_plain, _coloured)


def on_post_build(config: MkDocsConfig) -> None:
    search.mend(Path(config.site_dir))
