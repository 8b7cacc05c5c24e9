"""From every page a link to report a mistake, with the page, the pinned torch and the page's programs
filled in; where the repository is known and on GitHub."""

import sys
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

sys.path.append(str(Path(__file__).parents[1]))

from handbook import pages
from handbook.places import pinned

BODY = """Page: {address}
Program (leave the one): {programs}
torch: {torch} (what does yours say? print(torch.__version__))

What the page says:

What your machine prints:
"""


def on_page_context(context: dict, *, page: Page, config: MkDocsConfig, **_: object) -> None:
    if urlsplit(config.repo_url or "").netloc != "github.com":
        return
    programs = ", ".join(
        name.removesuffix(".md") for name in pages.programs(page.file.content_string)
    )
    url = pages.url(page.file.src_uri, "")
    address = f"{config.site_url}{url}"
    body = BODY.format(address=address, programs=programs or "none", torch=pinned("torch"))
    query = urlencode({"title": f"Mistake on {url or 'the start page'}", "body": body})
    context["report_address"] = f"{config.repo_url.rstrip('/')}/issues/new?{query}"
