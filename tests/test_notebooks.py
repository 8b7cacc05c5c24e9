"""Every notebook offered for download runs from top to bottom in a fresh IPython, and prints in
each cell what the page shows. To leave this out: `pytest -m "not notebooks"`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from problems import skip
from sites import Site

from builder.content import pages, snippets
from builder.content.paths import LANGUAGES, ROOT
from builder.publishing.composed_page import script

WITH_PROGRAMS = [uri for uri, page in pages.pages("en").items() if page.programs]
EXECUTES = "test_a_downloaded_notebook"
RUN_CELLS = [sys.executable, "-c", "import ipython_cells; ipython_cells.main()"]


def lacking(uri: str) -> str:
    """What the programs of a page need and this machine lacks."""
    return snippets.lacking("".join(program.code for program in pages.pages("en")[uri].programs))


def offered(site: Site, lang: str, uri: str) -> nbformat.NotebookNode:
    return nbformat.reads(site.text(f"{lang}/notebooks/{uri.replace('.md', '.ipynb')}"), 4)


def code_cells(book: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The code cells, but for the one that installs torch."""
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    return [cell for cell in cells if "install" not in cell.metadata.get("tags", [])]


@pytest.fixture(scope="module")
def executed(request, public) -> dict[str, list[str | None]]:
    """What the cells of each notebook that the chosen tests want print, as JSON, and the error."""
    items = [item for item in request.session.items if EXECUTES in item.name]
    wanted = {item.callspec.params["uri"] for item in items}
    books = {
        uri: [(cell.id, cell.source) for cell in code_cells(offered(public, "en", uri))]
        for uri in wanted
        if not lacking(uri)
    }
    path = f"{ROOT}{os.pathsep}{Path(__file__).parent}"
    run = subprocess.run(
        RUN_CELLS, cwd=ROOT, env=os.environ | {"PYTHONPATH": path},
        input=json.dumps(books), capture_output=True, encoding="utf-8", timeout=900,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.notebooks
@pytest.mark.parametrize("uri", WITH_PROGRAMS)
def test_a_downloaded_notebook_prints_what_its_page_shows(public, uri, executed):
    if uri not in executed:
        skip(f"this machine lacks {lacking(uri)}")
    printed, error = executed[uri]
    if error:
        pytest.fail(f"the notebook of {uri}: {error}", pytrace=False)
    assert json.loads(printed) == {
        cell.id: "".join(out.text for out in cell.outputs if out.get("name") == "stdout")
        for cell in code_cells(offered(public, "en", uri))
    }


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("uri", pages.pages("en"))
def test_every_page_offers_a_valid_notebook_and_its_scripts(public, lang, uri):
    book = offered(public, lang, uri)
    nbformat.validate(book)
    programs = pages.pages(lang)[uri].programs
    assert len(code_cells(book)) >= len(programs)
    assert "](." not in str([cell.source for cell in book.cells]), "a link that leads nowhere"
    for program in programs:
        path = script(program.name)
        assert public.text(f"{lang}/{path}") == program.code
        for file, code in program.modules:
            assert public.text(f"{lang}/{path.rpartition('/')[0]}/{file}") == code
