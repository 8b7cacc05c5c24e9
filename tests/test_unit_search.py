"""The search's index holds the words of a page, as text that its results can show."""

import json

import pytest

from builder.content import pages, snippets
from builder.publishing import search_index
from builder.publishing.search_index import Entry

# By rule Markdown within a paragraph, and its HTML.
INLINE = {
    "code keeps its signs": ("`a < b` & ``c`d``", "<code>a &lt; b</code> &amp; <code>c`d</code>"),
    "code is no Markdown": ("`**a** [b](c)`", "<code>**a** [b](c)</code>"),
    "emphasis leaves its words": ("**bold**, *more* and ***most***", "bold, more and most"),
    "a link leaves its text": ("See [the *rules*](../rules.md#two).", "See the rules."),
    "a link's text may have code and brackets": (
        "[`a[0]` of [b]](c.md)",
        "<code>a[0]</code> of [b]",
    ),
    "a picture leaves its words": ("![a graph](p.svg) here", "a graph here"),
    "an escaped sign is itself": (r"\*a\* \<b\> \[c\](d)", "*a* &lt;b&gt; [c](d)"),
    "elements and comments are left out": ('a<br> <b class="c">d</b><!-- e -->', "a d"),
    "a sign of HTML that is none is escaped": ("1 < 2 & 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2"),
    "an entity stays": ("a &lt; b&nbsp;c", "a &lt; b&nbsp;c"),
    "blanks are one": ("  a \n  b ", "a b"),
}

# By rule the text of a page, and the paragraphs of it.
PARAGRAPHS = {
    "the lines of a paragraph are joined": ("one\ntwo\n\nthree", ["one two", "three"]),
    "an item is a paragraph": (
        "- one\n  more\n* two\n1. three\n12. four",
        ["one more", "two", "three", "four"],
    ),
    "a term and its definition are two": ("`a`\n:   what it is", ["<code>a</code>", "what it is"]),
    "a row is a paragraph, and has its cells": (
        "| A | B |\n|:--|--:|\n| `x\\|y` | |\n| 1 | [2](c.md) |",
        ["A · B", "<code>x|y</code>", "1 · 2"],
    ),
    "a tab and a fold have a title": (
        '=== "A `b`"\n    one\n??? exceptions "Exceptions: c"\n    two',
        ["A <code>b</code>", "one", "Exceptions: c", "two"],
    ),
    "attributes are left out": ("**a**{ .wrong }\n{ .facts }\n\nb", ["a", "b"]),
    "a fence leaves its lines": ("a\n```text\nb\n```\nc", ["a", "b", "c"]),
}

# By rule the paragraphs of an entry, of which 20 bytes are shown: its text, and further words.
EXCERPTS = {
    "as many paragraphs as fit are whole": (
        ["one two", "three four"],
        ("<p>one two</p><p>three four</p>", []),
    ),
    "a paragraph that doesn't fit leads to the entry": (
        ["one two", "Three, `four`: 5", "six"],
        ("<p>one two</p>", ["three", "four", "six"]),
    ),
    "of a first one that doesn't fit, whole words are shown": (
        ["one two three four five"],
        ("<p>one two three four …</p>", ["five"]),
    ),
    "code is shown whole or not": (
        ["one <code>two three four</code> five"],
        ("<p>one …</p>", ["two", "three", "four", "five"]),
    ),
    "a Chinese text ends between words": (
        ["一二\u200b三四\u200b五六"],
        ("<p>一二\u200b三四\u200b…</p>", ["五六"]),
    ),
    "a Chinese text may end at a comma": (
        ["一二，三四五六七八"],
        ("<p>一二，…</p>", ["三四五六七八"]),
    ),
    "a word has a letter, and no sign of HTML": (
        ["0123456789 0123456789 x&lt;y 12 _a_1 <b>"],
        ("<p>0123456789 …</p>", ["x", "y", "_a_1"]),
    ),
}

