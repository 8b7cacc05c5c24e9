"""What a snippet file looks like, so that nothing in it is left unrun."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import snippets

FORM = f"""\
```python
<the program>
```

{snippets.OUTPUT_COMMENT}

```text
<what `make record` wrote>
```"""

# What each line may be, in order; a section marker may stand around either fence.
SECTION = re.compile(r"<!-- --8<-- \[(start|end):(code|output)\] -->")
STEPS = ["```python", "CODE", "```", "", snippets.OUTPUT_COMMENT, "", "```text", "OUTPUT", "```"]

UNSTABLE = {
    r"\b0x[0-9a-f]{6,}\b": "a memory address",
    r"(?<![\w.])/(?:tmp|home|root|usr|opt|var|Users)/": "a file path",
    r"\b[A-Z]:\\\\?\w": "a file path",
    r"\bFile \"|site-packages|\.py:\d+": "a file path",
    r"\b\d\d:\d\d:\d\d\b|\b\d{4}-\d\d-\d\d\b": "a time",
    r"\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|seconds|secs)\b": "a duration",
}


def first_departure(text: str) -> tuple[int, str] | None:
    """The line at which a snippet file leaves the form, and what should stand there."""
    step = 0
    inside = 0
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if STEPS[step:] and STEPS[step] in ("CODE", "OUTPUT"):
            if line == "```" and inside:
                step += 2
                inside = 0
            elif line.startswith(("```", "~~~")):
                return (number, "a line of the program or of its output, and no fence in it")
            else:
                inside += 1
        elif SECTION.fullmatch(line):
            continue
        elif step < len(STEPS) and line == STEPS[step]:
            step += 1
        else:
            return number, repr(STEPS[step]) if step < len(STEPS) else "the end of the file"
    if step < len(STEPS):
        return len(lines), f"more: {STEPS[step]!r} is missing; has `make record` been run?"
    return None


def test_every_snippet_is_one_program_and_its_recorded_output():
    problems = []
    for path in snippets.paths():
        departure = first_departure(path.read_text(encoding="utf-8"))
        if departure:
            line, expected = departure
            problems.append(f"{path.relative_to(snippets.ROOT)}:{line}: expected {expected}")
    assert not problems, "\n".join(problems) + f"\nA snippet file has exactly this form:\n{FORM}"


@pytest.mark.parametrize(
    "text",
    [
        "``` python\nprint(1)\n```\n",
        "```py\nprint(1)\n```\n",
        '```python title="x"\nprint(1)\n```\n',
        "~~~python\nprint(1)\n~~~\n",
        "    print(1)\n",
        "<!--pytest.mark.skip-->\n```python\nprint(1)\n```\n",
        "<!--pytest-codeblocks:skipfile-->\n```python\nprint(1)\n```\n",
        "<!--pytest-codeblocks:importorskip(nothing)-->\n```python\nprint(1)\n```\n",
        "```python\nprint(1)\n```\n<!--pytest-codeblocks:cont-->\n```python\nprint(1)\n```\n",
        "```python\nprint(1)\n```\n",
        "```python\n```\n\n<!--pytest-codeblocks:expected-output-->\n\n```text\n1\n```\n",
    ],
)
def test_the_form_refuses_what_pytest_codeblocks_overlooks(text):
    assert first_departure(text)


def test_pytest_codeblocks_collects_one_item_for_each_snippet():
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "snippets"]
    listing = subprocess.run(
        command, cwd=snippets.ROOT, capture_output=True, text=True, timeout=60
    ).stdout
    collected = dict(re.findall(r"^(snippets/.+\.md): (\d+)$", listing, re.MULTILINE))
    files = [path.relative_to(snippets.ROOT).as_posix() for path in snippets.paths()]
    wrong = [
        f"{file}: {collected.get(file, 0)} items" for file in files if collected.get(file) != "1"
    ]
    extra = sorted(set(collected) - set(files))
    assert files, "no snippets found"
    assert not wrong + extra, (
        "pytest-codeblocks should run one program per snippet file:\n" + "\n".join(wrong + extra)
    )


def test_no_output_depends_on_the_machine_or_the_hour():
    problems = []
    for path in snippets.paths():
        snippet = snippets.read(path)
        text = path.read_text(encoding="utf-8")
        for pattern, what in UNSTABLE.items():
            for found in re.finditer(pattern, snippet.output or ""):
                start = text.rindex("```text\n") + len("```text\n") + found.start()
                line = text.count("\n", 0, start) + 1
                problems.append(
                    f"snippets/{snippet.name}:{line}: {what}, {found[0]!r}; "
                    "print something that is the same on every run"
                )
    assert not problems, "\n".join(problems)
