"""The figure that a program leaves open, as an SVG that takes its colours from the page."""

import io
import re
import sys

TEXT_COLOUR = "#010203"  # in matplotlibrc


def open_figure(name: str) -> str | None:
    """The open figure as SVG, the same for the same program; None if nothing was drawn.

    `name` makes its ids differ from those of other figures on the page. Raises RuntimeError if
    more than one figure is open.
    """
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not pyplot.get_fignums():
        return None
    if len(pyplot.get_fignums()) > 1:
        raise RuntimeError("more than one figure is open; draw one per program")
    pyplot.rcParams["svg.hashsalt"] = name
    buffer = io.StringIO()
    pyplot.gcf().savefig(buffer, format="svg")
    return for_a_page(buffer.getvalue())


def for_a_page(svg: str) -> str:
    """Matplotlib's SVG without its header, style, fonts, and unused ids and groups."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r"font-family: [^;\"]*; ?", "", svg)
    svg = svg.replace(TEXT_COLOUR, "currentColor")
    width = round(float(re.search(r'width="([\d.]+)pt"', svg)[1]) * 4 / 3)
    svg = re.sub(r'width="\S+" height="\S+"', f'class="plot" width="{width}"', svg, count=1)
    used = set(re.findall(r"#([\w.-]+)", svg))
    svg = re.sub(r' id="([\w.-]+)"', lambda m: m[0] if m[1] in used else "", svg)
    bare = re.compile(r"^( *)<g>\n(.*?)^\1</g>\n", re.DOTALL | re.MULTILINE)
    while bare.search(svg):  # a fifth of the elements of a page of plots
        svg = bare.sub(r"\2", svg)
    lines = (line.strip() for line in svg.splitlines())
    return "\n".join(line for line in lines if line) + "\n"
