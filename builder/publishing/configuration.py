"""The configurations that MkDocs or Zensical builds what is composed with, and the settings that
they come from."""

import html
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import yaml
from mkdocs.utils.yaml import yaml_load

from builder.content import differences, pages
from builder.content.paths import ROOT, Mistake, Problem, pinned
from builder.publishing import other_releases, search_index

SHIM = "assets/iframe-worker/shim.js"
"""A script that lets the theme start its search where the site is read from a folder."""


@dataclass(frozen=True)
class Settings:
    """Where the site will be, and what else the environment of a build says.

    root_url: the address of the whole site, with a slash at its end; verified_on: the day on which
    every program was run; offline: whether the site is to be read from a folder, without a server;
    own_search: whether pages are searched with our own index, and not with the generator's.
    """

    root_url: str
    repo_url: str = ""
    verified_on: str = ""
    offline: bool = False
    own_search: bool = True

    def site_url(self, lang: str) -> str:
        """The address of a language."""
        return urljoin(self.root_url, f"{lang}/")


def read(name: str) -> dict:
    """A configuration of the project: mkdocs.yml, or mkdocs.<lang>.yml."""
    with (ROOT / name).open("rb") as file:
        return yaml_load(file)


def as_yaml(data: dict) -> str:
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=10**6)


def for_folder(config: dict, folder: Path, settings: Settings) -> dict:
    """A copy of a configuration that builds what is composed into a folder."""
    theme = config["theme"]
    copy = config | {
        "docs_dir": "docs",
        "site_dir": "site",
        "repo_url": settings.repo_url,
        "hooks": [],
        "theme": theme | {"custom_dir": os.path.relpath(ROOT / theme["custom_dir"], folder)},
        "extra": config["extra"] | {"scope": urlsplit(settings.root_url).path},
    }
    # Without a repository, an edit_uri would become a link within the site.
    return copy if settings.repo_url else copy | {"edit_uri": None}


def for_language(config: dict, lang: str, folder: Path, settings: Settings) -> dict:
    """The configuration of a composed language. config: mkdocs.<lang>.yml. Raises Mistake."""
    composed = for_folder(config, folder, settings)
    theme, extra = composed["theme"], composed["extra"]
    composed["site_url"] = "" if settings.offline else settings.site_url(lang)
    extra["root"] = root = "../" if settings.offline else settings.root_url
    extra["alternate"] = [
        language | {"link": f"{root}{language['lang']}/@page"} for language in extra["alternate"]
    ]
    if settings.own_search:
        extra["search_worker"] = "assets/search/worker.js"
    if settings.offline:
        extra["polyfills"] = [SHIM]
        # In a folder, its script of this name takes a page for gone before it is there.
        theme["features"] = [name for name in theme["features"] if name != "navigation.instant"]
    extra["recorded"] = " ".join(differences.recorded())
    extra["torch"] = pinned("torch")
    composed["copyright"] = other_releases.with_counts(composed["copyright"])
    if settings.verified_on:
        composed["copyright"] += extra["verified"].format(date=settings.verified_on)
    composed["markdown_extensions"]["builder.publishing.markup"] = {}
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
        begins = inner[:1] == [index]  # the page has the name of its section
        name = sections.get(folder) or begins and _name(index, lang)
        if not name:
            text = (
                f"the section {folder!r} of the nav has no name; give it one under extra, "
                "sections, or begin it with its index.md"
            )
            raise Mistake(Problem(ROOT / f"mkdocs.{lang}.yml", 1, text))
        named.append({name: [index] * begins + _named(inner[begins:], lang, sections)})
    return named


def _name(uri: str, lang: str) -> str:
    """What the navigation calls a page."""
    page = pages.pages(lang).get(uri)
    if not page:
        return uri  # MkDocs says that there is none
    label = page.meta.get("label") or search_index.plain(page.title or uri)
    return html.escape(label, quote=False)
