"""One language, built with MkDocs's own API in a process of its own, and kept: after an edit only
the pages that it concerns are built again, where that gives the very files of a whole build."""

import importlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import jieba
from jinja2 import Environment, FileSystemBytecodeCache, TemplateError, TemplateSyntaxError
from mkdocs.commands import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, BuildError, MkDocsException
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from handbook import cells, pages
from handbook.places import CACHE, DOCS, INCLUDED, ROOT, inputs
from handbook.snippets import SnippetError

Inputs = dict[Path, tuple[int, int]]


@dataclass
class Result:
    """What came of a build: its warnings as (level, message), and why it failed, if it did."""

    seconds: float = 0.0
    pages: int | None = None
    """How many pages were built again; None for the whole site."""

    messages: list[tuple[int, str]] = field(default_factory=list)
    error: str | None = None


class Worker:
    """The process that builds one language; it ends with this one."""

    def __init__(self, lang: str, site_dir: Path, root_url: str, rendering: object) -> None:
        self.lang = lang
        if str(ROOT) not in sys.path:
            sys.path.append(str(ROOT))  # where a process that is not forked finds this package
        self._connection, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(
            target=_serve, args=(theirs, lang, site_dir, root_url, rendering), daemon=True
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
    connection: Connection,
    lang: str,
    site_dir: Path,
    root_url: str,
    rendering: AbstractContextManager,
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_follow_parent, daemon=True).start()
    cells.rendering = rendering
    language = Language(lang, site_dir, root_url)
    while connection.recv():
        connection.send(language.build())


def _follow_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)


class Language:
    """The site of one language, in site_dir, to be served at <root_url>/<lang>/."""

    def __init__(self, lang: str, site_dir: Path, root_url: str) -> None:
        self.lang = lang
        self.site_dir = site_dir
        self.root_url = root_url
        self._read: Inputs = {}
        self._last: _Kept | None = None

    def build(self) -> Result:
        """Build what has changed since the last call."""
        start = time.monotonic()
        result = Result(pages=0)
        collector = _Collector(result.messages)
        logger = logging.getLogger("mkdocs")
        inherited, logger.handlers = logger.handlers, [collector]  # a forked process has them
        before, self._read = self._read, _stats(self.lang)
        try:
            concerned = self._last and self._concerned(before, self._read)
            if concerned is None or not self._build_pages(concerned):
                result.messages.clear()
                result.pages = None
                self._build_whole()
            else:
                result.pages = len(concerned)
        except (Exception, SystemExit) as error:
            result.error = _told(error, result.messages)
        finally:
            logger.handlers = inherited
        if result.error:
            self._last = None
        result.seconds = time.monotonic() - start
        return result

    def _build_whole(self) -> None:
        importlib.reload(jieba)  # a dictionary loaded a second time segments otherwise
        jieba.setLogLevel(logging.WARNING)
        config = load_config(
            str(ROOT / f"mkdocs.{self.lang}.yml"),
            site_dir=str(self.site_dir),
            site_url=urljoin(self.root_url, f"{self.lang}/"),
            strict=False,
        )
        config.extra["scope"] = urlsplit(self.root_url).path
        verified = os.environ.get("VERIFIED_ON")
        if verified:
            config.copyright += config.extra["verified"].format(date=_day(verified))
        if not config.repo_url:
            config.edit_uri = None  # or MkDocs makes of it a link within the site
        config.plugins["kept"] = kept = _Kept()
        mkdocs_build.build(config)
        kept.config = config
        self._last = kept

    def _concerned(self, before: Inputs, now: Inputs) -> list[Page] | None:
        """The pages that read what has changed; None if that is more than pages."""
        changed = {file for file in before.keys() | now.keys() if before.get(file) != now.get(file)}
        if any(file not in before or file not in now for file in changed):
            return None
        found = []
        for file in self._last.files.documentation_pages():
            source = Path(file.abs_src_path)
            read = {source}
            for include in pages.includes(source.read_text(encoding="utf-8")):
                if include.file:  # a notebook shows the figure of a program, included or not
                    read |= {include.file, include.file.with_suffix(".svg")}
            if read & changed:
                found.append(file.page)
        parts = {file for file in changed if file.suffix in (".md", ".svg", ".html")}
        folders = {DOCS / self.lang, *INCLUDED}
        if changed - {file for file in parts if folders & set(file.parents)}:
            return None
        return found

    def _build_pages(self, concerned: list[Page]) -> bool:
        """Build these pages into the site that stands; False if others would change with them."""
        kept = self._last
        for page in concerned:
            before = _frame(page)
            mkdocs_build._populate_page(page, kept.config, kept.files)
            if _frame(page) != before:
                return False
        if not concerned:
            return True
        kept.config.plugins.on_env(kept.env, config=kept.config, files=kept.files)
        index = kept.config.plugins["material/search"].search_index
        others = kept.files.documentation_pages()
        for page in concerned:
            standing, index.entries = index.entries, []
            mkdocs_build._build_page(page, kept.config, others, kept.nav, kept.env)
            index.entries = _in_place(standing, index.entries, page.url)
        for page in concerned:
            level = kept.config.validation.links.anchors
            page.validate_anchor_links(files=kept.files, log_level=level)
        kept.config.plugins.on_post_build(config=kept.config)
        return True


