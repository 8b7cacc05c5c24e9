"""A page as a notebook keeps what its author wrote, in the Markdown that notebooks know."""

import pytest
from nbformat import NotebookNode

from builder.content import snippets
from builder.content.pages import Page
from builder.publishing import notebooks

SITE = "https://example.org/en/"

# By rule the text of the page learn/a/index.md, and its cell.
PROSE = {
    "a heading has no attributes": ("# One { #one }\n\ntext", "# One\n\ntext"),
    "an element has no attributes": (
        'A **b**{ .wrong #id }, [c](https://c.org){ .go title="c d" }\n{: .facts }',
        "A **b**, [c](https://c.org)",
    ),
    "braces that hold no attributes stay": ("`{x}`, `{1, 2}`, `{'a': b}`, `{}`",) * 2,
    "a tab is its title in bold and what it holds": (
        '=== "A `b`"\n\n    one\n\n    - two\n      more\n\n=== "C"\n\n    three\n\nafter',
        "**A `b`**\n\none\n\n- two\n  more\n\n**C**\n\nthree\n\nafter",
    ),
    "folded exceptions are open": (
        'Text.\n\n??? exceptions "Exceptions: x"\n\n    - **x**: y\n\n## Z { #z }',
        "Text.\n\n**Exceptions: x**\n\n- **x**: y\n\n## Z",
    ),
    "a definition is below its term, which is bold": (
        "`x`\n:   what it is\n\n**y**\n:   what\n",
        "**`x`**  \nwhat it is\n\n**y**  \nwhat",
    ),
    "a block of the site leaves what it holds": (
        '<div class="compared" markdown>\n\n- one\n\n</div>\n\nafter',
        "- one\n\nafter",
    ),
    "a link within the site is absolute": (
        "[a](../b.md), [c](#d), [`e`](../../index.md#f), [g](index.md)",
        f"[a]({SITE}learn/b/), [c]({SITE}learn/a/#d), [`e`]({SITE}#f), [g]({SITE}learn/a/)",
    ),
    "a link after an exclamation mark is a link": ("[Stop!](../b.md)", f"[Stop!]({SITE}learn/b/)"),
    "code stays as it is": ("`f[grid](x)` and `{ .x }` and `{ }`",) * 2,
    "a link out of the site stays": ("[a](https://b.org/c.md), [d](mailto:e@f.org)",) * 2,
    "empty lines are one": ("a\n\n\n\nb\n\n", "a\n\nb"),
    "code outside a tab keeps its blanks": ("a\n\n    b = 1",) * 2,
    "a formula is its LaTeX": ('a\n\n--8<-- "f.tex"', "a\n\n$$\nx < 1\n$$"),
    "a table in a tab is a table": (
        '=== "A"\n\n    --8<-- "t.md"\n\nafter',
        "**A**\n\n| a |\n|---|\n\nafter",
    ),
    "a figure is an attached picture and its caption": (
        '<figure aria-label="a graph">\n--8<-- "p.svg"\n<figcaption>It</figcaption>\n</figure>',
        "![a graph](attachment:p.svg)\n\n*It*",
    ),
    "recorded steps are their table, without the data of the player": (
        '--8<-- "one.steps.html"',
        "<div>\n<table><tr><td><code>a | b</code></td></tr></table>\n</div>",
    ),
}

# A page with programs, the sources of its cells but the second, and its copy in Markdown.
PAGE = {
    "text": '---\na: b\n---\n# A\n\n=== "T"\n\n    --8<-- "one.md"\n\n    in\n\n--8<-- "two.md"\nend',
    "cells": [
        "From the site.",
        "# A\n\n**T**",
        "x = 1\nprint(x)",
        "in",
        'print("two")',
        "end",
    ],
    "copy": """\
In place of it.

# A

**T**

```python
x = 1
print(x)
```

```text
1
```

in

```python
print("two")
```

```text
two
```

end
""",
}

FILES = {
    "snippets/one.md": snippets.text_of("x = 1\nprint(x)\n", "1\n"),
    "snippets/two.md": snippets.text_of('print("two")\n', "two\n"),
    "snippets/three.md": snippets.text_of("import helper\nprint(3)\n", "3\n"),
    "snippets/four.md": snippets.text_of("import helper\nprint(4)\n", "4\n"),
    "snippets/helper.py": "x = 1\n",
    "snippets/another.py": "x = 1\n",
    "snippets/one.steps.html": (
        "<div>\n<table><tr><td><code>a | b</code></td></tr></table>\n"
        '<template>[{"line": 1},\n{"line": 2}]</template>\n</div>\n'
    ),
    "tables/t.md": "| a |\n|---|\n",
    "formulas/f.tex": "x < 1\n",
    "pictures/p.svg": "<svg><text>a</text></svg>",
}
"""All that there is to include."""


@pytest.fixture
def composed(included):
    """The notebook of a page that has a text."""

    def compose(text: str) -> NotebookNode:
        included(FILES)
        page = Page("en", "learn/a/index.md", text)
        return notebooks.compose(page, {"releases": {}}, SITE, "From the site.")

    return compose


@pytest.mark.parametrize(("text", "expected"), PROSE.values(), ids=PROSE)
def test_prose_is_one_cell_below_the_heading(composed, text, expected):
    assert [cell.source for cell in composed(text).cells] == ["From the site.", expected]


def test_programs_are_numbered_cells_after_one_that_installs_torch(composed):
    cells = composed(PAGE["text"]).cells
    install = cells.pop(1)
    assert install.source.startswith("%pip install --quiet torch==")
    assert [cell.source for cell in cells] == PAGE["cells"]
    numbers = [cell.execution_count for cell in cells if cell.cell_type == "code"]
    assert numbers == [1, 2] and install.execution_count is None
    assert cells[2].outputs == [{"output_type": "stream", "name": "stdout", "text": "1\n"}]


def test_a_module_is_written_once_above_the_first_program_that_imports_it(composed):
    book = composed('--8<-- "three.md"\n--8<-- "four.md"')
    _, _, module, *programs = [cell.source for cell in book.cells]
    assert module == "%%writefile helper.py\nx = 1"
    assert programs == ["import helper\nprint(3)", "import helper\nprint(4)"]
    assert "writefile" not in notebooks.as_markdown(book, "A")


def test_a_copy_in_markdown_has_fences_and_nothing_that_installs(composed):
    assert notebooks.as_markdown(composed(PAGE["text"]), "In place of it.") == PAGE["copy"]


def test_a_copy_in_markdown_has_the_words_for_an_attached_picture(composed):
    book = composed(PROSE["a figure is an attached picture and its caption"][0])
    assert notebooks.as_markdown(book, "A") == "A\n\n(a graph)\n\n*It*\n"
