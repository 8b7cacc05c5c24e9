"""What search engines and screen readers go by: language, address, the page in other languages."""

from __future__ import annotations

from html.parser import HTMLParser

LANGUAGES = ("zh", "en")


class Head(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.lang = self.canonical = self.description = None
        self.alternates: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        rel = (given.get("rel") or "").split()
        if tag == "html":
            self.lang = given.get("lang")
        elif tag == "link" and "canonical" in rel:
            self.canonical = given["href"]
        elif tag == "link" and "alternate" in rel and "hreflang" in given:
            assert given["hreflang"] not in self.alternates, "hreflang given twice"
            self.alternates[given["hreflang"]] = given["href"]
        elif tag == "meta" and given.get("name") == "description":
            self.description = given["content"]


def expected_alternates(root: str, page: str) -> dict[str, str]:
    return {
        "zh": f"{root}zh/{page}",
        "en": f"{root}en/{page}",
        "x-default": f"{root}en/{page}" if page else root,
    }


def test_language_address_and_alternates_of_every_page(site):
    problems = []
    for lang in LANGUAGES:
        for file in (site.folder / lang).rglob("index.html"):
            page = file.relative_to(site.folder / lang).as_posix().removesuffix("index.html")
            head = Head(file.read_text(encoding="utf-8"))
            expected = {
                "lang": lang,
                "canonical": f"{site.url}{lang}/{page}",
                "alternates": expected_alternates(site.url, page),
            }
            for name, value in expected.items():
                if getattr(head, name) != value:
                    problems.append(f"{lang}/{page}: {name} is {getattr(head, name)}, not {value}")
            if not head.description:
                problems.append(f"{lang}/{page}: no description")
    assert not problems, "\n".join(problems)


def test_the_root_page_names_both_languages(site):
    head = Head((site.folder / "index.html").read_text(encoding="utf-8"))
    assert head.lang
    assert head.canonical == site.url
    assert head.alternates == expected_alternates(site.url, "")
