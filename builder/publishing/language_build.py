"""One language, composed and then built by MkDocs in a process of its own. The process stays: after
an edit, MkDocs builds again only the pages that have changed."""

import logging
import multiprocessing
import re
import shutil
import signal
import sys
import traceback
from contextlib import suppress
from logging.handlers import BufferingHandler
from multiprocessing.connection import Connection
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from builder.content import pages
from builder.content.paths import CACHE, Mistake
from builder.publishing.compose import Composer

log = logging.getLogger("mkdocs.languages")

_ABOUT_A_PAGE = re.compile(r"Doc file '(?P<uri>[^']+)' (?P<what>.*?'(?P<link>[^']+)'.*)", re.DOTALL)


def start(lang: str, folder: Path, site: Path) -> Connection:
    """Start a process that builds a language whenever it is sent something. It answers with what to
    log, as a list of (level, message); an error says why the build has failed.

    folder: where to compose; site: where the site of the language is built. It is a plain forked
    process: a pool has a thread, and Python warns of a fork beside threads.
    """
    fork = multiprocessing.get_context("fork")
    connection, end = fork.Pipe()
    work = connection, end, Composer(lang, folder), site
    fork.Process(target=_work, args=work, daemon=True).start()
    end.close()
    return connection


def _work(parents: Connection, connection: Connection, composer: Composer, site: Path) -> None:
    """In the new process, which ends with its parent, and at a Ctrl-C, without a word."""
    parents.close()  # so that nobody holds it when the parent has gone
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    stands = False  # whether a site of what was composed last is there
    with suppress(EOFError, BrokenPipeError):
        while connection.recv():
            told = _build(composer, site, stands)
            stands = all(level < logging.ERROR for level, _ in told)
            connection.send(told)


def _build(composer: Composer, site: Path, stands: bool) -> list[tuple[int, str]]:
    """Compose and build what has changed, or everything if no site stands. Returns what to log."""
    logged = BufferingHandler(capacity=sys.maxsize)
    logged.setLevel(logging.WARNING)
    logged.addFilter(lambda record: "A 'dirty' build" not in record.getMessage())
    logging.getLogger("mkdocs").handlers = [logged]  # and not what a forked process inherits
    lang, told = composer.lang, []
    try:
        files, is_whole = composer.compose()
        is_whole = is_whole or not stands
        if is_whole or files:
            config = load_config(str(composer.folder / "mkdocs.yml"), site_dir=str(site))
            config.plugins.events["env"].append(keep_templates)
            # A dirty build is one of only the pages whose files are newer than what was built.
            mkdocs_build(config, dirty=not is_whole)
            # Among the pages, their copies in Markdown would become pages.
            shutil.copytree(composer.folder / "copies", site, dirs_exist_ok=True)
            changed = sum(name.startswith("docs/") and name.endswith(".md") for name in files)
            what = "whole" if is_whole else f"{changed} pages"
            told.append((logging.INFO, f"{lang} built, {what}"))
    except Abort:
        pass  # MkDocs has logged why
    except Mistake as mistake:
        log.error(mistake)
    except Exception:
        log.error("%s: %s", lang, traceback.format_exc())
    return [_told(record, lang) for record in logged.buffer] + told


def _told(record: logging.LogRecord, lang: str) -> tuple[int, str]:
    """A record as level and message; one about a page has the file and line to correct."""
    message = record.getMessage()
    if match := _ABOUT_A_PAGE.match(message):
        page = pages.pages(lang)[match["uri"]]  # MkDocs has only those
        message = str(page.problem_at(page.line_of(match["link"]), match["what"]))
    return record.levelno, message if record.levelno >= logging.ERROR else f"{lang}: {message}"


def keep_templates(env: Environment, **_: object) -> None:
    """Keep compiled templates: to compile them again would be a third of an edit's time.

    Lines that hold only a tag of the template language leave no empty line in a page.
    """
    folder = CACHE / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(folder))
    env.trim_blocks = env.lstrip_blocks = True
