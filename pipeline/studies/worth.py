"""The declarer's hands of a study and what each is worth in every contract, as arrays.

What a hand is worth in a contract: the declarer's own points where every declarer spends
all his contracts, so that what others get is the same in the end whatever he chooses first.
Where the table shares its contracts a contract that he spends is one that others cannot:
there it is points ahead of the table's mean.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from pipeline.stats.regret import Choices
from pipeline.stats.sets import Floats, Ints, Side, strides
from pipeline.studies.study import Study

SHARED = "points ahead of the table's mean"
OWN = "the declarer's own points"


class Worth(NamedTuple):
    """Hands in the order of blocks and steps; contracts that can be chosen in the rules' order.

    An option is a contract with a trump suit or start rank.
    """

    contracts: tuple[str, ...]
    uses: tuple[int, ...]
    turns: int
    """Seats that share the contracts; 1 where each declarer has his own."""
    options: tuple[tuple[int, int], ...]
    """(place in ``contracts``, param), contracts together, params ascending."""
    blocks: Ints
    """(hands,): block of each, from 0."""
    points: Floats
    """(2, options, hands): mean worth by half of the worlds."""
    squares: Floats
    """(2, options, hands): mean square of the declarer's points."""
    roles: Floats
    """(2, roles, options, hands): mean points of each role by half of the worlds."""
    worlds: int
    """In each half."""
    hands: tuple[str, ...]
    left: Ints
    """(contracts, hands): how often the entrant could still choose each."""
    chosen: Ints
    """(hands,): option that the entrant chose, -1 where that is not known."""
    dealt: Floats
    """(options, hands): worth on the deal as it was dealt."""

    @property
    def n_blocks(self) -> int:
        """Blocks that were counted."""
        return int(self.blocks[-1]) + 1 if len(self.blocks) else 0

    @property
    def ties(self) -> Ints:
        """(options,): contract of each option."""
        return np.array([c for c, _ in self.options])


def worth_of(study: Study) -> Worth:
    """The arrays of a ``value`` study.

    Raises ``ValueError`` where a hand lacks an option or a half, which a whole block never does.
    """
    numbers = study.numbers
    chosen_from = [i for i, n in enumerate(numbers.uses) if n]
    contracts = tuple(numbers.contract_names[i] for i in chosen_from)
    place = {name: i for i, name in enumerate(contracts)}
    units = study.units.sort("block", "step")
    judged = _ordered(study.trials, "worth", place)
    dealt = _ordered(study.trials, "dealt", place)
    options = tuple(judged.select("place", "param").unique().sort("place", "param").rows())
    n, o, seats = len(units), len(options), numbers.seats
    if len(judged) != 2 * o * n or len(dealt) != o * n:
        raise ValueError(f"{n} hands with {o} options each, but {len(judged)} sums of worlds")
    many = judged["n"].to_numpy().reshape(n, o, 2)
    by_role = _by_role(judged, seats).reshape(seats, n, o, 2)
    shared = bool(numbers.uses_of_table)
    return Worth(
        contracts,
        tuple(numbers.uses[i] for i in chosen_from),
        seats if shared else 1,
        options,
        units["block"].rle_id().to_numpy().astype(np.int64),
        np.moveaxis(own_of(by_role, shared) / many, (2, 1, 0), (0, 1, 2)).copy(),
        np.moveaxis(judged["squares"].to_numpy().reshape(n, o, 2) / many, (2, 1, 0), (0, 1, 2)),
        np.moveaxis(by_role / many, (3, 0, 2, 1), (0, 1, 2, 3)),
        int(many.flat[0]) if many.size else 0,
        tuple(units["hand"].to_list()),
        _left(units["left"].to_list(), contracts),
        _chosen(study.trials, units, place, options),
        own_of(_by_role(dealt, seats), shared).reshape(n, o).T.copy(),
    )


def _ordered(trials: pl.DataFrame, kind: str, place: dict[str, int]) -> pl.DataFrame:
    keys = ["block", "step", "place", "param", "half"]
    mine = trials.filter(pl.col("kind") == kind)
    return mine.with_columns(place=pl.col("contract").replace_strict(place)).sort(keys)


def _by_role(trials: pl.DataFrame, seats: int) -> Floats:
    return np.array([trials[f"points_{k}"].to_numpy() for k in range(seats)], dtype=np.float64)


def own_of(by_role: Floats, shared: bool) -> Floats:
    """What counts as the declarer's worth of points by role (roles, ...)."""
    own: Floats = by_role[0] - by_role.mean(axis=0) if shared else by_role[0]
    return own


