"""The addresses that others may link to: every page and section, in docs/addresses.txt, the same in
both languages. None is ever taken off: `old -> new` says where one went.

`make addresses` adds those that are new.
"""

import sys

from mkdocs.utils import get_relative_url

from handbook import pages
from handbook.places import DOCS, LANGUAGES, shown
from handbook.snippets import write

FILE = DOCS / "addresses.txt"


class AddressError(Exception):
    """A line of the list that can't be read; says file, line and remedy."""


def listed() -> dict[str, str]:
    """By address where it leads now: to itself, or where the line says. Raises AddressError."""
    found = {}
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), 1):
        old, arrow, new = line.partition(" -> ")
        if not old or old in found or (arrow and not new) or " " in old + new:
            where = f"{shown(FILE)}:{number}"
            raise AddressError(f"{where}: {line!r}: write each address once, or `old -> new`")
        found[old] = new or old
    return found


def moved() -> dict[str, dict[str, str]]:
    """By address of a page, the ids that went from it, each with its new address; '' is itself."""
    found: dict[str, dict[str, str]] = {}
    for old, new in listed().items():
        if old != new:
            page, _, identifier = old.partition("#")
            found.setdefault(page, {})[identifier] = new
    return found


def there(lang: str) -> list[str]:
    """The addresses that the pages of a language have now, as from docs/<lang>/."""
    return [
        (pages.url(uri, "") or "./") + (f"#{identifier}" if level > 1 else "")
        for uri, page in pages.pages(lang).items()
        if not page.problem
        for level, identifier, _ in page.headings
        if level == 1 or identifier
    ]


def links(url: str, moved: dict[str, str], words: str) -> str:
    """What stands on a page for what went from it, by its old ids; words: what a link says."""
    return "".join(
        f'<p class="moved" id="{identifier}">'
        f'<a href="{get_relative_url(new, url)}">{words.format(address=new)}</a></p>\n'
        for identifier, new in moved.items()
    ).replace(' id=""', "")


def gone(url: str, moved: dict[str, str], lang: str, words: str) -> str:
    """The page that stands where one is gone: a script goes on at once, without one there are
    links."""
    assets = get_relative_url("assets", url)
    return f"""<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>{url}</title>
<link rel="stylesheet" href="{assets}/plain.css">
<script src="{assets}/moved.js" defer></script>
<main>
{links(url, moved, words)}</main>
"""


def main() -> None:
    known = FILE.read_text(encoding="utf-8").splitlines()
    new = sorted({*there(LANGUAGES[0])} - listed().keys())
    write(FILE, "".join(f"{line}\n" for line in sorted([*known, *new])))
    print(f"{len(new)} addresses added, {len(known)} stood")


if __name__ == "__main__":
    try:
        main()
    except AddressError as error:
        sys.exit(str(error))
