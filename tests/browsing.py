"""What a reader does in a browser: follows a link, chooses a language or the dark scheme; and what
is looked at there."""

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PAGE_WIDTH = "document.documentElement.scrollWidth"

FOLLOW_A_LINK = """async address => {
  const title = document.querySelector("article h1")
  const link = document.body.appendChild(document.createElement("a"))
  link.href = address
  link.click()
  link.remove()
  const isLoading = () => title.isConnected
    || [...document.querySelectorAll("link[rel=stylesheet]")].some(link => !link.sheet)
  for (let wait = 0; wait < 1000 && isLoading(); wait++) await new Promise(r => setTimeout(r, 5))
  await new Promise(r => requestAnimationFrame(() => setTimeout(r)))
}"""


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
    found = Axe().run(page).response
    assert found["passes"], "axe has checked nothing"
    for rule in found["violations"]:
        for node in rule["nodes"]:
            yield f"{rule['id']}: {rule['help']}: {node['html'][:100]}"
