"""What include lines stand for, as Markdown."""

from builder.content import pages
from builder.content.parts import Include, Kind
from builder.publishing import error_pages, other_releases


def text_of(include: Include, lang: str, words: dict) -> str:
    """What an include line of a page in a language stands for. words: `extra` of
    mkdocs.<lang>.yml."""
    if include.kind is Kind.RUNS:
        return other_releases.counts(include, words)
    if include.kind is Kind.MESSAGES:
        page = pages.pages(lang)[f"{error_pages.FOLDER}{include.file.name}"]
        return error_pages.listed(page)
    return include.text_in(lang)
