"""An address that others may link to stays, or docs/addresses.txt says where it moved."""

import pytest
from problems import report

from handbook import addresses
from handbook.addresses import FILE
from handbook.places import LANGUAGES, shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_address_is_listed_and_what_is_listed_is_there(lang):
    there, published = {*addresses.there(lang)}, addresses.published()
    problems = [f"{new} is new; make record ONLY=index" for new in there - {*addresses.listed()}]
    for old, new in addresses.listed().items():
        if new != old and (old in there or new not in there):
            problems.append(f"{old} -> {new} is wrong; correct or delete it")
        elif new not in there:
            remedy = "write `old -> new`" if old in published else "make record ONLY=index"
            problems.append(f"{old} is gone; {remedy}")
    report(f"{shown(FILE)}:1: docs/{lang}: {problem}" for problem in sorted(problems))


def test_every_address_on_main_is_still_listed():
    report(
        f"{shown(FILE)}:1: {address} is on main; add it again, as `{address} -> new` if it moved"
        for address in sorted(addresses.published() - addresses.listed().keys())
    )


def test_only_an_address_that_is_not_published_is_removed(tmp_path, monkeypatch):
    file = tmp_path / "addresses.txt"
    file.write_text("a/\nb/\nc/ -> learn/\nlearn/\n", encoding="utf-8")
    monkeypatch.setattr(addresses, "FILE", file)
    monkeypatch.setattr(addresses, "shown", lambda path: path.name)
    monkeypatch.setattr(addresses, "there", lambda lang: ["learn/", "learn/#new"])
    monkeypatch.setattr(addresses, "published", lambda: {"a/", "c/"})
    addresses.update()
    assert file.read_text("utf-8") == "a/\nc/ -> learn/\nlearn/\nlearn/#new\n"


def test_without_git_every_listed_address_counts_as_published(tmp_path, monkeypatch):
    monkeypatch.setattr(addresses, "ROOT", tmp_path)
    assert addresses.published() == {*addresses.listed()}


def test_the_list_is_sorted():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines), f"{shown(FILE)}:1: not sorted; make record ONLY=index"


@pytest.mark.parametrize("line", ["", "a/ -> ", "a/ b/", "learn/ctx-vs-self/"])
def test_a_line_that_says_nothing_is_named(line, tmp_path, monkeypatch):
    file = tmp_path / "addresses.txt"
    file.write_text(f"learn/ctx-vs-self/\n{line}\n", encoding="utf-8")
    monkeypatch.setattr(addresses, "FILE", file)
    monkeypatch.setattr(addresses, "shown", lambda path: path.name)
    with pytest.raises(addresses.AddressError, match=r"addresses\.txt:2: .*old -> new"):
        addresses.listed()
