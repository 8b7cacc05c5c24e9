"""The table that says what may be saved, and how. Each verdict is that of a program."""

import json
from collections.abc import Iterable

from builder.content import differences, verdicts
from builder.content.parts import Folder
from builder.content.paths import pinned
from builder.content.snippets import Program
from builder.content.verdicts import Case

SIGNS = {
    "right": "right", "freed": "right", "raises": "raises", "refused": "raises", "kept": "half",
    "wrong": "wrong",
}  # fmt: skip
"""The verdicts in order, and their classes in the stylesheet."""


def table(folders: Iterable[Folder], words: dict) -> str:
    """What happens in some situations as a table in Markdown: a row for each verdict, with links to
    the programs that show it. words: `extra` of mkdocs.<lang>.yml."""
    names = words["verdicts"]
    rows = [f"| {names['columns']} |", "|---|---|---|"]
    for folder in folders:
        programs = [include.program for include in folder.includes]
        cases = [case for program in programs for case in verdicts.cases_of(program)]
        for verdict, sign in SIGNS.items():
            lines = []
            for what, text in names["what"].items():
                found = [case for case in cases if (case.verdict, case.what) == (verdict, what)]
                by_how = ([case for case in found if case.how == how] for how in names["how"])
                links = names["comma"].join(_link(some, names) for some in by_how if some)
                if links:
                    lines.append(names["case"].format(what=text, how=links))
            if lines:
                shown = f"**{names['verdict'][verdict]}**{{ .{sign} }}"
                rows.append(f"| {names['then'][cases[0].then]} | {shown} | {'<br>'.join(lines)} |")
    return "\n".join(rows)


def _link(cases: list[Case], names: dict) -> str:
    """A link to a program, with the backends of some of its cases. It knows the verdicts on other
    releases that differ."""
    program, text = cases[0].program, names["how"][cases[0].how]
    if len(cases) < len(verdicts.cases_of(program)):
        text += f" ({', '.join(case.backend for case in cases)})"
    elsewhere = {
        f"{release}:{verdict or 'not-run'}"
        for case in cases
        for release, verdict in by_release(case).items()
        if verdict != case.verdict
    }
    link = f"[{text}](#{identifier(program)})"
    return f'{link}{{ data-elsewhere="{" ".join(sorted(elsewhere))}" }}' if elsewhere else link


def identifier(program: Program) -> str:
    """The id of a program's block on the page."""
    case = verdicts.cases_of(program)[0]
    return f"{case.then}--{case.what}--{case.how}"


def title(program: Program, words: dict) -> str:
    """The title of a program's folded block."""
    cases, names = verdicts.cases_of(program), words["verdicts"]
    text = names["case"].format(what=names["what"][cases[0].what], how=names["how"][cases[0].how])
    found = dict.fromkeys(names["verdict"][case.verdict] for case in cases)
    then = names["then"][cases[0].then]
    return names["title"].format(case=text, then=then, verdict=" / ".join(found))


def by_release(case: Case) -> dict[str, str | None]:
    """The verdict on each recorded release."""
    return {release: case.verdict_on(release) for release in differences.recorded()}


def as_json() -> str:
    """Every case with its program and its verdict on every release, as JSON."""
    cases = []
    for case in verdicts.cases():
        on_release = by_release(case) | {pinned("torch"): case.verdict}
        cases.append(vars(case) | {"program": case.program.name, "verdicts": on_release})
    return json.dumps({"cases": cases}, indent=1) + "\n"
