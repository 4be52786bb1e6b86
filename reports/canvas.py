"""What drawings share: colours, margins, axes, and figures with their intervals.

Colours are mid-tones that stand out on white and on near-black; a series has a symbol, a
dash or a shading as well as a colour. Backgrounds are transparent and text colours are set
by the page, which knows whether it is dark and how wide it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from pipeline.stats.estimate import Estimate

COLOURS = ("#3b82c4", "#d97706", "#2f9e6e", "#a66cc4", "#d6536d", "#7c8a1f", "#5f7f96", "#b0733f")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SHADINGS = ("", "/", ".", "x", "\\", "-", "+", "|")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star", "pentagon")
MOST_SERIES = len(COLOURS)
"""More lines than this cannot be told apart in one drawing."""
HOVER = "%{customdata[0]}: %{customdata[1]:.3f} (%{customdata[2]})"
THIN = "\N{NARROW NO-BREAK SPACE}"
"""Between thousands, as in the tables."""
ROW = 17
"""Pixels of a line of dots."""


class Series(NamedTuple):
    """Figures of one entrant or role, one for each line; None where there is none."""

    name: str
    figures: Sequence[Estimate | None]


def blank(height: int, legend: bool) -> go.Layout:
    """A see-through drawing of this height in pixels, with nothing in it."""
    return go.Layout(
        template=go.layout.Template(),
        height=height,
        autosize=True,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 13},
        separators=f".{THIN}",
        margin={"l": 10, "r": 16, "t": 8, "b": 44},
        showlegend=legend,
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "traceorder": "normal"},
        hoverlabel={"namelength": -1},
    )


class Spread(NamedTuple):
    """The figures of a series that are there, with their places in the series."""

    places: list[int]
    values: list[float]
    down: list[float]
    up: list[float]
    told: list[list[object]]
    """Name of the line, value, interval: what one reads in passing over it."""

    def whiskers(self, colour: str) -> dict[str, object]:
        """Error bars."""
        return {
            "type": "data",
            "symmetric": False,
            "array": self.up,
            "arrayminus": self.down,
            "color": colour,
            "thickness": 1.8,
            "width": 3,
        }


def spread_of(one: Series, lines: Sequence[str], per_cent: bool) -> Spread:
    """The figures of ``one`` that are there, each with the name of its line."""
    scale = 100 if per_cent else 1
    known = [(i, e) for i, e in enumerate(one.figures) if e is not None]
    values = [scale * e.value for _, e in known]
    down = [0.0 if e.low is None else scale * (e.value - e.low) for _, e in known]
    up = [0.0 if e.high is None else scale * (e.high - e.value) for _, e in known]
    told: list[list[object]] = [
        [lines[i], v, "no interval" if e.low is None else f"{v - a:.3f} to {v + b:.3f}"]
        for (i, e), v, a, b in zip(known, values, down, up, strict=True)
    ]
    return Spread([i for i, _ in known], values, down, up, told)


def colour_of(k: int) -> str:
    """The colour of series number ``k``."""
    return COLOURS[k % MOST_SERIES]


def name_scale(drawing: go.Figure, axis: str, per_cent: bool, upright: bool = False) -> None:
    """The axis of the figures: below, or at the left of an upright drawing."""
    update = drawing.update_yaxes if upright else drawing.update_xaxes
    update(
        title={"text": axis, "font": {"size": 12}},
        rangemode="tozero" if per_cent else "normal",
        zeroline=True,
        zerolinewidth=2,
        automargin=True,
        exponentformat="none",
        separatethousands=True,
    )


def name_lines(drawing: go.Figure, lines: Sequence[str]) -> None:
    """Write the lines' names at the left, the first at the top."""
    drawing.update_yaxes(
        tickvals=list(range(len(lines))),
        ticktext=list(lines),
        range=[len(lines) - 0.5, -0.5],
        automargin=True,
        ticklabelstandoff=8,
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
