"""`mkdocs build` and `mkdocs serve` compose and build each language into the outer site: <site>/zh
and <site>/en, side by side.

While serving, the languages' processes stay, and build again what an edit changes.
"""

import logging
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.livereload import LiveReloadServer

sys.path.append(str(Path(__file__).parents[1]))

from builder.content import differences
from builder.content.paths import INPUTS, LANGUAGES, ROOT, Mistake
from builder.content.snippets import write
from builder.publishing import language_build, verdict_table

log = logging.getLogger("mkdocs.languages")

on_env = language_build.keep_templates

_folder: Path
"""A temporary one: `stage`, the composed pages, and while serving the built languages."""
_is_serving = False
_languages: dict[str, Connection] = {}


def on_startup(command: str, dirty: bool) -> None:
    global _folder, _is_serving
    _folder = Path(tempfile.mkdtemp(prefix="mkdocs_languages_"))
    _is_serving = command == "serve"
    if _is_serving:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    if not config.site_url:
        raise BuildError(
            "SITE_URL is empty: give the whole address, as in https://example.org/ctx/"
        )
    os.environ["SITE_URL"] = config.site_url  # for the languages: `serve` has its own
    config.nav = None  # the languages', not that of the root page
    config.extra["scope"] = urlsplit(config.site_url).path if config.use_directory_urls else ""
    config.watch.extend(str(ROOT / name) for name in INPUTS)
    return config


def on_serve(server: LiveReloadServer, config: MkDocsConfig, **_: object) -> LiveReloadServer:
    """Look at INPUTS five times a second, and not twice. A look takes a hundredth of a second."""
    server.unwatch(config.config_file_path)  # it is one of them
    server.observer = type(server.observer)(timeout=0.2)
    return server


def on_post_build(config: MkDocsConfig) -> None:
    """Build the languages, and put beside them what is for both. Their warnings become the outer
    build's. Raises BuildError if one can't be built."""
    differences.forget()
    site = Path(config.site_dir)
    for lang in LANGUAGES:
        if lang not in _languages:
            folder = (_folder if _is_serving else site) / lang
            _languages[lang] = language_build.start(lang, _folder / "stage" / lang, folder)
        _languages[lang].send("build")
    told = []
    try:
        write(site / "verdicts.json", verdict_table.as_json())  # while they are built
    except Mistake as mistake:
        told.append((logging.ERROR, str(mistake)))
    told += [one for lang in LANGUAGES for one in _languages[lang].recv()]
    for level, message in told:
        if level < logging.ERROR:
            log.log(level, message)
    # Once, if both languages have it:
    if errors := dict.fromkeys(text for level, text in told if level >= logging.ERROR):
        raise BuildError("\n".join(errors))
    if config.extra["archive"]:
        shutil.copyfile(ROOT / config.extra["archive"], site / "site.zip")
    if _is_serving:
        for lang in LANGUAGES:
            link = site / lang
            if not link.is_symlink():
                link.symlink_to(_folder / lang, target_is_directory=True)


def on_shutdown() -> None:
    for process in multiprocessing.active_children():
        process.terminate()
    shutil.rmtree(_folder, ignore_errors=True)
