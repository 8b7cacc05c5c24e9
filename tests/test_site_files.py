"""What the site has beside its pages: sitemaps, robots.txt, llms.txt, cards, Markdown copies,
notebooks, scripts, licences. Two builds of one commit are the same."""

import json
import re
import subprocess
from dataclasses import replace

import nbformat
import pytest
from nbformat.validator import iter_validate
from page_checks import EXCEPTIONS
from problems import report
from rendered import soup
from sites import SETTINGS, build, differences

from builder.content import pages
from builder.content.paths import LANGUAGES, LICENCES, ROOT, pinned, shown
from builder.publishing.composed_page import script

NO_PROSE = ("--8<--", "<script", "attachment:", "%pip", "<span lang", "****", "\n()\n", "](.")
"""What a copy must not have outside programs; the last begins a link that leads nowhere there."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sitemap_of_a_language_has_every_page_of_it(public, lang):
    named = {*re.findall(r"<loc>(.*?)</loc>", public.text(f"{lang}/sitemap.xml"))}
    assert named == {f"{public.url}{lang}/{pages.url(uri, '')}" for uri in pages.pages(lang)}
    assert f"Sitemap: {public.url}{lang}/sitemap.xml\n" in public.text("robots.txt")
    card = public.folder / lang / "assets" / "card.png"
    assert card.read_bytes()[16:24] == bytes.fromhex("000004b000000276"), "not 1200 × 630"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_has_a_copy_a_notebook_and_scripts_with_all_that_it_says(public, lang):
    listed = public.text(f"{lang}/llms.txt")
    torch = f"torch {pinned('torch')} (CPU)" if lang == "en" else f"torch {pinned('torch')}（CPU）"
    wanted = [torch, f"{public.url}{lang}/errors.json"]
    problems = [
        f"{lang}/llms.txt does not say {words!r}" for words in wanted if words not in listed
    ]
    for uri, page in pages.pages(lang).items():
        url = f"{lang}/{pages.url(uri, '')}index.md"
        text, book = public.text(url), f"{lang}/notebooks/{uri.replace('.md', '.ipynb')}"
        notebook = public.text(book)
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        folded = len(soup(page).select("details.exceptions"))
        wrong = [f"{url} has {part!r}" for part in NO_PROSE if part in prose]
        if f"({public.url}{url}): {page.meta['description']}\n" not in listed:
            wrong.append(f"{lang}/llms.txt does not name {url}")
        for copy, body in ((url, text), (book, notebook)):
            if body.count(f"**{EXCEPTIONS[lang]}") != folded or "??? exceptions" in body:
                wrong.append(f"{copy} has not its {folded} exceptions unfolded")
            if torch not in body[:1000]:
                wrong.append(f"{copy} does not begin with {torch!r}")
        wrong += [
            f"{book}: {error.message}" for error in iter_validate(nbformat.reads(notebook, 4))
        ]
        for program in page.programs:
            block = f"```python\n{program.code}```\n\n```text\n{program.output}```\n"
            if block not in text:
                wrong.append(f"{url} has not {block}")
            files = {f"programs/{program.beside(file)}": code for file, code in program.modules}
            for file, code in (files | {script(program.name): program.code}).items():
                if public.text(f"{lang}/{file}") != code:
                    wrong.append(f"{file} is not the code of {program.name}")
        problems += [f"{shown(page.path)}:1: {what}" for what in wrong]
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_licences_come_with_the_site_and_beside_its_scripts(public, lang):
    copies = {f"licences/{file.name}.txt": file for file in LICENCES}
    for name, file in {"programs/LICENSE.txt": LICENCES[0], **copies}.items():
        assert public.text(f"{lang}/{name}") == file.read_text(encoding="utf-8"), name
    book = json.loads(public.text(f"{lang}/notebooks/about.ipynb"))
    assert book["metadata"]["license"] == {"code": "MIT-0", "content": "CC-BY-4.0"}


def test_two_builds_of_one_commit_are_the_same(under_a_path, kept, tmp_path):
    """Sitemaps have the date of the commit, which make gives."""
    again = replace(under_a_path, folder=tmp_path / "again")
    build(again, kept, PYTHONHASHSEED="7", TZ="Asia/Tokyo", **SETTINGS)
    report(differences(under_a_path.folder, again.folder))
    assert "2020-02-02" in again.text("en/sitemap.xml")
    make = "make", "--silent", "--eval", "asked: ; @echo $(SOURCE_DATE_EPOCH)", "asked"
    asked = [("git", "log", "-1", "--format=%ct"), ("env", "-u", "SOURCE_DATE_EPOCH", *make)]
    of_commit, of_make = (subprocess.check_output(command, cwd=ROOT) for command in asked)
    assert of_commit == of_make
