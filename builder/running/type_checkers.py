"""What mypy and pyright report of the programs of practice/types, as the page includes it from
docs/tables/types. `make types` has kept in .cache/types what they print, their version first."""

import html
import re
import zlib

from builder.content import snippets
from builder.content.paths import CACHE, TABLES


def write() -> None:
    """Write what is reported of each program by line of code, and a number for each one's text."""
    checkers = "mypy", "mypy --strict", "pyright"
    printed = {name: (CACHE / "types" / name).read_text(encoding="utf-8") for name in checkers}
    mypy, strict, pyright = (f"{name} {text.split()[1]}" for name, text in printed.items())
    numbers = ""
    for program in map(snippets.read, snippets.paths("practice/types")):
        stem, lines = program.path.stem, program.code.splitlines()
        numbers += f"{stem} {zlib.crc32(program.code.encode())}\n"
        report = rf"(?ms)/{stem}\.py:(\d+)[: \d-]+error: (.+?)\s+[\[(]([\w-]+)[\])]$"
        cells = {}  # by line, one of mypy and one of pyright
        for checker, text in printed.items():
            for line, message, rule in re.findall(report, text):
                words = re.sub(r"([*_|])", r"\\\1", html.escape(message, quote=False))
                words = f"{'<br>'.join(map(str.strip, words.splitlines()))} `{rule}`"
                cell = cells.setdefault(int(line), ([], []))[checker == "pyright"]
                if words not in cell:  # --strict repeats what mypy reports anyway
                    cell.append(f"`--strict`: {words}" if "--strict" in checker else words)
        table = [f"| {stem.replace('-', '_')}.py | {mypy} | {pyright} |", "|---|---|---|"]
        for line, reports in sorted(cells.items()):
            row = " | ".join("<br>".join(cell) or "–" for cell in reports)
            table.append(f"| `{lines[line - 1].strip()}` | {row} |")
        if not cells:
            table = [f"{mypy}: 0 · {strict}: 0 · {pyright}: 0", "{ .differs }"]
        snippets.write(TABLES / f"types/{stem}.md", "\n".join(table) + "\n")
    snippets.write(TABLES / "types/programs.txt", numbers)
