"""Every program, as a script in a fresh interpreter, prints and draws what is recorded."""

from __future__ import annotations

import difflib

import programs
import pytest

import snippets

PATHS = {path.relative_to(snippets.FOLDER).as_posix(): path for path in snippets.paths()}


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> dict[str, programs.Outcome]:
    wanted = {
        item.callspec.params["name"]
        for item in request.session.items
        if item.path == request.path and hasattr(item, "callspec")
    }
    read = [snippets.read(path) for name, path in PATHS.items() if name in wanted]
    return {outcome.name: outcome for outcome in programs.run([(s.name, s.code) for s in read])}


@pytest.mark.parametrize("name", PATHS)
def test_program_run_as_a_script_prints_and_draws_what_is_recorded(name, outcomes):
    snippet = snippets.read(PATHS[name])
    outcome = outcomes[name]
    where = f"snippets/{name}:{snippet.line}"
    if outcome.error:
        pytest.fail(f"{where}: the program fails as a script:\n{outcome.error}", pytrace=False)
    for what, recorded, now in (
        ("prints", snippet.output, outcome.stdout),
        ("draws", snippet.figure, outcome.figure),
    ):
        if recorded != now:
            difference = difflib.unified_diff(
                (recorded or "").splitlines(),
                (now or "").splitlines(),
                "recorded",
                "now",
                lineterm="",
            )
            pytest.fail(
                f"{where}: {what} something else than what is recorded. If the new is right: "
                f"make record ONLY={name}\n" + "\n".join(list(difference)[:40]),
                pytrace=False,
            )


def test_every_recorded_figure_has_its_program():
    idle = [
        path.relative_to(snippets.ROOT).as_posix()
        for path in snippets.FOLDER.rglob("*.svg")
        if not path.with_suffix(".md").exists()
    ]
    assert not idle, f"figures whose program is gone; delete them: {idle}"
