"""The language menu and the head of a page lead to this very page in the other language: both
hold the same pages, so this needs no script and no sitemap. In the archive no address is known, and
all of this goes from the page's place in the folder."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page


def on_page_context(context: dict, *, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
    root = config.site_url.removesuffix(f"{config.theme['language']}/")
    if not config.use_directory_urls:
        root = "../"
        config.extra["scope"] = f"{context['base_url']}/../"
        page.canonical_url = None
    for alternate in config.extra["alternate"]:
        alternate["link"] = f"{root}{alternate['lang']}/{page.url}"
    if config.use_directory_urls:
        default = "" if page.is_homepage else f"en/{page.url}"
        context["default_address"] = root + default
