"""README and CONTRIBUTING say the same in both languages: the same sections, commands and files."""

import re

import pytest
from problems import differing, report

from builder.content.paths import ROOT


def outline(file: str) -> list[str]:
    """The levels of headings, the commands and the code between backticks, in order.

    Code that holds Chinese is left out: it differs.
    """
    text = re.sub(r"```\w*\n", "", (ROOT / file).read_text("utf-8"))
    pattern = r"(?m)^(#+) |^\$ ([^#\n]*?) *(?:#.*)?$|`([^`\n]+)`"
    pieces = ("".join(groups) for groups in re.findall(pattern, text))
    return [piece for piece in pieces if not re.search("[一-鿿]", piece)]


@pytest.mark.parametrize("name", ["README", "CONTRIBUTING"])
def test_both_languages_have_the_same_sections_and_commands(name):
    english, chinese = f"{name}.md", f"{name}.zh.md"
    report(differing(f"{english}, beside {chinese}", outline(english), outline(chinese)))
