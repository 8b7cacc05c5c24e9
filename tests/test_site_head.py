"""What search engines and screen readers go by: language, address, the page in other languages."""

from documents import document
from problems import report

from handbook import pages
from handbook.places import LANGUAGES


def head(file) -> dict[str, object]:
    """What the head of a page says: of links the address, hreflang by language."""
    said: dict[str, object] = {"alternates": {}, "description": ""}
    for tag in document(file).tags:
        if tag.name == "html":
            said["lang"] = tag.given.get("lang")
        elif tag.name == "link" and "canonical" in tag.rel:
            said["canonical"] = tag.given["href"]
        elif tag.name == "link" and "alternate" in tag.rel and "hreflang" in tag.given:
            assert tag.given["hreflang"] not in said["alternates"], f"{file}: hreflang given twice"
            said["alternates"][tag.given["hreflang"]] = tag.given["href"]
        elif tag.name == "meta" and tag.given.get("name") == "description":
            said["description"] = tag.given["content"]
    return said


def alternates(root: str, page: str) -> dict[str, str]:
    default = f"{root}en/{page}" if page else root
    return {"zh": f"{root}zh/{page}", "en": f"{root}en/{page}", "x-default": default}


def test_language_address_alternates_and_description_of_every_page(site):
    problems = []
    for lang in LANGUAGES:
        for page in pages.pages(lang).values():
            path = pages.url(page.uri, "")
            expected = {
                "lang": lang,
                "canonical": f"{site.url}{lang}/{path}",
                "alternates": alternates(site.url, path),
                "description": page.meta["description"],
            }
            found = head(site.folder / lang / path / "index.html")
            problems += [
                f"{page.shown}:1: {name} is {found.get(name)!r} in the built page, not {value!r}"
                for name, value in expected.items()
                if found.get(name) != value
            ]
    report(problems)


def test_the_root_page_names_both_languages(site):
    found = head(site.folder / "index.html")
    assert found["lang"]
    assert found["canonical"] == site.url
    assert found["alternates"] == alternates(site.url, "")
