"""A reader's browser loads from this site alone."""

import re
from urllib.parse import urljoin, urlsplit

from documents import document
from problems import report

NAMED = {"canonical", "alternate", "prev", "next", "edit"}
"""Links of these kinds name a page; everything else that is not <a> is loaded."""

# Addresses in the theme's scripts, outside comments. Each is asked only under a condition, and
# a test, or the browser's age, sees to it that the condition is not met.
ONLY_WITH = {
    "https://unpkg.com/mermaid": 'class="mermaid',
    "https://api.github.com/": 'data-md-component="source"',
}
NEVER = {
    "https://unpkg.com/resize-observer-polyfill": "in browsers without ResizeObserver, before 2020",
    "https://bit.ly/": "part of an error message",
    "http://www.w3.org/2000/svg": "the name of a kind of element",
}


def foreign_in_css(text: str) -> list[str]:
    found = re.findall(r"""(?:url\(|@import)\s*["']?([^"')\s;]+)""", text)
    return [address for address in found if re.match(r"(?:https?:)?//", address)]


def test_no_page_loads_anything_from_another_host(site):
    problems = []
    here = {urlsplit(site.url).netloc, ""}
    for file in site.html():
        name = file.relative_to(site.folder)
        for tag in document(file).tags:
            for attribute in ("src", "href", "data", "srcset", "poster"):
                address = tag.given.get(attribute, "")
                host = urlsplit(urljoin(site.url, address)).netloc
                if tag.name != "a" and not tag.rel & NAMED and host not in here:
                    problems.append(f"{name}:{tag.line}: loads {address}")
        foreign = [a for style in document(file).styles for a in foreign_in_css(style)]
        problems += [f"{name}: a style loads {address}" for address in foreign]
        text = file.read_text(encoding="utf-8")
        for address, condition in ONLY_WITH.items():
            if condition in text:
                problems.append(f"{name}: has {condition}, so it loads {address}")
    report(problems)


def test_no_stylesheet_loads_anything_from_another_host(public):
    report(
        f"{file.relative_to(public.folder)}: loads {address}"
        for file in public.folder.rglob("*.css")
        for address in foreign_in_css(file.read_text(encoding="utf-8"))
    )


def test_every_address_in_a_script_is_known_to_stay_unasked(public):
    problems = set()
    for file in public.folder.rglob("*.js"):
        script = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        script = re.sub(r"(?m)(?:^|(?<=[\s;]))//.*$", "", script)
        for address in re.findall(r"https?://[\w./@-]+", script):
            if not address.startswith((*ONLY_WITH, *NEVER)):
                name = file.relative_to(public.folder)
                problems.add(f"{name}: {address}; see what asks it, then list it here or remove it")
    report(sorted(problems))
