"""Build each language into the outer site: <site>/zh and <site>/en, side by side.

Under `mkdocs serve` a language is built again only when one of its own inputs changed;
otherwise its last output is copied in.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import one_language
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError

# Where processes that are not forked find this folder's modules.
sys.path.append(str(Path(__file__).parent))

LANGUAGES = ("zh", "en")
SHARED_INPUTS = (
    "snippets",
    "tables",
    "overrides",
    "hooks",
    "mkdocs.yml",
    "search-terms.txt",
    "requirements-test.txt",
)

log = logging.getLogger("mkdocs.languages")

_serving = False
_kept: dict[str, tuple] = {}
_cache: tempfile.TemporaryDirectory | None = None
_pool: ProcessPoolExecutor | None = None


def on_startup(command: str, dirty: bool) -> None:
    global _serving, _cache
    _serving = command == "serve"
    if _serving:
        _cache = tempfile.TemporaryDirectory(prefix="languages-")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    if not config.site_url:
        raise BuildError(
            "SITE_URL is empty: give the site's whole address, as in https://example.org/ctx/, "
            "or unset it for http://127.0.0.1:8000/"
        )
    config.extra["scope"] = urlsplit(config.site_url).path
    return config


def on_post_build(config: MkDocsConfig) -> None:
    """Raises BuildError if a language can't be built; its warnings become the outer build's."""
    output = Path(_cache.name if _cache else config.site_dir)
    inputs = {lang: _fingerprint(lang, config) for lang in LANGUAGES}
    stale = [lang for lang in LANGUAGES if _kept.get(lang) != inputs[lang]]

    pool = _workers()
    builds = {
        lang: pool.submit(
            one_language.build, f"mkdocs.{lang}.yml", str(output / lang), config.site_url, lang
        )
        for lang in stale
    }
    failed = []
    for lang, pending in builds.items():
        result = pending.result()
        for level, message in result.messages:
            log.log(level, "%s: %s", lang, message)
        if result.error:
            _kept.pop(lang, None)
            failed.append(f"{lang}: {result.error}")
        else:
            _kept[lang] = inputs[lang]
            log.info("%s built in %.2f seconds", lang, result.seconds)
    if not _serving:
        on_shutdown()
    if failed:
        raise BuildError("\n".join(failed))
    if _serving:
        for lang in LANGUAGES:
            target = Path(config.site_dir) / lang
            shutil.copytree(output / lang, target, copy_function=_link, dirs_exist_ok=True)


def _link(source: str, target: str) -> None:
    """A second name for a file instead of a copy: a build replaces its files, it never edits."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def on_shutdown() -> None:
    global _pool
    if _pool:
        _pool.shutdown()
        _pool = None
    if _cache:
        _cache.cleanup()


def _workers() -> ProcessPoolExecutor:
    """A process for each language; kept while serving, so that they stay warm."""
    global _pool
    if _pool is None:
        _pool = ProcessPoolExecutor(
            max_workers=len(LANGUAGES), initializer=one_language.start_worker
        )
    return _pool


def _fingerprint(lang: str, config: MkDocsConfig) -> tuple:
    """The address and every input file of a language, with its time of change and size."""
    root = Path(config.config_file_path).parent
    files = []
    for name in (*SHARED_INPUTS, f"docs/{lang}", f"mkdocs.{lang}.yml"):
        path = root / name
        files += [path] if path.is_file() else path.rglob("*")
    files = [file for file in files if file.is_file() and file.suffix != ".pyc"]
    stats = [(str(file), file.stat()) for file in sorted(files)]
    return config.site_url, tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)
