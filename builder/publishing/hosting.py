"""What hosts and search engines read beside the pages of a site: _headers and robots.txt."""

import base64
import hashlib
import re
from pathlib import Path

from builder.content.paths import LANGUAGES
from builder.content.snippets import write as write_file


def write(site: Path, url: str) -> str:
    """Write both, _headers as Netlify and Cloudflare Pages read it. url: the address of the site.

    Returns a Content-Security-Policy that lets the scripts of the site run and no other. Scripts in
    pages come from templates, so one page of each template has them all. A script element with a
    type is data. Styles may be written in pages: figures and formulas have theirs.
    """
    pages = ("index.html", "404.html", *(f"{lang}/index.html" for lang in LANGUAGES))
    html = "".join((site / page).read_text(encoding="utf-8") for page in pages)
    scripts = sorted({*re.findall("<script>(.*?)</script>", html, re.DOTALL)})
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
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
