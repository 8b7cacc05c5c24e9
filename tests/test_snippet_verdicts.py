"""The verdicts of the table "Can I save it?" are read from what its programs print. Those of other
tables are compared with it."""

import re
from dataclasses import replace
from itertools import zip_longest

import pytest
from bs4 import Tag
from problems import report
from rendered import soup

from builder.content import differences, pages, snippets, verdicts
from builder.content.paths import LANGUAGES, Mistake, shown
from builder.content.snippets import Program
from builder.publishing import configuration

CLASSES = {
    "kept": "right", "plain": "half", "own": "right", "shared": "wrong",
    "works": "right", "no-effect": "wrong", "skipped": "right", "computed": "wrong",
}  # fmt: skip
"""The class of a cell, where a program prints another word than that."""

WORDS = {
    "": "–", "–": "–", "yes": "yes", "要": "yes", "a warning": "warns", "警告": "warns",
    ".grad is 0": "zeros", ".grad 是 0": "zeros", ".grad is None": "None", ".grad 是 None": "None",
}  # fmt: skip
"""What a program prints for a cell of a table without a verdict."""

CHANGED = "raises: RuntimeError: one of the variables needed for gradient computation has been\n"

# By output, the verdicts by backend.
VERDICTS = {
    "Function: 6.0\nautograd: 6.0\n": {"": "right"},
    "Function: 60.0\nautograd: 6.0\n": {"": "wrong"},
    "Function: None\nautograd: tensor(3.)\n": {"": "wrong"},
    "Function: [1.0, 2.0]\nautograd: [1.0, 2.0]\n": {"": "right"},
    f"{CHANGED}autograd: 6.0\n": {"": "raises"},
    "raises: TypeError: save_for_backward can only save variables, but\nautograd: 1.0\n": {
        "": "refused"
    },
    "alive: True\n": {"": "kept"},
    "alive: False\n": {"": "freed"},
    f"eager Function: 60.0\naot_eager {CHANGED}inductor Function: 6.0\nautograd: 6.0\n": {
        "eager": "wrong", "aot_eager": "raises", "inductor": "right"
    },
    "eager alive: True\ninductor alive: False\n": {"eager": "kept", "inductor": "freed"},
    "": {},
    "right\n": {},
    "tensor(6.)\n": {},
    "Function: 6.0\n": {},
    "autograd: 6.0\n": {},
    "alive: yes\n": {},
}  # fmt: skip

# By rule the name and the output of a program of the table, and what it is told.
MISTAKES = {
    "it prints a verdict": ("input-saved", "right\n", ":2: it prints no verdict"),
    "its name is one of a case": ("x-saved", "alive: True\n", ":1: name it"),
}

PROGRAM = Program(f"{verdicts.FOLDER}/vmap/input-saved.md", "", "alive: True\n", None)
# By rule what PROGRAM did on another release, and its verdict there.
RUNS = {
    "the same": ({"digest": ""}, "kept"),
    "other words": ({"digest": "", "output": "a warning\nalive: True\n"}, "kept"),
    "another verdict": ({"digest": "", "output": "alive: False\n"}, "freed"),
    "an error": ({"digest": "", "output": "", "error": "ValueError: no"}, "unavailable"),
    "no compiler": (
        {"digest": "", "output": "raises: RuntimeError: not yet supported for torch.compile\n"},
        "unavailable",
    ),
    "not run": (None, None),
}


@pytest.mark.parametrize("output", VERDICTS)
def test_a_verdict_is_read_from_an_output(output):
    assert verdicts.verdicts(output) == VERDICTS[output]


@pytest.mark.parametrize(("name", "output", "problem"), MISTAKES.values(), ids=MISTAKES)
def test_a_program_that_is_no_case_is_named(included, name, output, problem):
    program = snippets.text_of("print(1)\n", output)
    included({f"snippets/{verdicts.FOLDER}/vmap/{name}.md": program})
    with pytest.raises(Mistake, match=f"vmap/{name}.md{problem}"):
        list(verdicts.cases())


@pytest.mark.parametrize(("run", "expected"), RUNS.values(), ids=RUNS)
def test_a_verdict_on_another_release_is_read_from_its_run(monkeypatch, run, expected):
    """Only in the table does a verdict count for more than the output."""
    monkeypatch.setattr(differences, "run_of", lambda program, release: run)
    (case,) = verdicts.cases_of(PROGRAM)
    assert case.verdict_on("2.15.0") == expected
    assert verdicts.are_kept(PROGRAM, "2.15.0") == (expected == case.verdict)
    assert not verdicts.are_kept(replace(PROGRAM, name="a/input-saved.md"), "2.15.0")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_page_says_of_a_case_is_its_verdict(lang):
    """A link to a case whose text is a verdict."""
    words = configuration.read(f"mkdocs.{lang}.yml")["extra"]["verdicts"]["verdict"]
    names: dict[str, set[str]] = {}
    for case in verdicts.cases():
        name = f"{case.then}--{case.what}--{case.how}"
        names.setdefault(name, set()).add(words[case.verdict])
    links = [
        (page, link)
        for page in pages.pages(lang).values()
        for link in soup(page).select('a[href*="table.md#"]')
        if link.get_text() in words.values()
    ]
    assert len(links) > 10
    report(
        f"{shown(page.path)}:{page.line_of(link['href'])}: {link.get_text()!r}, but its program says "
        f"{found}; correct the word"
        for page, link in links
        if link.get_text() not in (found := names[link["href"].partition("#")[2]])
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_table_of_verdicts_says_what_its_program_prints(lang):
    """The program is folded under the table. It prints a line for each row, and at its end the
    verdicts, two for one cell as raises/wrong."""
    problems, compared = [], 0
    for page in pages.pages(lang).values():
        programs = {program.name: program for program in page.programs}
        for fold in soup(page).select("details.proof"):
            name = re.search(r'^--8<-- "(.+)"', fold.get_text(), re.MULTILINE)
            if not name:
                line = page.line_of(fold.summary.get_text())
                problems.append(page.problem_at(line, "holds no program; indent its include by 4"))
                continue
            program = programs[name[1]]
            rows = fold.find_previous("table").select("tbody tr")
            columns = sorted(
                {n for row in rows for n, cell in enumerate(row("td")) if verdict(cell)}
            )
            lines = program.output.splitlines()
            for row, line in zip_longest(rows, lines):
                compared += 1
                said = [verdict(row("td")[n]) for n in columns if n] if row else None
                if not row or not line or not agree(said, line):
                    words = re.findall(r"\w+", (row or rows[-1]).td.get_text())
                    text = f"the row says {said}, and {program.where} prints {line!r}; correct one"
                    problems.append(page.problem_at(page.line_of("|", *words), text))
    assert compared > 50
    report(problems)


def verdict(cell: Tag) -> str:
    """The class or number of a cell, or what a program prints for its words; empty if it has none."""
    text = cell.get_text().rstrip(" ¹²³⁴")
    if cell.strong:
        return cell.strong.get("class", [""])[0]
    return text if text.isdecimal() else WORDS.get(text, "")


def agree(said: list[str], line: str) -> bool:
    """Whether a line ends with the verdicts or the numbers of a row."""
    printed = [CLASSES.get(word, word) for word in line.split()[-len(said) :]]
    return all(word in found.split("/") for word, found in zip_longest(said, printed, fillvalue=""))
