"""While serving, an edit builds only the pages that it changes, and the result is the site of a
whole build, byte for byte. Nothing is left when the server ends."""

import signal

import psutil
from problems import report
from projects import copy_pages, edit, serving
from sites import KEPT, Site, build, differences

from builder.content.paths import LANGUAGES

ADDED = '\n--8<-- "learn/graph-networks/sparse-product.md"\n\n## '
EDITS = [
    ("docs/zh/learn/ctx-vs-self.md", "\n## ", "\n加一句。\n\n## ", "zh built, 1 pages"),
    ("docs/en/index.md", "\n## ", ADDED, "en built, 1 pages"),
    ("docs/en/labs/index.md", "\n## ", "\nEdited.\n\n## ", "en built, 1 pages"),
    ("snippets/learn/graph-networks/sparse-product.md", "\n\n", "\n# edited\n\n", "en built, 2 pages"),
    ("snippets/labs/three-tiers/alive-at-each-step.md", "\n\n", "\n# edited\n\n", "zh built, 1 pages"),
    ("docs/pictures/apply-and-back.svg", "<g", "<g data-edited=''", "zh built, 1 pages"),
    (
        "docs/tables/releases/2.15.0.json",
        'vs-self/nothing-is-implicit.md": "',
        'vs-self/nothing-is-implicit.md": "0',
        "zh built, 1 pages",
    ),
    ("docs/tables/terms.csv", "内存泄露", "内存泄了", "zh built, 0 pages"),
    ("docs/zh/glossary.md", "\n# ", "\n# 改过的", "zh built, whole"),
]  # fmt: skip
"""A file, what is replaced in it, once, by what, and what the server then prints. A comment leaves
the runs of a program as they are; any other edit of it changes the counts at the foot of every
page."""


def test_after_every_edit_the_site_is_that_of_a_whole_build(tmp_path):
    folder, temporary = copy_pages(tmp_path / "project", *KEPT), tmp_path / "temporary"
    with serving(folder, temporary) as server:
        server.until("Serving on")
        for name, old, new, expected in EDITS:
            edit(folder / name, old, new)
            log = server.until("Reloading")
            assert expected in log, name
            others = [lang for lang in LANGUAGES if f"docs/{lang}" not in name]
            assert len(others) > 1 or f"{others[0]} built" not in log
        whole = Site(tmp_path / "whole", server.address, is_whole=False)
        build(whole, folder)
        (served,) = temporary.glob("mkdocs_languages_*")
        for lang in LANGUAGES:
            report(differences(served / lang, whole.folder / lang))


def test_a_server_that_is_killed_leaves_no_process_and_one_that_ends_no_folder(tmp_path):
    folder, temporary = copy_pages(tmp_path / "project", "index.md"), tmp_path / "temporary"
    with serving(folder, temporary) as killed:
        killed.until("Serving on")
        workers = psutil.Process(killed.process.pid).children(recursive=True)
        assert len(workers) == len(LANGUAGES)
        killed.process.kill()
        assert not psutil.wait_procs(workers, 10)[1], "workers outlive the server"
    left = {*temporary.iterdir()}
    with serving(folder, temporary) as ended:
        ended.until("Serving on")
        ended.process.send_signal(signal.SIGTERM)
        assert ended.process.wait(10) == 0
        assert {*temporary.iterdir()} == left
