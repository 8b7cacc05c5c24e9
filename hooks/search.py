"""Make the index of the search from what the search plugin reads in the pages: see
handbook/search.py."""

import json
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.pages import Page

sys.path.append(str(Path(__file__).parents[1]))

from handbook import search

_ATTRIBUTE = re.compile(r'\s?data-search-\w+="[^"]+"')
_COLOUR = re.compile(r"</?(?:span|a)\b[^>]*>")
_PRE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_HEADING_THAT_FOLDS = re.compile(
    r'<details class="difference">\s*<summary>\s*(<h3.*?</h3>)\s*</summary>', re.DOTALL
)
_BETWEEN_CELLS = re.compile(r"(?:</t[hd]>\s*<t[hd]\b[^>]*>\s*)+")
_BETWEEN_LABELS = re.compile(r"</label>\s*<label\b[^>]*>")


def on_config(config: MkDocsConfig) -> None:
    """Have pages name our worker; a build without this hook has no index for it."""
    config.extra["search_worker"] = "assets/search/worker.js"


def on_page_content(html: str, **_: object) -> str:
    """Keep the letters in pictures out of the index; `_coloured` takes the attribute off again."""
    return html.replace("<svg ", '<svg data-search-exclude="1" ')


def plain(content: str) -> str:
    """A page as the plugin should read it. It parses every tag, and most of them colour programs.
    A section ends with the element that its heading is in, so a heading leaves its summary. Table
    cells and the labels of tabs need something between them; a row is a paragraph."""
    content = _HEADING_THAT_FOLDS.sub(r"\1", content)
    content = _BETWEEN_LABELS.sub(" · ", _BETWEEN_CELLS.sub(" · ", content))
    content = content.replace("</tr>", "</p></tr>").replace("<br>", " ")
    content = re.sub(r"<tr\b[^>]*>", r"\g<0><p>", content)
    return _PRE.sub(lambda program: _COLOUR.sub("", program[0]), content)


@event_priority(100)
def _plain(_: object, *, page: Page, **__: object) -> None:
    page.coloured = page.content
    page.content = plain(page.content)


@event_priority(-100)
def _coloured(_: object, *, page: Page, **__: object) -> None:
    page.content = _ATTRIBUTE.sub("", page.coloured)


on_page_context = CombinedEvent(_plain, _coloured)


def on_post_build(config: MkDocsConfig) -> None:
    site_dir = Path(config.site_dir)
    text = (site_dir / "search" / "search_index.json").read_text(encoding="utf-8")
    index = json.loads(text)
    search.write(site_dir, index["config"], index["docs"])
