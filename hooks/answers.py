"""Tell search engines which question each section of an error page answers: the message, and what
stands below it, as schema.org's FAQPage has it."""

import html
import json
import re
import sys
from pathlib import Path

from mkdocs.structure.pages import Page

sys.path.append(str(Path(__file__).parents[1]))

from handbook import marks, pages

MARKUP = re.compile(r"\[(?P<text>[^\]]*)\]\([^)]*\)|\\(?P<escaped>[_*\\`\[\]|])|[`*]")
NO_SENTENCE = ("#", "|", "===", "<", "    ", "!!!", "???")


def plain(text: str) -> str:
    return MARKUP.sub(lambda found: found["text"] or found["escaped"] or "", text)


def questions(markdown: str) -> list[dict]:
    """Each section's message as a question, its paragraphs as the answer."""
    found = []
    for message, identifier, below in pages.sections(markdown):
        if identifier == "next":
            continue
        lines = [
            line
            for line in below.splitlines()
            if line
            and not (line.startswith(NO_SENTENCE) or pages.include(line) or marks.begins(line))
        ]
        answer = {"@type": "Answer", "text": html.escape(" ".join(map(plain, lines)), quote=False)}
        found.append({"@type": "Question", "name": plain(message), "acceptedAnswer": answer})
    return found


def on_page_context(context: dict, *, page: Page, **_: object) -> None:
    uri = page.file.src_uri
    if uri.startswith("troubleshooting/errors/") and not uri.endswith("index.md"):
        told = {
            "@context": "https://schema.org",
            "@type": "FAQPage",
            "mainEntity": questions(page.file.content_string),
        }
        context["answers"] = json.dumps(told, ensure_ascii=False).replace("</", "<\\/")
