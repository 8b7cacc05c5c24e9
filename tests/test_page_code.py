"""Pages hold no code: programs come from snippets/, by include lines that lead somewhere."""

from __future__ import annotations

import pages

import snippets


def test_no_page_has_code_of_its_own():
    problems = []
    for page in pages.all_pages():
        for block in page.soup.find_all("pre"):
            first = next(iter(block.get_text().strip().splitlines()), "")
            problems.append(
                f"{page.shown}:{page.line_of(first.strip())}: a code block of the page's own, {first!r}; "
                "move the program to snippets/ and include it outside any fence"
            )
    assert not problems, "\n".join(problems)


def test_every_include_leads_to_a_file_and_section():
    problems = []
    for page in pages.all_pages():
        bases = pages.config(page.lang).mdx_configs["pymdownx.snippets"]["base_path"]
        for include in page.includes:
            found = [pages.ROOT / base / include.target for base in bases]
            found = [file for file in found if file.is_file()]
            where = f"{page.shown}:{include.line}"
            if not found:
                problems.append(
                    f"{where}: no file {include.target!r} in {' or '.join(bases)}; "
                    "correct the name or add the file"
                )
            elif include.section and f"[start:{include.section}]" not in found[0].read_text(
                "utf-8"
            ):
                problems.append(
                    f"{where}: {include.target} has no section {include.section!r}; "
                    f"put <!-- --8<-- [start:{include.section}] --> before it and the end marker after"
                )
    assert not problems, "\n".join(problems)


def test_every_snippet_stands_on_a_page_in_both_languages():
    problems = []
    for lang in pages.LANGUAGES:
        included = {i.target for page in pages.pages(lang).values() for i in page.includes}
        for path in snippets.paths():
            name = path.relative_to(snippets.FOLDER).as_posix()
            if name not in included:
                problems.append(
                    f"snippets/{name}:1: no page in docs/{lang} includes it; "
                    f'add the line --8<-- "{name}" to one, or delete the file'
                )
    assert not problems, "\n".join(problems)
