"""What the HTML of the site says, in one pass over its pages: links, addresses, what is loaded, and
what the build makes of programs and outputs."""

import functools
import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup
from problems import differing, report
from sites import KEPT, Site

from builder.content import differences, pages, verdicts
from builder.content.pages import Page
from builder.content.parts import RECORDED
from builder.content.paths import LANGUAGES, pinned, shown
from builder.publishing import configuration, other_releases
from builder.publishing.composed_page import script
from builder.publishing.red_lines import error_lines
from builder.publishing.search_index import plain

WORDS = {lang: configuration.read(f"mkdocs.{lang}.yml")["extra"] for lang in LANGUAGES}
LOADED = ":not(a, [rel=canonical], [rel=alternate], [rel=prev], [rel=next], [rel~=edit])"
"""What has a link and names no page is loaded."""

VISIT_KILOBYTES = 96
"""For a page with its styles and scripts, gzipped. Headers, the sitemap and the search worker add
about 4, and a first visit is to load at most 100."""

EXPECTED = {
    *(".hll", "wbr", ".filename", ".jp-CodeCell", ".differs"),
    *("[src*='player.js']", "math[alttext*=frac]"),
}
"""What some page has: without it a rule below would have nothing to look at, or someone who can't
see formulas nothing to read."""


@functools.cache
def soup(file: Path) -> BeautifulSoup:
    """A page, without the spans of single words of programs: most of its tags, and no check needs
    them."""
    words = r'<span class="(?!hll)[a-z0-9]{1,3}">([^<]*)</span>'
    return BeautifulSoup(re.sub(words, r"\1", file.read_text(encoding="utf-8")), "html.parser")


def link_problems(site: Site, file: Path) -> Iterator[str]:
    """Links within the site that lead to no file or anchor, and what is loaded from elsewhere."""
    here = urlsplit(site.url)
    for tag in soup(file).select("[href], [src]"):
        link = tag.get("href") or tag["src"]
        address = urlsplit(urljoin(site.address(file), link))
        where = f"{file.relative_to(site.folder)}:{tag.sourceline}: {link!r}"
        if (address.scheme, address.netloc) != (here.scheme, here.netloc):
            if address.scheme != "data" and tag.css.match(LOADED):
                yield f"{where} is loaded from elsewhere"
            continue
        target, anchor = site.file(address.path), unquote(address.fragment)
        if not unquote(address.path).startswith(site.base):
            yield f"{where} leads out of the site"
        elif link.startswith("/") and file.parent != site.folder and file.name != "404.html":
            yield f"{where} would lead out of a site under a path"
        elif site.is_whole and not target.is_file():
            yield f"{where} leads to no file of the site"
        elif site.is_whole and target.suffix == ".html" and anchor not in {"", "__", *ids(target)}:
            yield f"{where}: that page has no #{anchor}"


@functools.cache
def ids(file: Path) -> set[str]:
    return {tag["id"] for tag in soup(file).select("[id]")}


def weight_problems(site: Site, file: Path) -> Iterator[str]:
    """A page that is heavy on a first visit."""
    tags = soup(file).select("[src]:not([src^='data:']), [rel=stylesheet], [rel=icon]")
    links = {urljoin(site.address(file), tag.get("src") or tag["href"]) for tag in tags}
    loaded = {file, *(site.file(urlsplit(link).path) for link in links)}
    sizes = (len(gzip.compress(part.read_bytes(), 6)) for part in loaded if part.is_file())
    weight = sum(sizes) / 1000
    if weight > VISIT_KILOBYTES:
        name = file.relative_to(site.folder)
        yield f"{name}: a first visit loads {weight:.1f} kB; at most {VISIT_KILOBYTES}"


def root_problems(site: Site) -> Iterator[str]:
    """What the root page and 404.html lack: they lead to both languages, without a script."""
    for name in ("index.html", "404.html"):
        for lang in LANGUAGES:
            if not soup(site.folder / name).select(f"a[lang={lang}][href='{site.base}{lang}/']"):
                yield f"{name}: does not lead to {lang}/ in its language"


def head_problems(site: Site, html: BeautifulSoup, lang: str, page: Page | None) -> Iterator[str]:
    """What search engines, screen readers and previews of links go by; page: None at the root."""
    path = pages.url(page.uri, "") if page else ""
    address = f"{site.url}{lang}/{path}" if page else site.url
    wanted = {
        "html": lang,
        "link[rel=canonical]": address,
        "link[hreflang=zh]": f"{site.url}zh/{path}",
        "link[hreflang=en]": f"{site.url}en/{path}",
        "link[hreflang=x-default]": f"{site.url}en/{path}" if path else site.url,
    }
    if page:
        wanted |= {
            "[name=description]": page.meta["description"],
            "[property='og:description']": page.meta["description"],
            "[property='og:url']": address,
            "[property='og:image']": f"{site.url}{lang}/assets/card.png",
            ".md-header__language": f"{site.url}{'en' if lang == 'zh' else 'zh'}/{path}",
        }
        if not html.select("[property='og:title']:not([content*='<'])"):
            yield "has no plain og:title"
    for selector, value in wanted.items():
        tags = html.select(selector)
        shown = [tag.get("href") or tag.get("content") or tag["lang"] for tag in tags]
        if shown != [value]:
            yield f"{selector} is {shown}, not {value!r}"


