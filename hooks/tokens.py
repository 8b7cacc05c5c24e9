"""Leave the words of programs that have no colour of their own unwrapped: a third of what a
browser has to lay out on a page with many programs."""

import re
from typing import Any

PLAIN = re.compile(r'<span class="[nw]">([^<]*)</span>')
"""Names and white space, as Pygments calls them."""


def on_post_page(output: str, **_: Any) -> str:
    return PLAIN.sub(r"\1", output)
