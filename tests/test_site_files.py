"""What the site has beside its pages: sitemaps, robots.txt, llms.txt, cards, Markdown copies and
notebooks, the theme's files. Two builds of one commit are the same."""

import os
import re
import subprocess
from pathlib import Path

import material
import pytest
from problems import report
from test_serve import KEPT, differences
from test_site_html import ONLY_WITH

from handbook import pages, parts, snippets
from handbook.pages import EXCEPTIONS
from handbook.places import LANGUAGES, ROOT, SNIPPETS
from handbook.preview import MKDOCS, copy_project, keep_pages

THEME = Path(material.__file__).parent / "templates"
NEVER = {
    "https://unpkg.com/resize-observer-polyfill": "in browsers without ResizeObserver, before 2020",
    "https://bit.ly/": "part of an error message",
    "http://www.w3.org/2000/svg": "the name of a kind of element",
}
"""Addresses in scripts that are not asked, and why. Those of ONLY_WITH no page asks for."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sitemap_of_a_language_has_every_page_of_it(public, lang):
    text = (public.folder / lang / "sitemap.xml").read_text(encoding="utf-8")
    named = {*re.findall(r"<loc>(.*?)</loc>", text)}
    assert named == {f"{public.url}{lang}/{pages.url(uri, '')}" for uri in pages.pages(lang)}
    robots = (public.folder / "robots.txt").read_text(encoding="utf-8")
    assert f"Sitemap: {public.url}{lang}/sitemap.xml\n" in robots
    card = public.folder / lang / "assets" / "card.png"
    assert card.read_bytes()[16:24] == bytes.fromhex("000004b000000276"), "not 1200 × 630"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_has_a_markdown_copy_and_a_notebook_with_all_that_it_says(public, lang):
    listed = (public.folder / "llms.txt").read_text(encoding="utf-8")
    problems = []
    for uri, page in pages.pages(lang).items():
        url = f"{lang}/{pages.url(uri, '')}index.md"
        text = (public.folder / url).read_text(encoding="utf-8")
        notebook = f"{lang}/notebooks/{uri.replace('.md', '.ipynb')}"
        if f"({public.url}{url}): {page.meta['description']}\n" not in listed:
            problems.append(f"{page.shown}:1: llms.txt does not name {url}")
        for name in parts.programs(page.text):
            program = snippets.read(SNIPPETS / name)
            if f"```python\n{program.code}```\n\n```text\n{program.output}```\n" not in text:
                problems.append(f"{page.shown}:1: {url} has not {name} with its output")
        problems += [
            f"{page.shown}:1: {url} has {left!r}"
            for left in ("--8<--", "<script", "attachment:", "%pip", "<span lang", "****", "\n()\n")
            if left in re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        ]
        folded = len(page.soup.select("details.exceptions"))
        problems += [
            f"{page.shown}:1: {copy} has not its {folded} exceptions, or has them folded"
            for copy in (url, notebook) if folded
            for body in [(public.folder / copy).read_text(encoding="utf-8")]
            if body.count(f"**{EXCEPTIONS[lang]}") != folded or "??? exceptions" in body
        ]  # fmt: skip
    report(problems)


def test_no_script_asks_another_host(public):
    problems = []
    for file in public.folder.rglob("*.js"):
        script = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        script = re.sub(r"(?m)(?:^|(?<=[\s;]))//.*$", "", script)
        problems += [
            f"{file.relative_to(public.folder)}: {address}; see what asks it, then list it here or remove it"
            for address in re.findall(r"https?://[\w./@-]+", script)
            if not address.startswith((*ONLY_WITH, *NEVER))
        ]
    report(problems)


def test_no_file_of_the_theme_is_changed(public):
    """A file in overrides/ takes the place of the theme's; the others stay the theme's own."""
    problems, same = [], 0
    for file in (path for path in (THEME / "assets").rglob("*") if path.is_file()):
        name = file.relative_to(THEME)
        for built in (public.folder / part / name for part in ("", *LANGUAGES)):
            if built.exists() and not (ROOT / "overrides" / name).exists():
                same += 1
                if built.read_bytes() != file.read_bytes():
                    problems.append(f"{built}: differs from the theme's; don't change its files")
    report(problems)
    assert same > 3 * 30


def test_two_builds_of_one_commit_are_the_same(tmp_path):
    """Of a page of every kind. Sitemaps have the date of the commit."""
    folder = keep_pages(copy_project(tmp_path / "project"), *KEPT)
    date = {"GIT_COMMITTER_DATE": "2020-02-02T20:00:00Z"}
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for command in (
        ["init", "--quiet"],
        [*identity, "commit", "--quiet", "--allow-empty", "-m", "a"],
    ):
        subprocess.run(["git", *command], cwd=folder, env=os.environ | date, check=True)
    built = [tmp_path / "one", tmp_path / "other"]
    for site, settings in zip(
        built,
        ({"PYTHONHASHSEED": "1", "TZ": "UTC"}, {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}),
        strict=True,
    ):
        command = [*MKDOCS, "build", "-d", str(site)]
        subprocess.run(
            command, cwd=folder, env=os.environ | settings, check=True, capture_output=True
        )
    report(differences(*built))
    assert "2020-02-02" in (built[0] / "en" / "sitemap.xml").read_text(encoding="utf-8")
