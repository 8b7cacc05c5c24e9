"""The pages: their addresses, headings and links, and what is wrong with them.

parts.py reads what a page includes. Where a check needs a page as HTML, it is rendered with the
project's own Markdown configuration.
"""

import functools
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import markdown
import yaml
from bs4 import BeautifulSoup, Tag
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils import meta

from builder.content import parts as page_parts
from builder.content.paths import DOCS, INCLUDED, LANGUAGES, ROOT, shown, stamps
from builder.content.snippets import Snippet

_HTML_BLOCKS = ("details", "div", "figure", "figcaption")
"""If one is not closed, the browser puts the rest of the page into it."""
_HEADINGS = re.compile("h[1-6]")


def stepped() -> set[str]:
    """The names of the programs that pages show step by step."""
    steps = (one for page in every() for one in page.includes if one.is_steps)
    return {one.target.replace(page_parts.RECORDED, ".md") for one in steps}


def is_lab(uri: str) -> bool:
    """Whether a page is shown as a notebook."""
    return uri.startswith("labs/") and not uri.endswith("index.md")


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


@dataclass(frozen=True)
class Page:
    lang: str
    uri: str
    """Path below docs/<lang>/, the same in both languages."""

    @property
    def path(self) -> Path:
        return DOCS / self.lang / self.uri

    @property
    def shown(self) -> str:
        """Path as messages give it."""
        return shown(self.path)

    @functools.cached_property
    def problem(self) -> str | None:
        """Why the page can't be read, with file, line and remedy, if so."""
        if "\ufffd" in self.text:
            return f"{self.shown}:{self.line_of(chr(0xFFFD))}: not UTF-8; save the file as UTF-8"
        front = meta.YAML_RE.match(self.text)
        if not front:
            return f"{self.shown}:1: no front matter; begin with --- / description: … / ---"
        try:
            if not isinstance(yaml.safe_load(front[1]), dict):
                return f"{self.shown}:2: the front matter holds no `key: value`"
        except yaml.YAMLError as error:
            line = error.problem_mark.line + 2
            return f"{self.shown}:{line}: front matter: {error.problem}; put the value in quotes"
        for tag in _HTML_BLOCKS:
            opened, closed = len(re.findall(rf"<{tag}\b", self.text)), self.text.count(f"</{tag}>")
            if opened != closed:
                where = f"{self.shown}:{self.line_of(f'<{tag}')}"
                return f"{where}: {opened} <{tag}> and {closed} </{tag}>; close each once"
        return None

    @functools.cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8", errors="replace")

    @functools.cached_property
    def parts(self) -> tuple[page_parts.Part, ...]:
        """Headings, prose and what the page includes, in order."""
        return page_parts.parse(self.text)

    @functools.cached_property
    def title(self) -> str | None:
        """The title, as Markdown."""
        first = next((one for one in self.parts if isinstance(one, page_parts.Heading)), None)
        return first.words if first and first.level == 1 else None

    @functools.cached_property
    def meta(self) -> dict:
        return meta.get_data(self.text)[1]

    @functools.cached_property
    def soup(self) -> BeautifulSoup:
        """The page as HTML, with no include carried out and only the ids its author wrote."""
        body = meta.get_data(self.text)[0]
        return BeautifulSoup(_renderer(self.lang).reset().convert(body), "html.parser")

    @functools.cached_property
    def headings(self) -> list[tuple[int, str | None, str]]:
        """Level, id and text of each heading."""
        tags = self.soup.find_all(_HEADINGS)
        return [(int(tag.name[1]), tag.get("id"), tag.get_text()) for tag in tags]

    @functools.cached_property
    def blocks(self) -> list[str]:
        """Each note and folded block as its kind, number of bullets and section."""
        descriptions = []
        for tag in self.soup.select("details, .admonition"):
            kind = next((name for name in tag.get("class", ()) if name != "admonition"), tag.name)
            heading = tag.find_previous(_HEADINGS)
            section = heading.get("id") if heading else ""
            descriptions.append(f"{kind} with {len(tag.select('li'))} bullets in #{section}")
        return descriptions

    @property
    def block_problems(self) -> list[str]:
        """What is wrong with the folded exceptions: their place or their form."""
        return [
            f"{self.shown}:{self.line_of(tag.summary.get_text())}: "
            f"{tag.summary.get_text()!r} {problem}"
            for tag in self.soup.select("details.exceptions")
            for problem in _exceptions_problems(tag, self.lang)
        ]

    @functools.cached_property
    def heading_problems(self) -> list[str]:
        """What is wrong with levels and ids."""
        problems = []
        above = 0
        seen = set()
        for level, identifier, text in self.headings:
            where = f"{self.shown}:{self.line_of('#', text.strip())}: {text!r}"
            if (level == 1) != (above == 0):
                problems.append(f"{where}: a page begins with one # title, and has no other")
            elif level > above + 1:
                problems.append(f"{where} is level {level} below level {above}; take one # more")
            if identifier is None:
                problems.append(f"{where} has no id; end it with {{ #short-id }}")
            elif identifier in seen:
                problems.append(f"{where}: the id {identifier!r} is used twice; write another")
            seen.add(identifier)
            above = level
        if not above:
            problems.append(f"{self.shown}:1: no title; begin with `# Title {{ #short-id }}`")
        return problems

    @property
    def include_problems(self) -> list[str]:
        problems = page_parts.problems(self.text, self.parts)
        return [f"{self.shown}:{line}: {what}" for line, what in problems]

    @property
    def sources(self) -> list[Path]:
        """The page and what it includes, there or not. Recorded runs are not among them."""
        files = [self.path]
        for one in self.includes:
            named = [one.file] if one.file else [folder / one.target for folder in INCLUDED]
            files += [*named, *(file.with_suffix(".svg") for file in named)]
        return files

    @functools.cached_property
    def stamp(self) -> tuple:
        """Time of change and size of these files when the page was read."""
        return stamps(self.sources)

    @functools.cached_property
    def includes(self) -> list[page_parts.Include]:
        return page_parts.includes(self.parts)

    @functools.cached_property
    def programs(self) -> list[Snippet]:
        """The programs that the page includes, each once, in order."""
        return list(dict.fromkeys(one.program for one in self.includes if one.is_program))

    @functools.cached_property
    def links(self) -> list[tuple[str, str]]:
        """Internal links: the path below docs/<lang>/ and the anchor. The build checks them."""
        hrefs = [tag["href"] for tag in self.soup.find_all("a", href=True)]
        return [found for href in hrefs if (found := target(href, self.uri))]

    def line_of(self, *needles: str | None) -> int:
        """The first line that holds all the needles, for messages; 1 if none does."""
        wanted = [needle for needle in needles if needle]
        for number, line in enumerate(self.text.splitlines(), 1):
            if wanted and all(needle in line for needle in wanted):
                return number
        return 1


