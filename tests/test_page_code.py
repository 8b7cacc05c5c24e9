"""Pages hold no code: programs come from snippets/, by include lines that lead somewhere."""

from problems import report

from handbook import pages, places, snippets
from handbook.places import LANGUAGES, SNIPPETS, shown


def test_no_page_has_code_of_its_own(readable):
    problems = []
    for page in readable:
        for block in page.soup.find_all("pre"):
            first = next(iter(block.get_text().strip().splitlines()), "")
            problems.append(
                f"{page.shown}:{page.line_of(first.strip())}: a code block of the page's own, "
                f"{first!r}; move the program to snippets/ and include it outside any fence"
            )
    report(problems)


def test_every_include_leads_to_a_file(readable):
    report(problem for page in readable for problem in page.include_problems)


def test_every_program_and_figure_stands_on_a_page_in_both_languages(only):
    problems = []
    for lang in LANGUAGES:
        if any(page.include_problems for page in pages.pages(lang).values()):
            continue  # what a wrong name was meant to include would be told here too
        found = {one.file for page in pages.pages(lang).values() for one in page.includes}
        for path in snippets.paths(only):
            for file in (path, path.with_suffix(".svg")):
                name = file.relative_to(SNIPPETS).as_posix()
                if file.exists() and file not in found:
                    problems.append(
                        f"{shown(file)}:1: no page in docs/{lang} includes it; "
                        f'add the line --8<-- "{name}" to one, or delete the file'
                    )
    report(problems)


def test_every_picture_and_table_stands_on_a_page():
    every = [page for lang in LANGUAGES for page in pages.pages(lang).values()]
    found = {include.file for page in every for include in page.includes}
    report(
        f"{shown(file)}:1: no page includes it; delete it"
        for folder in places.INCLUDED[1:]
        for file in sorted(folder.rglob("*.*"))
        if file not in found and file.suffix not in {".csv", ".json"}  # of which checks are made
    )
