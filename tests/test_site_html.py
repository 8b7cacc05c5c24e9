"""What the HTML of the site says, in one pass over its pages: links, addresses, what is loaded, and
what the build makes of programs, outputs and tables."""

import base64
import gzip
import hashlib
import html
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from documents import Document, document
from problems import first_difference, report
from sites import KEPT, Site

from builder.content import differences, pages, snippets
from builder.content.pages import Page
from builder.content.parts import RECORDED
from builder.content.paths import LANGUAGES, pinned
from builder.publishing.composed_page import script
from builder.publishing.red_lines import error_lines

LOADED_BY = ("src", "href", "data", "srcset", "poster")
NAMED = {"canonical", "alternate", "prev", "next", "edit"}
"""Links of these kinds name a page; everything else that is not <a> is loaded."""

LAB_KILOBYTES = 60
VISIT_KILOBYTES = 96
"""For a page with its styles and scripts, gzipped. Headers, the sitemap and the search worker add
about 4, and a first visit is to load at most 100."""
BLOCK = re.compile(
    r'<div class="language-(python|text)[^"]*"[^>]*>(?:<span class="filename">[^<]*</span>)?'
    r"\s*<pre>(.*?)</pre>\s*</div>",
    re.DOTALL,
)
CELL = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
INLINE = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)
MARKED = re.compile(r'<span class="hll">(.*?)\n</span>', re.DOTALL)
REPORT = re.compile(r'<a [^>]*href="https://github.com/example/ctx/issues/new[?]([^"]*)"')
SHOWN = ('class="hll"', "_<wbr>", 'class="filename"', "jp-CodeCell", "player.js")
"""What some page has; without it a rule below would have nothing to look at."""


def link_problems(site: Site, file: Path) -> Iterator[str]:
    """Links within the site that lead to no file or anchor, and what is loaded from elsewhere."""
    here = urlsplit(site.url)
    for tag in document(file).tags:
        for link in filter(None, (tag.given.get(attribute) for attribute in LOADED_BY)):
            address = urlsplit(urljoin(site.address(file), link))
            where = f"{file.relative_to(site.folder)}:{tag.line}: {link!r}"
            if (address.scheme, address.netloc) != (here.scheme, here.netloc):
                if tag.name != "a" and not tag.rel & NAMED and address.scheme != "data":
                    yield f"{where} is loaded from elsewhere"
                continue
            target, anchor = site.file(address.path), unquote(address.fragment)
            if not unquote(address.path).startswith(site.base):
                yield f"{where} leads out of the site"
            elif link.startswith("/") and file.parent != site.folder and file.name != "404.html":
                yield f"{where} would lead out of a site under a path"
            elif site.is_whole and not target.is_file():
                yield f"{where} leads to no file of the site"
            elif (
                site.is_whole
                and target.suffix == ".html"
                and anchor not in {"", "__", *document(target).ids}
            ):
                yield f"{where}: that page has no #{anchor}"


def weight_problems(site: Site, file: Path) -> Iterator[str]:
    """A page that is heavy on a first visit."""
    loaded = {file}
    for tag in document(file).tags:
        link = tag.given.get("src") or tag.rel & {"stylesheet", "icon"} and tag.given.get("href")
        if link and not link.startswith("data:"):
            loaded.add(site.file(urlsplit(urljoin(site.address(file), link)).path))
    weight = sum(len(gzip.compress(part.read_bytes(), 6)) for part in loaded) / 1000
    if weight > VISIT_KILOBYTES:
        name = file.relative_to(site.folder)
        yield f"{name}: a first visit loads {weight:.1f} kB; at most {VISIT_KILOBYTES}"


def missing_page_problems(site: Site) -> Iterator[str]:
    """What 404.html lacks: it answers in both languages."""
    text = (site.folder / "404.html").read_text(encoding="utf-8")
    for lang in LANGUAGES:
        if not (f'href="{site.base}{lang}/"' in text and f'lang="{lang}"' in text):
            yield f"404.html: does not lead to {lang}/ in its language"


