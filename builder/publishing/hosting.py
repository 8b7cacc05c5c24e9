"""What hosts and search engines read beside the pages of a site: _headers and robots.txt."""

import base64
import hashlib
from pathlib import Path

from bs4 import BeautifulSoup

from builder.content.paths import LANGUAGES


def policy(site: Path) -> str:
    """A Content-Security-Policy that lets the scripts of the site run and no other. Styles may
    be written in pages: figures and formulas have theirs.

    Scripts in pages come from templates, so one page of each template has them all. Data in a
    script element is not one.
    """
    scripts = set()
    for name in ("index.html", "404.html", *(f"{lang}/index.html" for lang in LANGUAGES)):
        soup = BeautifulSoup((site / name).read_text(encoding="utf-8"), "html.parser")
        for script in soup.find_all("script", src=False):
            if not script.get("type", "").startswith("application/"):
                scripts.add(script.get_text())
    digests = (hashlib.sha256(script.encode()).digest() for script in sorted(scripts))
    hashes = (f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    allowed = " ".join(["'self'", *hashes])
    return (
        f"default-src 'self'; script-src {allowed}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def write(site: Path, url: str) -> str:
    """Write all of them, _headers as Netlify and Cloudflare Pages read it.

    Returns the policy. url: the address of the whole site.
    """
    scripts = policy(site)
    (site / "_headers").write_text(
        f"/*\n  Content-Security-Policy: {scripts}\n  X-Content-Type-Options: nosniff\n"
        "  Referrer-Policy: strict-origin-when-cross-origin\n",
        encoding="utf-8",
    )
    sitemaps = "".join(f"Sitemap: {url}{lang}/sitemap.xml\n" for lang in LANGUAGES)
    robots = f"User-agent: *\nAllow: /\n\n{sitemaps}"
    (site / "robots.txt").write_text(robots, encoding="utf-8")
    return scripts
