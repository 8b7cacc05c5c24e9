"""A page's text becomes the parts that its author wrote, and each mistake in it has its line."""

import pytest

from builder.content import parts, paths, snippets
from builder.content.parts import Figure, Heading, Include, Prose

FIGURE = '<figure aria-label="a graph">'
FIGURE_END = "<figcaption>Its caption</figcaption>\n</figure>"

# By rule a text and its parts.
PARSED = {
    "a heading has its id": (
        "## Two `words` { #two-words }",
        [Heading(2, "Two `words`", "two-words", "## Two `words` { #two-words }")],
    ),
    "a heading may have no id": ("# One", [Heading(1, "One", "", "# One")]),
    "a heading has a blank after its signs": ("#one\n##", [Prose("#one\n##")]),
    "prose ends at a heading and begins below it": (
        "One\n\ntwo\n# H\n\nthree",
        [Prose("One\n\ntwo"), Heading(1, "H", "", "# H"), Prose("\nthree")],
    ),
    "an include line names a file and ends prose": (
        'a\n--8<-- "x/y.md"\nb',
        [Prose("a"), Include("x/y.md", "", 2), Prose("b")],
    ),
    "an include line may stand at any indentation": (
        '  --8<-- "a.md"\n\t--8<-- "b.md" ',
        [Include("a.md", "  ", 1), Include("b.md", "\t", 2)],
    ),
    "an include line has nothing else": (
        'See --8<-- "a.md"\n--8<-- a.md',
        [Prose('See --8<-- "a.md"\n--8<-- a.md')],
    ),
    "a mark belongs to the include line right below it": (
        '<!-- mark: x = -->\n    <!-- mark: y --> \n    --8<-- "a.md"\n--8<-- "b.md"',
        [Include("a.md", "    ", 3, ("x =", "y")), Include("b.md", "", 4)],
    ),
    "a mark above anything else is dropped": (
        '<!-- mark: x -->\n\n--8<-- "a.md"',
        [Prose(""), Include("a.md", "", 3)],
    ),
    "a figure has its picture and the lines around it": (
        f'a\n{FIGURE}\n  --8<-- "p.svg"\n{FIGURE_END}\nb',
        [Prose("a"), Figure(FIGURE, Include("p.svg", "  ", 3), FIGURE_END), Prose("b")],
    ),
    "a figure without a picture is prose": (
        "<figure>\n<svg></svg>\n</figure>\nb",
        [Prose("<figure>\n<svg></svg>\n</figure>\nb")],
    ),
    "front matter is left out, and lines are those of the file": (
        '---\n# no: heading\n---\n# H\n--8<-- "a.md"',
        [Heading(1, "H", "", "# H"), Include("a.md", "", 5)],
    ),
}

# By rule a text, and the line and the beginning of each message.
PROBLEMS = {
    "a program with a mark that quotes a line is right": (
        '<!-- mark: y = -->\n--8<-- "a/one.md"',
        [],
    ),
    "a mark quotes how a line begins": (
        '<!-- mark: x -->\n<!-- mark: 1 -->\n--8<-- "a/one.md"',
        [(3, "no line of the program begins with '1'")],
    ),
    "a mark is right above a program": (
        '<!-- mark: x -->\n\n--8<-- "no.md"\n<!-- mark: y -->',
        [
            (1, "this mark is above no"),
            (3, "there is no docs/snippets/no.md or"),
            (4, "this mark is above no"),
        ],
    ),
    "an include line names a file that there is": (
        '---\na: b\n---\n\n--8<-- "a/two.md"',
        [
            (
                5,
                "there is no docs/snippets/a/two.md or docs/pictures/a/two.md or docs/tables/a/two.md or docs/formulas/a/two.md; correct the name",
            )
        ],
    ),
    "steps are written by a command": (
        '--8<-- "a/one.steps.html"',
        [
            (
                1,
                "there is no docs/snippets/a/one.steps.html or docs/pictures/a/one.steps.html or docs/tables/a/one.steps.html or docs/formulas/a/one.steps.html; make record writes it",
            )
        ],
    ),
    "the table of all releases is there": ('--8<-- "releases/matrix.md"', []),
    "there are two tables of releases": (
        'x\n--8<-- "releases/none-such.md"',
        [(2, "there is no docs/snippets/releases/none-such.md or")],
    ),
    "a picture in a figure with a label is right": (
        f'{FIGURE}\n--8<-- "p.svg"\n{FIGURE_END}',
        [],
    ),
    "a picture in a figure needs a label": (
        f'<figure>\n--8<-- "p.svg"\n{FIGURE_END}',
        [(2, "p.svg has no aria-label")],
    ),
    "a picture outside a figure has no label": (
        '--8<-- "no.md"\n\n--8<-- "p.svg"',
        [(1, "there is no docs/snippets/no.md or"), (3, "p.svg has no aria-label")],
    ),
}


CODE = "@a\ndef f(x):\n    return x\n\n@a\ndef g(x):\n    return x\n"

# By mark the lines of CODE that it marks.
MARKED = {
    "return": (3, 7),
    "def f(x): return x": (2, 3),
    "@a def g(": (5, 6),
    "@a def h(": (),
    "x": (),
}

FILES = {
    "snippets/a/one.md": snippets.text_of("x = 1\ny = 2\n", None),
    "pictures/p.svg": "<svg></svg>\n",
}
"""All that there is to include."""


@pytest.mark.parametrize(("text", "expected"), PARSED.values(), ids=PARSED)
def test_a_text_becomes_its_parts(text, expected):
    assert parts.parse(text, paths.DOCS / "a.md")[0] == expected


@pytest.mark.parametrize(("text", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_mistake_is_told_with_its_line(included, text, expected):
    included(FILES)
    _, problems = parts.parse(text, paths.ROOT / "a.md")
    for problem, (line, begins) in zip(problems, expected, strict=True):
        assert str(problem).startswith(f"a.md:{line}: {begins}")


@pytest.mark.parametrize(("mark", "lines"), MARKED.items())
def test_a_mark_quotes_how_a_line_begins_and_may_go_on_into_the_next(included, mark, lines):
    included({"snippets/a.md": snippets.text_of(CODE, None)})
    (include,), _ = parts.parse(f'<!-- mark: {mark} -->\n--8<-- "a.md"', paths.ROOT / "a.md")
    assert include.marked == lines


def test_the_words_of_a_figure_are_its_label_and_its_caption():
    ((figure,), _) = parts.parse(f'{FIGURE}\n--8<-- "p.svg"\n{FIGURE_END}', paths.DOCS / "a.md")
    assert (figure.label, figure.caption) == ("a graph", "Its caption")
