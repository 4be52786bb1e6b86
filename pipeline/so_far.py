"""What the whole blocks of a variant say so far, in figures that hold whenever one looks."""

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from pipeline import stopping
from pipeline.config import RunConfig
from pipeline.course import has_claim
from pipeline.figures import HEADS, ranked, unit
from pipeline.joints import JointSums
from pipeline.outlook import Outlook, outlook
from pipeline.stats.estimate import Estimate, excludes, times
from pipeline.stats.joint import Joint


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


def with_estimates(found: Standing, config: RunConfig, sums: JointSums) -> Standing:
    """The same with what follows from the sums."""
    point = unit(config, config.variant(found.variant).seats)
    if not sums.entrants.blocks:
        return found
    found = found._replace(
        entrants=_entrants(config, point, sums.entrants), pairs=_pairs(config, point, sums)
    )
    if not has_claim(config, config.variant(found.variant).seats):
        return found
    claim = sums.claim(config)
    return found if 0 in claim.n else _with_claim(found, config, point, claim)


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


def _pairs(config: RunConfig, point: Fraction, sums: JointSums) -> tuple[Pair, ...]:
    alpha, who = stopping.share(config), ranked(config)
    if config.design == "lineups" and len(config.entrants) > HEADS:
        return ()
    k, found = len(who), []
    for i, j in combinations(range(k), 2):
        own = sums.pair(config, who[i], who[j])
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
