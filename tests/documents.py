"""A page of the built site: its text and the list of its tags."""

import functools
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path


@dataclass(frozen=True)
class Tag:
    name: str
    given: dict[str, str]
    line: int

    @property
    def rel(self) -> set[str]:
        return set(self.given.get("rel", "").split())


class Document(HTMLParser):
    """The tags of a page, in order, and their ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.tags: list[Tag] = []
        # The spans of highlighted code are most of the tags, and no check needs them.
        self.feed(re.sub(r"</?span[^>]*>", "", text))
        self.ids = {tag.given["id"] for tag in self.tags if tag.given.get("id")}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(Tag(tag, given, self.getpos()[0]))


@functools.cache
def document(file: Path) -> Document:
    """The page that a file holds, read once."""
    return Document(file.read_text(encoding="utf-8"))
