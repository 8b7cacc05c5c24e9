"""What pages show of programs on other releases: what is under a program, and the counts."""

import difflib
import functools
import re
from collections import Counter
from collections.abc import Sequence

from builder.content import differences, pages, snippets, verdicts
from builder.content.differences import Difference, label, not_run, number, outcome, side
from builder.content.pages import Page
from builder.content.paths import pinned
from builder.content.snippets import Program

PAGE = "reference/releases.md"
"""The page of changes: a bullet for each, which begins with its words in bold and its id."""

MOST_LINES = 14
"""How many lines of an output are shown."""

_CHANGE = re.compile(r"^- \*\*(?P<words>.+?)\*\*\{ #(?P<id>[\w-]+) \}", re.MULTILINE)


@functools.lru_cache(maxsize=2)
def changes(page: Page) -> dict[str, str]:
    """The words of each change on the page of changes, as Markdown, by its id."""
    return {match["id"]: match["words"] for match in _CHANGE.finditer(page.text)}


def notes(program: Program, lang: str, words: dict, to_root: str) -> str:
    """What is under a program about other releases, as Markdown; empty if it is the same on all.

    A folded block for each output that is another one. Then, in a line, on which releases it has
    not been run. words: `extra` of mkdocs.<lang>.yml; to_root: from the page to that of its
    language.
    """
    names, blocks = words["releases"], []
    for title, difference in titles(program, lang, words).items():
        shown = _shown(program, difference, names)
        link = f"[{names['explained']}]({to_root}{PAGE}#{difference.change})"
        explained = f"{link} {_between(difference, names)}".rstrip()
        text = f"{shown}\n\n{explained}".lstrip().replace("\n", "\n    ")
        blocks.append(f'??? differs "{title}"\n\n    {text}')
    line = ""
    if differences.is_left_out(program):
        line = names["pinned_only"].format(release=pinned("torch"))
    elif unknown := not_run(program):
        is_everywhere = len(unknown) == len(differences.recorded())
        where = names["others"] if is_everywhere else names["comma"].join(map(label, unknown))
        line = names["not_run"].format(releases=where)
    if line:
        blocks.append(f"[{line}]({to_root}{PAGE}#matrix)\n{{ .differs }}")
    return "\n\n".join(blocks)


def titles(program: Program, lang: str, words: dict) -> dict[str, Difference]:
    """On which releases a program differs and in what, in words, each with the difference. For a
    case of the table, only verdicts count. words: `extra` of mkdocs.<lang>.yml."""
    words, found = words["releases"], {}
    for difference in differences.of_program(program):
        if not verdicts.are_kept(program, difference.releases[0]):
            missing = words["missing"].format(name=f"`{difference.missing}`")
            change = changes(pages.pages(lang)[PAGE]).get(difference.change, difference.change)
            text = missing if difference.missing else change
            where = releases(difference.releases, words)
            found[words["differs"].format(releases=where, change=text)] = difference
    return found


def releases(names: Sequence[str], words: dict[str, str]) -> str:
    """Releases of one side in words, such as "torch 2.4.1 and older"."""
    names = sorted(names, key=differences.distance)
    where = side(names[0])
    of_side = [name for name in differences.recorded() if side(name) == where]
    farthest = sorted(of_side, key=differences.distance)[-len(names) :]
    if where != "python" and len(names) > 1 and farthest == names:
        return words[f"and_{where}"].format(release=label(names[0]))
    return words["only"].format(releases=words["comma"].join(map(label, names)))


def _between(difference: Difference, words: dict[str, str]) -> str:
    """A sentence about releases, not run, between the first that differs and the one after it."""
    lower, names = number(difference.releases[0]), (pinned("torch"), *differences.recorded())
    upper = min((number(name) for name in names if number(name) > lower), default=lower)
    missing = [f"{upper[0]}.{minor}" for minor in range(lower[1] + 1, upper[1])]
    return words["between"].format(releases=words["comma"].join(missing)) if missing else ""


def _shown(program: Program, difference: Difference, words: dict[str, str]) -> str:
    """What a program prints elsewhere, in Markdown, as a difference if it has lines in common.
    Empty if the name that is missing says all."""
    if difference.missing:
        return ""
    before = (program.output or "").splitlines()
    # Some releases write a hyphen that doesn't break.
    after = (difference.output + difference.error).replace("\u2011", "-").splitlines()
    if not after:
        return words["nothing"]
    lines = after
    if {*before} & {*after}:
        unified = difflib.unified_diff(before, after, lineterm="", n=1)
        lines = [line for line in unified if not line.startswith(("---", "+++", "@@"))]
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 2 : -1] = ["…"]
    return "\n".join(["``` {.diff .no-copy}", *lines, "```"])


def with_counts(text: str) -> str:
    """A text in which names in braces stand for what the recorded runs say: programs, torch, the
    newest and the oldest release, how many others, how many programs are the same on the newest. An
    edit of a program doesn't change them."""
    names, torch = differences.recorded(), pinned("torch")
    runs = differences.read(names[0])["programs"].values()
    same = sum(outcome(run) == "same" for run in runs)
    others = {name.partition("-")[0] for name in names} - {torch}
    return text.format(
        programs=len(snippets.paths()), same=same, torch=torch, newest=names[0], oldest=names[-1],
        others=len(others), page=PAGE,
    )  # fmt: skip


def matrix() -> str:
    """How many programs did what on each release."""
    programs = len(snippets.paths())
    rows = ["| torch | = | ≠ | ✗ | – | Python | numpy |", "|---|---|---|---|---|---|---|"]
    for release in differences.recorded():
        data = differences.read(release)
        kinds = Counter(map(outcome, data["programs"].values()))
        counts = [kinds[kind] for kind in ("same", "different", "error")]
        cells = data["torch"], *counts, programs - sum(counts)
        rows.append(f"| {' | '.join(map(str, (*cells, data['python'], data['numpy'])))} |")
    return "\n".join(rows) + "\n"
