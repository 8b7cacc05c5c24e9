"""pytest-codeblocks collects each program. Its own `runtest` executes it in a child process, so
that no program affects another or this process. What it prints and draws is compared with what is
recorded."""

import functools
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.content import pages, snippets
from builder.content.paths import LANGUAGES, SNIPPETS, Mistake
from builder.content.snippets import Program
from builder.running import runner

CHOSEN = pytest.StashKey[set[Path]]()
TASKS = pytest.StashKey[list[runner.Task]]()
RUNS = pytest.StashKey["Runs"]()

ALSO_AS_SCRIPT = re.compile("__main__|__file__|inspect|pickle|multiprocessing")
"""Programs that can tell whether they are run as a block or as a script are run as both."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--only", default="", help="a folder of snippets/: its programs, its pages")


def pytest_configure(config: pytest.Config) -> None:
    try:
        config.stash[CHOSEN] = {*snippets.paths(config.getoption("only"))}
    except Mistake as mistake:
        raise pytest.UsageError(str(mistake)) from None


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


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    collectors = yield
    if file_path.suffix != ".md" or SNIPPETS not in file_path.parents:
        return collectors
    if file_path not in parent.config.stash[CHOSEN]:
        return []
    return [Unfit.from_parent(parent, path=file_path)] if _unfit(file_path) else collectors


class Unfit(pytest.File):
    """A snippet file that can't be run, or whose output can't be shown."""

    def collect(self) -> Iterator[pytest.Item]:
        yield UnfitSnippet.from_parent(self, name="form")


class UnfitSnippet(pytest.Item):
    def runtest(self) -> None:
        pytest.fail(_unfit(self.path), pytrace=False)


@functools.cache
def _unfit(path: Path) -> str | None:
    try:
        snippet = snippets.read(path)
    except Mistake as mistake:
        return str(mistake)
    if snippet.output is None:
        return f"{snippet.where}: not recorded yet; make record ONLY={snippet.name}"
    problem = snippets.unfit(snippet.code, *snippet.result)
    return problem and f"{snippet.where}: {problem}"


def pytest_itemcollected(item: pytest.Item) -> None:
    if SNIPPETS in item.path.parents and not _unfit(item.path):
        item.runtest = functools.partial(_check, item)


def pytest_collection_finish(session: pytest.Session) -> None:
    tasks = session.config.stash[TASKS] = []
    for item in session.items:
        if SNIPPETS in item.path.parents and not _unfit(item.path):
            snippet = snippets.read(item.path)
            if snippets.lacking(snippet.code):
                continue
            tasks.append((runner.as_block, snippet.name, item.obj.code))
            if ALSO_AS_SCRIPT.search(snippet.code):
                tasks.append((runner.as_script, snippet.name, snippet.code))
    session.config.stash[RUNS] = Runs(tasks)


def _check(item: pytest.Item) -> None:
    snippet = snippets.read(item.path)
    snippets.export(snippet)
    if lacking := snippets.lacking(snippet.code):
        end = pytest.fail if os.environ.get("CI") else pytest.skip
        end(f"{snippet.where}: this machine lacks {lacking}")
    for number, (_, name, _) in enumerate(item.config.stash[TASKS]):
        if name == snippet.name:
            problem = _problem(snippet, item.config.stash[RUNS].outcome(number))
            if problem:
                pytest.fail(f"{snippet.where}: {problem}", pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("skipped", [])
    names = [report.nodeid.partition("::")[0] for report in reports]
    programs = [name for name in names if name.startswith("snippets/")]
    if programs:
        terminalreporter.write_line(f"not run, as this machine lacks what they need: {programs}")


class Runs:
    """The runs of all programs, several at a time, in the order of the tests. A test waits for its
    own, and no longer."""

    def __init__(self, tasks: list[runner.Task]) -> None:
        self._ending = runner.outcomes(tasks)
        self._ended: dict[int, runner.Outcome] = {}

    def outcome(self, number: int) -> runner.Outcome:
        """The outcome of the task of a number."""
        while number not in self._ended:
            self._ended.update([next(self._ending)])
        return self._ended[number]

    def end(self) -> None:
        """End what is still running."""
        self._ending.close()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if RUNS in session.config.stash:
        session.config.stash[RUNS].end()


def _problem(snippet: Program, outcome: runner.Outcome) -> str | None:
    """How the outcome of a program differs from what is recorded and shown, if it does."""
    if outcome.error:
        return outcome.error
    right = f"than what is recorded. If the new is right: make record ONLY={snippet.name}"
    return snippets.departure(snippet.result, outcome.shown, right)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """One process runs the programs, one each file: xdist's own groups fail with pytest 9.2."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("/" if nodeid.startswith("snippets/") else "::")[0]

    return ByFile(config, log)