def script_problems(site: Site, file: Path) -> Iterator[str]:
    """Inline scripts that the policy does not allow."""
    text = document(file).text
    policy = site.headers["Content-Security-Policy"]
    assert "unsafe-inline" not in re.search("script-src [^;]*", policy)[0]
    for attributes, inline in INLINE.findall(text):
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        if not ("src=" in attributes or "application/" in attributes or digest in policy):
            yield f"{file.relative_to(site.folder)}: the policy forbids {inline[:60]!r}"


def head_problems(site: Site, built: Document, lang: str, page: Page | None) -> Iterator[str]:
    """What search engines, screen readers and previews of links go by; page: None at the root."""
    path = pages.url(page.uri, "") if page else ""
    address = f"{site.url}{lang}/{path}" if page else site.url
    description = page and page.meta["description"]
    wanted = {
        "lang": lang,
        "addresses": [
            ("canonical", address),
            ("en", f"{site.url}en/{path}"),
            ("x-default", f"{site.url}en/{path}" if path else site.url),
            ("zh", f"{site.url}zh/{path}"),
        ],
        "description": description,
        "og:description": description,
        "og:url": page and address,
        "og:image": page and f"{site.url}{lang}/assets/card.png",
    }
    given = [tag.given for tag in built.tags if tag.name == "meta"]
    found = {one.get("name") or one.get("property"): one.get("content") for one in given}
    found["lang"] = built.tags[0].given.get("lang")
    found["addresses"] = sorted(
        (tag.given.get("hreflang", "canonical"), tag.given["href"])
        for tag in built.tags
        if tag.name == "link" and ("canonical" in tag.rel or "hreflang" in tag.given)
    )
    for name, value in wanted.items():
        if (page or name in ("lang", "addresses")) and found.get(name) != value:
            yield f"{name} is {found.get(name)!r}, not {value!r}"
    if page and "<" in (found.get("og:title") or "<"):
        yield f"og:title is {found.get('og:title')!r}"


def program_problems(page: Page, text: str) -> Iterator[str]:
    """Marked lines, labels of outputs, and releases on which a program does something else."""
    includes = [one for one in page.includes if one.program]
    programs = [one.program for one in includes]
    marked = []
    for include, program in zip(includes, programs, strict=True):
        code, output = program.code.splitlines(), program.output.lstrip("\n").splitlines()
        marked += [code[number - 1].strip() for number in include.marked]
        if "jp-CodeCell" not in text:
            marked += [output[number - 1].strip() for number in error_lines(program)]
    shown = [html.unescape(re.sub(r"<[^>]+>", "", line)).strip() for line in MARKED.findall(text)]
    if shown != marked:
        yield f"marks other lines: {first_difference(marked, shown)}"
    blocks = [(kind, plain_lines(block)) for kind, block in BLOCK.findall(text)]
    wanted = []
    for program in programs:
        wanted.append(("python", plain_lines(html.escape(program.code))))
        wanted += [("text", plain_lines(html.escape(program.output)))] if program.output else []
    if blocks != wanted:
        yield f"shows another program or output: {first_difference(wanted, blocks)}"
    kinds = ["error" if error_lines(one) else "output" for one in programs if one.output]
    for kind, word in pages.config(page.lang).extra["outputs"].items():
        label = rf'<div class="language-text no-copy {kind}[ \w]*"><span class="filename">{word}<'
        if (count := len(re.findall(label, text))) != kinds.count(kind):
            yield f"{count} of {kinds.count(kind)} {kind} labelled"
    if '<div class="language-text highlight">' in text:
        yield "an output without a label"
    headers = re.findall(
        r'<p class="script"><code>(.*?)</code> (?:<span>.*?</span> )?<a [^>]*href="([^"]*)"', text
    )
    wanted = [(path.rsplit("/", 1)[1], path) for path in (script(one.name) for one in programs)]
    if [(name, link.lstrip("./")) for name, link in headers] != wanted:
        yield f"the headers of {len(programs)} programs are {headers}"
    lines = re.findall(r'<p class="differs">(.*?)</p>', text, re.DOTALL)
    not_run = sum(bool(differences.not_run(one) or snippets.extra(one.code)) for one in programs)
    if sum('#matrix">' in line for line in lines) != not_run:
        yield f"has {lines} under its programs, of which {not_run} have not been run elsewhere"


