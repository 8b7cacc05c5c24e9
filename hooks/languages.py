"""`mkdocs build` and `mkdocs serve` compose and build each language into the outer site: <site>/zh
and <site>/en, side by side.

While serving, the languages' processes stay, and build again what an edit changes.
"""

import contextlib
import logging
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from jinja2 import TemplateError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, BuildError
from mkdocs.structure.files import File, Files

sys.path.append(str(Path(__file__).parents[1]))

from handbook import cells, hosting, language, snippets
from handbook.compose import Settings
from handbook.places import CACHE, DOCS, INPUTS, LANGUAGES, ROOT

RUNNING = CACHE / "running"
"""A folder for each running `mkdocs`, named for its process: `stage`, the composed pages; while
serving, the built languages, and `site`, a link to the temporary folder that MkDocs serves."""

log = logging.getLogger("mkdocs.languages")

_folder = RUNNING / str(os.getpid())
_is_serving = False
_workers: list[language.Worker] = []
_machinery: dict[Path, int] = {}


def on_startup(command: str, dirty: bool) -> None:
    global _is_serving
    _is_serving = command == "serve"
    _date_by_commit()
    signal.signal(signal.SIGINT, _interrupted)
    _folder.mkdir(parents=True)
    for left in RUNNING.iterdir():
        if not psutil.pid_exists(int(left.name)):
            _remove(left)
    if _is_serving:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        _machinery.update(_loaded())


def _date_by_commit() -> None:
    """Sitemaps get the date of the commit, so that two builds of one are the same."""
    if "SOURCE_DATE_EPOCH" not in os.environ and shutil.which("git"):
        asked = ["git", "log", "-1", "--format=%ct"]
        date = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True).stdout.strip()
        if date:
            os.environ["SOURCE_DATE_EPOCH"] = date


def _interrupted(*_: object) -> None:
    """End in order at the first Ctrl-C, whatever happens at the second; the languages follow."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise KeyboardInterrupt


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    if not config.site_url:
        raise BuildError(
            "SITE_URL is empty: give the site's whole address, as in https://example.org/ctx/, "
            "or unset it for http://127.0.0.1:8000/"
        )
    config.extra["scope"] = urlsplit(config.site_url).path if config.use_directory_urls else ""
    archive = config.extra["archive"]
    if archive and not (ROOT / archive).is_file():
        raise BuildError(
            f"ARCHIVE names {archive}, which is not there: `make archive` makes site.zip"
        )
    config.watch.extend(str(ROOT / name) for name in INPUTS)
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Begin to build the languages, while MkDocs builds the root page."""
    if _is_serving and _loaded() != _machinery:
        _start_over(config)
    if not _workers:
        folder = _folder if _is_serving else Path(config.site_dir)
        stage = _folder / "stage"
        rendering = multiprocessing.Lock()
        cells.rendering = rendering
        settings = Settings(
            config.site_url,
            config.repo_url or "",
            os.environ.get("VERIFIED_ON", ""),
            offline=not config.use_directory_urls,
        )
        _workers.extend(
            language.Worker(lang, rendering, stage / lang, folder / lang, settings)
            for lang in LANGUAGES
        )
    for worker in _workers:
        worker.start()
    if config.extra["archive"]:
        archive = str(ROOT / config.extra["archive"])
        files.append(File.generated(config, "site.zip", abs_src_path=archive))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Raises BuildError if a language can't be built; its warnings become the outer build's."""
    _render_cells()
    failed: dict[str, list[str]] = {}
    for worker in _workers:
        result = worker.result()
        for level, message in result.messages:
            log.log(level, "%s: %s", worker.lang, message)
        if result.error:
            failed.setdefault(result.error, []).append(worker.lang)
        elif result.built:
            log.info("%s built, %s, in %.2f seconds", worker.lang, result.built, result.seconds)
    if failed:
        raise BuildError("\n".join(f"{', '.join(of)}: {error}" for error, of in failed.items()))
    if not _is_serving and config.use_directory_urls:
        policy = hosting.write(Path(config.site_dir), config.site_url)
        log.info("Content-Security-Policy: %s", policy)
    if _is_serving:
        for lang in LANGUAGES:
            _show(_folder / lang, Path(config.site_dir) / lang)
        _show(Path(config.site_dir), _folder / "site")


def on_build_error(error: Exception) -> None:
    if isinstance(error, TemplateError):
        raise Abort(language.template_problem(error)) from None


def on_shutdown() -> None:
    for worker in _workers:
        worker.close()
    _workers.clear()
    shutil.rmtree(_folder, ignore_errors=True)


def _render_cells() -> None:
    """The cells of all labs in one go, before the languages come to ask for them."""
    labs = sorted((DOCS / LANGUAGES[0] / "labs").rglob("*.md"))
    with contextlib.suppress(snippets.SnippetError, ValueError):  # the languages will say it
        cells.cells([cell for lab in labs for cell in cells.numbered(lab.read_text("utf-8"))])


def _show(folder: Path, at: Path) -> None:
    """Make a folder available at another place too, as a copy where links don't work."""
    if at.is_symlink():
        return
    try:
        at.symlink_to(folder, target_is_directory=True)
    except OSError:
        shutil.copytree(folder, at, dirs_exist_ok=True)


def _remove(left: Path) -> None:
    """Remove what a killed process left behind."""
    site = left / "site"
    if site.is_symlink() and site.resolve().name.startswith("mkdocs_"):
        shutil.rmtree(site.resolve(), ignore_errors=True)
    shutil.rmtree(left, ignore_errors=True)


def _loaded() -> dict[Path, int]:
    """What a process reads only once, with its time of change: the code of the build itself, and
    the words that are never divided."""
    files = [file for name in ("handbook", "hooks") for file in (ROOT / name).rglob("*.py")]
    return {file: file.stat().st_mtime_ns for file in [*files, ROOT / "search-terms.txt"]}


def _start_over(config: MkDocsConfig) -> None:
    """Put a new process in the place of this one, which has the old code loaded."""
    for file in _loaded():
        if file.suffix != ".py":
            continue
        try:
            compile(file.read_text(encoding="utf-8"), file.name, "exec")
        except SyntaxError as error:
            raise BuildError(f"{file.relative_to(ROOT)}:{error.lineno}: {error.msg}") from None
    log.info("The build's own code has changed: starting over")
    on_shutdown()
    shutil.rmtree(config.site_dir, ignore_errors=True)
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
