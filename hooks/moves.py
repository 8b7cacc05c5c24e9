"""What others link to goes on to lead somewhere: see handbook/addresses.py. A section that is gone
leaves its id and a link at the end of its page, a page that is gone one that leads on."""

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.pages import Page
from mkdocs.utils import write_file

sys.path.append(str(Path(__file__).parents[1]))

from handbook import addresses


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, **_: object) -> str:
    """Raises BuildError if the list can't be read."""
    try:
        moved = addresses.moved().get(page.url or "./", {})
    except addresses.AddressError as error:
        raise BuildError(str(error)) from None
    return html + addresses.links(page.url, moved, config.extra["moved"])


def on_post_build(config: MkDocsConfig) -> None:
    if not config.use_directory_urls:  # nobody links into an archive
        return
    for url, moved in addresses.moved().items():
        file = Path(config.site_dir) / url / "index.html"
        if not file.exists():
            text = addresses.gone(url, moved, config.theme["language"], config.extra["moved"])
            write_file(text.encode(), str(file))
