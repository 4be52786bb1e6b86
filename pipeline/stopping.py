"""What a run's rule says of its claim: exact sums over blocks 0..B-1 in, a decision out.

Nothing here knows of files, workers or the clock, so a decision depends on the blocks alone.
Points are inside points, in favour of the claim's entrant.
"""

from fractions import Fraction
from typing import NamedTuple

from pipeline.claim import ALPHA, LOOK, Stop
from pipeline.config import RunConfig
from pipeline.figures import Claimed, claimed, difference, ranked
from pipeline.manifest import Decided
from pipeline.stats import anytime, equivalence, prefix, racing, score_model, sequential
from pipeline.stats.company import Met
from pipeline.stats.estimate import (
    Estimate,
    degrees,
    root,
    t_quantile,
    without_spread,
)
from pipeline.stats.joint import Joint
from pipeline.stats.lineups import Played
from pipeline.stats.prefix import Decision

PART = 8
"""Sequences that hold at every moment are narrowest at an eighth of the cap. Where the test ends
is not known before; from a sixty-fourth of the cap to all of it that costs little."""


class Outcome(NamedTuple):
    """What the rule says at a look."""

    claim: Claimed
    """What it speaks of; in a race the one who leads."""
    decision: Decision
    statistic: float | None
    """As in :class:`pipeline.manifest.Decided`."""
    estimate: Estimate
    """Of the claim, points a game in the entrant's favour."""
    ends: bool
    """Whether the rule stops here. (A width may be reached without a decision.)"""


def share(config: RunConfig) -> float:
    """Error probability of each variant's verdict: they share the run's equally."""
    alpha = ALPHA if config.stop is None else config.stop.alpha
    return alpha / len(config.variants)


def planned(config: RunConfig) -> int:
    """Blocks at which sequences that hold at every moment are narrowest in this run."""
    look = LOOK if config.stop is None else config.stop.look
    return max(look, config.blocks // PART)


def measured(joint: Joint, point: Fraction | int, alpha: float) -> Estimate:
    """The claim with the t interval of a number of blocks that was fixed before; ``joint`` as
    from :func:`pipeline.figures.of_claim`, every figure counted, ``point`` its unit."""
    value, square = difference(joint, point)
    cells = [joint.sums(i) for i in range(len(joint.n))]
    fewest = min(cells, key=degrees)
    if square is None:
        kept = fewest.blocks
        return Estimate(float(value), None, None, None, joint.n[0], kept, 0.0, "none")
    if square == 0:
        return without_spread(value, fewest, contrast=True)
    v, se, df = float(value), root(square), degrees(fewest)
    half = se * t_quantile(df, 1 - alpha)
    return Estimate(v, se, v - half, v + half, joint.n[0], fewest.blocks, df, "t")


def watched(config: RunConfig, plain: Estimate, figures: int = 1) -> Estimate:
    """An estimate of the run with an interval that holds at every moment, at the level of a
    variant's verdict; ``figures`` are told together."""
    return anytime.band(plain, planned(config), figures, 1 - share(config))


def at_end(config: RunConfig, point: Fraction | int, joint: Joint) -> Outcome:
    """The verdict of a run without a rule, after the blocks that were planned."""
    return ended(config, measured(joint, point, share(config)))


def ended(config: RunConfig, found: Estimate) -> Outcome:
    """The same where the estimate of the claim is known."""
    decision = equivalence.decide(found, _equal(config), least=2)
    return Outcome(claimed(config), decision, None, found, ends=True)


def before_gap(config: RunConfig, point: Fraction | int, joint: Joint) -> Outcome:
    """The verdict of a run without a rule whose blocks end before a gap.

    That two play alike is never one: where nothing differs, the first shard in which something
    would have may be the one that lacks.
    """
    found = ended(config, watched(config, measured(joint, point, share(config))))
    return found._replace(decision="open") if found.decision == "identical" else found


def by_strength(config: RunConfig, played: Played | Met) -> Estimate | None:
    """The claim where company changes, by who sat there; None where the tables do not link all
    entrants or there are fewer than two blocks."""
    if played.blocks < 2:
        return None
    fitted = score_model.fit(played)
    if fitted is None:
        return None
    entrant, against = claimed(config)
    return score_model.claim(played, fitted, entrant, against, confidence=1 - share(config))


def at_look(config: RunConfig, point: Fraction | int, joint: Joint) -> Outcome:
    """What a rule that is no race says of the claim's sums."""
    stop = config.stop
    assert stop is not None, "a run without a rule has no looks"
    claim, alpha = claimed(config), share(config)
    found = watched(config, measured(joint, point, alpha))
    if stop.rule == "sprt":
        look = sequential.decide(seen(joint, point), test_of(stop, alpha))
        return Outcome(claim, look.decision, look.statistic, found, look.decision != "open")
    decision = equivalence.decide(found, _equal(config))
    if stop.rule == "decided":
        return Outcome(claim, decision, None, found, decision != "open")
    assert stop.width is not None, "a rule of this kind has a width"
    half = None if found.high is None else found.high - found.value
    return Outcome(claim, decision, half, found, equivalence.width(found, stop.width))


def seen(joint: Joint, point: Fraction | int) -> prefix.Prefix:
    """What the sequential test sees of the claim's sums."""
    value, square = difference(joint, point)
    blocks = joint.there[0] if len(joint.n) == 1 else joint.blocks  # G of the exact variance
    return prefix.of(value, square or Fraction(0), blocks)


def in_race(
    config: RunConfig, point: Fraction | int, joint: Joint, alive: racing.Alive
) -> tuple[racing.Alive, Outcome]:
    """Who is left of a race, and who leads; ``joint`` of all :func:`ranked` entrants, ``alive``
    by their place in it."""
    alpha = share(config)
    left = racing.survivors(joint, alive, planned(config), alpha)
    decision = racing.decide(joint, left)
    leader = max(left, key=lambda i: joint.x[i])  # those left have the same counts
    # One of k who happens to lead: the interval must hold for all k together.
    plain = measured(joint.only([leader]), point, alpha)
    found = watched(config, plain, len(joint.n))
    leads = Claimed(ranked(config)[leader], None)
    return left, Outcome(leads, decision, None, found, decision != "open")


def decided(
    config: RunConfig,
    variant: str,
    blocks: int,
    outcome: Outcome,
    attempt: int,
    *,
    gap: bool = False,
) -> Decided:
    """The verdict as the manifest has it."""
    labels = [entrant.label for entrant in config.entrants]
    entrant, against = outcome.claim
    found = outcome.estimate
    return Decided(
        variant=variant,
        entrant=labels[entrant],
        against=None if against is None else labels[against],
        rule="fixed" if config.stop is None else config.stop.rule,
        alpha=share(config),
        blocks=blocks,
        decision=outcome.decision,
        statistic=outcome.statistic,
        value=found.value,
        low=found.low,
        high=found.high,
        kind=found.kind,
        attempt=attempt,
        gap=gap,
    )


def test_of(stop: Stop, alpha: float) -> sequential.Sprt:
    """The run's sequential test, of rule ``sprt``, with the error ``alpha`` of one variant."""
    assert stop.delta1 is not None, "a test has what it looks for"
    return sequential.Sprt(stop.delta0, stop.delta1, alpha, stop.beta, stop.unit)


def _equal(config: RunConfig) -> float | None:
    return None if config.claim is None else config.claim.equal
