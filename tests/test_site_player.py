"""The player shows the recorded steps by key; in print and without JavaScript a table does."""

import html
import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from problems import report
from test_site_browser import FOLLOW_A_LINK

from builder.content import pages
from builder.content.parts import RECORDED
from builder.content.paths import LANGUAGES, SNIPPETS

PAGES = sorted(uri for uri, page in pages.pages("en").items() if RECORDED in page.text)
SHOWN = """player => {
  const text = element => element.innerText.trim()
  const lines = [...player.querySelectorAll(".line")]
  const rows = [...player.querySelectorAll(".state dl > div")]
  return {
    line: lines.findIndex(line => line.matches(".now[aria-current=step]")) + 1,
    waiting: lines.flatMap((line, index) => line.matches(".waiting") ? [index + 1] : []),
    rows: rows.map(row => [text(row.querySelector("dt > code")), text(row.querySelector("dd code"))]),
    changed: rows.filter(row => row.querySelector(".sign")).map(row => text(row.querySelector("dt > code"))),
    output: player.querySelector(".state pre")?.textContent ?? "",
    nodes: player.querySelectorAll(".state svg rect").length,
  }
}"""
RECORDING = """player => player.querySelector(".script-link").href.replace(/.*programs\\//, "")
  .replaceAll("_", "-").replace(/py$/, "steps.html")"""


def recorded(steps: str) -> list[dict]:
    """What the player has to show at each step, from the data of a recording."""
    text = (SNIPPETS / steps).read_text(encoding="utf-8")
    data = json.loads(html.unescape(re.search("<template>(.*?)</template>", text, re.DOTALL)[1]))
    found, state, output, before = [], {}, "", {}
    with_value: set[tuple[str, str]] = set()
    for step in data:
        state = state | step
        output += step.get("prints", "")
        rows = [
            (ctx, *row) for ctx, held in state["contexts"].items() for row in held.items() if row[0]
        ]
        with_value |= {(ctx, name) for ctx, name, value in rows if value not in ("None", "()")}
        rows = [row for row in rows if row[:2] in with_value]
        rows += [
            (frame, *row) for frame, held in state["variables"].items() for row in held.items()
        ]
        rows += [("raise", "raise", step["raises"])] if "raises" in step else []
        rows += [("", "torch.is_grad_enabled()", str(state["grad_mode"]))]
        now = {(part, name): value for part, name, value in rows}
        found.append(
            {
                "line": step["line"],
                "waiting": sorted({*step["waiting"]}),
                "rows": [[name, re.sub(r"\s+", " ", value)] for _, name, value in rows],
                "changed": [key[1] for key, value in now.items() if before.get(key) != value],
                "output": output,
                "nodes": len(state["graph"]),
            }
        )
        before = {key: value for key, value in now.items() if key[0] != "raise"}
    return found


@pytest.mark.parametrize(("colours", "width"), [("light", 1280), ("dark", 360)])
def test_by_key_the_player_shows_every_recorded_step(reader, public, colours, width):
    page = reader(public, color_scheme=colours, viewport={"width": width, "height": 900})
    page.goto(f"{public.url}en/learn/saving-tensors/")
    for player in page.locator(".player").all():
        steps = recorded(player.evaluate(RECORDING))
        names = player.locator(".controls :is(button, input)").evaluate_all(
            "controls => controls.map(control => control.ariaLabel)"
        )
        assert len({*names} - {"", None, "undefined"}) == 5, names
        player.locator(".controls button").nth(2).focus()
        for number, step in enumerate(steps):
            assert player.evaluate(SHOWN) == step, f"step {number + 1}"
            page.keyboard.press("ArrowRight")
        expect(player.locator(".said p")).to_contain_text(f"{len(steps)} / {len(steps)}")
        page.keyboard.press("Home")
        assert player.evaluate(SHOWN) == steps[0]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response
    assert found["passes"]
    report(node["html"] for rule in found["violations"] for node in rule["nodes"])


