"""Which trump suit or start rank: rules that need the hand alone, and what naming brings."""

from typing import NamedTuple

import numpy as np

from engine_ext.cards import Pack
from engine_ext.rules.numbers import KIND_LAYOUT
from pipeline.stats.blocks import per_block, proportion_of, share
from pipeline.stats.estimate import Estimate
from pipeline.stats.sets import Floats, Ints
from pipeline.studies.features import rank_word, runs, strength
from pipeline.studies.study import Study
from pipeline.studies.worth import Worth

NAMING_SUIT: dict[str, str] = {"longest": "your longest suit (of equals the one with higher cards)"}
NAMING_RANK: dict[str, str] = {
    "most": "the rank of which you hold most (of equals the lowest)",
    "run": "the middle card of your longest run of neighbours",
    "balance": "from {middle} one rank up for each card that you hold above it more than below "
    "it, or one down for each that you hold fewer",
    "half": "from {middle} by half of a sum, halves rounded away from it: each of your cards "
    "counts its ranks above {middle} as plus, or its ranks below it as minus",
    "quarter": "from {middle} by a quarter of a sum, halves rounded away from it: each of your "
    "cards counts its ranks above {middle} as plus, or its ranks below it as minus",
}
"""Ways of naming a trump suit or a start rank from the hand alone, in words."""
LEANING = {"half": 2, "quarter": 4}


def named_from_hand(rule: str, held: Ints) -> Ints:
    """(hands,): suit or rank that a rule names."""
    by_rank = held.sum(axis=1)
    ranks = by_rank.shape[1]
    above = np.arange(ranks) - ranks // 2
    named: Ints
    if rule == "longest":
        named = np.argmax(held.sum(axis=2) * 1000 + strength(held), axis=1)
    elif rule == "most":
        named = np.argmax(by_rank, axis=1)
    elif rule == "run":
        named = runs(held)[1]
    else:
        leaning = by_rank @ (np.sign(above) if rule == "balance" else above)
        # Halves away from the middle, whole numbers only.
        by = LEANING.get(rule, 1)
        steps = np.sign(leaning) * ((2 * np.abs(leaning) + by) // (2 * by))
        named = np.clip(ranks // 2 + steps, 0, ranks - 1)
    return named


def around(held: Ints, rank: Ints, pack: Pack) -> dict[str, Ints]:
    """Counts about the start rank that is named for each hand."""
    ranks = held.shape[2]
    apart = np.abs(np.arange(ranks) - rank[:, None])
    by_rank, far, middle = held.sum(axis=1), (ranks + 1) // 2, pack.ranks[ranks // 2]
    return {
        f"cards {far} or more ranks from your start rank": (by_rank * (apart >= far)).sum(axis=1),
        "cards at most 3 ranks from your start rank": (by_rank * (apart <= 3)).sum(axis=1),
        "cards of your start rank": (by_rank * (apart == 0)).sum(axis=1),
        f"ranks from {rank_word(middle)} to your start rank": np.abs(rank - ranks // 2),
    }


class Naming(NamedTuple):
    """A rule of naming and the option that each hand gets by it."""

    rule: str
    """``fixed`` or one of the rules of :mod:`pipeline.studies.features`; '' where nothing
    is named."""
    param: int
    """What is always named by ``fixed``; else -1."""
    option: Ints
    """(hands,)"""

    def words(self, pack: Pack) -> str:
        """The rule for a player; '' where nothing or always the same is named."""
        middle = rank_word(pack.ranks[len(pack.ranks) // 2])
        return (NAMING_SUIT | NAMING_RANK).get(self.rule, "").format(middle=middle)


def rules_of(study: Study, worth: Worth, held: Ints, contract: int) -> list[Naming]:
    """Every rule of naming for a contract; one without a rule where nothing is named."""
    of = np.flatnonzero(worth.ties == contract)
    hands = len(worth.blocks)
    if len(of) == 1:
        return [Naming("", -1, np.full(hands, of[0]))]
    params = np.array([worth.options[i][1] for i in of])
    fixed = [Naming("fixed", int(p), np.full(hands, i)) for p, i in zip(params, of, strict=True)]
    for rule in NAMING_RANK if is_layout(study, worth, contract) else NAMING_SUIT:
        wanted = named_from_hand(rule, held)
        nearest = np.abs(wanted[:, None] - params).argmin(axis=1)
        fixed.append(Naming(rule, -1, of[nearest]))
    return fixed


def is_layout(study: Study, worth: Worth, contract: int) -> bool:
    """Whether a rank opens the contract; else what is named is a trump suit."""
    at = study.numbers.contract_names.index(worth.contracts[contract])
    return study.numbers.contracts[at].kind == KIND_LAYOUT


def best_rule(namings: list[Naming], worth: Worth, some: Ints) -> int:
    """The rule of most worth on average over the hands ``some``; of equals the last, a rule
    of the hand rather than a fixed name."""
    mean = worth.points.mean(axis=0)
    brings = [float(mean[n.option[some], some].mean()) for n in namings]
    return max(range(len(namings)), key=lambda i: (round(brings[i], 9), i))


class Named(NamedTuple):
    """How often an option is the best to name, and what the entrant named."""

    option: int
    best: Estimate
    """Share of hands in which it is, by half of the worlds."""
    entrant: Estimate | None
    """Share of the entrant's choices of the contract."""


def shares(worth: Worth, named: Ints, contract: int) -> list[Named]:
    """A row for each trump suit or start rank of a contract."""
    of, best = np.flatnonzero(worth.ties == contract), named[:, contract]
    hands, mine = np.ones(len(worth.blocks)), np.isin(worth.chosen, of).astype(np.float64)
    out = []
    for option in of.tolist():
        often = np.asarray((best == option).mean(axis=0), dtype=np.float64)
        own = (worth.chosen == option).astype(np.float64)
        of_own = _share(own, mine, worth) if mine.any() else None
        out.append(Named(option, _share(often, hands, worth), of_own))
    return out


def _share(above: Floats, below: Floats, worth: Worth) -> Estimate:
    return proportion_of(
        per_block(above, worth.blocks, worth.n_blocks),
        per_block(below, worth.blocks, worth.n_blocks),
        int(below.sum()),
    )


def gain(worth: Worth, named: Ints, naming: Naming, contract: int) -> Estimate:
    """What naming the best by the hand brings more than a rule does, a deal: found by half
    of the worlds, valued by the other."""
    every, best = np.arange(len(worth.blocks)), named[:, contract]
    more = np.mean(
        [
            worth.points[1 - a][best[a], every] - worth.points[1 - a][naming.option, every]
            for a in (0, 1)
        ],
        axis=0,
    )
    total = per_block(more, worth.blocks, worth.n_blocks)
    many = per_block(np.ones(len(every)), worth.blocks, worth.n_blocks)
    return share(total, many, len(every), contrast=True)
