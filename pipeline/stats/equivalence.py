"""What an interval that holds at every moment decides: a difference, none that matters, nothing.

Because the interval holds at all moments, so does what is read from it: the probability that
any of these decisions is ever wrong is that of the interval's missing the truth.
"""

from pipeline.stats.estimate import Estimate, excludes
from pipeline.stats.prefix import ALIKE, Decision


def decide(estimate: Estimate, equal: float | None = None, least: int = ALIKE) -> Decision:
    """What a claim comes to by its ``anytime`` interval.

    Parameters
    ----------
    estimate : Estimate
        The claim in points a game, more is better. Its interval must hold at every moment
        (:func:`pipeline.stats.anytime.band`), unless blocks were fixed before.
    equal : float, optional
        Difference that does not matter, in points a game, above 0. None: any matters.
    least : int
        Blocks, all exactly alike, before ``identical`` is decided; 2 where blocks were fixed
        before and nothing stops for it.

    Returns
    -------
    str
        ``identical``; ``equal`` where the whole interval lies inside +-``equal``; ``better`` or
        ``worse`` where it excludes 0; else ``open``. Both may hold, of a difference that is sure
        and does not matter. Then it is ``equal``: what matters was said before the first game,
        and how often one looks must not turn a difference that does not matter into a victory.
    """
    if estimate.kind == "identical":
        return "identical" if estimate.blocks >= least else "open"
    if estimate.low is None or estimate.high is None:
        return "open"
    if equal is not None and -equal < estimate.low and estimate.high < equal:
        return "equal"
    if excludes(estimate):
        return "better" if estimate.low > 0 else "worse"
    return "open"


def width(estimate: Estimate, half: float) -> bool:
    """Whether the interval is as narrow as asked: at most ``half`` on either side, in its unit.

    Without an interval it is not; an exact nothing is once enough blocks have shown it.
    """
    if estimate.kind == "identical":
        return estimate.blocks >= ALIKE
    if estimate.low is None or estimate.high is None:
        return False
    return estimate.high - estimate.low <= 2 * half
