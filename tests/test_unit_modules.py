"""A program may import modules that stand beside it. They go with it: into the folder where it runs,
its identity, its notebook and the site."""

import pytest

from builder.content import differences, paths, snippets
from builder.content.pages import Page
from builder.publishing import configuration, notebooks
from builder.running import releases, runner

WORDS = configuration.read("mkdocs.en.yml")["extra"]
CODE = "import torch\nfrom helper import double\n\nprint(double(2))\n"
MODULE = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A program with a module, in place of all others."""
    folder = tmp_path / "snippets"
    for module in notebooks, paths, snippets:
        monkeypatch.setattr(module, "SNIPPETS", folder)
    monkeypatch.setattr(paths, "INCLUDED", (folder,))
    snippets.write(folder / "a/first.md", snippets.text_of(CODE, "4\n"))
    snippets.write(folder / "a/second.md", snippets.text_of(f"{CODE}print(1)\n", "4\n1\n"))
    for name in ("helper.py", "another.py"):
        snippets.write(folder / "a" / name, MODULE)
    return snippets.read(folder / "a/first.md")


def test_its_modules_are_those_beside_it_that_it_imports(program):
    assert program.modules == (("helper.py", MODULE),)
    assert program.beside("helper.py") == "a/helper.py"


def test_it_runs_with_them_in_a_folder_of_its_own(program):
    works = runner.as_script, runner.as_block
    outcomes = runner.outcomes([runner.Task(work, program) for work in works])
    assert [(one.output, one.error) for one in outcomes] == [("4\n", None)] * 2


def test_a_changed_module_makes_recorded_runs_out_of_date(program):
    before = releases.entry_of(program, runner.Outcome("4\n", None))
    snippets.write(program.path.with_name("helper.py"), f"# why\n\n{MODULE}")
    differences.forget()
    same = snippets.read(program.path)
    assert releases.entry_of(same, runner.Outcome("4\n", None)) == before
    snippets.write(program.path.with_name("helper.py"), MODULE.replace("2", "3"))
    differences.forget()
    changed = snippets.read(program.path)
    assert releases.entry_of(changed, runner.Outcome("6\n", None))["digest"] != before["digest"]
    assert before["digest"] == differences.digest(CODE + MODULE)


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
