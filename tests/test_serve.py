"""While serving, an edit rebuilds the languages it concerns, and no others; at the end, all ends."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import urllib.request

import preview


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=10) as response:
        return response.read().decode("utf-8")


def test_an_edit_rebuilds_only_the_languages_whose_inputs_changed(tmp_path):
    folder = preview.copy_project(tmp_path)
    with preview.Preview(folder) as site:
        assert rebuilt(site) == {"zh", "en"}
        site.wait_for("Serving on")

        page = folder / "docs" / "zh" / "index.md"
        page.write_text(page.read_text("utf-8") + "\n添加的一句。\n", encoding="utf-8")
        assert rebuilt(site) == {"zh"}
        assert "添加的一句" in get(site.address + "zh/")
        assert "<h1" in get(site.address + "en/")

        snippet = folder / "snippets" / "index" / "self-and-ctx.md"
        snippet.write_text(snippet.read_text("utf-8").replace("Power", "Potency"), encoding="utf-8")
        assert rebuilt(site) == {"zh", "en"}
        for lang in ("zh", "en"):
            assert "Potency" in get(f"{site.address}{lang}/")
            assert f'href="{site.address}{lang}/"' in get(f"{site.address}{lang}/")


def rebuilt(site: preview.Preview) -> set[str]:
    lines = site.wait_for("Documentation built")
    return {lang for lang in ("zh", "en") if any(f"{lang} built" in line for line in lines)}


def test_nothing_is_left_running_when_the_server_is_killed(tmp_path):
    with preview.Preview(preview.copy_project(tmp_path)) as site:
        site.wait_for("Serving on")
        workers = children(site.pid)
        assert workers
        os.kill(site.pid, signal.SIGKILL)
        until = time.monotonic() + 10
        while any(map(is_running, workers)) and time.monotonic() < until:
            time.sleep(0.1)
        assert not any(map(is_running, workers)), "workers outlive the server"


def children(pid: int) -> list[int]:
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True)
    pairs = [map(int, line.split()) for line in listing.stdout.splitlines()]
    return [child for child, parent in pairs if parent == pid]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
