"""Drawings of how a figure went while blocks came in: a curve in its band, a walk to its bounds."""

from collections.abc import Sequence

import plotly.graph_objects as go

from pipeline.stats.estimate import Estimate
from reports.canvas import HOVER, blank, colour_of, name_scale

TINT = "rgba(59,130,196,0.22)"
"""Of the band: the first colour, seen through."""
BOUND = "#8a9199"
"""Grey that is told from white and from near-black."""
SETTLED = 4
"""The drawing is made for the band from this part of the blocks on; sooner it may leave it."""
NEAR = 2
"""Widths of the band within which a 0 is drawn as well."""


def path(
    x: Sequence[int],
    found: Sequence[Estimate],
    axis: str,
    scale: str,
) -> go.Figure:
    """A figure over the blocks ``x`` with its intervals as a band."""
    drawing = go.Figure(layout=blank(360, False))
    banded = [(at, e.low, e.high) for at, e in zip(x, found, strict=True) if e.low is not None]
    drawing.add_trace(
        go.Scatter(
            x=[at for at, _, _ in banded] + [at for at, _, _ in reversed(banded)],
            y=[high for _, _, high in banded] + [low for _, low, _ in reversed(banded)],
            fill="toself",
            fillcolor=TINT,
            mode="lines",
            line={"width": 0},
            hoverinfo="skip",
        )
    )
    told = [
        [
            f"{axis} {at}",
            e.value,
            "no interval" if e.low is None else f"{e.low:.3f} to {e.high:.3f}",
        ]
        for at, e in zip(x, found, strict=True)
    ]
    _curve(drawing, x, [e.value for e in found], told)
    _name(drawing, x, axis, scale)
    window = _window(x, found)
    if window is not None:
        drawing.update_yaxes(range=window)
    return drawing


def walk(
    x: Sequence[int],
    values: Sequence[float],
    axis: str,
    scale: str,
    marks: Sequence[tuple[float, str]],
) -> go.Figure:
    """A statistic over the blocks ``x`` between its bounds, ``marks``."""
    drawing = go.Figure(layout=blank(320, False))
    told: list[list[object]] = [
        [f"{axis} {at}", value, "statistic"] for at, value in zip(x, values, strict=True)
    ]
    _curve(drawing, x, values, told)
    _levels(drawing, marks)
    _name(drawing, x, axis, scale)
    levels = [*values, *(level for level, _ in marks)]
    room = 0.12 * (max(levels) - min(levels))
    drawing.update_yaxes(range=[min(levels) - room, max(levels) + room])
    return drawing


def _curve(
    drawing: go.Figure,
    x: Sequence[int],
    values: Sequence[float],
    told: Sequence[Sequence[object]],
) -> None:
    drawing.add_trace(
        go.Scatter(
            x=list(x),
            y=list(values),
            mode="lines" if len(x) > 1 else "markers",
            line={"color": colour_of(0), "width": 2},
            customdata=[list(row) for row in told],
            hovertemplate=HOVER,
        )
    )


def _levels(drawing: go.Figure, marks: Sequence[tuple[float, str]]) -> None:
    for level, name in marks:
        drawing.add_hline(
            y=level,
            line={"color": BOUND, "dash": "dash", "width": 1.5},
            annotation={"text": name, "showarrow": False, "font": {"size": 11}},
            annotation_position="top left",
        )


def _name(drawing: go.Figure, x: Sequence[int], axis: str, scale: str) -> None:
    name_scale(drawing, scale, False, upright=True)
    drawing.update_xaxes(
        title={"text": axis, "font": {"size": 12}},
        range=[0, max(x)],
        zeroline=False,
        automargin=True,
        exponentformat="none",
        separatethousands=True,
    )


def _window(x: Sequence[int], found: Sequence[Estimate]) -> list[float] | None:
    """From where to where the scale goes: wide early bands must not make the rest a line, nor
    must a 0 that is far away."""
    late = [
        end
        for at, e in zip(x, found, strict=True)
        if SETTLED * at >= max(x) and e.low is not None and e.high is not None
        for end in (e.low, e.high)
    ]
    if not late:
        return None
    low, high = min(late), max(late)
    reach = NEAR * (high - low)
    if low - reach <= 0 <= high + reach:
        low, high = min(0.0, low), max(0.0, high)
    room = 0.06 * (high - low) or 1.0
    return [low - room, high + room]