EXCEPTIONS = {"zh": "例外：", "en": "Exceptions: "}
"""How the title of folded exceptions begins."""
MOST_BULLETS = 5


def _exceptions_problems(block: Tag, lang: str) -> Iterator[str]:
    """What is wrong with a block of folded exceptions."""
    title, *body = block.find_all(True, recursive=False)
    if not title.get_text().startswith(EXCEPTIONS[lang]) or title.find(True):
        yield f'needs a plain title that names the conditions: "{EXCEPTIONS[lang]}…"'
    if not isinstance(block.parent, BeautifulSoup):
        yield "is in a tab, a list or a <div>; move it to the top level"
    after = block.find_next_sibling()
    if after and not _HEADINGS.fullmatch(after.name):
        yield f"is not the last of its section; move it below {after.get_text()[:40]!r}"
    if [tag.name for tag in body] != ["ul"]:
        yield "holds something else than one list of bullets"
        return
    bullets = body[0].find_all("li", recursive=False)
    if len(bullets) > MOST_BULLETS:
        yield f"has {len(bullets)} bullets; at most {MOST_BULLETS}, move some to their own page"
    for bullet in bullets:
        text = bullet.get_text().strip()
        begins = (bullet.p or bullet).contents[0]
        if not isinstance(begins, Tag) or begins.name != "strong":
            yield f"has a bullet that doesn't begin with its condition in bold: {text[:40]!r}"
        if not bullet.find("a") and "--8<--" not in text:
            yield f"has a bullet without a program or a link: {text[:40]!r}"


@functools.cache
def config(lang: str) -> MkDocsConfig:
    return load_config(str(ROOT / f"mkdocs.{lang}.yml"))


@functools.cache
def pages(lang: str) -> dict[str, Page]:
    """All pages of a language by their path below docs/<lang>/."""
    folder = DOCS / lang
    uris = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    return {uri: _kept_page(lang, uri) for uri in uris}


_KEPT: dict[tuple[str, str], Page] = {}


def _kept_page(lang: str, uri: str) -> Page:
    """A page as it was read before, unless a file that it is made from has changed."""
    page = _KEPT.get((lang, uri))
    if page is None or page.stamp != stamps(page.sources):
        page = _KEPT[lang, uri] = Page(lang, uri)
        _ = page.stamp  # taken now, and with it the page is parsed: it counts what it includes
    return page


def every() -> list[Page]:
    """All pages in both languages."""
    return [page for lang in LANGUAGES for page in pages(lang).values()]


def concerned(only: str = "") -> list[str]:
    """The pages at a path, below it, indexes above it, and those with an include from there; all
    without a path."""
    uris = set()
    for page in every():
        here = page.uri.removesuffix(".md").removesuffix("/index")
        names = [one.target.removesuffix(".md") for one in page.includes]
        is_above = page.uri.endswith("/index.md") and f"{only}/".startswith(f"{here}/")
        if is_above or any(f"{name}/".startswith(only and f"{only}/") for name in (here, *names)):
            uris.add(page.uri)
    return sorted(uris)


def readable(lang: str, uris: list[str]) -> Iterator[Page]:
    """Those of the pages that can be read; what is wrong with the others, `Page.problem` says."""
    for uri in uris:
        page = pages(lang).get(uri)
        if page and not page.problem:
            yield page


def navigation(items: list | None = None) -> list[str]:
    """The pages that mkdocs.yml names, in the order in which a reader is led through.

    items: a part of the navigation; without it, the whole.
    """
    found = []
    for item in config(LANGUAGES[0]).nav if items is None else items:
        if isinstance(item, str):
            found.append(item)
        else:
            for inner in item.values():
                found += navigation(inner)
    return found


@functools.cache
def _renderer(lang: str) -> markdown.Markdown:
    settings = config(lang)
    return markdown.Markdown(
        extensions=[name for name in settings.markdown_extensions if name != "toc"],
        extension_configs=settings.mdx_configs,
    )
