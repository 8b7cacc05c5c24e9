"""Every internal link of the built site leads to a page, and to an anchor that is on it."""

from __future__ import annotations

import functools
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from conftest import Site


class Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[str, int]] = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if given.get("id"):
            self.ids.add(given["id"])
        if tag == "a" and given.get("name"):
            self.ids.add(given["name"])
        target = given.get("href") if tag in ("a", "link") else given.get("src")
        if target:
            self.links.append((target, self.getpos()[0]))


@functools.cache
def anchors(file: Path) -> Anchors:
    parser = Anchors()
    parser.feed(file.read_text(encoding="utf-8"))
    return parser


def file_at(site: Site, path: str) -> Path:
    """What a plain host serves at a path."""
    file = site.host_folder / unquote(path).lstrip("/")
    return file / "index.html" if path.endswith("/") else file


def test_every_internal_link_leads_somewhere(site):
    problems = []
    host = urlsplit(site.url).netloc
    for file in site.html():
        url_path = "/" + file.relative_to(site.host_folder).as_posix().removesuffix("index.html")
        here = urljoin(site.url, url_path)
        for target, line in anchors(file).links:
            address = urlsplit(urljoin(here, target))
            if address.netloc != host or address.scheme not in ("http", "https"):
                continue
            destination = file_at(site, address.path)
            where = f"{file.relative_to(site.folder)}:{line}: {target!r}"
            if not destination.is_file():
                problems.append(f"{where} leads to no file")
            elif address.fragment and destination.suffix == ".html":
                wanted = unquote(address.fragment)
                if wanted not in anchors(destination).ids and not wanted.startswith("__"):
                    problems.append(f"{where}: that page has no #{wanted}")
    assert not problems, "\n".join(problems)


def test_a_missing_page_is_answered_in_both_languages(site):
    text = (site.folder / "404.html").read_text(encoding="utf-8")
    for lang in ("zh", "en"):
        assert f'href="{site.base}{lang}/"' in text, f"404.html does not lead to {lang}"
        assert f'lang="{lang}"' in text
