"""`make check` ends with this: the longest pages of `learn/`, which are to be one sitting each."""

from bs4 import BeautifulSoup

from handbook import pages, parts

SHOWN = 5
PROSE = ["p", "li", "dt", "dd"]


def words(page: pages.Page) -> int:
    """Words of prose on a page, without programs, tables, headings, pictures and folded blocks."""
    body = BeautifulSoup(str(page.soup), "html.parser")
    for tag in body(["pre", "table", "figure", "details"]):
        tag.decompose()
    text = " ".join(
        tag.get_text() for tag in body(PROSE) if not tag.find(PROSE) and "--8<--" not in tag.text
    )
    return len(text.split())


def main() -> None:
    found = []
    for uri, page in pages.pages("en").items():
        if uri.startswith("learn/") and not page.problem:
            found.append((words(page), len(parts.programs(page.text)), uri))
    print("The longest pages to learn from, in English:")
    for count, programs, uri in sorted(found, reverse=True)[:SHOWN]:
        print(f"  {count} words, {programs} programs: {uri}")


if __name__ == "__main__":
    main()
