"""Drawings: dots with intervals, and heat maps. Data in, a figure out.

Colours are mid-tones that stand out on white and on near-black; a series has a
symbol as well as a colour. Backgrounds are transparent and text colours are set
by the page, which knows whether it is dark and how wide it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from pipeline.stats.estimate import Estimate

COLOURS = ("#3b82c4", "#d97706", "#2f9e6e", "#a66cc4", "#d6536d", "#7c8a1f", "#5f7f96", "#b0733f")
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star", "pentagon")
MOST_SERIES = len(COLOURS)
"""More lines than this cannot be told apart in one drawing."""
# Orange - grey - blue: told apart by every common colour vision, and light enough
# for black text in every cell, on a white page and on a black one.
DIVERGING = ((0.0, "#e8963c"), (0.5, "#e3e3e3"), (1.0, "#5b9bd5"))
SEQUENTIAL = ((0.0, "#e6eef5"), (1.0, "#5b9bd5"))
HOVER = "%{customdata[0]}: %{x:.3f} (%{customdata[1]:.3f} to %{customdata[2]:.3f})"
THIN = "\N{NARROW NO-BREAK SPACE}"
"""Between thousands, as in the tables."""
ROW = 17
"""Pixels of a line of dots."""


class Series(NamedTuple):
    """Figures of one entrant or role, one for each line; None where there is none."""

    name: str
    figures: Sequence[Estimate | None]


def _base(height: int, legend: bool) -> go.Layout:
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


def dots(
    lines: Sequence[str],
    series: Sequence[Series],
    axis: str,
    per_cent: bool = False,
) -> go.Figure:
    """A line for each of ``lines`` from the top, a dot with its interval for each series."""
    many = len(series)
    step = 0.72 / many
    legend = many > 1
    height = 70 + (30 * (1 + many // 4) if legend else 0) + len(lines) * max(30, ROW * many)
    drawing = go.Figure(layout=_base(height, legend))
    scale = 100 if per_cent else 1
    for k, one in enumerate(series):
        drawing.add_trace(_dots_of(one, k, (k - (many - 1) / 2) * step, lines, scale))
    _name_lines(drawing, lines)
    drawing.update_xaxes(
        title={"text": axis, "font": {"size": 12}},
        rangemode="tozero" if per_cent else "normal",
        zeroline=True,
        zerolinewidth=2,
        automargin=True,
        exponentformat="none",
        separatethousands=True,
    )
    return drawing


def _dots_of(one: Series, k: int, above: float, lines: Sequence[str], scale: int) -> go.Scatter:
    """The dots of series number ``k``, drawn ``above`` (in lines, downwards) their line."""
    known = [(i, e) for i, e in enumerate(one.figures) if e is not None]
    x = [scale * e.value for _, e in known]
    up = [0.0 if e.high is None else scale * (e.high - e.value) for _, e in known]
    down = [0.0 if e.low is None else scale * (e.value - e.low) for _, e in known]
    colour = COLOURS[k % MOST_SERIES]
    return go.Scatter(
        name=one.name,
        x=x,
        y=[i + above for i, _ in known],
        mode="markers",
        cliponaxis=False,  # a dot at 0 stands on the edge
        marker={"color": colour, "symbol": SYMBOLS[k % MOST_SERIES], "size": 8},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": up,
            "arrayminus": down,
            "color": colour,
            "thickness": 1.8,
            "width": 3,
        },
        customdata=[
            [lines[i], a - b, a + c] for (i, _), a, b, c in zip(known, x, down, up, strict=True)
        ],
        hovertemplate=HOVER,
    )


def _name_lines(drawing: go.Figure, lines: Sequence[str]) -> None:
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


def heat(
    columns: Sequence[str],
    lines: Sequence[str],
    values: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    axis: str,
    diverging: bool,
    top: float,
    lowest: bool = False,
) -> go.Figure:
    """A cell for each line and column, its text inside; empty where there is no figure.

    The bluer the more, up to ``top``, the same for maps that are read side by side.
    ``diverging``: the scale is symmetric about 0 and orange below;
    turned round with ``lowest``, so that blue is what the entrant likes.
    """
    drawing = go.Figure(layout=_base(80 + 32 * len(lines), False))
    drawing.add_trace(
        go.Heatmap(
            x=list(range(len(columns))),
            y=list(range(len(lines))),
            z=[list(row) for row in values],
            text=[list(row) for row in texts],
            texttemplate="%{text}",
            textfont={"color": "#111111"},
            zmin=-top if diverging else 0,
            zmax=top,
            colorscale=[list(stop) for stop in (DIVERGING if diverging else SEQUENTIAL)],
            reversescale=diverging and lowest,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="%{text}<extra></extra>",
        )
    )
    drawing.update_xaxes(
        title={"text": axis, "font": {"size": 12}},
        tickvals=list(range(len(columns))),
        ticktext=list(columns),
        showgrid=False,
        zeroline=False,
        fixedrange=True,
        automargin=True,
    )
    _name_lines(drawing, lines)
    drawing.update_yaxes(ticks="")
    return drawing
