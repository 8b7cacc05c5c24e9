"""The language menu and the head of a page lead to this very page in the other language: both
hold the same pages, so this needs no script and no sitemap."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page


def on_page_context(context: dict, *, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
    root = config.site_url.removesuffix(f"{config.theme['language']}/")
    for alternate in config.extra["alternate"]:
        alternate["link"] = f"{root}{alternate['lang']}/{page.url}"
    default = "" if page.is_homepage else f"en/{page.url}"
    context["default_address"] = root + default
