"""Made-up studies: tables as a run writes them, with hands whose worth is drawn."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

from engine_ext.cards import Pack, cards_in
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import ChoiceSchedule
from pipeline.studies.study import Study

Floats = npt.NDArray[np.float64]
Worth = Callable[[np.random.Generator, str, int, tuple[int, ...]], float]
"""What a hand is worth: dice, contract, param, cards."""


def by_chance(
    dice: np.random.Generator, contract: str, param: int, cards: tuple[int, ...]
) -> float:
    """Whatever the cards."""
    return float(dice.normal(0, 3 + len(contract)))


def value_study(
    variant: str = "barbu_52_doubling",
    blocks: int = 12,
    worlds: int = 8,
    seed: int = 1,
    worth: Worth = by_chance,
    noise: float = 6.0,
    entrant: str = "anna",
) -> Study:
    """A ``value`` study; the entrant spends its contracts in the rules' order, naming the first."""
    rules = load_variant(variant)
    numbers, dice, pack = resolve(rules), np.random.default_rng(seed), Pack(rules.deck)
    assert isinstance(rules.schedule, ChoiceSchedule)
    order = [c for c in numbers.contract_names for _ in range(rules.schedule.uses.get(c, 0))]
    options = [
        (name, p if c.params != 1 else -1)
        for name, c in zip(numbers.contract_names, numbers.contracts, strict=True)
        if name in rules.schedule.uses
        for p in range(32)
        if c.params >> p & 1
    ]
    units, trials = [], []
    deck = np.array(list(cards_in(pack.deck)))
    for block in range(blocks):
        for step, chosen in enumerate(order):
            cards = tuple(sorted(dice.choice(deck, numbers.hand_size, replace=False).tolist()))
            key = {"variant": variant, "block": block, "table": 0, "step": step}
            left = order[step:]
            text = " ".join(pack.name(card) for card in cards)
            units.append(
                key
                | {"entrant": entrant, "hand": text, "left": " ".join(left), "n_left": len(left)}
            )
            named = next(p for c, p in options if c == chosen)
            for contract, param in options:
                q = worth(dice, contract, param, cards)
                deals = np.round(q + noise * dice.standard_normal(worlds + 1)).astype(int)
                row = key | {
                    "contract": contract,
                    "param": param,
                    "who": -1,
                    "whom": -1,
                    "weight": 0,
                }
                row |= {"n_left": len(left)}
                for half, some in ((-1, deals[:1]), (0, deals[1::2]), (1, deals[2::2])):
                    kind = "dealt" if half < 0 else "worth"
                    trials.append(row | {"kind": kind, "half": half} | sums(some, numbers.seats))
                if (contract, param) == (chosen, named):
                    trials.append(
                        row | {"kind": "chosen", "half": -1} | sums(deals[:1], numbers.seats)
                    )
    of_units, of_trials = pl.DataFrame(units), pl.DataFrame(trials)
    return Study(rules, numbers, "value", entrant, worlds, blocks, of_units, of_trials, 1)


def sums(points: npt.NDArray[np.int_], seats: int) -> dict[str, int]:
    """Sums of a row: what the declarer gets the others lose in turn."""
    total = int(points.sum())
    others = {f"points_{k}": -total // (seats - 1) for k in range(1, seats)}
    return {"n": len(points), "points_0": total, "squares": int(np.square(points).sum())} | others