# By rule Chinese text, and its words.
SEGMENTED = {
    "our terms are words": ("反向传播和计算图", "反向传播|和|计算图"),
    "a name is no Chinese word": ("在 <code>forward</code> 里", "在| <code>forward</code> |里"),
    "a comma is no word": ("张量，梯度。", "张量|，|梯度|。"),
}

# The text of a page and its entries: none of the last section, none of code, letters of a picture
# or closing signs at a beginning.
PAGE = [
    """\
---
search:
  boost: 2
---
# The `ctx` { #ctx }

：One *paragraph*.

。

--8<-- "one.md"

## More & more { #more }

- item

<figure aria-label="a graph">
--8<-- "p.svg"
<figcaption>Its **caption**</figcaption>
</figure>

## What next { #next }

[A](b.md)
""",
    Entry("a/", "The <code>ctx</code>", 2, ["One paragraph.", "a &lt; b"], ["x_1", "print", "x_1"]),
    Entry("a/#more", "More &amp; more", 2, ["item", "Its caption"]),
]


@pytest.mark.parametrize(("text", "expected"), INLINE.values(), ids=INLINE)
def test_a_paragraph_becomes_html_with_no_element_but_code(text, expected):
    assert search_index.inline(text) == expected


def test_plain_text_has_no_element_and_no_entity():
    assert search_index.plain("**`a < b`** & [c](d.md)") == "a < b & c"


@pytest.mark.parametrize(("text", "expected"), PARAGRAPHS.values(), ids=PARAGRAPHS)
def test_a_text_becomes_its_paragraphs(text, expected):
    assert list(search_index.paragraphs(text.split("\n"))) == expected


@pytest.mark.parametrize(("paragraphs", "expected"), EXCERPTS.values(), ids=EXCERPTS)
def test_an_entry_shows_the_beginning_and_keeps_the_words_of_the_rest(
    monkeypatch, paragraphs, expected
):
    monkeypatch.setattr(search_index, "SHOWN", 20)
    shown, words = Entry("a/", "A", paragraphs=paragraphs).data
    assert (shown["text"], words) == expected


@pytest.mark.parametrize(("text", "expected"), SEGMENTED.values(), ids=SEGMENTED)
def test_chinese_words_have_a_sign_between_them(text, expected):
    assert search_index.segmented(text, "zh").replace("\u200b", "|") == expected
    assert search_index.segmented(text, "en") == text


def test_a_page_has_an_entry_for_each_section_but_the_last(included):
    program = snippets.text_of("x_1 = 1\nprint(f(x_1))\n", "a < b\n")
    included({"snippets/one.md": program, "pictures/p.svg": "<svg><text>a</text></svg>"})
    text, *expected = PAGE
    assert search_index.entries(pages.Page("en", "a.md", text), "a/") == expected


def test_only_names_that_the_text_does_not_have_are_further_words():
    entry = Entry("a/", "mark_dirty", None, ["Its <code>Double</code>"])
    entry.names = ["Triple", "double", "mark_dirty", "class", "Triple", "x_1"]
    assert entry.data[1] == ["triple", "x_1"]


def test_the_index_has_the_entries_and_by_word_the_distances_between_them():
    """The character of a distance of 0 is the exclamation mark."""
    first = Entry("a/", "A", 2, ["text"], ["Alpha", "both", "with", "how"])
    others = [Entry("b/", "B", names=["both", "later"]), Entry("c/", "C", names=["later"])]
    text = search_index.index([first, *others])
    data = json.loads(text.removeprefix("self.INDEX="))
    assert data["entries"] == [
        {"location": "a/", "title": "A", "text": "<p>text</p>", "boost": 2},
        {"location": "b/", "title": "B", "text": ""},
        {"location": "c/", "title": "C", "text": ""},
    ]
    assert data["words"] == {"alpha": "!", "both": '!"', "later": '""'}
