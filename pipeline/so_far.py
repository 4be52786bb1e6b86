"""What the whole blocks of a variant say so far, in figures that hold whenever one looks."""

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from pipeline import stopping
from pipeline.allowed import PAIRED
from pipeline.claim import Claim
from pipeline.config import RunConfig
from pipeline.course import has_claim
from pipeline.figures import of_claim, of_entrants, ranked, unit
from pipeline.outlook import Outlook, outlook
from pipeline.stats.estimate import Estimate, excludes, times
from pipeline.stats.joint import Joint, add, of_blocks
from pipeline.totals import BlockTable, Ints

HEADS = 24
"""Entrants, at most, of whom pairs are compared head to head where line-ups are listed."""


class Sums:
    """What the blocks so far add up to, exactly."""

    def __init__(self, config: RunConfig, seats: int) -> None:
        self._config = config
        self._claims = has_claim(config, seats)
        self._heads = {
            pair: config.model_copy(update={"claim": _between(config, pair)})
            for pair in _head_to_head(config)
        }
        self.entrants: Joint | None = None
        """Of the figures of all ranked entrants."""
        self.claim: Joint | None = None
        self.heads: dict[tuple[int, int], Joint] = {}
        """Of pairs that are compared at the tables that seat both, by place in
        :func:`pipeline.figures.ranked`."""

    @property
    def compares(self) -> bool:
        """Whether there are pairs to be compared head to head."""
        return bool(self._heads)

    def add(self, blocks: BlockTable) -> None:
        """Take in some more blocks."""
        self.entrants = _grown(self.entrants, of_entrants(self._config, blocks))
        if self._claims:
            self.claim = _grown(self.claim, of_claim(self._config, blocks))
        for pair, config in self._heads.items():
            self.heads[pair] = _grown(self.heads.get(pair), of_claim(config, blocks))


def _grown(sums: Joint | None, counted: tuple[Ints, Ints]) -> Joint:
    more = of_blocks(*counted)
    return more if sums is None else add(sums, more)


def _between(config: RunConfig, pair: tuple[int, int]) -> Claim:
    labels = [entrant.label for entrant in config.entrants]
    return Claim(entrant=labels[pair[0]], against=labels[pair[1]])


def _head_to_head(config: RunConfig) -> list[tuple[int, int]]:
    """Pairs whose own figures do not compare them, since others' tables are in these: in a
    gauntlet the first and each other one, where line-ups are listed any."""
    k = len(config.entrants)
    if config.design in PAIRED:
        return [(0, other) for other in range(1, k)]
    if config.design == "lineups" and k <= HEADS:
        return list(combinations(range(k), 2))
    return []


class Pair(NamedTuple):
    """Two entrants, ahead and behind, as the estimates have them."""

    ahead: int
    behind: int
    difference: Estimate
    """Points a game, inside points."""

    @property
    def sure(self) -> bool:
        """Whether they are separable."""
        return excludes(self.difference)


class Standing(NamedTuple):
    """A variant so far. Points are inside points; all bands hold at every moment."""

    variant: str
    blocks: int
    """Blocks 0..blocks-1 are whole."""
    beyond: int
    """Blocks that have landed beyond, with a gap before them or as surplus."""
    cap: int
    """Blocks that are planned, or at which its rule has stopped it."""
    stopped: bool
    """By its rule."""
    outlook: Outlook
    """Blocks at which it ends."""
    entrants: tuple[tuple[int, Estimate], ...] = ()
    """Who and his figure, best first; alpha is split over them."""
    pairs: tuple[Pair, ...] = ()
    """All of them; alpha is split over these."""
    claim: Estimate | None = None
    statistic: float | None = None
    """As in :class:`pipeline.manifest.Decided`."""


def with_estimates(found: Standing, config: RunConfig, sums: Sums) -> Standing:
    """The same with what follows from the sums."""
    point = unit(config, config.variant(found.variant).seats)
    if sums.entrants is None:
        return found
    found = found._replace(
        entrants=_entrants(config, point, sums.entrants), pairs=_pairs(config, point, sums)
    )
    if sums.claim is None or 0 in sums.claim.n:
        return found
    return _with_claim(found, config, point, sums.claim)


def _entrants(config: RunConfig, point: Fraction, joint: Joint) -> tuple[tuple[int, Estimate], ...]:
    """Everybody who has sat somewhere, best first."""
    alpha, there = stopping.share(config), [i for i, n in enumerate(joint.n) if n]
    who = ranked(config)
    found = [
        (
            who[i],
            stopping.watched(
                config, stopping.measured(joint.only([i]), point, alpha), len(joint.n)
            ),
        )
        for i in there
    ]
    return tuple(sorted(found, key=lambda one: -one[1].value))


def _pairs(config: RunConfig, point: Fraction, sums: Sums) -> tuple[Pair, ...]:
    joint, alpha, who = sums.entrants, stopping.share(config), ranked(config)
    assert joint is not None, "there are blocks"
    if config.design == "lineups" and not sums.heads:
        return ()
    k, found = len(joint.n), []
    for i, j in combinations(range(k), 2):
        own = sums.heads.get((i, j)) or joint.only([i, j])
        if 0 in own.n:
            continue  # somebody has not sat anywhere
        plain = stopping.measured(own, point, alpha)
        apart = stopping.watched(config, plain, k * (k - 1) // 2)
        if apart.value < 0:
            found.append(Pair(who[j], who[i], times(apart, -1)))
        else:
            found.append(Pair(who[i], who[j], apart))
    return tuple(found)


def _with_claim(found: Standing, config: RunConfig, point: Fraction, joint: Joint) -> Standing:
    """What the claim's sums say, so far."""
    alpha = stopping.share(config)
    claim = stopping.watched(config, stopping.measured(joint, point, alpha))
    statistic = None
    if config.stop is not None and config.stop.rule in ("sprt", "width"):
        statistic = stopping.at_look(config, point, joint).statistic
    ends = Outlook(found.cap, found.cap) if found.stopped else outlook(config, point, joint)
    return found._replace(claim=claim, statistic=statistic, outlook=ends)
