"""The addresses that others may link to: every page and section, in docs/addresses.txt, the same in
both languages. One that is on the branch main is never removed: `old -> new` says where it moved.

`make record` updates the list.
"""

import subprocess

from mkdocs.utils import get_relative_url

from handbook import pages
from handbook.places import DOCS, LANGUAGES, ROOT, shown
from handbook.snippets import write

FILE = DOCS / "addresses.txt"


def listed() -> dict[str, str]:
    """By address where it leads now: to itself, or where the line says."""
    found = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        old, _, new = line.partition(" -> ")
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


def gone(url: str, moved: dict[str, str], lang: str, words: str) -> str:
    """The page at an address that is gone: a script opens the new one, and there are links.

    moved: by id of the old page where it is now; words: what a link says.
    """
    assets = get_relative_url("assets", url)
    links = "".join(
        f'<p class="moved" id="{identifier}">'
        f'<a href="{get_relative_url(new, url)}">{words.format(address=new)}</a></p>\n'
        for identifier, new in moved.items()
    ).replace(' id=""', "")
    return f"""<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>{url}</title>
<link rel="stylesheet" href="{assets}/plain.css">
<script src="{assets}/moved.js" defer></script>
<main>
{links}</main>
"""


def published() -> set[str]:
    """The addresses listed on the branch main; without git or main, all that are listed here."""
    command = ["git", "show", f"main:./{shown(FILE)}"]
    try:
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    except (OSError, subprocess.CalledProcessError):
        return {*listed()}
    return {line.partition(" -> ")[0] for line in done.stdout.splitlines()}


def update() -> None:
    """Add new addresses to the list, and remove those that are gone and were not published."""
    known, current = FILE.read_text(encoding="utf-8").splitlines(), {*there(LANGUAGES[0])}
    kept = published() | current
    lines = {line for line in known if line in kept or " -> " in line}
    lines = sorted(lines | (current - listed().keys()))
    if lines != known:
        write(FILE, "".join(f"{line}\n" for line in lines))
        print(f"{shown(FILE)}: {len(known)} addresses before, {len(lines)} now")
