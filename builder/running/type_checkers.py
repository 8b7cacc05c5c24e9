"""What mypy and pyright report of the programs of practice/types, as the page includes it from
docs/tables/types. `make types` has kept in .cache/types what they print, their version first."""

import html
import re
import zlib

from builder.content import snippets
from builder.content.paths import CACHE, TABLES

CHECKERS = "mypy", "mypy --strict", "pyright"
_REPORT = re.compile(r"(?ms)([\w-]+)\.py:(\d+)[: \d-]+error: (.+?)\s+[\[(]([\w-]+)[\])]$")


def write() -> None:
    """Write what is reported of each program by line of code, and a number for each one's text."""
    printed = {one: (CACHE / "types" / one).read_text(encoding="utf-8") for one in CHECKERS}
    mypy, strict, pyright = (f"{one} {text.split()[1]}" for one, text in printed.items())
    numbers = ""
    for program in snippets.fit("practice/types"):
        name, lines = program.path.stem, program.code.splitlines()
        numbers += f"{name} {zlib.crc32(program.code.encode())}\n"
        rows = {}
        for checker, text in printed.items():
            for _, line, message, rule in (one for one in _REPORT.findall(text) if one[0] == name):
                words = re.sub(r"([*_|])", r"\\\1", html.escape(message, quote=False))
                words = f"{'<br>'.join(map(str.strip, words.splitlines()))} `{rule}`"
                cell = rows.setdefault(int(line), ([], []))[checker == "pyright"]
                if words not in cell:  # --strict repeats what mypy reports anyway
                    cell.append(f"`--strict`: {words}" if "--strict" in checker else words)
        head = f"| {name.replace('-', '_')}.py | {mypy} | {pyright} |"
        nothing = [f"{mypy}: 0 · {strict}: 0 · {pyright}: 0", "{ .differs }"]
        made = [head, "|---|---|---|"] if rows else nothing
        for line, cells in sorted(rows.items()):
            found = " | ".join("<br>".join(cell) or "–" for cell in cells)
            made.append(f"| `{lines[line - 1].strip()}` | {found} |")
        snippets.write(TABLES / f"types/{name}.md", "\n".join(made) + "\n")
    snippets.write(TABLES / "types/programs.txt", numbers)