class _Kept(BasePlugin):
    """What MkDocs made on the way to a site, and what stays the same from build to build."""

    def on_nav(self, nav: Navigation, *, files: Files, **_: object) -> None:
        self.nav = nav
        self.files = files

    def on_env(self, env: Environment, **_: object) -> None:
        self.env = env
        folder = CACHE / "templates"
        folder.mkdir(parents=True, exist_ok=True)
        env.bytecode_cache = FileSystemBytecodeCache(str(folder))


class _Collector(logging.Handler):
    def __init__(self, messages: list[tuple[int, str]]) -> None:
        super().__init__(logging.WARNING)
        self.messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append((record.levelno, record.getMessage()))


def _day(text: str) -> str:
    """Raises BuildError if it is none."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise BuildError(f"VERIFIED_ON={text!r} is no date; write it as 2026-11-22") from None


def _stats(lang: str) -> Inputs:
    """Every file that the language is built from, with its time of change and size."""
    stats = ((file, file.stat()) for file in inputs(lang))
    return {file: (stat.st_mtime_ns, stat.st_size) for file, stat in stats}


def _frame(page: Page) -> tuple:
    """What of a page stands on others too: in the navigation, or as where their links lead."""
    return page.title, str(page.toc), dict(page.meta), page.present_anchor_ids


def _in_place(standing: list[dict], new: list[dict], url: str) -> list[dict]:
    """The search entries with those of one page replaced."""
    own = [n for n, entry in enumerate(standing) if entry["location"].partition("#")[0] == url]
    return standing[: own[0]] + new + standing[own[-1] + 1 :] if own else standing + new


def _told(error: BaseException, messages: list[tuple[int, str]]) -> str:
    """One message for what ended a build: MkDocs logs the page and passes the error on."""
    said = [message for level, message in messages if level >= logging.ERROR]
    messages[:] = [one for one in messages if one[0] < logging.ERROR]
    cause = error.__context__ if isinstance(error, Abort) else error
    if isinstance(cause, TemplateError):
        return at_fault(cause)
    if isinstance(cause, (BuildError, SnippetError)):
        return str(cause)
    if isinstance(error, MkDocsException):
        return "\n".join(said) or str(error)
    return "".join(traceback.format_exception(error))


def at_fault(error: TemplateError) -> str:
    """What is wrong with a template, with its file and line."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{frame.filename}:{frame.lineno}" for frame in frames if ".html" in frame.filename]
    if isinstance(error, TemplateSyntaxError):
        places.append(f"{error.filename}:{error.lineno}")
    place = places[-1] if places else "a template"
    return f"{place.removeprefix(f'{ROOT}/')}: {error.message or type(error).__name__}"
