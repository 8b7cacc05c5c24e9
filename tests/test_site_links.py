"""Every internal link of the built site leads to a page, and to an anchor that is on it."""

from urllib.parse import unquote, urljoin, urlsplit

from documents import document
from problems import report


def test_every_internal_link_leads_somewhere(site):
    problems = []
    for file in site.html():
        for tag in document(file).tags:
            link = tag.given.get("href" if tag.name in ("a", "link") else "src")
            address = urljoin(site.address(file), link or "")
            if not link or not address.startswith(site.url):
                continue
            there = site.file(urlsplit(address).path)
            anchor = unquote(urlsplit(address).fragment)
            where = f"{file.relative_to(site.folder)}:{tag.line}: {link!r}"
            if not there.is_file():
                problems.append(f"{where} leads to no file")
            elif there.suffix == ".html" and anchor not in {"", "__", *document(there).ids}:
                problems.append(f"{where}: that page has no #{anchor}")
    report(problems)


def test_a_missing_page_is_answered_in_both_languages(site):
    text = (site.folder / "404.html").read_text(encoding="utf-8")
    for lang in ("zh", "en"):
        assert f'href="{site.base}{lang}/"' in text, f"404.html does not lead to {lang}"
        assert f'lang="{lang}"' in text
