"""Drawings: dots, bars and curves with intervals, and heat maps. Data in, a figure out.

What they share, colours above all, stands in ``canvas.py``.
"""

from collections.abc import Sequence
from itertools import pairwise

import plotly.graph_objects as go

from reports.canvas import (
    DASHES,
    HOVER,
    MOST_SERIES,
    ROW,
    SHADINGS,
    SYMBOLS,
    Series,
    blank,
    colour_of,
    name_lines,
    name_scale,
    spread_of,
)

__all__ = ["MOST_SERIES", "Series", "bars", "dots", "heat", "lines"]

# Orange - grey - blue: told apart by every common colour vision, and light enough
# for black text in every cell, on a white page and on a black one.
DIVERGING = ((0.0, "#e8963c"), (0.5, "#e3e3e3"), (1.0, "#5b9bd5"))
SEQUENTIAL = ((0.0, "#e6eef5"), (1.0, "#5b9bd5"))


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
    drawing = go.Figure(layout=blank(height, legend))
    for k, one in enumerate(series):
        above = (k - (many - 1) / 2) * step
        spread = spread_of(one, lines, per_cent)
        drawing.add_trace(
            go.Scatter(
                name=one.name,
                x=spread.values,
                y=[i + above for i in spread.places],
                mode="markers",
                cliponaxis=False,  # a dot at 0 stands on the edge
                marker={"color": colour_of(k), "symbol": SYMBOLS[k % len(SYMBOLS)], "size": 8},
                error_x=spread.whiskers(colour_of(k)),
                customdata=spread.told,
                hovertemplate=HOVER,
            )
        )
    name_lines(drawing, lines)
    name_scale(drawing, axis, per_cent)
    return drawing


def bars(
    lines: Sequence[str], series: Sequence[Series], axis: str, per_cent: bool = False
) -> go.Figure:
    """A line for each of ``lines`` from the top, a bar from 0 with its interval for each series.

    For differences from nothing (a seat above the mean); where 0 means nothing, draw dots.
    """
    many = len(series)
    height = 70 + (30 * (1 + many // 4) if many > 1 else 0) + len(lines) * max(30, ROW * many)
    drawing = go.Figure(layout=blank(height, many > 1))
    for k, one in enumerate(series):
        spread = spread_of(one, lines, per_cent)
        drawing.add_trace(
            go.Bar(
                name=one.name,
                orientation="h",
                x=spread.values,
                y=[i + (k - (many - 1) / 2) * 0.7 / many for i in spread.places],
                width=0.6 / many,
                marker={
                    "color": colour_of(k),
                    "pattern": {"shape": SHADINGS[k % len(SHADINGS)], "fillmode": "overlay"},
                },
                error_x=spread.whiskers("#1c1f23"),
                customdata=spread.told,
                hovertemplate=HOVER,
            )
        )
    drawing.update_layout(barmode="overlay")
    name_lines(drawing, lines)
    name_scale(drawing, axis, per_cent)
    return drawing


def lines(
    x: Sequence[float],
    series: Sequence[Series],
    axis: str,
    scale: str,
    per_cent: bool = False,
    names: Sequence[str] = (),
) -> go.Figure:
    """A curve for each series over ``x``, a dot with its interval at each of its values.

    ``axis`` is what ``x`` counts and ``scale`` what the figures are, written beside them. ``x``
    may fall, as contracts left do: it is drawn from the first at the left to the last at
    the right. ``names`` are written at the values of ``x`` in their stead.
    """
    many = len(series)
    drawing = go.Figure(layout=blank(360 + (30 * (1 + many // 4) if many > 1 else 0), many > 1))
    gap = min((abs(b - a) for a, b in pairwise(sorted(set(x)))), default=1.0)
    ticks = list(names) or [f"{value:g}" for value in x]
    edges = (x[0], x[-1]) if len(x) else (0.0, 0.0)
    way = -1 if edges[0] > edges[1] else 1
    for k, one in enumerate(series):
        spread = spread_of(one, [f"{axis} {tick}" for tick in ticks], per_cent)
        beside = (k - (many - 1) / 2) * 0.3 * gap / many * way  # or intervals hide each other
        drawing.add_trace(
            go.Scatter(
                name=one.name,
                x=[x[i] + beside for i in spread.places],
                y=spread.values,
                mode="lines+markers",
                line={"color": colour_of(k), "width": 2, "dash": DASHES[k % len(DASHES)]},
                marker={"symbol": SYMBOLS[k % len(SYMBOLS)], "size": 8},
                error_y=spread.whiskers(colour_of(k)),
                customdata=spread.told,
                hovertemplate=HOVER,
            )
        )
    name_scale(drawing, scale, per_cent, upright=True)
    drawing.update_xaxes(
        title={"text": axis, "font": {"size": 12}},
        tickvals=list(x),
        ticktext=ticks,
        range=[edges[0] - way * gap / 2, edges[1] + way * gap / 2],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    return drawing


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
    drawing = go.Figure(layout=blank(80 + 32 * len(lines), False))
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
    name_lines(drawing, lines)
    drawing.update_yaxes(ticks="")
    return drawing
