"""A page stays the same object while nothing of it changes: what is made from it is kept."""

import pytest

from builder.content import differences, pages, snippets

PROGRAM = snippets.text_of("import helper\nprint(1)\n", "1\n")
FILES = {
    "snippets/a/one.md": PROGRAM,
    "snippets/b/two.md": PROGRAM,
    "pictures/p.svg": "<svg></svg>",
    "en/program.md": '# A\n\n--8<-- "a/one.md"',
    "en/folder.md": '# A\n\n--8<-- "b/"',
    "en/list.md": '# A\n\n--8<-- "messages/program.md"',
    "en/other/prose.md": "# A",
    "en/missing.md": '# A\n\n--8<-- "c/three.md"',
}
"""By path below docs/; snippets/ is there, too."""

# A file that is written, and the pages that are read again.
CHANGES = {
    "en/other/prose.md": ("# B", "other/prose"),
    "en/program.md": ("# B", "list program"),
    "snippets/a/one.md": (PROGRAM.replace("1", "2"), "program"),
    "snippets/a/one.svg": ("<svg></svg>", "program"),
    "snippets/a/helper.py": ("x = 1\n", "program"),
    "snippets/b/four.md": (PROGRAM, "folder"),
    "snippets/c/three.md": (PROGRAM, ""),
    "pictures/p.svg": ("<svg><g/></svg>", ""),
}


@pytest.mark.parametrize(("name", "change"), CHANGES.items(), ids=CHANGES)
def test_a_page_is_read_again_if_something_of_it_has_changed(
    included, monkeypatch, tmp_path, name, change
):
    monkeypatch.setattr(pages, "DOCS", tmp_path / "docs")
    text, expected = change
    included(FILES)
    before = read()
    included({name: text})
    after = read()
    assert {"missing", *expected.split()} == {uri for uri in after if after[uri] != before[uri]}
    assert bool(after["missing"].include_problems) == (name != "snippets/c/three.md")


def read() -> dict[str, pages.Page]:
    """The pages, as an edit of something makes them be read; what can't be read always is. They
    are not kept beside the site's own."""
    differences.forget()
    read = pages.pages.__wrapped__("en")
    return {uri.removesuffix(".md"): page for uri, page in read.items()}
