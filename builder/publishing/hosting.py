"""What hosts and search engines read beside the pages of a site: _headers and robots.txt."""

import base64
import hashlib
from pathlib import Path

from bs4 import BeautifulSoup

from builder.content.paths import LANGUAGES
from builder.content.snippets import write as write_file


def write(site: Path, url: str) -> str:
    """Write both, _headers as Netlify and Cloudflare Pages read it. url: the address of the site.

    Returns a Content-Security-Policy that lets the scripts of the site run and no other. Scripts in
    pages come from templates, so one page of each template has them all. Data in a script element
    is not one. Styles may be written in pages: figures and formulas have theirs.
    """
    pages = ("index.html", "404.html", *(f"{lang}/index.html" for lang in LANGUAGES))
    html = "".join((site / page).read_text(encoding="utf-8") for page in pages)
    run = 'script:not([src], [type^="application/"])'
    scripts = {script.get_text() for script in BeautifulSoup(html, "html.parser").select(run)}
    digests = (hashlib.sha256(script.encode()).digest() for script in sorted(scripts))
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    policy = (
        f"default-src 'self'; script-src 'self' {hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    others = "X-Content-Type-Options: nosniff\n  Referrer-Policy: strict-origin-when-cross-origin\n"
    write_file(site / "_headers", f"/*\n  Content-Security-Policy: {policy}\n  {others}")
    sitemaps = "".join(f"Sitemap: {url}{lang}/sitemap.xml\n" for lang in LANGUAGES)
    write_file(site / "robots.txt", f"User-agent: *\nAllow: /\n\n{sitemaps}")
    return policy
