"""A program may import modules that stand beside it. They go with it: into its identity and its
notebook; test_guards.py runs one, and test_site_files.py finds them on the site."""

import pytest

from builder.content import differences, snippets
from builder.content.pages import Page
from builder.publishing import configuration, notebooks
from builder.running import releases, runner

WORDS = configuration.read("mkdocs.en.yml")["extra"]
CODE = "import torch\nfrom helper import double\n\nprint(double(2))\n"
MODULE = "def double(x):\n    return 2 * x\n"
FILES = {
    "snippets/a/first.md": snippets.text_of(CODE, "4\n"),
    "snippets/a/second.md": snippets.text_of(f"{CODE}print(1)\n", "4\n1\n"),
    "snippets/a/helper.py": MODULE,
    "snippets/a/another.py": MODULE,
}


@pytest.fixture
def program(included):
    """A program with a module, in place of all others."""
    included(FILES)
    return snippets.read(snippets.SNIPPETS / "a/first.md")


def test_a_changed_module_makes_recorded_runs_out_of_date(included, program):
    def digest(module: str) -> str:
        included({"snippets/a/helper.py": module})
        differences.forget()
        run = runner.Outcome("4\n", None)
        return releases.entry_of(snippets.read(program.path), run)["digest"]

    assert digest(f"# why\n\n{MODULE}") == differences.digest(CODE + MODULE)
    assert digest(MODULE.replace("2", "3")) != differences.digest(CODE + MODULE)


def test_a_notebook_writes_a_module_once_above_the_first_program_that_needs_it(program):
    text = '---\na: b\n---\n# A\n\n--8<-- "a/first.md"\n--8<-- "a/second.md"\n'
    page = Page("en", "a.md", text)
    assert program.path.parent in page.folders
    book = notebooks.compose(page, WORDS, "https://example.org/", "From the site.")
    sources = [cell.source for cell in book.cells if cell.cell_type == "code"]
    assert sources[1:] == [
        f"%%writefile helper.py\n{MODULE.rstrip()}", CODE.rstrip(), f"{CODE}print(1)",
    ]  # fmt: skip
    assert "writefile" not in notebooks.as_markdown(book, "A")
