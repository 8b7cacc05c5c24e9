"""Tell an output from its program, in words, one that shows an error from the others, and one that
is longer than a column from those whose lines stay as they are. A page of questions folds the
outputs away: `outputs: folded` in its front matter.

So late because the programs of labs come as cells only then.
"""

import re
import sys
from pathlib import Path

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError
from mkdocs.structure.files import Files

sys.path.append(str(Path(__file__).parents[1]))

from handbook import pages, snippets
from handbook.places import SNIPPETS, shown

COLUMNS = 80
"""What fits the column of a page at 1280 px."""

OUTPUT = '<div class="language-text highlight">'
BLOCK = re.compile(re.escape(OUTPUT) + "(.*?</div>)", re.DOTALL)


def on_env(env: Environment, *, config: MkDocsConfig, files: Files) -> None:
    """Raises BuildError if a page shows an output that belongs to none of its programs."""
    words = config.extra["outputs"]
    for file in files.documentation_pages():
        content = file.page.content or ""
        if OUTPUT not in content:
            continue
        names = [one.target for one in pages.includes(file.content_string) if one.is_program]
        programs = (snippets.read(SNIPPETS / name) for name in names)
        kinds = [(one.output, one.shows_error) for one in programs if one.output]
        folded = file.page.meta.get("outputs") == "folded"
        if content.count(OUTPUT) != len(kinds):
            where = shown(Path(file.abs_src_path))
            raise BuildError(f"{where}:1: a ```text block that no program printed; include it")
        queue = iter(kinds)

        def labelled(block: re.Match, queue=queue, folded=folded) -> str:
            output, shows_error = next(queue)
            kind = "error" if shows_error else "output"
            long = " long" if max(map(len, output.splitlines())) > COLUMNS else ""
            label = f'<span class="output-label" data-search-exclude="1">{words[kind]}</span>'
            shown = f'<div class="language-text highlight no-copy {kind}{long}">{label}{block[1]}'
            if folded:
                return f'<details class="success"><summary>{words["folded"]}</summary>{shown}</details>'
            return shown

        file.page.content = BLOCK.sub(labelled, content)
