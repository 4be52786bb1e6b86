"""The best of many: who is surely not the best is dropped, until one is left.

All who are still in it play the same blocks, so two of them are compared on blocks that both
have, by their difference in each. An entrant is dropped when the sequence that holds at every
moment (:mod:`pipeline.stats.anytime`) of the leader less him excludes 0. ``alpha`` is split
over all pairs of the start, so with 1 - alpha every single drop of the race is right, whenever
one looks and whoever leads; that the best of all is dropped is rarer still.
"""

from fractions import Fraction

from pipeline.stats.anytime import factor
from pipeline.stats.estimate import degrees, root
from pipeline.stats.joint import Joint
from pipeline.stats.prefix import ALIKE, Decision
from pipeline.stats.simultaneous import contrast_covariance, covariance

Alive = tuple[int, ...]


def survivors(joint: Joint, alive: Alive, planned: int, alpha: float) -> Alive:
    """Who of ``alive`` may still be the best.

    Parameters
    ----------
    joint : Joint
        Points of all who started, more is better; those dropped before may have fewer blocks.
    alive : tuple of int
        Who was still in it at the look before, by their place in ``joint``.
    planned : int
        Blocks at which differences shall be told best, declared before the first look.
    alpha : float
        Probability that anybody is ever dropped by somebody who is not better.

    Returns
    -------
    tuple of int
        In the order of ``alive``, never empty: the leader stays. Nobody is dropped below two
        blocks. Where leader and another differ by the same in every block, so that blocks tell
        of no error, he is dropped after 59 blocks (``prefix.ALIKE``).
    """
    among = _among(joint, alive)
    blocks = among.there[0]
    if len(alive) < 2 or blocks < 2:
        return alive
    cells = [among.sums(i) for i in range(len(alive))]
    cov = covariance(cells, among.cross(), blocks)
    means = [Fraction(cell.x, cell.n) for cell in cells]
    leader = max(range(len(alive)), key=lambda i: means[i])
    others = [i for i in range(len(alive)) if i != leader]
    rows = [[(j == leader) - (j == i) for j in range(len(alive))] for i in others]
    squares = contrast_covariance(cov, rows)
    started = len(joint.n)
    wide = factor(degrees(cells[leader]) + 1, planned, alpha * 2 / (started * (started - 1)))
    dropped = set()
    for at, i in enumerate(others):
        ahead, square = means[leader] - means[i], squares[at][at]
        alike = square == 0 and ahead > 0 and blocks >= ALIKE
        if alike or (square > 0 and float(ahead) > wide * root(square)):
            dropped.add(alive[i])
    return tuple(one for one in alive if one not in dropped)


def decide(joint: Joint, alive: Alive) -> Decision:
    """``best`` when one is left, ``identical`` when all who are left made the same in every
    one of 59 blocks or more (``prefix.ALIKE``), else ``open``."""
    if len(alive) == 1:
        return "best"
    among = _among(joint, alive)
    # Figures x and y are one in every block just where sum (x - y)^2 is 0, that is where
    # sum xx = sum xy = sum yy; and so are counts.
    same = all(
        len({square[0][0], square[0][i], square[i][i]}) == 1
        for square in (among.xx, among.nn)
        for i in range(1, len(alive))
    )
    return "identical" if same and among.there[0] >= ALIKE else "open"


def _among(joint: Joint, alive: Alive) -> Joint:
    """The sums of those who are left, who must have played the same blocks."""
    if not alive:
        raise ValueError("nobody is left in the race, but the leader is never dropped")
    among = joint.only(alive)
    if len(set(among.there)) > 1:
        raise ValueError(f"those left in the race have {among.there} blocks, not all the same")
    return among
