"""Does it matter who sits beside whom? Points by neighbour and by order of the table."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import effective_blocks, p_value
from pipeline.stats.hotelling import Verdict, no_difference
from pipeline.stats.joint import Joint
from pipeline.stats.simultaneous import contrast_covariance, covariance
from reports.beside import TESTED, finding, maps, tables_in_words
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.reading_games import (
    APART,
    ORDER,
    Centred,
    centred,
    estimate,
    joint_of_cells,
    joint_of_seats,
)
from reports.recorded import lacks
from reports.section import Answer, Tables
from reports.words import MARKED, kinds, sign

MOST_TOGETHER = 40
"""Cells that are tested together: the exact inverse of more takes too long."""
TESTS = pl.Schema(
    {
        "what": pl.String,
        "p": pl.Float64,
        "f": pl.Float64,
        "df": pl.Int64,
        "blocks": pl.Int64,
        "marked": pl.Boolean,
    }
)
KIND = "a test of several figures together: Hotelling's, on blocks"


class Neighbours:
    """Do seats, neighbours and the order of the table matter, and to whom?"""

    name = "neighbours"
    title = "Seats and neighbours"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Who sat beside whom stands in the games alone."""
        return lacks(run, variant, "games")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``tests`` (do seats, neighbours before and after, and orders matter at all),
        ``cells`` (points a game of an entrant with another directly before or after him, less
        his mean in the same company) and ``orders`` (the same by order of the table, design
        ``full``). In the document's sign; ``marked`` by Benjamini-Hochberg over each table.

        The unit of error is the block. Where the company changes from block to block the mean
        is that of the games in which the other sits anywhere at the table.
        """
        rules = run.rules(variant)
        scale = Fraction(sign(rules), rules.seats)
        place = {name: i for i, name in enumerate(run.ranking(variant))}
        every = centred(run, variant)
        beside = [one for one in every if one.key.side != ORDER]
        orders = [one for one in every if one.key.side == ORDER]
        # First those before, then those after; the best placed first.
        beside.sort(key=lambda o: (o.key.company, o.key.side == "after", *_places(o, place)))
        orders.sort(key=lambda o: (place[o.key.entrant], o.key.other))
        lineups = run.lineups(variant)
        return {
            "tests": _tests(run, variant, every),
            "cells": _cells(
                beside,
                scale,
                ("company", "entrant", "side", "other"),
                lambda o: (in_company(o.key.company), o.key.entrant, o.key.side, o.key.other),
            ),
            "orders": _cells(
                orders,
                scale,
                ("entrant", "lineup"),
                lambda o: (o.key.entrant, lineups[int(o.key.other)]),
            ),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """A map of entrants by neighbours for each side, the tests, and orders as a table."""
        shown = [e for name in ("cells", "orders") for e in estimates(tables[name], "points")]
        return Answer(
            finding(tables, rules),
            maps(tables, rules),
            tables_in_words(tables, rules),
            (*kinds(shown), KIND, MARKED),
        )


def in_company(names: str) -> str:
    """Who sits at a table, in words; nothing where it changes from block to block."""
    together = [(name, len(list(same))) for name, same in groupby(names.split(APART))]
    return ", ".join(
        name if n == 1 else f"{n} \N{MULTIPLICATION SIGN} {name}" for name, n in together
    )


def _places(one: Centred, place: dict[str, int]) -> tuple[int, int]:
    return place[one.key.entrant], place[one.key.other]


def _cells(
    every: Sequence[Centred],
    scale: Fraction,
    names: Sequence[str],
    keys: Callable[[Centred], tuple[str, ...]],
) -> pl.DataFrame:
    found = [estimate(one, scale) for one in every]
    rows = [
        dict(zip(names, keys(one), strict=True)) | {"marked": mark} | flat("points", e)
        for one, e, mark in zip(every, found, marks([p_value(e) for e in found]), strict=True)
    ]
    return frame(rows, schema({**dict.fromkeys(names, pl.String), "marked": pl.Boolean}, "points"))


def _tests(run: Reading, variant: str, every: list[Centred]) -> pl.DataFrame:
    tested = {"seats": of_seats(joint_of_seats(run, variant))}
    for side in list(TESTED)[1:]:
        some = [one for one in every if one.key.side == side]
        if some and len(some) <= MOST_TOGETHER:
            tested[side] = of_cells(joint_of_cells(run, variant, some))
    rows: list[dict[str, object]] = [
        {"what": what, "p": v.p, "f": v.f, "df": v.df, "blocks": v.blocks, "marked": mark}
        for (what, v), mark in zip(
            tested.items(), marks([verdict.p for verdict in tested.values()]), strict=True
        )
    ]
    return frame(rows, TESTS)


def of_seats(joint: Joint) -> Verdict:
    """Whether points by seat differ from the table's mean at all."""
    return _verdict(joint, [[int(i == k) for k in _every(joint)] for i in _every(joint)])


def of_cells(joint: Joint) -> Verdict:
    """Whether figures 0, 2, 4, ... differ at all, each from the one after it."""
    contrasts = [[(k == i) - (k == i + 1) for k in _every(joint)] for i in _every(joint)[::2]]
    return _verdict(joint, contrasts)


def _every(joint: Joint) -> range:
    return range(len(joint.n))


def _verdict(joint: Joint, contrasts: list[list[int]]) -> Verdict:
    cells = [joint.sums(i) for i in _every(joint)]
    if joint.blocks < 2:
        return Verdict(None, None, 0, 0.0, joint.blocks)
    cov = contrast_covariance(covariance(cells, joint.cross(), joint.blocks), contrasts)
    means = [Fraction(cell.x, cell.n) for cell in cells]
    values = [
        sum((c * m for c, m in zip(row, means, strict=True)), Fraction(0)) for row in contrasts
    ]
    first = [cells[row.index(1)] for row in contrasts]
    return no_difference(values, cov, joint.blocks, min(effective_blocks(c) for c in first))
