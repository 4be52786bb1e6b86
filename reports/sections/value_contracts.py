"""What is each contract worth to the declarer and to the others, whatever the hand?"""

import math

import numpy as np
import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.blocks import Floats, mean, moved, per_block, quotient
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import Estimate, clipped, p_value, times
from pipeline.studies.analysis import Analysis
from pipeline.studies.worth import by_role, single_deals
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import (
    MOST_DRAWN,
    by,
    names_in,
    no_study,
    of,
    role_map,
    told,
    who,
)
from reports.value import analyses
from reports.words import MARKED, better, digits, figure, kinds, number, sign, title

KEYS: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}


class ValueContracts:
    """Mean points of each role in each contract, and how much hands and luck move them."""

    name = "value-contracts"
    title = "What each contract is worth"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of value only."""
        return no_study(run, variant, "value")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``roles`` (``points`` of each role, ``above`` the mean of the deal) and
        ``spread`` (``points`` of the declarer, ``deal`` the standard deviation of one deal's,
        ``hand`` that of what hands are worth), whatever the hand, in the document's sign.

        Trump suit and start rank are named from one half of the worlds, points come from the
        other. The unit of error is the block.
        """
        rules, found = run.rules(variant), analyses(run, variant)
        return {"roles": _roles(found, sign(rules)), "spread": _spread(found, sign(rules))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """A map for each entrant; how far hands and luck move each contract."""
        roles, spread = tables["roles"], tables["spread"]
        names = names_in(roles)
        return Answer(
            told(names, lambda e: _finding(e, of(spread, entrant=e), rules)),
            tuple(
                _map(of(roles, entrant=e), e, k, rules) for k, e in enumerate(names[:MOST_DRAWN])
            ),
            (
                _spread_listing(spread, rules),
                in_words("Points of each role, and above the deal's mean", roles, rules),
            ),
            (*kinds([*estimates(roles, "above"), *estimates(spread, "hand")]), MARKED),
        )


def _roles(found: list[Analysis], inside: int) -> pl.DataFrame:
    cells: list[tuple[str, str, int, Estimate, Estimate]] = []
    for one in found:
        points = by_role(one.worth, one.found.best_named)
        hands = len(one.worth.blocks)
        for c, contract in enumerate(one.worth.contracts):
            for role, own in enumerate(points[c]):
                above = times(mean(own - points[c].mean(axis=0), hands, contrast=True), inside)
                cells.append(
                    (one.study.entrant, contract, role, times(mean(own, hands), inside), above)
                )
    marked = marks([p_value(above) for *_, above in cells])
    rows = [
        {"entrant": entrant, "contract": contract, "role": role, "marked": mark}
        | flat("points", points)
        | flat("above", above)
        for (entrant, contract, role, points, above), mark in zip(cells, marked, strict=True)
    ]
    keys = KEYS | {"role": pl.Int64, "marked": pl.Boolean}
    return frame(rows, schema(keys, "points", "above"))


def _spread(found: list[Analysis], inside: int) -> pl.DataFrame:
    rows = []
    for one in found:
        worth = one.worth
        points = by_role(worth, one.found.best_named)[:, 0]
        deals, hands = single_deals(worth, one.found.best_named), len(worth.blocks)
        many = per_block(np.ones(hands), worth.blocks, worth.n_blocks)
        for c, contract in enumerate(worth.contracts):
            rows.append(
                {"entrant": one.study.entrant, "contract": contract}
                | flat("points", times(mean(points[c], hands), inside))
                | flat("deal", deviation(deals[c], many))
                | flat("hand", deviation(_products(one, c), many))
            )
    return frame(rows, schema(KEYS, "points", "deal", "hand"))


def _products(one: Analysis, c: int) -> Floats:
    """(blocks,): sums of products of both halves' deviations, each with what the other names."""
    a, b = (side.value[c] - side.value[c].mean() for side in one.found.sides)
    return per_block(a * b, one.worth.blocks, one.worth.n_blocks)


def deviation(sums: Floats, hands: Floats) -> Estimate:
    """Root of the quotient of block sums, which is a variance; nothing below nothing."""
    value, influence = quotient(sums, hands)
    many = int(hands.sum())
    if value <= 0:
        return Estimate(0.0, None, None, None, many, len(sums), 0.0, "none")
    e = moved(value**0.5, influence / (2 * value**0.5), many)
    return clipped(e, high=math.inf)


def _map(mine: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    caption = (
        f"{entrant}: points of each role above the mean of the deal, the contract imposed, "
        "trump suit and start rank named by the declarer's hand."
    )
    return role_map(mine, "above", f"value-contracts-{k}", caption, rules)


def _spread_listing(spread: pl.DataFrame, rules: Variant) -> Listing:
    listing = in_words(
        "What a contract brings its declarer whatever the hand, and standard deviations: of one "
        "deal's points, and of what hands are worth",
        spread,
        rules,
    )
    heads = ("entrant", "contract", "points", "SD of a deal", "SD between hands", "hands")
    return Listing(listing.caption, heads, listing.rows, shown=True)


def _finding(entrant: str, spread: pl.DataFrame, rules: Variant) -> str:
    points = by(spread, "points", "contract")
    hand = by(spread, "hand", "contract")
    order = sorted(points, key=lambda key: sign(rules) * points[key].value)
    p = digits(points.values())
    worst, best = order[0], order[-1]
    wide = max(hand, key=lambda key: hand[key].value)
    narrow = min(hand, key=lambda key: hand[key].value)
    names = {key: title(rules, str(key[0])) for key in points}
    return (
        f"{who(entrant)}, a declarer who plays whatever he is dealt does best in {names[best]}, "
        f"{figure(points[best], p)} a deal, and worst in {names[worst]}, "
        f"{figure(points[worst], p)} ({better(rules)}). The hand matters most in "
        f"{names[wide]}, where a good hand (one in six) is {number(hand[wide].value, 1)} points "
        f"better than the usual one, and least in {names[narrow]}, {number(hand[narrow].value, 1)}."
    )
