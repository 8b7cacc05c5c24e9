"""Every notebook offered for download runs from top to bottom in a fresh kernel, and prints in
each cell what the page shows. To leave this out: `pytest -m "not notebooks"`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import notebook
import pages
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from conftest import UNDER_A_PATH

ALL = [uri.removesuffix(".md") for uri in pages.pages("en")]
WITH_PROGRAMS = [
    uri.removesuffix(".md")
    for uri, page in pages.pages("en").items()
    if notebook.programs(page.text)
]
pytestmark = pytest.mark.parametrize("site", [UNDER_A_PATH], ids=["under-a-path"], indirect=True)


def offered(site, lang: str, name: str) -> nbformat.NotebookNode:
    path = site.folder / lang / "notebooks" / f"{name}.ipynb"
    return nbformat.read(path, as_version=4)


def code_cells(book: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [
        cell
        for cell in book.cells
        if cell.cell_type == "code" and "install" not in cell.metadata.get("tags", [])
    ]


def printed(cell: nbformat.NotebookNode) -> str:
    return "".join(out.text for out in cell.outputs if out.get("name") == "stdout")


@pytest.fixture(scope="session")
def executed(request: pytest.FixtureRequest, tmp_path_factory) -> dict[str, object]:
    """Each notebook that the chosen tests want, after its run, or the error that ended it."""
    wanted = {
        item.callspec.params["name"]: item
        for item in request.session.items
        if item.path == Path(__file__) and "executed" in item.fixturenames
    }
    site = request.getfixturevalue("site")
    folder = str(tmp_path_factory.mktemp("kernel"))

    def run(name: str):
        book = offered(site, "en", name)
        client = NotebookClient(
            book,
            timeout=120,
            skip_cells_with_tag="install",
            resources={"metadata": {"path": folder}},
        )
        try:
            return client.execute()
        except CellExecutionError as error:
            return error

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(wanted, pool.map(run, wanted), strict=True))


@pytest.mark.notebooks
@pytest.mark.parametrize("name", WITH_PROGRAMS)
def test_a_downloaded_notebook_prints_what_its_page_shows(site, name, executed):
    after = executed[name]
    if isinstance(after, Exception):
        pytest.fail(f"notebooks/{name}.ipynb: {after}", pytrace=False)
    problems = [
        f"cell {cell.id}:\n--- on the page\n{printed(before)}--- in the kernel\n{printed(cell)}"
        for before, cell in zip(
            code_cells(offered(site, "en", name)), code_cells(after), strict=True
        )
        if printed(before) != printed(cell)
    ]
    assert not problems, f"notebooks/{name}.ipynb:\n" + "\n".join(problems)


@pytest.mark.parametrize("lang", pages.LANGUAGES)
@pytest.mark.parametrize("name", ALL)
def test_every_page_offers_a_valid_notebook_and_its_scripts(site, lang, name):
    book = offered(site, lang, name)
    nbformat.validate(book)
    names = notebook.programs(pages.pages(lang)[f"{name}.md"].text)
    assert len(code_cells(book)) >= len(names)
    assert "](." not in str([cell.source for cell in book.cells]), "a link that leads nowhere"
    for program in names:
        script = site.folder / lang / "programs" / program.replace(".md", ".py")
        assert script.read_text("utf-8") == notebook.Program.read(program).code + "\n"
