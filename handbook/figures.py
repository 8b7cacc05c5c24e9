"""The figure that a program leaves open, as an SVG that takes its colours from the page."""

import io
import re
import sys

TEXT_COLOUR = "#010203"  # in matplotlibrc


class FigureError(Exception):
    """Not exactly one figure where one should be."""


def open_figure(name: str) -> str | None:
    """The open figure as SVG, the same for the same program; None if nothing was drawn.

    `name` salts the ids, so that several figures can be on one page. Raises FigureError if
    more than one figure is open.
    """
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not pyplot.get_fignums():
        return None
    if len(pyplot.get_fignums()) > 1:
        raise FigureError("more than one figure is open; draw one per program")
    import matplotlib

    matplotlib.rcParams["svg.hashsalt"] = name
    buffer = io.StringIO()
    pyplot.gcf().savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close("all")
    return for_a_page(buffer.getvalue())


def for_a_page(svg: str) -> str:
    """Matplotlib's SVG without what a page has no use for: header, style, fonts, idle ids and
    groups."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: [^;\"]*; ?", "", svg)
    svg = svg.replace(TEXT_COLOUR, "currentColor")
    svg = re.sub(r'width="([\d.]+)pt" height="[\d.]+pt"', _width, svg, count=1)
    used = set(re.findall(r"#([\w.-]+)", svg))
    svg = re.sub(r' id="([\w.-]+)"', lambda m: m[0] if m[1] in used else "", svg)
    lines = (line.strip() for line in _without_idle_groups(svg).splitlines())
    return "\n".join(line for line in lines if line) + "\n"


def _without_idle_groups(svg: str) -> str:
    """Groups that give what is in them nothing are a fifth of the elements of a page of plots."""
    kept = []

    def tag(match: re.Match) -> str:
        if match[0] == "</g>":
            return "</g>" if kept.pop() else ""
        kept.append(match[0] != "<g>")
        return match[0] if kept[-1] else ""

    return re.sub(r"</?g\b[^>]*>", tag, svg)


def _width(points: re.Match) -> str:
    return f'class="plot" width="{round(float(points[1]) * 4 / 3)}"'
