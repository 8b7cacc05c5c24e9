"""The pages: their addresses, parts and headings."""

import functools
import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import yaml
from mkdocs.utils import meta

from builder.content import parts
from builder.content.parts import Heading, Kind, Part
from builder.content.paths import DOCS, LANGUAGES, Problem, stamps
from builder.content.snippets import Program


def url(uri: str, site_url: str) -> str:
    """The address of a page, from its path below docs/<lang>/ and the address of its language."""
    return site_url + re.sub(r"\.md$", "/", re.sub(r"(^|/)index\.md$", r"\1", uri))


def target(link: str, uri: str) -> tuple[str, str] | None:
    """The path below docs/<lang>/ and the anchor that a link of a page leads to, if within."""
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = link.partition("#")
    here = posixpath.dirname(uri)
    return posixpath.normpath(posixpath.join(here, path)) if path else uri, anchor


class Page:
    """A page with what it includes.

    uri: its path below docs/<lang>/, the same in both languages; include_problems: what is wrong
    with what it includes.
    """

    def __init__(self, lang: str, uri: str, text: str) -> None:
        self.lang, self.uri, self.text = lang, uri, text
        self.path = DOCS / lang / uri
        self.parts, self.include_problems = parts.parse(text, self.path)
        self.includes = [*parts.includes(self.parts)]

    @functools.cached_property
    def folders(self) -> set[Path]:
        """Where the files that it includes are, with all that is read for them."""
        return {place.parent for include in self.includes for place in include.places}

    @functools.cached_property
    def problem(self) -> Problem | None:
        """Why the page can't be read, if so."""
        if "\ufffd" in self.text:
            return self.problem_at(self.line_of("\ufffd"), "not UTF-8; save the file as UTF-8")
        front = meta.YAML_RE.match(self.text)
        if not front:
            return self.problem_at(1, "no front matter; begin with --- / description: … / ---")
        try:
            if not isinstance(yaml.safe_load(front[1]), dict):
                return self.problem_at(2, "the front matter holds no `key: value`")
        except yaml.YAMLError as error:
            text = f"front matter: {error.problem}; put the value in quotes"
            return self.problem_at(error.problem_mark.line + 2, text)
        # If one is not closed, the browser puts the rest of the page into it.
        for tag in ("details", "div", "figure", "figcaption"):
            opened, closed = len(re.findall(rf"<{tag}\b", self.text)), self.text.count(f"</{tag}>")
            if opened != closed:
                text = f"{opened} <{tag}> and {closed} </{tag}>; close each once"
                return self.problem_at(self.line_of(f"<{tag}"), text)
        return None

    @property
    def sections(self) -> Iterator[tuple[Heading, list[Part]]]:
        """Each heading with the parts below it. What is above the title belongs to none."""
        starts = [at for at, part in enumerate(self.parts) if isinstance(part, Heading)]
        for start, end in pairwise([*starts, len(self.parts)]):
            yield self.parts[start], self.parts[start + 1 : end]

    @functools.cached_property
    def headings(self) -> list[Heading]:
        return [part for part in self.parts if isinstance(part, Heading)]

    @property
    def title(self) -> str | None:
        """The title, as Markdown."""
        return self.headings[0].words if self.headings and self.headings[0].level == 1 else None

    @functools.cached_property
    def meta(self) -> dict:
        return meta.get_data(self.text)[1]

    @functools.cached_property
    def programs(self) -> list[Program]:
        """The programs that the page includes, each once, in order."""
        programs = (include.program for include in self.includes)
        return list(dict.fromkeys(program for program in programs if program))

    @functools.cached_property
    def stepped(self) -> set[str]:
        """The names of the programs that it shows step by step."""
        steps = [include for include in self.includes if include.kind is Kind.STEPS]
        return {include.target.replace(parts.RECORDED, ".md") for include in steps}

    def line_of(self, *needles: str) -> int:
        """The first line that holds all the needles, for messages; 1 if none does."""
        lines = enumerate(self.text.splitlines(), 1)
        return next((n for n, line in lines if all(needle in line for needle in needles)), 1)

    def problem_at(self, line: int, text: str) -> Problem:
        return Problem(self.path, line, text)


_KEPT: dict[Path, tuple[Page, list]] = {}
"""By file the page, and the stamps of its folders when it was read."""


@functools.cache
def pages(lang: str) -> dict[str, Page]:
    """All pages of a language by their path below docs/<lang>/. One is the same object when they
    are read again, unless it or a folder of what it includes has changed."""
    root, read = DOCS / lang, {}
    stamp = functools.cache(lambda folder: stamps(folder.glob("*")))
    for uri in sorted(path.relative_to(root).as_posix() for path in root.rglob("*.md")):
        text = (root / uri).read_text("utf-8", "replace")
        page, before = _KEPT.get(root / uri, (None, None))
        is_same = page and page.text == text and before == [*map(stamp, page.folders)]
        if not is_same or page.include_problems:
            page = Page(lang, uri, text)
        read[uri] = page
        _KEPT[page.path] = page, [*map(stamp, page.folders)]
    return read


def every() -> list[Page]:
    """All pages in both languages."""
    return [page for lang in LANGUAGES for page in pages(lang).values()]


def navigation(items: list) -> Iterator[str]:
    """The pages that `nav` of mkdocs.yml names, or a part of it, in order."""
    for item in items:
        yield from [item] if isinstance(item, str) else navigation(*item.values())
