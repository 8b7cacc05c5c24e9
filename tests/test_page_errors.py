"""The pages of errors: every message has a cause, and the lines to change, where a page shows them,
were read and approved by someone, in both languages."""

from problems import report

from builder.content import pages
from builder.content.parts import OF_MESSAGES
from builder.content.paths import LANGUAGES
from builder.publishing import error_pages


def test_every_message_has_a_cause_and_an_approved_change_changes_something(uris):
    problems = []
    readable = (page for lang in LANGUAGES for page in pages.readable(lang, uris))
    for page in filter(error_pages.is_one, readable):
        sections = {section.heading.id: section for section in error_pages.sections(page)}
        for section in sections.values():
            where = f"{page.shown}:{page.line_of(section.heading.text)}"
            if not section.cause:
                problems.append(f"{where}: no cause; begin the section with a sentence that has it")
            if both := {line.strip() for line in section.before} & {*map(str.strip, section.after)}:
                problems.append(f"{where}: {both} would be taken out and put in; correct the marks")
        for name in page.meta.get("fixes", []):
            where = f"{page.shown}:{page.line_of('fixes:')}: fixes: {name!r}"
            section = sections.get(name)
            if not section:
                problems.append(f"{where} is no section of the page; correct or delete it")
            elif not section.before + section.after:
                problems.append(f"{where} marks no line that changes; correct its marks")
    report(problems)


def test_both_languages_approve_the_same_changes():
    chinese, english = (
        {uri: page.meta.get("fixes") for uri, page in pages.pages(lang).items()}
        for lang in LANGUAGES
    )
    report(
        f"docs/zh/{uri}: fixes {fixes}, but docs/en/{uri} fixes {english[uri]}; approve the same"
        for uri, fixes in chinese.items()
        if fixes != english.get(uri)
    )


def test_the_list_of_messages_has_every_page_of_errors_once():
    for lang in LANGUAGES:
        listed = [include.target for include in pages.pages(lang)[error_pages.LIST].includes]
        written = filter(error_pages.is_one, pages.pages(lang).values())
        names = {page.uri.removeprefix(error_pages.FOLDER) for page in written}
        assert sorted(listed) == sorted(f"{OF_MESSAGES}{name}" for name in names)
