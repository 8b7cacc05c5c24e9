"""What the theme needs in a folder on disk, and nowhere else: a shim for its search, and every page
loaded as a whole."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files

SHIM = "assets/iframe-worker/"


@event_priority(50)
def on_config(config: MkDocsConfig) -> None:
    """Before the theme's plugin, which would have the shim loaded from another host."""
    if config.plugins["material/offline"].config.enabled:
        config.extra["polyfills"] = [f"{SHIM}shim.js"]
        # There, its script of this name takes the page for gone before it is there.
        config.theme["features"].remove("navigation.instant")


def on_files(files: Files, *, config: MkDocsConfig) -> None:
    if config.use_directory_urls:
        for file in [file for file in files if file.src_uri.startswith(SHIM)]:
            files.remove(file)
