"""What hosts and machines read beside the pages of a site: _headers, robots.txt, llms.txt."""

import base64
import hashlib
from html.parser import HTMLParser
from pathlib import Path

from mkdocs.exceptions import BuildError

from handbook import pages, parts
from handbook.places import LANGUAGES


class _Scripts(HTMLParser):
    """The scripts that are written in a page. Data in a script element is not one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_data = (given.get("type") or "").startswith("application/")
        self._inside = tag == "script" and "src" not in given and not is_data
        if self._inside:
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[-1] += data


def inline_scripts(site: Path) -> list[str]:
    """The scripts that are written in pages, each once. They come from templates, so one page of
    each template has them all."""
    pages = [
        site / "index.html",
        site / "404.html",
        *(site / lang / "index.html" for lang in LANGUAGES),
    ]
    return sorted({text for page in pages for text in _Scripts(page.read_text("utf-8")).texts})


def policy(site: Path) -> str:
    """A Content-Security-Policy that lets the scripts of the site run and no other. Styles may
    be written in pages: figures and formulas have theirs."""
    hashes = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in inline_scripts(site)
    )
    allowed = " ".join(["'self'", *(f"'sha256-{one}'" for one in hashes)])
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src {allowed}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )


def headers(site: Path) -> str:
    """The file _headers, as Netlify and Cloudflare Pages read it; for others, what to set."""
    lines = {
        "Content-Security-Policy": policy(site),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "strict-origin-when-cross-origin",
    }
    return "/*\n" + "".join(f"  {name}: {value}\n" for name, value in lines.items())


def robots(url: str) -> str:
    """What crawlers ask for at the root of a domain."""
    sitemaps = "".join(f"Sitemap: {url}{lang}/sitemap.xml\n" for lang in LANGUAGES)
    return f"User-agent: *\nAllow: /\n\n{sitemaps}"


def llms(url: str) -> str:
    """What tools that read text look for: every page with its description, as Markdown.

    Raises BuildError if a page has no title or description.
    """
    text = ["# The ctx handbook · ctx 手册\n"]
    for lang in LANGUAGES:
        config = pages.config(lang)
        text.append(f"## {config.site_name}\n\n{config.site_description}\n")
        lines = []
        for uri in pages.navigation():
            page = pages.pages(lang).get(uri)
            if page is None:
                continue  # a link elsewhere, or MkDocs has warned
            front = page.meta
            title = parts.title(page.text)
            if not title or not front.get("description"):
                raise BuildError(f"{page.shown}:1: give the page a title and a description")
            address = f"{url}{lang}/{pages.url(uri, '')}index.md"
            lines.append(f"- [{title}]({address}): {front['description']}\n")
        text.append("".join(lines))
    return "\n".join(text)


def write(site: Path, url: str) -> str:
    """Write all of them. Returns the policy. url: the address of the whole site."""
    (site / "_headers").write_text(headers(site), encoding="utf-8")
    (site / "robots.txt").write_text(robots(url), encoding="utf-8")
    (site / "llms.txt").write_text(llms(url), encoding="utf-8")
    return policy(site)
