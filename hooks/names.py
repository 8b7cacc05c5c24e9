"""Let a long name in a table break between its words, so that a phone shows every column."""

import re
from typing import Any

CELL = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
BREAK = re.compile(r"(?<=[^_>]_)(?=\w)|(?<=[.=(])(?=[A-Za-z_])|(?<=[a-z])(?=[A-Z])")
CODE = re.compile(r"<code>[^<]*</code>")


def on_page_content(html: str, **_: Any) -> str:
    return CELL.sub(lambda cell: CODE.sub(_breakable, cell[0]), html)


def _breakable(code: re.Match) -> str:
    return BREAK.sub("<wbr>", code[0])
