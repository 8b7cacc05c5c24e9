"""What a reader does in a browser: chooses a language or the dark scheme; and what axe finds there."""

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def choose_language(page: Page, lang: str) -> None:
    page.locator(f".md-header__language[hreflang={lang}]").click()


def choose_dark(page: Page) -> None:
    for _ in range(2):  # from "as the system" over light to dark
        page.locator("label.md-header__button[for^=__palette]:visible").click()
    assert scheme(page) == "slate"


def scheme(page: Page) -> str:
    return page.locator("body").get_attribute("data-md-color-scheme")


def axe_problems(page: Page) -> Iterator[str]:
    """What axe finds on a page."""
    result = Axe().run(page).response
    assert result["passes"], "axe has checked nothing"
    for rule in result["violations"]:
        for node in rule["nodes"]:
            yield f"{rule['id']}: {rule['help']}: {node['html'][:100]}"