def _left(texts: list[str], contracts: tuple[str, ...]) -> Ints:
    split = [text.split() for text in texts]
    return np.array([[names.count(c) for names in split] for c in contracts], dtype=np.int64)


def _chosen(
    trials: pl.DataFrame,
    units: pl.DataFrame,
    place: dict[str, int],
    options: tuple[tuple[int, int], ...],
) -> Ints:
    mine = _ordered(trials, "chosen", place).select("block", "step", "place", "param")
    joined = units.select("block", "step").join(mine, on=["block", "step"], how="left")
    number = {option: i for i, option in enumerate(options)}
    only = {c: i for i, (c, _) in enumerate(options) if sum(o[0] == c for o in options) == 1}
    joined = joined.sort("block", "step")
    pairs = joined.select("place", "param").rows()
    return np.array([only.get(c, number.get((c, p), -1)) for c, p in pairs], dtype=np.int64)


def named(worth: Worth, guess: Floats) -> Ints:
    """(2, contracts, hands): option that each half names in each contract by what it guesses
    (2, options, hands), the first of equals."""
    ties, out = worth.ties, []
    for half in guess:
        best = []
        for c in range(len(worth.contracts)):
            of = np.flatnonzero(ties == c)
            best.append(of[np.argmax(half[of], axis=0)])
        out.append(best)
    return np.array(out, dtype=np.int64)


def sides_of(worth: Worth, guess: Floats) -> list[Side]:
    """Each half chooses, trump suit or start rank included; the other says what that is worth."""
    every = np.arange(len(worth.blocks))
    best = named(worth, guess)
    return [Side(guess[a][best[a], every], worth.points[1 - a][best[a], every]) for a in (0, 1)]


def flattered(worth: Worth) -> Floats:
    """(contracts, hands): most that any naming seems worth by all worlds: too much, since
    what chooses it values it too."""
    both, ties = worth.points.mean(axis=0), worth.ties
    return np.array([both[ties == c].max(axis=0) for c in range(len(worth.contracts))])


def noise_of(worth: Worth) -> Floats:
    """(options, hands): standard error of a hand's worth over all its worlds; infinite where
    a half is a single world, which tells of none."""
    if worth.worlds < 2:
        return np.full(worth.points.shape[1:], np.inf)
    square = worth.squares.mean(axis=0) - np.square(worth.roles[:, 0].mean(axis=0))
    n = 2 * worth.worlds
    out: Floats = np.sqrt(np.maximum(square, 0.0) / (n - 1))
    return out


def single_deals(worth: Worth, best: Ints) -> Floats:
    """(contracts, blocks): variance of one deal's points in each contract with what the
    halves name (2, contracts, hands); a block's share of it, to be summed."""
    every = np.arange(len(worth.blocks))
    out = np.zeros((len(worth.contracts), worth.n_blocks))
    mean = worth.roles[:, 0]
    for c in range(len(worth.contracts)):
        square = np.mean([worth.squares[1 - a][best[a, c], every] for a in (0, 1)], axis=0)
        first = np.mean([mean[1 - a][best[a, c], every] for a in (0, 1)], axis=0)
        spread = square - 2 * first * first.mean() + first.mean() ** 2
        out[c] = np.bincount(worth.blocks, weights=spread, minlength=worth.n_blocks)
    return out


def by_role(worth: Worth, best: Ints) -> Floats:
    """(contracts, roles, blocks): mean points of each role in a block's hands, with what the
    halves name (2, contracts, hands), by the other half."""
    every, blocks = np.arange(len(worth.blocks)), worth.blocks
    many = np.bincount(blocks)
    out = np.zeros((len(worth.contracts), worth.roles.shape[1], len(many)))
    for c in range(len(out)):
        for role in range(out.shape[1]):
            here = sum(worth.roles[1 - a, role][best[a, c], every] for a in (0, 1)) / 2
            out[c, role] = np.bincount(blocks, weights=here) / many
    return out


def state_of(left: Ints, uses: tuple[int, ...]) -> Ints:
    """(hands,): number of the state with these uses ``left`` (contracts, hands)."""
    step = np.array(strides(uses)[:-1])
    out: Ints = (left * step[:, None]).sum(axis=0)
    return out


def choices_of(worth: Worth) -> tuple[npt.NDArray[np.bool_], Choices]:
    """Which hands have a known choice, and these choices."""
    known = worth.chosen >= 0
    option, at = worth.chosen[known], np.flatnonzero(known)
    value = np.array([worth.points[1 - a][option, at] for a in (0, 1)])
    state = state_of(worth.left, worth.uses)[known]
    noise = noise_of(worth)[option, at]
    return known, Choices(state, worth.ties[option], value, noise)
