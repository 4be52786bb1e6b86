"""Which roles differ for an entrant: gaps between two of them, looked through as one table."""

from typing import NamedTuple

import polars as pl

from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, p_value
from reports.frames import flat, frame, schema


class Gap(NamedTuple):
    """An entrant's points in one role less those in another, in one contract."""

    entrant: str
    contract: str
    role: int
    other: int
    gap: float
    """In inside points, more is better."""
    p: float | None


def apart(mine: dict[tuple[str, str, int], Estimate], inside: int) -> pl.DataFrame:
    """Per entrant and contract the widest gap between two roles, of those that surely differ.

    Roles share their deals, so the error of a difference is at most the two errors
    together; that is what is taken.
    """
    gaps = []
    for (entrant, contract, role), a in mine.items():
        for other in range(role):
            b = mine.get((entrant, contract, other))
            if b is None:
                continue
            more = inside * (a.value - b.value)
            se = None if a.se is None or b.se is None else a.se + b.se
            p = p_value(a._replace(value=more, se=se, df=min(a.df, b.df)))
            pair = (role, other) if more > 0 else (other, role)
            gaps.append(Gap(entrant, contract, *pair, abs(more), p))
    sure = [
        gap for gap, mark in zip(gaps, marks([g.p for g in gaps]), strict=True) if mark and gap.gap
    ]
    widest: dict[tuple[str, str], Gap] = {}
    for gap in sure:
        known = widest.get((gap.entrant, gap.contract))
        if known is None or gap.gap > known.gap:
            widest[gap.entrant, gap.contract] = gap
    rows = [
        {"entrant": g.entrant, "contract": g.contract, "best": g.role, "worst": g.other}
        | {"gap": g.gap}
        | flat("high", mine[g.entrant, g.contract, g.role])
        | flat("low", mine[g.entrant, g.contract, g.other])
        for g in widest.values()
    ]
    keys: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}
    keys |= {"best": pl.Int64, "worst": pl.Int64, "gap": pl.Float64}
    return frame(rows, schema(keys, "high", "low"))
