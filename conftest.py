"""pytest-codeblocks collects each program. Its own `runtest` executes it in a child process, so
that no program affects another or this process. What it prints and draws is compared with what is
recorded."""

import functools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_codeblocks.plugin import TestBlock

from builder.content import snippets
from builder.content.paths import Mistake
from builder.content.snippets import Outcome
from builder.running import runner
from builder.running.runner import Task

CHOSEN = pytest.StashKey[set[Path]]()

ALSO_AS_SCRIPT = re.compile("__main__|__file__|inspect|pickle|multiprocessing")
"""Programs that can tell whether they are run as a block or as a script are run as both."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--only", default="", help="a folder of snippets/: its programs, its pages")


def pytest_configure(config: pytest.Config) -> None:
    try:
        config.stash[CHOSEN] = {*snippets.paths(config.getoption("only"))}
    except Mistake as mistake:
        raise pytest.UsageError(str(mistake)) from None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    """Of the Markdown, the programs that --only names. A file that is unfit has one test."""
    collectors = yield
    if file_path.suffix == ".md" and file_path not in parent.config.stash[CHOSEN]:
        return []
    if file_path.suffix == ".md" and _unfit(file_path):
        for collector in collectors:
            collector.collect = lambda file=collector: [TestBlock.from_parent(file, name="form")]
    return collectors


@functools.cache
def _unfit(path: Path) -> str | None:
    try:
        snippet = snippets.read(path)
    except Mistake as mistake:
        return str(mistake)
    if snippet.output is None:
        return f"{snippet.where}: not recorded yet; make record ONLY={snippet.name}"
    problem = snippets.unfit(snippet.code, snippet)
    return problem and f"{snippet.where}: {problem}"


def pytest_collection_finish(session: pytest.Session) -> None:
    """The programs are run in the order of the tests, several at a time. A test waits for its own,
    and no longer."""
    items = [item for item in session.items if isinstance(item, TestBlock)]
    tasks = [task for item in items for task in _tasks(item.path)]
    outcomes = runner.outcomes(tasks)
    session.config.add_cleanup(outcomes.close)
    ending, ended = zip(tasks, outcomes, strict=True), {}

    def outcome_of(task: Task) -> Outcome:
        while task not in ended:
            ended.update([next(ending)])
        return ended[task]

    for item in items:
        item.runtest = functools.partial(_check, item.path, outcome_of)


def _tasks(path: Path) -> list[Task]:
    """The runs of a program: none if it can't be run, two if it can tell block and script apart."""
    if _unfit(path) or snippets.lacking(snippets.read(path).code):
        return []
    program = snippets.read(path)
    tasks = [Task(runner.as_block, program)]
    if ALSO_AS_SCRIPT.search(program.code):
        tasks.append(Task(runner.as_script, program))
    return tasks


def _check(path: Path, outcome_of: Callable[[Task], Outcome]) -> None:
    """Fail if the file is unfit, or what the program does differs from what is recorded."""
    if problem := _unfit(path):
        pytest.fail(problem, pytrace=False)
    snippet = snippets.read(path)
    snippets.export(snippet)
    if lacking := snippets.lacking(snippet.code):
        end = pytest.fail if os.environ.get("CI") else pytest.skip
        end(f"{snippet.where}: this machine lacks {lacking}")
    remedy = f"than what is recorded. If the new is right: make record ONLY={snippet.name}"
    for outcome in map(outcome_of, _tasks(path)):
        problem = outcome.error or snippets.departure(snippet, outcome, remedy)
        if problem:
            pytest.fail(f"{snippet.where}: {problem}", pytrace=False)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """One process runs all programs, one each file of tests: xdist's groups need another pytest."""
    from xdist.scheduler import LoadFileScheduling

    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = lambda test: re.match("snippets/|[^:]+", test)[0]
    return scheduler
