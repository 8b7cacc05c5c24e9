"""What the site has beside its pages: sitemaps, robots.txt, llms.txt, cards, Markdown copies and
notebooks, the theme's files. Two builds of one commit are the same."""

import json
import re

import pytest
from problems import report
from sites import build_committed, differences

from builder.content import pages
from builder.content.checks import EXCEPTIONS
from builder.content.paths import LANGUAGES, ROOT, pinned


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
    listed = (public.folder / lang / "llms.txt").read_text(encoding="utf-8")
    torch = f"torch {pinned('torch')} (CPU)" if lang == "en" else f"torch {pinned('torch')}（CPU）"
    wanted = [torch, f"{public.url}{lang}/errors.json"]
    problems = [
        f"{lang}/llms.txt does not say {words!r}" for words in wanted if words not in listed
    ]
    for uri, page in pages.pages(lang).items():
        url = f"{lang}/{pages.url(uri, '')}index.md"
        text = (public.folder / url).read_text(encoding="utf-8")
        notebook = f"{lang}/notebooks/{uri.replace('.md', '.ipynb')}"
        if f"({public.url}{url}): {page.meta['description']}\n" not in listed:
            problems.append(f"{page.shown}:1: {lang}/llms.txt does not name {url}")
        for program in page.programs:
            if f"```python\n{program.code}```\n\n```text\n{program.output}```\n" not in text:
                problems.append(f"{page.shown}:1: {url} has not {program.name} with its output")
        problems += [
            f"{page.shown}:1: {url} has {left!r}"
            for left in ("--8<--", "<script", "attachment:", "%pip", "<span lang", "****", "\n()\n")
            if left in re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        ]
        folded = len(page.soup.select("details.exceptions"))
        for copy in (url, notebook):
            body = (public.folder / copy).read_text(encoding="utf-8")
            if body.count(f"**{EXCEPTIONS[lang]}") != folded or "??? exceptions" in body:
                problems.append(f"{page.shown}:1: {copy} has not its {folded} exceptions unfolded")
            if torch not in body[:1000]:
                problems.append(f"{page.shown}:1: {copy} does not begin with {torch!r}")
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_licences_come_with_the_site_and_beside_its_scripts(public, lang):
    for name in ("LICENSE", "LICENSE-CC-BY-4.0", "NOTICE"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert (public.folder / lang / f"licences/{name}.txt").read_text("utf-8") == text
    mit = (public.folder / lang / "programs/LICENSE.txt").read_text(encoding="utf-8")
    assert "MIT No Attribution" in mit and "the authors of the ctx handbook" in mit
    book = json.loads((public.folder / lang / "notebooks/about.ipynb").read_text("utf-8"))
    assert book["metadata"]["license"] == {"code": "MIT-0", "content": "CC-BY-4.0"}


def test_two_builds_of_one_commit_are_the_same(under_a_path, committed, tmp_path):
    """Sitemaps have the date of the commit."""
    again = build_committed(tmp_path / "again", committed, PYTHONHASHSEED="7", TZ="Asia/Tokyo")
    report(differences(under_a_path.folder, again.folder))
    assert "2020-02-02" in (again.folder / "en" / "sitemap.xml").read_text(encoding="utf-8")