def program_problems(page: Page, html: BeautifulSoup) -> Iterator[str]:
    """Marked lines, labels of outputs, and releases on which a program does something else."""
    words = WORDS[page.lang]
    marks, blocks, headers, notes = [], [], [], []
    elsewhere = "".join(tag.get_text() for tag in html.select(".differs .diff"))
    for include in (include for include in page.includes if include.program):
        program, red = include.program, error_lines(include.program)
        code, output = program.code.splitlines(), program.output.lstrip("\n").splitlines()
        marks += [code[number - 1].strip() for number in include.marked]
        if not page.uri.startswith("labs/"):
            marks += [output[number - 1].strip() for number in red]
        label = words["outputs"]["error" if red else "output"]
        blocks += map(plain_lines, (program.code, label, program.output))
        headers += [script(program.name)] * (verdicts.FOLDER not in program.name)
        titles = other_releases.titles(program, page.lang, words)
        notes += map(plain, titles)
        for difference in titles.values():
            lines = difference.output.replace("\u2011", "-").splitlines()
            new = next((line for line in lines if line not in output), "")
            if new not in elsewhere:
                yield f"doesn't show that {program.name} prints {new!r} on {difference.releases}"
        unknown = differences.not_run(program) or differences.is_left_out(program)
        if unknown and verdicts.FOLDER not in program.name:
            notes.append("#matrix")
    lines = [tag.get_text().strip() for tag in html(class_="hll")]
    yield from differing("marked lines", marks, lines)
    shown = html.select(":is(div.language-python, div.language-text) :is(.filename, pre)")
    texts = [plain_lines(part.get_text()) for part in shown]
    yield from differing("programs and outputs", blocks, texts)
    shown = [link["href"].lstrip("./") for link in html.select("p.script > .script-link")]
    yield from differing("headers of programs", headers, shown)
    shown = html.select(".differs > summary, p.differs > a[href$='#matrix']:first-child")
    texts = ["#matrix" if tag.name == "a" else tag.get_text() for tag in shown]
    yield from differing("notes on other releases", notes, texts)


def plain_lines(text: str) -> list[str]:
    """The lines of a text without blanks at their ends, which Markdown drops."""
    return [line.rstrip() for line in text.strip().splitlines()]


def page_problems(site: Site, page: Page, html: BeautifulSoup) -> Iterator[str]:
    """What depends on where the site is, and what only some pages have."""
    player = html.select("[src*='player.js'], [href*='player.css']")
    if len(player) != 2 * (RECORDED in page.text):
        yield "loads the player without having one, or has one and doesn't load it"
    if page.uri.startswith("labs/") and page.programs and not html.select(".jp-CodeCell"):
        yield "not rendered as a notebook"
    if not site.is_archive:
        yield from head_problems(site, html, page.lang, page)
    if site.is_whole:
        return
    parts = ("example/ctx/issues/new?", f"torch%3A+{pinned('torch')}", f"{page.lang}%2F")
    if len(html.select("a" + "".join(f"[href*='{part}']" for part in parts))) != 1:
        yield f"has no link, or two, to report a mistake, with all of {parts}"
    if "2026-01-31" not in html.find("footer", "md-footer").get_text():
        yield "does not have the date of verification at its foot"


@pytest.mark.parametrize("name", ["public", "under_a_path", "unpacked"])
def test_every_page_is_built_right(name: str, request: pytest.FixtureRequest) -> None:
    site: Site = request.getfixturevalue(name)
    files = sorted(site.folder.rglob("*.html"))
    problems = [problem for file in files for problem in link_problems(site, file)]
    if not site.is_archive:
        problems += root_problems(site)
        root = soup(site.folder / "index.html")
        problems += [f"index.html: {problem}" for problem in head_problems(site, root, "en", None)]
    if name == "public":
        problems += [problem for file in files for problem in weight_problems(site, file)]
    seen = set()
    uris = pages.pages("en") if site.is_whole else KEPT
    for page in (pages.pages(lang)[uri] for lang in LANGUAGES for uri in uris):
        path = page.uri if site.is_archive else pages.url(page.uri, "") + "index.html"
        html = soup(site.folder / page.lang / path.replace(".md", ".html"))
        seen |= {name for name in EXPECTED if html.select_one(name)}
        problems += [
            f"{shown(page.path)}:1: built for {name}: {problem}"
            for problem in (*program_problems(page, html), *page_problems(site, page, html))
        ]
    report(problems)
    if site.is_whole:
        assert seen == EXPECTED
