"""An address that others may link to stays, or docs/addresses.txt says where it went."""

import pytest
from problems import report

from handbook import addresses
from handbook.addresses import FILE
from handbook.places import LANGUAGES, shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_address_is_listed_and_what_is_listed_is_there(lang):
    listed, there = addresses.listed(), {*addresses.there(lang)}
    gone = "say where it went: `old -> new`"
    report(
        [
            f"{shown(FILE)}:1: docs/{lang} has {address}, which is new; make addresses"
            for address in sorted(there - listed.keys())
        ]
        + [
            f"{shown(FILE)}:1: docs/{lang} has no {new}; {gone if new == old else 'correct it'}"
            for old, new in listed.items()
            if new not in there or (new != old and old in there)
        ]
    )


def test_the_list_is_sorted():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines), f"{shown(FILE)}:1: not sorted; make addresses"


@pytest.mark.parametrize("line", ["", "a/ -> ", "a/ b/", "learn/ctx-vs-self/"])
def test_a_line_that_says_nothing_is_named(line, tmp_path, monkeypatch):
    file = tmp_path / "addresses.txt"
    file.write_text(f"learn/ctx-vs-self/\n{line}\n", encoding="utf-8")
    monkeypatch.setattr(addresses, "FILE", file)
    monkeypatch.setattr(addresses, "shown", lambda path: path.name)
    with pytest.raises(addresses.AddressError, match=r"addresses\.txt:2: .*old -> new"):
        addresses.listed()
