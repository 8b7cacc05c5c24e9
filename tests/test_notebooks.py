"""Every notebook offered for download runs from top to bottom in a fresh kernel, and prints in
each cell what the page shows. To leave this out: `pytest -m "not notebooks"`."""

from concurrent.futures import ThreadPoolExecutor

import kernels
import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from handbook import pages, parts, snippets
from handbook.places import LANGUAGES, SNIPPETS
from handbook.runner import SECONDS

WITH_PROGRAMS = [uri for uri, page in pages.pages("en").items() if parts.programs(page.text)]


def offered(site, lang: str, uri: str) -> nbformat.NotebookNode:
    path = site.folder / lang / "notebooks" / uri.replace(".md", ".ipynb")
    return nbformat.read(path, as_version=4)


def printed(book: nbformat.NotebookNode) -> dict[str, str]:
    """What each code cell prints, but for the one that installs torch."""
    return {
        cell.id: "".join(out.text for out in cell.outputs if out.get("name") == "stdout")
        for cell in book.cells
        if cell.cell_type == "code" and "install" not in cell.metadata.get("tags", [])
    }


@pytest.fixture(scope="module")
def executed(request, public, tmp_path_factory) -> dict[str, object]:
    """Each notebook that the chosen tests want, after its run, or the error that ended it."""
    chosen = [
        item for item in request.session.items if "executed" in getattr(item, "fixturenames", ())
    ]
    wanted = list(dict.fromkeys(item.callspec.params["uri"] for item in chosen))
    folder = str(tmp_path_factory.mktemp("kernel"))
    patch = pytest.MonkeyPatch()
    kernels.forked(patch)
    request.addfinalizer(patch.undo)

    def run(uri: str) -> object:
        client = NotebookClient(
            offered(public, "en", uri),
            timeout=int(4 * SECONDS),
            skip_cells_with_tag="install",
            resources={"metadata": {"path": folder}},
        )
        try:
            return client.execute()
        except CellExecutionError as error:
            return error

    with ThreadPoolExecutor(4) as pool:
        return dict(zip(wanted, pool.map(run, wanted), strict=True))


@pytest.mark.notebooks
@pytest.mark.parametrize("uri", WITH_PROGRAMS)
def test_a_downloaded_notebook_prints_what_its_page_shows(public, uri, executed):
    if isinstance(executed[uri], Exception):
        pytest.fail(f"the notebook of {uri}: {executed[uri]}", pytrace=False)
    assert printed(executed[uri]) == printed(offered(public, "en", uri))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("uri", pages.pages("en"))
def test_every_page_offers_a_valid_notebook_and_its_scripts(public, lang, uri):
    book = offered(public, lang, uri)
    nbformat.validate(book)
    names = parts.programs(pages.pages(lang)[uri].text)
    assert len(printed(book)) >= len(names)
    assert "](." not in str([cell.source for cell in book.cells]), "a link that leads nowhere"
    for program in names:
        folder, _, name = program.removesuffix(".md").rpartition("/")
        script = public.folder / lang / "programs" / folder / f"{name.replace('-', '_')}.py"
        assert script.read_text("utf-8") == snippets.read(SNIPPETS / program).code
