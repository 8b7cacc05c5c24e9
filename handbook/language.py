"""One language, composed and then built by MkDocs in a process of its own. The process stays: after
an edit, MkDocs builds again only the pages that have changed."""

import logging
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
import traceback
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, TemplateError, TemplateSyntaxError
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, BuildError, MkDocsException
from mkdocs.plugins import BasePlugin

from handbook import cells, pages
from handbook.addresses import AddressError
from handbook.compose import ComposeError, Composer, Settings, stamps
from handbook.places import CACHE, ROOT
from handbook.snippets import SnippetError

_ABOUT_THE_NAVIGATION = re.compile(r"'(?P<uri>[^']+)' is included in the 'nav'")
_ABOUT_A_PAGE = re.compile(
    r"Doc file '(?P<uri>[^']+)' (?P<what>contains an? .*?'(?P<link>[^']+)'.*)", re.DOTALL
)


@dataclass
class Result:
    """What came of a build: its warnings as (level, message), and why it failed, if it did."""

    seconds: float = 0.0
    built: str = ""
    """What was built: `whole`, so many pages, or nothing."""

    messages: list[tuple[int, str]] = field(default_factory=list)
    error: str | None = None


class Worker:
    """The process that builds one language; it ends with this one."""

    def __init__(self, lang: str, rendering: object, *where: object) -> None:
        """Start the process. rendering: a lock that it holds while it renders the cells of labs;
        where: the folder to compose into, that of the site, and the settings."""
        self.lang = lang
        if str(ROOT) not in sys.path:
            sys.path.append(str(ROOT))  # where a process that is not forked finds this package
        self._connection, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(
            target=_serve, args=(theirs, rendering, lang, *where), daemon=True
        )
        self._process.start()
        self._busy = False
        theirs.close()

    def start(self) -> None:
        """Begin to build what has changed since the last time, or everything the first time."""
        if self._busy:
            self.result()
        self._connection.send("build")
        self._busy = True

    def result(self) -> Result:
        """Wait for what came of it."""
        self._busy = False
        try:
            return self._connection.recv()
        except (EOFError, ConnectionError):
            return Result(error=f"the process that builds {self.lang} ended unexpectedly")

    def close(self) -> None:
        self._process.terminate()
        self._process.join()


def _serve(
    connection: Connection, rendering: AbstractContextManager, lang: str, *where: object
) -> None:
    """In the process: build at each request and send the result back."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    cells.rendering = rendering
    language = Language(lang, *where)
    while connection.recv():
        connection.send(language.build())


def _exit_with_parent() -> None:
    """End this process when its parent ends."""
    multiprocessing.parent_process().join()
    os._exit(1)


class Language:
    """The site of one language, composed into a folder and built from there."""

    def __init__(self, lang: str, folder: Path, site_dir: Path, settings: Settings) -> None:
        self.lang = lang
        self.folder = folder
        self.site_dir = site_dir
        self._composer = Composer(lang, folder, settings)
        self._theme: tuple = ()
        self._stands = False
        """Whether a site of what was composed last is there."""

    def build(self) -> Result:
        """Build what has changed since the last call."""
        start = time.monotonic()
        result = Result()
        collector = _Collector(result.messages)
        logger = logging.getLogger("mkdocs")
        inherited, logger.handlers = logger.handlers, [collector]  # a forked process has them
        try:
            self._build(result)
        except (Exception, SystemExit) as error:
            result.error = _reason(error, result.messages)
        finally:
            logger.handlers = inherited
        self._stands = not result.error
        result.messages = [(level, self._with_source(text)) for level, text in result.messages]
        result.seconds = time.monotonic() - start
        return result

    def _build(self, result: Result) -> None:
        """Compose and build what has changed, and say in the result what that was."""
        changed = self._composer.compose()
        theme = stamps((ROOT / "overrides").rglob("*"))
        whole = changed.whole or not self._stands or theme != self._theme
        self._theme = theme
        if not (whole or changed.files):
            return
        result.built = "whole" if whole else f"{len(changed.pages)} pages"
        config = load_config(str(self.folder / "mkdocs.yml"), site_dir=str(self.site_dir))
        config.plugins["templates"] = _KeepTemplates()
        # MkDocs calls it dirty to build only the pages whose files are newer than what was built.
        mkdocs_build(config, dirty=not whole)
        self._composer.put_copies(self.site_dir, None if whole else changed.files)

    def _with_source(self, message: str) -> str:
        """A warning of MkDocs about a page or the navigation, with the file and line to correct."""
        missing = _ABOUT_THE_NAVIGATION.search(message)
        if missing:
            lines = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
            line = next((n for n, text in enumerate(lines, 1) if missing["uri"] in text), 1)
            return f"mkdocs.yml:{line}: navigation: {message}"
        match = _ABOUT_A_PAGE.match(message)
        page = match and pages.pages(self.lang).get(match["uri"])
        if not page:
            return message
        return f"{page.shown}:{page.line_of(match['link'])}: {match['what']}"


class _KeepTemplates(BasePlugin):
    """Keeps compiled templates: to compile them again would be a third of an edit's time."""

    def on_env(self, env: Environment, **_: object) -> None:
        folder = CACHE / "templates"
        folder.mkdir(parents=True, exist_ok=True)
        env.bytecode_cache = FileSystemBytecodeCache(str(folder))


class _Collector(logging.Handler):
    def __init__(self, messages: list[tuple[int, str]]) -> None:
        super().__init__(logging.WARNING)
        self.messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        if not record.getMessage().startswith("A 'dirty' build"):
            self.messages.append((record.levelno, record.getMessage()))


def _reason(error: BaseException, messages: list[tuple[int, str]]) -> str:
    """One message for what ended a build: MkDocs logs the page and passes the error on."""
    errors = [message for level, message in messages if level >= logging.ERROR]
    messages[:] = [one for one in messages if one[0] < logging.ERROR]
    cause = error.__context__ if isinstance(error, Abort) else error
    if isinstance(cause, TemplateError):
        return template_problem(cause)
    if isinstance(cause, (BuildError, SnippetError, ComposeError, AddressError)):
        return str(cause)
    if isinstance(error, MkDocsException):
        return "\n".join(errors) or str(error)
    return "".join(traceback.format_exception(error))


def template_problem(error: TemplateError) -> str:
    """What is wrong with a template, with its file and line."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno}" for frame in frames if ".html" in frame.filename]
    if isinstance(error, TemplateSyntaxError):
        places.append(f"{error.filename}:{error.lineno}")
    place = places[-1] if places else "a template"
    return f"{place.removeprefix(f'{ROOT}/')}: {error.message or type(error).__name__}"
