"""What a seat is worth: by role and contract, why, and over a whole game.

Every hand of a deal is played by every seat in turn, so that what remains is the seat's.
All figures are inside points above the mean of the deal (or of the table), and over the
roles they add up to exactly nothing.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pipeline.stats.estimate import Estimate, ratio
from pipeline.stats.hotelling import Verdict, no_effect
from pipeline.studies.cells import Ints, Totals, above, by_name, jointly, sums_of, totals
from pipeline.studies.study import Study

WIN_SHARE = 2520
"""A whole win, as trials count it."""


class RoleWorth(NamedTuple):
    """A contract that is imposed, role by role."""

    contract: str
    roles: tuple[Estimate, ...]
    """Points above the mean of the deal, by role."""
    sd: float
    """Standard deviation of one score of role 0."""
    verdict: Verdict
    """Whether the roles differ at all."""


class Causes(NamedTuple):
    """Where a role's points come from, a deal on average; the first three add up to the last."""

    role: int
    lead: Estimate
    """Playing in this role with the contract imposed."""
    choice: Estimate | None
    """More once the declarer chooses; None where nobody does."""
    bets: Estimate | None
    """Side bets; None where there are none."""
    whole: Estimate


class Game(NamedTuple):
    """A whole game by seat; seat 0 deals or declares first."""

    points: tuple[Estimate, ...]
    """Above the mean of the table."""
    wins: tuple[Estimate, ...]
    """Share of games won above 1 / n, simultaneously."""
    points_verdict: Verdict
    wins_verdict: Verdict
    unfair: Estimate
    """Largest distance of a seat's share of wins from 1 / n."""


def role_worth(study: Study) -> list[RoleWorth]:
    """Each contract by role, contracts in the order of the rules."""
    parts = by_name(study.of_kind("forced"), "contract")
    return [
        _worth(contract, totals(parts[contract], study.rules.seats))
        for contract in study.rules.contracts
        if contract in parts
    ]


def _worth(contract: str, found: Totals) -> RoleWorth:
    more = above(found.points)
    seats = more.shape[1]
    roles = tuple(
        ratio(sums_of(found.n, more[:, k]), Fraction(1, seats), contrast=True) for k in range(seats)
    )
    return RoleWorth(contract, roles, deviation(found), no_effect(found.n, more[:, :-1]))


def deviation(found: Totals) -> float:
    """Standard deviation of a single score of role 0."""
    n, x, xx = (int(v) for v in (found.n.sum(), found.points[:, 0].sum(), found.squares.sum()))
    return math.sqrt(max(Fraction(0), Fraction(xx, n) - Fraction(x, n) ** 2))


def causes(study: Study) -> list[Causes]:
    """Each role: imposed contracts, the declarer's choice, side bets, and all of it.

    In a game each contract is played as often as it is chosen. Imposed contracts are
    weighed alike, block by block, so that the choice alone makes the difference.
    """
    seats = study.rules.seats
    forced = by_name(study.of_kind("forced"), "contract")
    chosen = by_name(study.of_kind("chosen"), "contract")
    side = study.of_kind("side")
    imposed = {contract: totals(part, seats) for contract, part in forced.items()}
    if not chosen:
        return _lead_only(imposed, seats)
    taken = {contract: totals(part, seats) for contract, part in chosen.items()}
    blocks = np.unique(np.concatenate([t.blocks for t in imposed.values()]))
    factor = math.lcm(*(int(n) for t in imposed.values() for n in set(t.n.tolist())))
    n = np.zeros(len(blocks), np.int64)
    lead, choice, bets = (np.zeros((len(blocks), seats), np.int64) for _ in range(3))
    for contract, found in taken.items():
        at, per = _at(blocks, found.blocks), imposed[contract]
        n[at] += factor * found.n
        choice[at] += factor * above(found.points)
        # A contract imposed as often in the mean as it was chosen in this block.
        where = _at(per.blocks, found.blocks)
        each = found.n * (factor // per.n[where])
        lead[at] += each[:, None] * above(per.points)[where]
    choice -= lead
    if not side.is_empty():
        found = totals(side, seats)
        bets[_at(blocks, found.blocks)] += factor * above(found.points)
    parts = (lead, choice, bets if not side.is_empty() else None, lead + choice + bets)
    return [_causes(role, seats, n, parts, factor) for role in range(seats)]


def _at(blocks: Ints, some: Ints) -> Ints:
    """Where these blocks stand among all."""
    return np.asarray(np.searchsorted(blocks, some))


def _causes(
    role: int, seats: int, n: Ints, parts: tuple[Ints | None, ...], factor: int = 1
) -> Causes:
    """``n`` and ``parts`` are ``factor`` times the deals and their points."""
    lead, choice, bets, whole = (
        None
        if part is None
        else _per_deal(ratio(sums_of(n, part[:, role]), Fraction(1, seats), contrast=True), factor)
        for part in parts
    )
    assert lead is not None
    assert whole is not None
    return Causes(role, lead, choice, bets, whole)


def _per_deal(e: Estimate, factor: int) -> Estimate:
    return e._replace(n=e.n // factor)


def _lead_only(imposed: dict[str, Totals], seats: int) -> list[Causes]:
    """Where the schedule is fixed: all deals of the game together."""
    blocks = np.unique(np.concatenate([t.blocks for t in imposed.values()]))
    n = np.zeros(len(blocks), np.int64)
    lead = np.zeros((len(blocks), seats), np.int64)
    for found in imposed.values():
        at = _at(blocks, found.blocks)
        n[at] += found.n
        lead[at] += above(found.points)
    return [_causes(role, seats, n, (lead, None, None, lead)) for role in range(seats)]


def whole_game(study: Study) -> Game | None:
    """Points and wins by seat; None if no game was played."""
    seats = study.rules.seats
    score, win = study.of_kind("score"), study.of_kind("win")
    if score.is_empty() or win.is_empty():
        return None
    points, wins = totals(score, seats), totals(win, seats)
    more, share = above(points.points), seats * wins.points - WIN_SHARE * wins.n[:, None]
    won = jointly(wins.n, share, Fraction(1, WIN_SHARE * seats))
    return Game(
        tuple(jointly(points.n, more, Fraction(1, seats))),
        tuple(won),
        no_effect(points.n, more[:, :-1]),
        no_effect(wins.n, share[:, :-1]),
        largest(won),
    )


def largest(figures: list[Estimate]) -> Estimate:
    """The largest distance from nothing among figures with simultaneous intervals.

    Where all true figures are inside their intervals, the largest of them is between the
    largest of the least and the largest of the most that these allow.
    """
    first = figures[0]
    value = max(abs(e.value) for e in figures)
    known = [(e.low, e.high) for e in figures if e.low is not None and e.high is not None]
    if value == 0 and len(known) == len(figures):
        return first._replace(value=0.0, se=0.0, low=0.0, high=0.0, kind="identical")
    if len(known) < len(figures):
        return first._replace(value=value, se=None, low=None, high=None, kind="none")
    low = max(max(0.0, low, -high) for low, high in known)
    high = max(max(-low, high) for low, high in known)
    return first._replace(value=value, se=None, low=low, high=high, kind="max_t")