def test_the_player_of_the_start_page_begins_at_the_first_forward(reader, public):
    page = reader(public)
    page.goto(f"{public.url}en/")
    expect(page.locator(".player .said p code").first).to_have_text("def forward(self, x):")
    expect(page.locator(".player .said p")).to_contain_text("5 / 31")
    page.locator(".player .controls button").first.click()
    expect(page.locator(".player .said p")).to_contain_text("1 / 31")


def test_the_address_of_a_step_leads_to_it(reader, public):
    page = reader(public)
    page.goto(f"{public.url}zh/learn/ctx-vs-self/#steps-a-new-ctx-per-call-7")
    player = page.locator(".player")
    expect(player.locator(".said p")).to_contain_text("7 / 16")
    player.locator(".controls button").nth(3).click()
    player.locator(".address").click()
    assert page.url.endswith("#steps-a-new-ctx-per-call-16")


@pytest.mark.parametrize("how", ["without JavaScript", "in print"])
def test_a_table_has_every_step(reader, public, how):
    page = reader(public, java_script_enabled=how == "in print")
    page.goto(f"{public.url}en/learn/ctx-vs-self/")
    if how == "in print":
        expect(page.locator(".panel")).to_be_visible()
        page.emulate_media(media="print")
        expect(page.locator(".panel")).to_be_hidden()
    rows = page.locator(".steps tr:visible")
    assert rows.count() == 1 + 16
    assert rows.nth(3).inner_text().split("\t") == ["3", "ctx.factor = factor", "ctx1.factor = 2"]
    expect(page.locator(".player > dl")).to_be_visible()


STEP_THROUGH = """async () => {
  const problems = []
  for (const player of document.querySelectorAll(".player")) {
    const panel = player.querySelector(".panel"), next = player.querySelector(".next")
    const code = player.querySelector(".language-python pre"), height = player.offsetHeight
    const box = element => element.getBoundingClientRect()
    let remarks = 0
    player.querySelector(".controls button").click()
    for (let step = 1; ; step++) {
      remarks += [...player.querySelectorAll(".remark")].filter(it => it.checkVisibility()).length
      const line = box(player.querySelector(".line.now"))
      const bottoms = [...player.querySelectorAll(".said, .contexts")].map(it => box(it).bottom)
      if (step > 1 && (line.top < box(code).top - 1 || line.bottom > box(code).bottom + 1))
        problems.push(`step ${step}: the current line is out of sight`)
      if (Math.max(...bottoms) > box(panel).bottom) problems.push(`step ${step}: the contexts don't fit`)
      if (box(panel).bottom - box(code).top > innerHeight - 48) problems.push(`step ${step}: too high`)
      if (player.offsetHeight !== height) problems.push(`step ${step}: the height changes`)
      if (next.ariaDisabled === "true") break
      next.click()
      await new Promise(requestAnimationFrame)
    }
    if (!remarks || remarks < player.querySelectorAll(":scope > dl > dt").length)
      problems.push("a remark is not shown")
  }
  return problems
}"""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_a_player_shows_all_at_one_height_and_on_the_screen_of_a_phone(reader, public, lang, width):
    page = reader(public, viewport={"width": width, "height": 780})
    page.goto(f"{public.url}{lang}/glossary/", wait_until="networkidle")
    problems = []
    for uri in PAGES:  # from page to page as instant navigation brings them
        page.evaluate(FOLLOW_A_LINK, f"{public.url}{lang}/{pages.url(uri, '')}")
        expect(page.locator(".player .panel").last).to_be_visible()
        problems += [
            f"{lang}/{uri}: {problem}"
            for problem in page.evaluate(STEP_THROUGH)
            if width == 360 or "height changes" in problem or "remark" in problem
        ]
        for player in page.locator(".player").all():
            assert player.evaluate(SHOWN) == recorded(player.evaluate(RECORDING))[-1]
    report(problems)
    assert len(PAGES) >= 8
