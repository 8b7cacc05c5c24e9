"""The extension gives the HTML of a page what the stylesheet and a phone need."""

import pytest
from bs4 import BeautifulSoup
from markdown import Markdown
from mkdocs.utils.yaml import yaml_load

from builder.content.paths import ROOT
from builder.publishing.markup import Markup

CONFIG = yaml_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["markdown_extensions"]
TWICE = "def a():\n    x = 1\n\n    return x\n\n\nb = a()\n"

# By rule a program, the names that it has in the class ctx, its gaps and the lines of its height.
PROGRAMS = {
    "every name ctx has its class": ("def f(ctx):\n    ctx.x = ctx.y", 3, 0, "2"),
    "a name that holds ctx has none": ("ctx1 = my_ctx = a.ctxs", 0, 0, "1"),
    "neither a text nor a comment has one": ('a = "ctx"  # ctx', 0, 0, "1"),
    "two blank lines at the top level are two gaps, each half a line": (TWICE, 0, 2, "6"),
    "each pair of blank lines is one": ("a = 1\n\n\nb = 1\n\n\nc = 1", 0, 4, "5"),
    "a single blank line is a line": ("a = 1\n\nb = 1", 0, 0, "3"),
    "blank lines within a definition are lines": ("def f():\n    a\n\n\n    b", 0, 0, "5"),
    "blank lines within a text at the left are gaps too": ('a = """\n\n\n"""', 0, 2, "3"),
}

# By rule Markdown, and its HTML.
NAMES = {
    "a long name in a text may break between words": (
        "`torch.autograd.graph.saved_tensors_hooks`",
        "<p><code>torch.<wbr>autograd.<wbr>graph.<wbr>saved_<wbr>tensors_<wbr>hooks</code></p>",
    ),
    "a name in camel case may break before a capital": (
        "`CustomFunctionHigherOrderOperator`",
        "<p><code>Custom<wbr>Function<wbr>Higher<wbr>Order<wbr>Operator</code></p>",
    ),
    "a shorter name in a text stays as it is": (
        "`torch.autograd.Function.apply`",
        "<p><code>torch.autograd.Function.apply</code></p>",
    ),
    "underscores in a row stay together": (
        "`__torch_function_of_the_subclass`",
        "<p><code>__torch_<wbr>function_<wbr>of_<wbr>the_<wbr>subclass</code></p>",
    ),
    "underscores at the end of a name stay together": (
        "`torch.Tensor.square.__original_name__`",
        "<p><code>torch.<wbr>Tensor.<wbr>square.<wbr>__original_<wbr>name__</code></p>",
    ),
    "short code with a blank or a hyphen stays on one line": (
        "`(x,) =` and `-1`",
        '<p><code class="whole">(x,) =</code> and <code class="whole">-1</code></p>',
    ),
    "longer code with a blank may break there": (
        "`x = torch.ones(2, 3)+1`",
        "<p><code>x = torch.ones(2, 3)+1</code></p>",
    ),
    "a name in bold breaks from 24 characters on": (
        "**`set_materialize_gradients`** and **`set_materialize_grads`**",
        "<p><strong><code>set_<wbr>materialize_<wbr>gradients</code></strong> and "
        "<strong><code>set_materialize_grads</code></strong></p>",
    ),
    "a name in a link breaks from 24 characters on": (
        "[torch.autograd.gradcheck](a)",
        '<p><a href="a">torch.<wbr>autograd.<wbr>gradcheck</a></p>',
    ),
    "words of a text may break at blanks only": (
        "an_uncommonly_long_name_of_nothing",
        "<p>an_uncommonly_long_name_of_nothing</p>",
    ),
}

