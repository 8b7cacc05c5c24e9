"""Every program is judged twice: as a block that pytest-codeblocks collected, in a forked child,
and as a script in a process of its own. Nothing that a program does reaches the other programs or
this process, and a run in which a chosen program was not judged has failed."""

import functools
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from handbook import pages, runner, snippets
from handbook.places import LANGUAGES, ROOT, SNIPPETS
from handbook.snippets import Snippet, SnippetError

os.environ["MPLBACKEND"] = "agg"
os.environ["MATPLOTLIBRC"] = str(ROOT / "handbook" / "matplotlibrc")
os.environ["OMP_NUM_THREADS"] = "1"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--only", default="", help="a folder of snippets/: its programs, its pages")


def pytest_configure(config: pytest.Config) -> None:
    only = config.getoption("only")
    try:
        config.stash[CHOSEN] = [*snippets.paths(only)] if only else []
    except SnippetError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.fixture(scope="session")
def only(pytestconfig: pytest.Config) -> str:
    """The folder of snippets/ that --only names; empty for all."""
    return pytestconfig.getoption("only")


@pytest.fixture(scope="session")
def uris(only: str) -> list[str]:
    """The pages that --only concerns, or all: their paths below docs/<lang>/."""
    return pages.concerned(only)


@pytest.fixture(scope="session")
def readable(uris: list[str]) -> list[pages.Page]:
    """Those of the pages that can be read, in both languages."""
    return [page for lang in LANGUAGES for page in pages.readable(lang, uris)]


CHOSEN = pytest.StashKey[list[Path]]()
PROGRAMS = pytest.StashKey[dict[Path, int]]()
SCRIPTS = pytest.StashKey[runner.Scripts]()
SELECTED: set[str] = set()
JUDGED: set[str] = set()


class Unfit(pytest.File):
    """A snippet file that can't be run, or whose output can't be shown."""

    def collect(self) -> Iterator[pytest.Item]:
        yield UnfitSnippet.from_parent(self, name="form")


class UnfitSnippet(pytest.Item):
    def runtest(self) -> None:
        raise RuntimeError(_unfit(self.path))

    def repr_failure(self, excinfo: pytest.ExceptionInfo) -> str:
        return str(excinfo.value)


@functools.cache
def _unfit(path: Path) -> str | None:
    try:
        snippet = snippets.read(path)
    except SnippetError as error:
        return str(error)
    if snippet.output is None:
        return f"{snippet.where}: not recorded yet; make record ONLY={snippet.name}"
    problem = snippets.unfit(snippet.code, snippet.output, snippet.figure)
    return problem and f"{snippet.where}: {problem}"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    collectors = yield
    if file_path.suffix != ".md" or SNIPPETS not in file_path.parents:
        return collectors
    chosen = parent.config.stash[CHOSEN]
    if chosen and file_path not in chosen:
        return []
    return [Unfit.from_parent(parent, path=file_path)] if _unfit(file_path) else collectors


def pytest_itemcollected(item: pytest.Item) -> None:
    block = getattr(item, "obj", None)
    if getattr(block, "syntax", None) == "python":
        block.code = f'__name__ = "__main__"\n{snippets.watched(block.code)}'
        item.runtest = functools.partial(_judge, item, item.runtest)


def pytest_collection_finish(session: pytest.Session) -> None:
    programs = [item for item in session.items if SNIPPETS in item.path.parents]
    SELECTED.update(item.nodeid for item in programs)
    paths = [item.path for item in programs if not _unfit(item.path)]
    session.config.stash[PROGRAMS] = {path: number for number, path in enumerate(paths)}


def _scripts(config: pytest.Config) -> runner.Scripts:
    """The chosen programs as scripts, which run ahead from the first that is judged."""
    if SCRIPTS not in config.stash:
        programs = [snippets.read(path) for path in config.stash[PROGRAMS]]
        config.stash[SCRIPTS] = runner.Scripts([(one.name, one.code) for one in programs])
        if runner.FORKS:
            runner.preload([one.code for one in programs])
    return config.stash[SCRIPTS]


def _judge(item: pytest.Item, as_block: Callable[[], None]) -> None:
    """Raises RuntimeError, which pytest-codeblocks shows without a traceback."""
    snippet = snippets.read(item.path)
    snippets.export(snippet)
    scripts = _scripts(item.config)
    error = _error_as_block(as_block)
    problem = _departure(snippet, scripts[item.config.stash[PROGRAMS][item.path]]) or error
    if problem:
        raise RuntimeError(f"{snippet.where}: {problem}")


def _error_as_block(runtest: Callable[[], None]) -> str | None:
    """What pytest-codeblocks says of a block: in a forked child, or here if there is no fork."""
    if runner.FORKS:
        return runner.Child(functools.partial(_run_block, runtest)).outcome().error
    try:
        runtest()
    except Exception as error:
        return str(error)
    return None


def _run_block(runtest: Callable[[], None]) -> None:
    """Run a block with the warnings of a fresh interpreter, not with pytest's."""
    warnings.resetwarnings()
    for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", category)
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
    runtest()


def _departure(snippet: Snippet, outcome: runner.Outcome) -> str | None:
    """What a program did as a script that is not what is recorded."""
    if outcome.error:
        return outcome.error
    for what, recorded, now in (
        ("prints", snippet.output, outcome.stdout),
        ("draws", snippet.figure, outcome.figure),
    ):
        if recorded != now:
            return (
                f"{what} something else than what is recorded. If the new is right: "
                f"make record ONLY={snippet.name}\n{snippets.difference(recorded, now)}"
            )
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """With pytest-xdist, one process judges the programs, and one each file of tests."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("/" if nodeid.startswith("snippets/") else "::")[0]

    return ByFile(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: object, ids: list[str]) -> None:
    SELECTED.update(one for one in ids if one.startswith("snippets/"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    JUDGED.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if SCRIPTS in session.config.stash:
        session.config.stash[SCRIPTS].close()
    option = session.config.option
    missing = sorted(SELECTED - JUDGED)
    one_of_several = hasattr(session.config, "workerinput")
    if missing and exitstatus == 0 and not option.collectonly and not one_of_several:
        print(f"\nprograms that were chosen and not judged: {missing}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
