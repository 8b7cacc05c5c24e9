"""Build one language with MkDocs's own API, in a process of its own."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import jieba
from mkdocs.commands import build as mkdocs_build
from mkdocs.config import load_config


@dataclass
class Result:
    """What came of a build: warnings and errors as (level, message), and why it failed, if it did."""

    seconds: float = 0.0
    messages: list[tuple[int, str]] = field(default_factory=list)
    error: str | None = None


class _Collector(logging.Handler):
    def __init__(self, messages: list[tuple[int, str]]) -> None:
        super().__init__(logging.WARNING)
        self.messages = messages

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append((record.levelno, record.getMessage()))


def start_worker() -> None:
    """In a worker process: leave Ctrl-C to the parent, and end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


def build(config_file: str, site_dir: str, root_url: str, lang: str) -> Result:
    """Build the site of config_file into site_dir, to be served at <root_url>/<lang>/."""
    result = Result()
    start = time.monotonic()
    jieba.setLogLevel(logging.WARNING)
    collector = _Collector(result.messages)
    logger = logging.getLogger("mkdocs")
    inherited, logger.handlers = (logger.handlers, [collector])  # a forked process has the parent's
    try:
        config = load_config(
            config_file, site_dir=site_dir, site_url=urljoin(root_url, f"{lang}/"), strict=False
        )
        config.extra["scope"] = urlsplit(root_url).path
        if not config.repo_url:
            config.edit_uri = None  # or MkDocs makes of it a link within the site
        mkdocs_build.build(config)
    except (Exception, SystemExit) as error:
        result.error = f"{type(error).__name__}: {error}"
    finally:
        logger.handlers = inherited
    result.seconds = time.monotonic() - start
    return result
