"""Drawings of many candidates: two objectives against each other, and the course of the search."""

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from reports.canvas import blank, colour_of, name_scale

GREY = "#8a9199"
"""Of what stands behind: told from white and from near-black."""
HOVER = "%{customdata[0]}: %{x:.3f}, %{y:.3f}<extra></extra>"
SHORT = 60
"""Signs of a candidate's changes that fit beside the mouse."""


class Mark(NamedTuple):
    """How candidates of one kind are drawn."""

    symbol: str
    color: str
    size: int
    opacity: float = 1.0


BEHIND = Mark("circle", GREY, 6, 0.8)
FRONT = Mark("diamond", colour_of(0), 9)
PARENT = Mark("square", colour_of(2), 13)
WINNER = Mark("star", colour_of(1), 16)
JUDGED = Mark("star-open", colour_of(1), 16)


class Group(NamedTuple):
    """Candidates of one kind."""

    name: str
    mark: Mark
    x: Sequence[float]
    y: Sequence[float]
    told: Sequence[str]
    """Of each, what one reads in passing over it."""


def scatter(groups: Sequence[Group], axis: str, scale: str) -> go.Figure:
    """A mark for each candidate; later groups lie over earlier ones."""
    drawing = _drawn(groups, 420)
    name_scale(drawing, axis, per_cent=False)
    name_scale(drawing, scale, per_cent=False, upright=True)
    return drawing


def course(groups: Sequence[Group], best: Sequence[tuple[float, float]], scale: str) -> go.Figure:
    """A mark for each candidate by its number, and the best figure so far as stairs."""
    drawing = _drawn(groups, 380)
    drawing.add_trace(
        go.Scatter(
            name="best so far",
            x=[at for at, _ in best],
            y=[value for _, value in best],
            mode="lines",
            line={"color": colour_of(0), "width": 2, "shape": "hv"},
            hoverinfo="skip",
        )
    )
    name_scale(drawing, "candidate, in order of proposal", per_cent=False)
    name_scale(drawing, scale, per_cent=False, upright=True)
    return drawing


def _drawn(groups: Sequence[Group], height: int) -> go.Figure:
    drawing = go.Figure(layout=blank(height + 30, legend=True))
    for one in groups:
        drawing.add_trace(
            go.Scatter(
                name=one.name,
                x=list(one.x),
                y=list(one.y),
                mode="markers",
                cliponaxis=False,
                marker=one.mark._asdict(),
                customdata=[[_short(text)] for text in one.told],
                hovertemplate=HOVER,
            )
        )
    return drawing


def _short(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[:SHORT]}\N{HORIZONTAL ELLIPSIS}"
