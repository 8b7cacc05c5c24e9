"""What the player shows was recorded from the program as it is. Each remark is about a step; in
both languages about the same, as test_page_form.py compares."""

import re

from page_checks import REMARK
from problems import report, report_of_torch

from builder.content import pages, parts, snippets
from builder.content.parts import RECORDED
from builder.content.paths import SNIPPETS, shown
from builder.running import record, tracer
from builder.running.runner import Task

PLAYER = re.compile(r'<div class="player"[^>]* markdown>\n(.*?)\n</div>', re.DOTALL)


def test_a_recording_is_what_a_run_shows_again():
    names = {name for page in pages.every() for name in page.stepped}
    programs = [snippets.read(SNIPPETS / name) for name in sorted(names)]
    assert len(programs) >= 8
    outcomes = record.run_twice([Task(tracer.as_script, program) for program in programs])
    problems = []
    for program, outcome in zip(programs, outcomes, strict=True):
        file = program.path.with_suffix(RECORDED)
        if outcome.error or outcome.output != program.output:
            why = outcome.error or "it prints something else when it is watched"
            problems.append(f"{program.where}: its steps can't be recorded: {why}")
        elif not file.exists() or file.read_text("utf-8") != tracer.page_part(
            program, outcome.steps
        ):
            remedy = f"make record ONLY={shown(file.parent)}"
            problems.append(f"{shown(file)}:1: not what the program does; {remedy}")
    report_of_torch(problems)


def test_a_player_holds_a_program_its_steps_and_remarks():
    """Each remark is on a step that there is."""
    problems = []
    for page in pages.every():
        players = PLAYER.findall(page.text)
        if len(players) != page.text.count(RECORDED):
            problems.append(f'{shown(page.path)}:1: steps outside a <div class="player" markdown>')
        for part in players:
            includes = parts.includes(parts.parse(part, page.path)[0])
            program, steps = (include.target for include in includes)
            assert steps == program.replace(".md", RECORDED), f"{shown(page.path)}: {steps}"
            text = (SNIPPETS / steps).read_text("utf-8")
            ran = re.findall(r"<tr id=.*?<td>\d+</td><td><code>(.*?)</code>", text)
            if not REMARK.search(part):
                problems.append(page.problem_at(page.line_of(steps), "no remark below; add one"))
            for remark in REMARK.finditer(part):
                times = sum(line.startswith(remark["begins"]) for line in ran)
                if times < int(remark["nth"] or 1):
                    text = f"{remark[0].strip()!r} is about no step"
                    problems.append(page.problem_at(page.line_of(remark["begins"]), text))
    report(problems)
