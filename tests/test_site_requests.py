"""A reader's browser loads from this site alone."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

LOADING = {
    "script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src",
    "audio": "src", "embed": "src", "object": "data", "track": "src", "input": "src", "image": "href",
}  # fmt: skip
LOADING_RELS = {
    "stylesheet",
    "icon",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "manifest",
    "modulepreload",
}

# Addresses in the theme's scripts, outside comments. Each is asked only under a condition, and
# a test, or the browser's age, sees to it that the condition is not met.
ONLY_WITH = {
    "https://unpkg.com/mermaid": 'class="mermaid',
    "https://api.github.com/": 'data-md-component="source"',
}
NEVER = {
    "https://unpkg.com/resize-observer-polyfill": "only in browsers without ResizeObserver, before 2020",
    "https://bit.ly/": "part of an error message",
}


class Loads(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[tuple[str, int]] = []
        self.styles: list[str] = []
        self._in_style = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        address = given.get(LOADING.get(tag, ""))
        if tag == "link" and LOADING_RELS & set((given.get("rel") or "").split()):
            address = given.get("href")
        if address:
            self.addresses.append((address, self.getpos()[0]))
        if given.get("style"):
            self.styles.append(given["style"])
        self._in_style = tag == "style"

    def handle_endtag(self, tag):
        self._in_style = False

    def handle_data(self, data):
        if self._in_style:
            self.styles.append(data)


def foreign_in_css(text: str) -> list[str]:
    found = re.findall(r"""(?:url\(|@import)\s*["']?([^"')\s;]+)""", text)
    return [address for address in found if re.match(r"(?:https?:)?//", address)]


def test_no_page_loads_anything_from_another_host(site):
    problems = []
    host = urlsplit(site.url).netloc
    for file in site.html():
        text = file.read_text(encoding="utf-8")
        loads = Loads(text)
        for address, line in loads.addresses:
            if urlsplit(urljoin(site.url, address)).netloc not in (host, ""):
                problems.append(f"{file.relative_to(site.folder)}:{line}: loads {address}")
        for style in loads.styles:
            problems += [
                f"{file.relative_to(site.folder)}: a style loads {a}" for a in foreign_in_css(style)
            ]
        for address, condition in ONLY_WITH.items():
            if condition in text:
                problems.append(
                    f"{file.relative_to(site.folder)}: has {condition}, so it loads {address}"
                )
    assert not problems, "\n".join(problems)


def test_no_stylesheet_loads_anything_from_another_host(site):
    problems = [
        f"{file.relative_to(site.folder)}: loads {address}"
        for file in site.folder.rglob("*.css")
        for address in foreign_in_css(file.read_text(encoding="utf-8"))
    ]
    assert not problems, "\n".join(problems)


def test_every_address_in_a_script_is_known_to_stay_unasked(site):
    known = (*ONLY_WITH, *NEVER)
    problems = set()
    for file in site.folder.rglob("*.js"):
        script = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        script = re.sub(r"(?m)(?:^|(?<=[\s;]))//.*$", "", script)
        for address in re.findall(r"https?://[\w./@-]+", script):
            if not address.startswith(known):
                problems.add(f"{file.relative_to(site.folder)}: {address}")
    assert not problems, (
        "addresses in scripts; see what asks them, then list them here or remove them:\n"
        + "\n".join(sorted(problems))
    )
