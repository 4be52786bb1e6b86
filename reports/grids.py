"""Tables with the shape of a map: a line for each line, a cell with its interval for each."""

from collections.abc import Sequence

from pipeline.stats.estimate import Estimate, times
from reports.section import Listing
from reports.words import digits, interval, number

NOBREAK = "\N{NO-BREAK SPACE}"


def grid(
    caption: str,
    corner: str,
    columns: Sequence[str],
    lines: Sequence[str],
    cells: Sequence[Sequence[Estimate | None]],
    per_cent: bool = False,
    signed: bool = False,
) -> Listing:
    """The figures of a heat map with their intervals; the ``corner`` says what lines are.

    All have the same digits, since they are compared: one of the half widths of the surer cells,
    where a list has two of the typical one, for a cell is narrow.
    """
    scale = 100 if per_cent else 1
    shown = [[None if e is None else times(e, scale) for e in row] for row in cells]
    p = max(0, digits(_surer([e for row in shown for e in row if e is not None])) - 1)
    rows = tuple(
        (line, *("" if e is None else _cell(e, p, signed) for e in row))
        for line, row in zip(lines, shown, strict=True)
    )
    return Listing(caption, (corner, *columns), rows)


def _surer(cells: list[Estimate]) -> list[Estimate]:
    """The half of the cells with the narrowest intervals; a figure without error is none."""
    wide = sorted(
        (e for e in cells if e.low is not None and e.high is not None and e.high > e.low),
        key=lambda e: (e.high or 0) - (e.low or 0),
    )
    return wide[: (len(wide) + 1) // 2]


def _cell(e: Estimate, p: int, signed: bool) -> str:
    """Two lines where the column is narrow: the figure, and its interval unbroken."""
    within = interval(e, p, signed).replace(" ", NOBREAK)
    return f"{number(e.value, p, signed)} ({within})"
