"""The configurations that MkDocs or Zensical builds what is composed with."""

import html
import os
from pathlib import Path
from urllib.parse import urlsplit

import yaml
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

from builder.content import differences, pages
from builder.content.paths import ROOT, Mistake, Problem, pinned
from builder.publishing import other_releases, search_index


class Edition:
    """A language as it is to be built.

    config: mkdocs.<lang>.yml, with what the environment says; words: its `extra`; is_offline:
    whether it is to be read from a folder, without a server; url: its address; printed: the
    sentence about where outputs come from.
    """

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.config = read(f"mkdocs.{lang}.yml")
        self.words = self.config["extra"]
        self.is_offline = self.config["plugins"]["offline"]["enabled"]
        self.url = f"{self.config['site_url']}{lang}/"
        self.printed = self.words["downloads"]["printed"].format(torch=pinned("torch"))

    def address(self, uri: str) -> str:
        """The address of a page below that of the language."""
        return uri.removesuffix(".md") + ".html" if self.is_offline else pages.url(uri, "")


def read(name: str) -> dict:
    """A configuration of the project: mkdocs.yml, or mkdocs.<lang>.yml."""
    with (ROOT / name).open("rb") as file:
        config = yaml_load(file, get_yaml_loader(yaml.CLoader))
    config["site_url"] = config["site_url"].rstrip("/") + "/"
    return config


def as_yaml(data: dict) -> str:
    options = {"allow_unicode": True, "sort_keys": False, "width": 10**6}
    return yaml.dump(data, Dumper=yaml.CSafeDumper, **options)


def for_folder(config: dict, folder: Path) -> dict:
    """A copy of a configuration that builds what is composed into a folder."""
    theme = config["theme"]
    copy = config | {
        "docs_dir": "docs",
        "site_dir": "site",
        "hooks": [],
        "theme": theme | {"custom_dir": os.path.relpath(ROOT / theme["custom_dir"], folder)},
        "extra": config["extra"] | {"scope": urlsplit(config["site_url"]).path},
    }
    # Without a repository, an edit_uri would become a link within the site.
    return copy if config["repo_url"] else copy | {"edit_uri": None}


def for_language(edition: Edition, folder: Path) -> dict:
    """The configuration of a composed language. Raises Mistake."""
    lang, composed = edition.lang, for_folder(edition.config, folder)
    theme, extra = composed["theme"], composed["extra"]
    extra["root"] = root = "../" if edition.is_offline else composed["site_url"]
    extra["address"] = edition.url
    composed["site_url"] = "" if edition.is_offline else edition.url
    extra["alternate"] = [
        language | {"link": f"{root}{language['lang']}/@page"} for language in extra["alternate"]
    ]
    if extra["own_search"]:
        extra["search_worker"] = "assets/search/worker.js"
    if edition.is_offline:
        # In a folder, its script of this name takes a page for gone before it is there.
        theme["features"] = [name for name in theme["features"] if name != "navigation.instant"]
    extra["recorded"] = " ".join(differences.recorded())
    extra["torch"] = pinned("torch")
    composed["copyright"] = other_releases.with_counts(composed["copyright"])
    if date := os.environ.get("VERIFIED_ON"):
        composed["copyright"] += extra["verified"].format(date=date)
    composed["markdown_extensions"]["builder.publishing.markup:Markup"] = {}
    composed["nav"] = _named(composed["nav"], lang, extra["sections"])
    return composed


def _named(items: list, lang: str, sections: dict[str, str]) -> list:
    """The navigation with all names. MkDocs knows only those of pages that it builds now.

    sections: the names of folders.
    """
    named: list = []
    for item in items:
        if isinstance(item, str):
            named.append({_name(item, lang): item})
            continue
        ((folder, inner),) = item.items()
        index = f"{folder}/index.md"
        name = sections.get(folder) or index in inner and _name(index, lang)
        if not name:
            text = f"the section {folder!r} of the nav has no name; add it to `sections`"
            raise Mistake(Problem(ROOT / f"mkdocs.{lang}.yml", 1, text))
        named.append({name: _named(inner, lang, sections)})
    return named


def _name(uri: str, lang: str) -> str:
    """What the navigation calls a page. Of one that isn't there, MkDocs says so."""
    page = pages.pages(lang).get(uri)
    label = page and (page.meta.get("label") or search_index.plain(page.title or uri))
    return html.escape(label or uri, quote=False)