def plain_lines(block: str) -> list[str]:
    """The lines of a block without tags, and without blanks at their ends, which Markdown drops."""
    text = html.unescape(re.sub(r"<[^>]+>", "", block))
    return [line.rstrip() for line in text.strip().splitlines()]


def form_problems(page: Page, text: str) -> Iterator[str]:
    """Names in tables that can't break, a lab that is heavy, a player's files without a player."""
    cells = "".join(cell[0] for cell in CELL.finditer(text))
    for name in re.findall(r"<code>([a-z]+_[a-z]+_[a-z_]+)</code>", cells):
        yield f"{name} can't break, so on a phone its table loses a column"
    if any((file in text) != (RECORDED in page.text) for file in ("player.js", "player.css")):
        yield "loads the player without having one, or has one and doesn't load it"
    if pages.is_lab(page.uri):
        without_figures = re.sub(r'<svg[^>]*class="plot".*?</svg>', "", text, flags=re.DOTALL)
        weight = len(gzip.compress(without_figures.encode())) / 1000
        if weight > LAB_KILOBYTES:
            yield f"{weight:.0f} kB gzipped without its figures; at most {LAB_KILOBYTES}"
        if "jp-CodeCell" not in text:
            yield "not rendered as a notebook"


def repository_problems(page: Page, text: str) -> Iterator[str]:
    """Where the repository and a date of verification are given, every page shows them."""
    reports = REPORT.findall(text)
    wanted = (f"torch%3A+{pinned('torch')}", f"{page.lang}%2F")
    if len(reports) != 1 or not all(part in reports[0] for part in wanted):
        yield f"has {reports} for a link to report a mistake, without {wanted}"
    if "2026-01-31" not in text.split("<footer")[-1]:
        yield "does not have the date of verification at its foot"


@pytest.mark.parametrize("name", ["public", "under_a_path", "unpacked"])
def test_every_page_is_built_right(name: str, request: pytest.FixtureRequest) -> None:
    site: Site = request.getfixturevalue(name)
    files = site.html()
    problems = [problem for file in files for problem in link_problems(site, file)]
    if not site.is_archive:
        problems += [problem for file in files for problem in script_problems(site, file)]
        problems += missing_page_problems(site)
        root = document(site.folder / "index.html")
        problems += [f"index.html: {one}" for one in head_problems(site, root, "en", None)]
    if name == "public":
        problems += [problem for file in files for problem in weight_problems(site, file)]
    texts = []
    uris = pages.pages("en") if site.is_whole else KEPT
    for page in (pages.pages(lang)[uri] for lang in LANGUAGES for uri in uris):
        url = pages.url(page.uri, "")
        path = page.uri.replace(".md", ".html") if site.is_archive else f"{url}index.html"
        built = document(site.folder / page.lang / path)
        texts.append(built.text)
        found = [*program_problems(page, built.text), *form_problems(page, built.text)]
        if not site.is_archive:
            found += head_problems(site, built, page.lang, page)
        if name == "under_a_path":
            found += repository_problems(page, built.text)
        elif "VERIFIED_ON" not in os.environ and "Last proved" in built.text:
            found.append("has a date of verification that nobody has given")
        problems += [f"{page.shown}:1: built for {name}: {problem}" for problem in found]
    report(problems)
    if site.is_whole:
        assert all(any(part in text for text in texts) for part in SHOWN)
        assert len(files) >= len(texts) > 100
