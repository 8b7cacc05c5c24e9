"""Run programs and write what they print under them, and the figure that they draw beside them:
`make record [ONLY=learn/ctx-vs-self]`."""

from __future__ import annotations

import difflib
import sys

import programs

import snippets


def record(only: str = "") -> int:
    """Record the programs below a folder of snippets/, or all. Returns how many could not be."""
    chosen = [snippets.read(path) for path in snippets.paths(only)]
    failed = 0
    changed = 0
    for snippet, outcome in zip(
        chosen, programs.run([(s.name, s.code) for s in chosen]), strict=True
    ):
        problem = outcome.error
        if problem is None and not outcome.stdout.strip():
            problem = "it prints nothing, so there is nothing to show or to check"
        if problem is None and "```" in outcome.stdout:
            problem = "it prints ```, which would end the fence its output stands in"
        before = snippet.path.read_text(encoding="utf-8")
        if problem is None:
            try:
                after = snippets.with_output(before, outcome.stdout)
            except snippets.SnippetError as error:
                problem = str(error)
        if problem is not None:
            failed += 1
            print(f"snippets/{snippet.name}:{snippet.line}: left as it was\n{problem}")
        else:
            text_changed = after != before
            figure_changed = outcome.figure != snippet.figure
            changed += text_changed or figure_changed
            if text_changed:
                snippets.write(snippet.path, after)
                print(f"snippets/{snippet.name}: recorded")
                old, new = ((snippet.output or "").splitlines(), outcome.stdout.splitlines())
                print("\n".join(list(difflib.unified_diff(old, new, lineterm="", n=1))[2:]))
            if figure_changed:
                snippets.write_figure(snippet, outcome.figure)
                print(f"snippets/{snippet.name}: figure {'drawn' if outcome.figure else 'removed'}")
    print(f"{len(chosen)} programs: {changed} recorded anew, {failed} failed, the rest as before")
    return failed


if __name__ == "__main__":
    try:
        sys.exit(1 if record(*sys.argv[1:]) else 0)
    except snippets.SnippetError as error:
        sys.exit(str(error))
