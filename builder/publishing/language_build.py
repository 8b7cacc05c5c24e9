"""One language, composed and then built by MkDocs in a process of its own. The process stays: after
an edit, MkDocs builds again only the pages that have changed."""

import logging
import multiprocessing
import os
import re
import signal
import sys
import threading
import traceback
from logging.handlers import BufferingHandler
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemBytecodeCache
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, BuildError, MkDocsException
from mkdocs.plugins import BasePlugin

from builder.content import pages
from builder.content.paths import CACHE, ROOT, Mistake, stamps
from builder.publishing.compose import Composer
from builder.publishing.configuration import Settings

_ABOUT_A_PAGE = re.compile(r"Doc file '(?P<uri>[^']+)' (?P<what>.*?'(?P<link>[^']+)'.*)", re.DOTALL)


class Result(NamedTuple):
    """What came of a build: what was built, `whole`, so many pages, or nothing; its warnings as
    (level, message); and why it failed, if it did."""

    built: str = ""
    messages: tuple[tuple[int, str], ...] = ()
    error: str | None = None


class Worker:
    """A process that builds one language, and stays to build again what has changed.

    It is a plain forked process: a pool has a thread, and Python warns of a fork beside threads.
    """

    def __init__(self, lang: str, folder: Path, site_dir: Path, settings: Settings) -> None:
        """folder: where to compose; site_dir: where the site of the language is built."""
        fork = multiprocessing.get_context("fork")
        self._lang = lang
        self._connection, end = fork.Pipe()
        self._is_building = False
        arguments = end, lang, folder, site_dir, settings
        fork.Process(target=_work, args=arguments, daemon=True).start()
        end.close()

    def begin(self) -> None:
        """Begin to build. The result of a build that nobody asked for is dropped."""
        if self._is_building:
            self.result()
        self._connection.send("build")
        self._is_building = True

    def result(self) -> Result:
        """What came of the build that was begun, once it is done."""
        self._is_building = False
        try:
            return self._connection.recv()
        except EOFError:
            return Result(error=f"the process that builds {self._lang} has ended; build again")


def _work(connection: Connection, *arguments: object) -> None:
    """In the new process: build when told to. It ends with its parent, and at a Ctrl-C, without a
    word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    language = Language(*arguments)
    while connection.recv():
        connection.send(language.build())


def _exit_with_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)


class Language:
    """The site of one language, composed into a folder and built from there."""

    def __init__(self, lang: str, folder: Path, site_dir: Path, settings: Settings) -> None:
        self.site_dir = site_dir
        self._composer = Composer(lang, folder, settings)
        self._theme: tuple = ()
        self._stands = False  # whether a site of what was composed last is there

    def build(self) -> Result:
        """Build what has changed since the last call."""
        built, error = "", None
        logged = BufferingHandler(capacity=sys.maxsize)
        logged.setLevel(logging.WARNING)
        logging.getLogger("mkdocs").handlers = [logged]  # and not what a forked process inherits
        try:
            built = self._build()
        except (Exception, SystemExit) as failure:
            errors = [log.getMessage() for log in logged.buffer if log.levelno >= logging.ERROR]
            error = _reason(failure, errors)
        self._stands = not error
        messages = tuple(
            (record.levelno, self._with_source(record.getMessage()))
            for record in logged.buffer
            if record.levelno < logging.ERROR and "A 'dirty' build" not in record.getMessage()
        )
        return Result(built, messages, error)

    def _build(self) -> str:
        """Compose and build what has changed, and say what that was."""
        files, is_whole = self._composer.compose()
        theme = stamps((ROOT / "overrides").rglob("*"))
        is_whole = is_whole or not self._stands or theme != self._theme
        self._theme = theme
        if not (is_whole or files):
            return ""
        config = load_config(str(self._composer.folder / "mkdocs.yml"), site_dir=str(self.site_dir))
        config.plugins["templates"] = _KeepTemplates()
        # MkDocs calls it dirty to build only the pages whose files are newer than what was built.
        mkdocs_build(config, dirty=not is_whole)
        self._composer.put_copies(self.site_dir)
        pages_changed = sum(name.startswith("docs/") and name.endswith(".md") for name in files)
        return "whole" if is_whole else f"{pages_changed} pages"

    def _with_source(self, message: str) -> str:
        """A warning of MkDocs about a page, with the file and line to correct."""
        match = _ABOUT_A_PAGE.match(message)
        page = match and pages.pages(self._composer.lang).get(match["uri"])
        if not page:
            return message
        return str(page.problem_at(page.line_of(match["link"]), match["what"]))


class _KeepTemplates(BasePlugin):
    """Keeps compiled templates: to compile them again would be a third of an edit's time.

    Lines that hold only a tag of the template language leave no empty line in a page.
    """

    def on_env(self, env: Environment, **_: object) -> None:
        folder = CACHE / "templates"
        folder.mkdir(parents=True, exist_ok=True)
        env.bytecode_cache = FileSystemBytecodeCache(str(folder))
        env.trim_blocks = env.lstrip_blocks = True


def _reason(error: BaseException, logged: list[str]) -> str:
    """One message for what ended a build; logged: the errors that MkDocs logged before it."""
    cause = error.__context__ if isinstance(error, Abort) else error
    if isinstance(cause, BuildError | Mistake):
        return str(cause)
    if isinstance(error, MkDocsException):
        return "\n".join(logged) or str(error)
    return "".join(traceback.format_exception(error))
