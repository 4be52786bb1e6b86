"""How many blocks a stop rule will take still, from what the blocks so far say: a range.

The range is that of a truth one standard error to either side of the estimate: two times in
three the truth lies there. It is a forecast for people who wait, not a statement of the run.
"""

import math
from fractions import Fraction
from typing import NamedTuple

from pipeline.claim import Stop
from pipeline.config import RunConfig
from pipeline.plan import seen_at
from pipeline.stats import sequential
from pipeline.stats.estimate import Estimate
from pipeline.stats.joint import Joint
from pipeline.stats.power import anytime_blocks
from pipeline.stopping import measured, planned, seen, share, test_of


class Outlook(NamedTuple):
    """Blocks in all at which a variant ends, by forecast; both are where its rule looks."""

    low: int
    high: int
    """The cap, where the estimate does not rule it out."""


def outlook(config: RunConfig, point: Fraction | int, joint: Joint) -> Outlook:
    """The forecast from the claim's sums over the blocks so far.

    Without a rule, in a race, or where too few blocks are there, the cap is all that is known.
    """
    cap, stop = config.blocks, config.stop
    least = min(cap, joint.blocks + 1)
    if stop is None:
        return Outlook(cap, cap)
    found = None if 0 in joint.n or joint.blocks < 2 else measured(joint, point, share(config))
    if stop.rule == "race" or found is None or not found.se:
        return Outlook(_look(config, least), cap)
    if stop.rule == "sprt":
        ends = _test_ends(config, stop, point, joint, found)
    else:
        ends = _band_ends(config, stop, found)
    low = max(least, min(ends))
    return Outlook(_look(config, low), _look(config, max(low, *ends)))


def _look(config: RunConfig, blocks: float) -> int:
    """The first look with so many blocks, or the cap."""
    if config.stop is None or blocks >= config.blocks:
        return config.blocks
    return seen_at(config, math.ceil(blocks / config.stop.look) - 1)


def _test_ends(
    config: RunConfig, stop: Stop, point: Fraction | int, joint: Joint, found: Estimate
) -> list[float]:
    """Where a straight line from the LLR so far leaves the bounds, by truth."""
    assert found.se is not None
    assert stop.delta1 is not None, "a test has what it looks for"
    rule = test_of(stop, share(config))
    low, high = sequential.bounds(rule)
    at = sequential.llr(seen(joint, point), rule) or 0.0
    sigma = found.se * math.sqrt(found.df + 1)
    unit = sigma if stop.unit == "points" else 1.0
    # All in deviations of a block: a normal walk has this drift, and none in the middle.
    apart, middle = (stop.delta1 - stop.delta0) / unit, (stop.delta1 + stop.delta0) / 2 / unit
    off = [true / sigma - middle for true in (found.value - found.se, found.value + found.se)]
    ends = [math.inf] if off[0] <= 0 <= off[1] else []
    for drift in (apart * d for d in off if d):
        ends.append(joint.blocks + ((high if drift > 0 else low) - at) / drift)
    return ends


def _band_ends(config: RunConfig, stop: Stop, found: Estimate) -> list[float]:
    """Where the interval that holds at every moment is narrow enough, by truth."""
    assert found.se is not None
    sigma = found.se * math.sqrt(found.df + 1)
    if stop.rule == "width":
        assert stop.width is not None
        # A deviation from B normal blocks is known to one part in the root of 2 B.
        off = 1 / math.sqrt(2 * found.df)
        halves = [(stop.width, sigma * (1 - off)), (stop.width, sigma * (1 + off))]
        return [_narrow(config, half, spread) for half, spread in halves]
    truths = (abs(abs(found.value) - found.se), abs(found.value) + found.se)
    ends = [_decides(config, sigma, true) for true in truths]
    if abs(found.value) < found.se:
        ends.append(_decides(config, sigma, 0.0))
    return ends


def _decides(config: RunConfig, sigma: float, true: float) -> float:
    """Blocks until 0 is excluded, or all that matters is, whichever comes first."""
    equal = None if config.claim is None else config.claim.equal
    room = 0.0 if equal is None else equal - true
    return min(_narrow(config, true, sigma), _narrow(config, room, sigma))


def _narrow(config: RunConfig, half: float, sigma: float) -> float:
    if half <= 0 or sigma <= 0:
        return math.inf
    return anytime_blocks(half, sigma, planned(config), confidence=1 - share(config))
