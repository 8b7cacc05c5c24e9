"""A snippet file has one form, an output can be shown, and a run is known by its program."""

import pytest

from builder.content import differences, snippets
from builder.content.paths import Mistake
from builder.running import releases, runner

FENCE = "```python\nprint(1)\n```\n"

# By rule a file that pytest-codeblocks would not run, and the line that the message names.
REJECTED = {
    "a fence has no blank in it": ("``` python\nprint(1)\n```\n", 1),
    "a program stands in a fence": ("    print(1)\n", 1),
    "a file has no byte order mark": (f"\ufeff{FENCE}", 1),
    "no file is skipped": (f"<!--pytest-codeblocks:skipfile-->\n{FENCE}", 1),
    "a fence is closed": ("```python\nprint(1)\n", 2),
    "there is no prose": (f"{FENCE}\nprose\n", 4),
    "there is one program": (f"{FENCE}<!--pytest-codeblocks:cont-->\n```python\n2\n```\n", 4),
    "a program is not empty": (
        "```python\n```\n\n<!--pytest-codeblocks:expected-output-->\n\n```text\n1\n```\n",
        6,
    ),
    "nothing is below the output": (snippets.text_of("print(1)\n", "1\n") + "more\n", 10),
}

# Outputs that are empty, differ by run or machine, or are too long.
UNSHOWABLE = [
    *("", " \n", "1", "```\n", "0x7f3a5c2e91d0\n", "/tmp/x\n", '  File "x"\n', "12:30:01\n"),
    *("3 ms\n", "\x1b[1m1\n", "2.13.0+cpu\n", "1\n" * 61, "x" * 7000 + "\n"),
]

# By rule a program, and whether it is the same as one that has a run.
RUN = "import torch\n\n\nprint(1)\n"
PRESENT = {
    "blank lines and comments on lines of their own don't count": (
        "# why\nimport torch\n    # here\nprint(1)\n",
        True,
    ),
    "another number is another program": ("import torch\nprint(2)\n", False),
    "a comment beside code counts": ("import torch\nprint(1)  # one\n", False),
    "a line less is another program": ("import torch\n", False),
}


@pytest.mark.parametrize(("text", "line"), REJECTED.values(), ids=REJECTED)
def test_a_file_that_pytest_codeblocks_would_not_run_is_rejected(text, line, included):
    included({"snippets/a.md": text})
    with pytest.raises(Mistake, match=rf"snippets/a\.md:{line}: "):
        snippets.read(snippets.SNIPPETS / "a.md")


@pytest.mark.parametrize("output", UNSHOWABLE)
def test_an_output_that_cannot_be_shown_is_recognised(output):
    assert snippets.unfit("", runner.Outcome(output, None))
    assert not snippets.unfit("", runner.Outcome("tensor([1., 2.])\n", None))


@pytest.mark.parametrize(("code", "is_same"), PRESENT.values(), ids=PRESENT)
def test_a_program_is_known_by_its_lines(code, is_same):
    assert differences.digest(RUN) == "67e7bbf8b3cb"
    assert (differences.digest(code) == "67e7bbf8b3cb") == is_same


def test_a_run_is_one_of_a_program_with_its_modules():
    program = snippets.Program("a.md", RUN, "1\n", None, (("helper.py", "x = 1\n"),))
    entry = releases.entry_of(program, runner.Outcome("1\n", None))
    assert entry == {"digest": differences.digest(f"{RUN}x = 1\n")}


def test_a_run_stays_until_a_new_one_replaces_it_or_its_program_is_gone():
    edited, moved = {"digest": "1"}, {"digest": "2", "output": "2\n"}
    recorded = {"edited.md": edited, "old/moved.md": moved, "gone.md": {"digest": "3"}}
    runs = {"edited.md": None, "new/moved.md": moved, "new.md": None}
    assert releases.kept(runs, recorded) == {"edited.md": edited, "new/moved.md": moved}


def test_a_recorded_error_holds_nothing_that_differs_by_machine():
    program = snippets.Program("a.md", "print(1)\n", "1\n", None)
    raised = "Traceback\n  File …\nValueError: at 0x7f00aa11bbcc in /usr/lib/torch/x.py\n"
    entry = releases.entry_of(program, runner.Outcome("2\n", raised))
    assert (entry["output"], entry["error"]) == ("2\n", "ValueError: at 0x… in …/x.py")