# By rule the cell of a table, and its HTML.
CELLS = {
    "a name of 30 characters is whole": (
        "`torch.autograd.graph.save_on_x`",
        '<code class="whole">torch.autograd.graph.save_on_x</code>',
    ),
    "a name of 31 may break": (
        "`torch.autograd.graph.save_on_xy`",
        "<code>torch.<wbr>autograd.<wbr>graph.<wbr>save_<wbr>on_<wbr>xy</code>",
    ),
    "signs count as one character each": (
        "`a<b and b<c and c<d and d<e`",
        '<code class="whole">a&lt;b and b&lt;c and c&lt;d and d&lt;e</code>',
    ),
    "a note stays with its word": ("2.13 ¹", "2.13\xa0¹"),
}

# By rule a table in Markdown, and whether its rows are cards and whether keys can scroll it.
TABLES = {
    "a table of two columns has cards": ("| a | b |\n|---|---|\n| 1 | 2 |", True, False),
    "a table of three columns has cards": (
        "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |",
        True,
        False,
    ),
    "a comparison has four columns": (
        "| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |",
        False,
        True,
    ),
    "a comparison may be marked as one": (
        '<div class="compared" markdown>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n</div>',
        False,
        True,
    ),
    "a comparison with a link is reached by key without more": (
        "| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | [4](e) |",
        False,
        False,
    ),
}


def converted(text: str) -> tuple[BeautifulSoup, Markdown]:
    """The HTML of Markdown, and what made it."""
    md = Markdown(extensions=[*CONFIG, Markup()], extension_configs=CONFIG)
    return BeautifulSoup(md.convert(text), "html.parser"), md


@pytest.mark.parametrize(("code", "ctx", "gaps", "lines"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_has_classes_and_its_height(code, ctx, gaps, lines):
    soup, _ = converted(f"```python\n{code.rstrip()}\n```")
    assert [tag.get_text() for tag in soup.select(".ctx")] == ["ctx"] * ctx
    assert [tag.get_text() for tag in soup.select(".gap")] == ["\n"] * gaps
    assert soup.code["style"] == f"--lines:{lines}"
    assert soup.code.get_text().rstrip() == code.rstrip()


def test_a_gap_may_be_below_a_marked_line():
    soup, _ = converted('```python hl_lines="1"\na = 1\n\n\nb = 1\n```')
    assert len(soup.select(".gap")) == 2


@pytest.mark.parametrize(("text", "expected"), NAMES.values(), ids=NAMES)
def test_only_long_names_may_break(text, expected):
    assert converted(text)[0].decode() == expected.replace("<wbr>", "<wbr/>")


@pytest.mark.parametrize(("text", "expected"), CELLS.values(), ids=CELLS)
def test_names_in_a_table_are_whole_up_to_30_characters(text, expected):
    cell = converted(f"| a | b |\n|---|---|\n| c | {text} |")[0]("td")[1]
    assert cell.decode_contents(formatter="minimal") == expected.replace("<wbr>", "<wbr/>")


@pytest.mark.parametrize(("text", "cards", "keys"), TABLES.values(), ids=TABLES)
def test_a_table_has_cards_unless_it_is_a_comparison(text, cards, keys):
    (table,) = converted(text)[0]("table")
    assert table.has_attr("data-cards") == cards
    assert table.has_attr("tabindex") == keys
    labels = [cell.get("data-label") for cell in table("td")]
    assert labels == ([cell.get_text() for cell in table("th")] if cards else [None] * len(labels))


def test_a_table_with_cards_says_what_each_part_is():
    (table,) = converted(TABLES["a table of two columns has cards"][0])[0]("table")
    head, body = "rowgroup row columnheader columnheader", "rowgroup row cell cell"
    assert " ".join(tag["role"] for tag in [table, *table(True)]) == f"table {head} {body}"


def test_a_long_name_may_break_in_the_contents():
    _, md = converted("# Title\n\n## Open\n\n### `torch.autograd.Function.apply`")
    (title,) = md.toc_tokens
    (section,) = title["children"]
    (inner,) = section["children"]
    assert inner["name"] == "torch.<wbr>autograd.<wbr>Function.<wbr>apply"
