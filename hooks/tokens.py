"""Leave the words of programs that have no colour of their own unwrapped: of the elements in the
programs of a page, that is more than a third."""

import re
from typing import Any

PLAIN = re.compile(r'<span class="(?:[nw]">([^<]*)|o">(\.))</span>')
"""Names and white space, as Pygments calls them, and the dot before an attribute."""


def on_post_page(output: str, **_: Any) -> str:
    return PLAIN.sub(r"\1\2", output)
