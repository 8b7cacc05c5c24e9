"""README and CONTRIBUTING say the same in both languages: the same sections, commands and files."""

import re
from itertools import zip_longest

import pytest
from problems import report

from builder.content.paths import ROOT


def outline(text: str) -> list[str]:
    """The levels of headings, the commands and the code between backticks, in order.

    Code that holds Chinese is left out: it differs.
    """
    written = r"(?m)^(#+) |^\$ ([^#\n]*?) *(?:#.*)?$|`([^`\n]+)`"
    found = ("".join(groups) for groups in re.findall(written, re.sub(r"```\w*\n", "", text)))
    return [one for one in found if not re.search("[一-鿿]", one)]


@pytest.mark.parametrize("name", ["README", "CONTRIBUTING"])
def test_both_languages_have_the_same_sections_and_commands(name):
    english, chinese = (f"{name}{suffix}.md" for suffix in ("", ".zh"))
    one, other = (outline((ROOT / file).read_text("utf-8")) for file in (english, chinese))
    differing = [pair for pair in zip_longest(one, other) if pair[0] != pair[1]][:1]
    report(
        f"{english}: {ours!r}, where {chinese} has {theirs!r}; make them the same"
        for ours, theirs in differing
    )
