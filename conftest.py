"""pytest-codeblocks collects and executes each program, in a process of its own, so that it can't
affect the other programs or this process. What it prints and draws is compared with what is
recorded. The test run fails if a chosen program was not run."""

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from handbook import pages, runner, snippets
from handbook.places import LANGUAGES, SNIPPETS
from handbook.snippets import Snippet, SnippetError

ALSO_AS_SCRIPT = re.compile("__main__|__file__|inspect|pickle|multiprocessing")
"""A program that contains one of these may do something else as a script, so it runs as one too."""


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
TASKS = pytest.StashKey[list[runner.Task]]()
RUNS = pytest.StashKey[Iterator[tuple[int, runner.Outcome]]]()
OUTCOMES = pytest.StashKey[dict[int, runner.Outcome]]()
SELECTED: set[str] = set()
RUN: set[str] = set()


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
    if getattr(getattr(item, "obj", None), "syntax", None) == "python":
        item.obj.code = f'__name__ = "__main__"\n{item.obj.code}'
        item.runtest = functools.partial(_check, item)


def pytest_collection_finish(session: pytest.Session) -> None:
    items = [item for item in session.items if SNIPPETS in item.path.parents]
    SELECTED.update(item.nodeid for item in items)
    tasks = session.config.stash[TASKS] = []
    for item in items:
        if not _unfit(item.path):
            snippet = snippets.read(item.path)
            tasks.append((runner.as_block, snippet.name, item.obj))
            if ALSO_AS_SCRIPT.search(snippet.code):
                tasks.append((runner.as_script, snippet.name, snippet.code))


def _check(item: pytest.Item) -> None:
    """Raises RuntimeError, which pytest-codeblocks shows without a traceback."""
    snippet = snippets.read(item.path)
    snippets.export(snippet)
    for number, (_, name, _) in enumerate(item.config.stash[TASKS]):
        if name == snippet.name:
            problem = _problem(snippet, _outcome(item.config, number))
            if problem:
                raise RuntimeError(f"{snippet.where}: {problem}")


def _outcome(config: pytest.Config, number: int) -> runner.Outcome:
    """The outcome of a task. The first call starts the run of all."""
    stash = config.stash
    if RUNS not in stash:
        stash[RUNS], stash[OUTCOMES] = runner.outcomes(stash[TASKS]), {}
    while number not in stash[OUTCOMES]:
        stash[OUTCOMES].update([next(stash[RUNS])])
    return stash[OUTCOMES][number]


def _problem(snippet: Snippet, outcome: runner.Outcome) -> str | None:
    """How the outcome of a program differs from what is recorded and shown, if it does."""
    if outcome.error:
        return outcome.error
    if snippet.shows_error and not outcome.printed_in_except:
        return (
            "nothing leads to the except that prints; leave the try out, or the output would be "
            "shown as an error's"
        )
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
    """With pytest-xdist, one process runs the programs, and one each file of tests."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("/" if nodeid.startswith("snippets/") else "::")[0]

    return ByFile(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: object, ids: list[str]) -> None:
    SELECTED.update(one for one in ids if one.startswith("snippets/"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    RUN.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if RUNS in session.config.stash:
        session.config.stash[RUNS].close()
    option = session.config.option
    missing = sorted(SELECTED - RUN)
    one_of_several = hasattr(session.config, "workerinput")
    if missing and exitstatus == 0 and not option.collectonly and not one_of_several:
        print(f"\nprograms that were chosen and not run: {missing}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
