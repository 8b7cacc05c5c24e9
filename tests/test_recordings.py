"""What the player shows was recorded from a run of the program as it is, and what a page remarks is
about a step that there is."""

import json
import re

import pytest
from problems import report, report_of_torch

from handbook import pages, parts, record, recording, runner, snippets
from handbook.parts import RECORDED
from handbook.places import LANGUAGES, SNIPPETS, shown

PLAYER = re.compile(r'<div class="player"[^>]* markdown>\n(.*?)\n</div>', re.DOTALL)
REMARK = re.compile(r"^`(?P<begins>[^`]+)`(?: \((?P<nth>\d+)\))?\n:   ", re.MULTILINE)


@pytest.fixture(scope="module")
def programs() -> list[snippets.Snippet]:
    found = [snippets.read(SNIPPETS / name) for name in sorted(pages.stepped())]
    assert len(found) >= 8
    return found


def test_a_recording_is_what_a_run_shows_again(programs):
    found = record.steps(programs, {one.name: one.output for one in programs})
    problems = []
    for name, (part, problem) in found.items():
        file = SNIPPETS / name.replace(".md", RECORDED)
        if problem:
            problems.append(f"snippets/{name}:2: {problem}")
        elif not file.exists() or file.read_text(encoding="utf-8") != part:
            problems.append(f"{shown(file)}:1: not what the program does; make record ONLY={name}")
    report_of_torch(problems)


def test_every_recording_is_shown_on_a_page():
    report(
        f"{shown(file)}:1: no page includes it; delete it"
        for file in SNIPPETS.rglob(f"*{RECORDED}")
        if file.relative_to(SNIPPETS).as_posix().replace(RECORDED, ".md") not in pages.stepped()
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_player_holds_a_program_its_steps_and_remarks_on_steps_that_there_are(lang):
    problems = []
    for page in pages.pages(lang).values():
        players = PLAYER.findall(page.text)
        if len(players) != page.text.count(RECORDED):
            problems.append(f'{page.shown}:1: steps outside a <div class="player" markdown>')
        for part in players:
            program, steps = (one.target for one in parts.includes(part))
            assert steps == program.replace(".md", RECORDED), f"{page.shown}: {steps}"
            ran = re.findall(
                r"<tr id=.*?<td>\d+</td><td><code>(.*?)</code>",
                (SNIPPETS / steps).read_text("utf-8"),
            )
            for remark in REMARK.finditer(part):
                times = sum(line.startswith(remark["begins"]) for line in ran)
                if times < int(remark["nth"] or 1):
                    where = f"{page.shown}:{page.line_of(remark['begins'])}"
                    problems.append(f"{where}: {remark[0].strip()!r} is about no step")
    report(problems)


@pytest.mark.parametrize("name", sorted(pages.stepped()))
def test_both_languages_remark_on_the_same_steps(name):
    told = []
    for lang in LANGUAGES:
        players = [
            part for page in pages.pages(lang).values() for part in PLAYER.findall(page.text)
        ]
        told.append([REMARK.findall(part) for part in players if f'"{name}"' in part])
    assert told[0] == told[1] != [[[]]], f"{name}: the languages remark on different steps, or none"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("for n in range(200):\n    x = n\nprint(x)\n", "more than 80 steps"),
        (
            "import torch\nx = torch.ones(1, requires_grad=True)\n"
            "y = sum([x * n for n in range(20)])\nprint(y)\n",
            "more than 12 nodes",
        ),
        (
            "import torch\nwith torch.autograd.graph.saved_tensors_hooks(id, id):\n    print(1)\n",
            "would disturb its saved_tensors_hooks",
        ),
    ],
)
def test_what_can_not_be_recorded_is_said(code, why):
    (outcome,) = runner.run([("a.md", code)], recording.as_script)
    assert outcome.steps is None
    assert re.search(why, outcome.error), outcome.error


def test_a_recording_that_a_page_would_load_too_long_is_refused():
    noise = "".join(map(chr, range(0x4E00, 0x9E00)))
    assert "show a shorter program" in recording.too_large(noise)
    assert recording.too_large("short") is None


WATCHED = """import torch

def double(x):
    y = (
        2 * x
    )
    return y

x = torch.ones(2, requires_grad=True)
try:
    double(x).backward()
except RuntimeError:
    print("no scalar")
"""


def test_each_statement_is_one_step_and_an_error_is_told_where_it_is_raised():
    (outcome,) = runner.run([("a.md", WATCHED)], recording.as_script)
    steps = json.loads(outcome.steps)
    assert [step["line"] for step in steps] == [9, 3, 4, 7, 11, 13]
    assert steps[1]["waiting"] == steps[3]["waiting"] == [11]
    assert steps[2]["variables"]["double"]["y"] == "tensor([2., 2.], grad_fn=<MulBackward0>)"
    assert steps[4]["raises"].startswith("RuntimeError: grad can be implicitly created only for")
    assert steps[5]["prints"] == "no scalar\n"


NOT_TAKEN_FOR_ANOTHER = """import torch

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

class Quiet(torch.autograd.Function):
    forward = staticmethod(lambda ctx, x: 3 * x)

x = torch.ones((), requires_grad=True)
with torch.no_grad():
    Double.apply(x)
z = Quiet.apply(x)
x.grad = x.detach()
x.grad = None
print(z.item())
"""


def test_a_ctx_is_not_taken_for_one_that_is_gone_and_a_gradient_that_goes_is_news():
    (outcome,) = runner.run([("a.md", NOT_TAKEN_FOR_ANOTHER)], recording.as_script)
    steps = json.loads(outcome.steps)
    assert "ctx1" in outcome.steps
    assert not any("ctx1" in step.get("contexts", {}) for step in steps if step["line"] > 13)
    assert steps[-2]["variables"][""]["x.grad"] == "None"


def test_an_error_of_the_watcher_is_not_one_of_the_program():
    code = (
        "class S(str):\n    def __repr__(self):\n        raise ValueError\n"
        "try:\n    s = S('a')\n    t = 1\nexcept ValueError:\n    pass\nprint('end')\n"
    )
    (outcome,) = runner.run([("a.md", code)], recording.as_script)
    assert "RecordingError: ValueError" in outcome.error
