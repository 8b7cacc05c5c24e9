"""`mkdocs build` and `mkdocs serve` compose and build each language into the outer site: <site>/zh
and <site>/en, side by side.

While serving, the languages' processes stay, and build again what an edit changes.
"""

import logging
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import File, Files

sys.path.append(str(Path(__file__).parents[1]))

from builder.content.paths import INPUTS, LANGUAGES, ROOT, Mistake
from builder.publishing import hosting, language_build, verdict_table
from builder.publishing.configuration import Settings

log = logging.getLogger("mkdocs.languages")

_folder: Path
"""A temporary one: `stage`, the composed pages, and while serving the built languages."""
_is_serving = False
_workers: dict[str, language_build.Worker] = {}


def on_startup(command: str, dirty: bool) -> None:
    global _folder, _is_serving
    _folder = Path(tempfile.mkdtemp(prefix="mkdocs_languages_"))
    _is_serving = command == "serve"
    _date_by_commit()
    if _is_serving:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


def _date_by_commit() -> None:
    """Sitemaps get the date of the commit, so that two builds of one are the same."""
    if "SOURCE_DATE_EPOCH" not in os.environ and shutil.which("git"):
        asked = ["git", "log", "-1", "--format=%ct"]
        date = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True).stdout.strip()
        if date:
            os.environ["SOURCE_DATE_EPOCH"] = date


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    if not config.site_url:
        raise BuildError(
            "SITE_URL is empty: give the site's whole address, as in https://example.org/ctx/, "
            "or unset it for http://127.0.0.1:8000/"
        )
    config.nav = None  # the languages', not that of the root page
    config.extra["scope"] = urlsplit(config.site_url).path if config.use_directory_urls else ""
    config.watch.extend(str(ROOT / name) for name in INPUTS)
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Begin to build the languages, while MkDocs builds the root page."""
    if not _workers:
        settings = Settings(
            config.site_url,
            config.repo_url or "",
            os.environ.get("VERIFIED_ON", ""),
            offline=not config.use_directory_urls,
        )
        site = _folder if _is_serving else Path(config.site_dir)
        for lang in LANGUAGES:
            stage = _folder / "stage" / lang
            _workers[lang] = language_build.Worker(lang, stage, site / lang, settings)
    for worker in _workers.values():
        worker.begin()
    try:
        data = verdict_table.as_json()
    except Mistake as mistake:
        raise BuildError(str(mistake)) from None
    files.append(File.generated(config, "verdicts.json", content=data))
    if config.extra["archive"]:
        archive = str(ROOT / config.extra["archive"])
        files.append(File.generated(config, "site.zip", abs_src_path=archive))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Raises BuildError if a language can't be built; its warnings become the outer build's."""
    failed: dict[str, list[str]] = {}
    for lang, worker in _workers.items():
        result = worker.result()
        for level, message in result.messages:
            log.log(level, "%s: %s", lang, message)
        if result.error:
            failed.setdefault(result.error, []).append(lang)
        elif result.built:
            log.info("%s built, %s", lang, result.built)
    if failed:
        raise BuildError("\n".join(f"{', '.join(of)}: {error}" for error, of in failed.items()))
    if _is_serving:
        for lang in LANGUAGES:
            link = Path(config.site_dir) / lang
            if not link.is_symlink():
                link.symlink_to(_folder / lang, target_is_directory=True)
    elif config.use_directory_urls:
        policy = hosting.write(Path(config.site_dir), config.site_url)
        log.info("Content-Security-Policy: %s", policy)


def on_shutdown() -> None:
    for process in multiprocessing.active_children():
        process.terminate()
    _workers.clear()
    shutil.rmtree(_folder, ignore_errors=True)
