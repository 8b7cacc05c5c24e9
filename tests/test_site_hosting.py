"""What machines read beside the pages: sitemaps, robots.txt, llms.txt, every page as Markdown, its
card, and the questions that error pages answer. Two builds of one commit are the same."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from problems import report

from handbook import pages, parts, snippets
from handbook.places import LANGUAGES, ROOT, SNIPPETS, pinned
from handbook.preview import MKDOCS


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sitemap_of_a_language_has_every_page_of_it(public, lang):
    text = (public.folder / lang / "sitemap.xml").read_text(encoding="utf-8")
    named = {*re.findall(r"<loc>(.*?)</loc>", text)}
    assert named == {f"{public.url}{lang}/{pages.url(uri, '')}" for uri in pages.pages(lang)}
    robots = (public.folder / "robots.txt").read_text(encoding="utf-8")
    assert f"Sitemap: {public.url}{lang}/sitemap.xml\n" in robots


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_is_there_as_markdown_with_its_programs_and_outputs(public, lang):
    listed = (public.folder / "llms.txt").read_text(encoding="utf-8")
    problems = []
    for uri, page in pages.pages(lang).items():
        url = f"{lang}/{pages.url(uri, '')}index.md"
        text = (public.folder / url).read_text(encoding="utf-8")
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
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_link_to_a_page_shows_what_it_is(site, lang):
    card = site.folder / lang / "assets" / "card.png"
    assert card.read_bytes()[16:24] == bytes.fromhex("000004b000000276"), "not 1200 × 630"
    for uri, page in pages.pages(lang).items():
        url = f"{lang}/{pages.url(uri, '')}"
        soup = BeautifulSoup(
            (site.folder / url / "index.html").read_text("utf-8")[:9000], "html.parser"
        )
        said = {tag["property"]: tag["content"] for tag in soup.select("meta[property]")}
        assert said["og:url"] == f"{site.url}{url}"
        assert said["og:description"] == page.meta["description"]
        assert said["og:image"] == f"{site.url}{lang}/assets/card.png"
        assert said["og:title"] and "<" not in said["og:title"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_error_pages_say_which_questions_they_answer(public, lang):
    asked = 0
    for uri, page in pages.pages(lang).items():
        html = (public.folder / lang / pages.url(uri, "") / "index.html").read_text("utf-8")
        found = re.search(r'<script type="application/ld\+json">(.*?)</script>', html)
        is_error_page = uri.startswith("troubleshooting/errors/") and "index" not in uri
        assert bool(found) == is_error_page, uri
        if found:
            told = json.loads(found[1])["mainEntity"]
            wanted = [text for level, name, text in page.headings if level == 2 and name != "next"]
            assert [one["name"] for one in told] == wanted, uri
            assert all(len(one["acceptedAnswer"]["text"]) > 30 for one in told), uri
            assert not re.search(r"\]\(|--8<--|\{ #", found[1]), uri
            asked += len(told)
    assert asked > 150


def test_where_the_repository_is_known_every_page_has_a_link_to_report_a_mistake(under_a_path):
    for lang in LANGUAGES:
        for uri in pages.pages(lang):
            file = under_a_path.folder / lang / pages.url(uri, "") / "index.html"
            (query,) = re.findall(
                r'<a [^>]*href="https://github.com/example/ctx/issues/new[?]([^"]*)"',
                file.read_text("utf-8"),
            )
            assert f"torch%3A+{pinned('torch')}" in query
            assert f"{lang}%2F" in query


def test_two_builds_of_one_commit_are_the_same(public, tmp_path):
    environment = {**os.environ, "SITE_URL": public.url, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    command = [*MKDOCS, "build", "--strict", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=300)

    def contents(folder: Path) -> dict[str, bytes]:
        files = (file for file in folder.rglob("*") if file.is_file())
        return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}

    one, other = contents(public.folder), contents(tmp_path)
    report(
        f"{name}: not the same in a second build"
        for name in one.keys() | other.keys()
        if one.get(name) != other.get(name)
    )


def test_the_day_of_the_proof_stands_at_the_foot_of_every_page(public, under_a_path):
    for lang in LANGUAGES:
        for uri in pages.pages(lang):
            file = Path(lang, pages.url(uri, ""), "index.html")
            assert (
                "2026-01-31" in (under_a_path.folder / file).read_text("utf-8").split("<footer")[-1]
            )
            if "VERIFIED_ON" not in os.environ:
                assert "Last proved" not in (public.folder / file).read_text("utf-8")


def test_an_invalid_date_is_rejected(tmp_path):
    refused = subprocess.run(
        [*MKDOCS, "build", "-d", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "VERIFIED_ON": "yesterday"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert refused.returncode
    assert "VERIFIED_ON='yesterday' is not a date" in refused.stderr
