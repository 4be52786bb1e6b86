"""The weights of ``count.v1``: made here, and measured here.

``python benchmarks/tune_count.py``            tune them and write ``strategies/count_weights.h``
``python benchmarks/tune_count.py --check``    whether that file belongs to these sources
``python benchmarks/tune_count.py --measure``  what count.v1 gains against three of duck.v1

First the tables of chances are counted in games of duck.v1 (``count_tables.py``). Then the
weights of each kind of contract are tuned for themselves, from START (``evolve.py``): a
candidate sits in each seat in turn, against duck.v1 and against the player that START makes,
on cards common to all candidates of a generation and new in the next. Everything is seeded;
if fresh deals do not bear out what was found, START stays.

After tuning build again, and see ``tests/golden/strategies.txt``: other weights are a new
version of the strategy.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
from count_tables import Floats, Ints, table
from evolve import evolve

import strategies
from engine_ext import batch, build
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key

FILE = Path(__file__).resolve().parents[1] / "strategies" / "count_weights.h"
KEY = run_key(20_240_801)
COUNTED_DEALS = 8_000
GENERATIONS, CANDIDATES, DEALS = 8, 8, 400
FRESH, FRESH_DEALS = 10**6, 3_000
"""First block and number of the deals that decide at the end."""
Make = Callable[[], batch.Strategy]

# Kinds of items and features as in count_rules.pxd, layouts as in count_lay.pxd. Signs and sizes
# were thought out, then moved by a few earlier runs of the same kind.
START = {
    "tricks": [95, 23, 81, 98, 66, 14, 11, 32, 30, 62, 13, 12, -10, -2, -3, 0, -12, 15, 0, 29],
    "suits": [60, 32, 55, 183, 99, 9, 46, 159, 20, 10, 4, -11, -20, -3, -11, -5, -10, -33, 0, -15],
    "cards": [12, 37, 53, 103, 86, 3, 38, 67, 52, -4, -1, -1, 1, -2, -2, 0, 1, 4, 0, -1],
    "single": [36, 62, 28, 119, 43, -65, 48, 55, 59, 9, 3, -9, -11, 1, -1, -1, 0, -16, 0, -26],
    "several": [37, 26, 50, 102, 70, -9, 39, 67, 38, 8, 8, -1, -5, 0, -2, 0, -1, -1, 0, -3],
    "late": [77, 0, 0, 99, 115, 0, 0, 0, 59, 30, 13, 36, 0, -2, -3, -4, 0, 0, 0, 22],
    "take": [58, 21, 64, 71, 98, 0, 0, 64, -6, -39, -1, 6, -1, 4, -6, 0, 0, 0, 0, 34],
    "trumps": [58, 21, 0, 71, 98, 0, 0, 64, -6, -39, -1, 6, -1, 4, -6, 0, 0, 0, -2, 34],
    "layout": [40, 16, -34, -3, -2, 17, 7, -6, 0, 1, 17, -7, 4, -250, 0, 0, 0, 0, 0, 0],
}
STEP = [16.0] * 10 + [8.0, 8.0, 3.0, 3.0, 2.0, 2.0, 8.0, 8.0, 4.0, 8.0]
LAYOUT_STEP = [8.0] * 13 + [60.0]
SETTLED = ("tricks", "suits")
"""START has these from an earlier and longer run."""
# What is tuned on: contracts of these variants, and what a point counts there.
TUNED_ON = {
    "tricks": [("yardstick", "tricks", 1.0)],
    "suits": [("yardstick", "hearts", 1.0)],
    "cards": [("yardstick", "queens", 1.0)],
    "single": [("yardstick", "king", 1.0)],
    "several": [("yardstick", "salad", 0.05)],
    "late": [("yardstick", "last_two", 1.0), ("yardstick", "first_last", 1.5)],
    "take": [("mirror", "tricks", 1.0), ("mirror", "hearts", 1.0)],
    "trumps": [("yardstick", "trumps", 1.0), ("mirror", "ruffed", 1.0)],
    "layout": [
        ("barbu_52_doubling", "domino", 0.05),
        ("barbu_king_br", "domino", 0.03),
    ],
}


def mirror() -> Variant:
    """Return a set-up in which what the yardstick shuns is wanted."""
    head = {"kind": "trick", "title": "t", "tone": "positive", "source": "made for tuning"}
    tricks = [{"per": "trick", "points": 1}]
    contracts = {
        "tricks": head | {"terms": tricks},
        "ruffed": head | {"terms": tricks, "trump": "drawn", "void_duty": "must_ruff"},
    }
    hearts = {"per": "card", "of": {"suits": ["H"]}, "points": 1, "name": "hearts"}
    contracts["hearts"] = head | {"terms": [hearts]}
    yardstick = load_variant("yardstick").model_dump()
    schedule = yardstick["schedule"] | {"sequence": list(contracts)}
    changed = {"objective": "highest", "contracts": contracts, "schedule": schedule}
    return Variant.model_validate(yardstick | changed)


def gains(
    make: Make, others: Make, rules: batch.Rules, contract: int, first: int, n: int
) -> Floats:
    """Return own points less the mean of the others, deal by deal, over all seats."""
    seats = rules.numbers.seats
    total = np.zeros(n)
    for seat in range(seats):
        players = [others() for _ in range(seats)]
        players[seat] = make()
        points = batch.play_deals(
            rules, players, key=KEY, contracts=[contract], first_block=first, n=n
        ).points
        total += points[:, seat] - (points.sum(axis=1) - points[:, seat]) / (seats - 1)
    return total / seats


class Tuner:
    """Rules that are tuned on, and the tables of chances."""

    def __init__(self) -> None:
        names = {name for on in TUNED_ON.values() for name, _, _ in on} - {"mirror"}
        self.rules = {name: batch.Rules(load_variant(name)) for name in sorted(names)}
        self.rules["mirror"] = batch.Rules(mirror())
        self.made = build.load("strategies.count").Count
        self.chances = np.concatenate([part.ravel() for part in self.counted()])

    def contract(self, variant: str, name: str) -> tuple[batch.Rules, int]:
        """Return rules and number of a contract."""
        rules = self.rules[variant]
        return rules, rules.numbers.contract_names.index(name)

    def counted(self) -> Iterator[Ints]:
        """Yield the tables of chances, in the order of count_rules.pxd."""
        players = [strategies.create("duck.v1") for _ in range(4)]

        def of(variant: str, name: str, **what: object) -> Ints:
            rules, number = self.contract(variant, name)
            records = batch.play_deals(
                rules,
                players,
                key=KEY,
                contracts=[number],
                first_block=2 * FRESH,
                n=COUNTED_DEALS,
                log=True,
            )
            return table(records, **what)

        for name in ("tricks", "hearts", "queens", "king", "salad"):
            yield of("yardstick", name)
        yield of("yardstick", "last_two", late=(1 / 3, 2 / 3))
        yield of("mirror", "tricks")
        yield of("yardstick", "trumps", only="side")
        yield of("yardstick", "trumps", only="trump")

    def player(self, weights: dict[str, list[int]]) -> Make:
        """Return what makes count.v1 with other weights."""
        flat = [number for row in weights.values() for number in row]
        return lambda: self.made(flat, self.chances)

    def worth(self, kind: str, make: Make, others: Make, first: int, n: int) -> float:
        """Return the mean gain over what a kind is tuned on."""
        values = [
            gains(make, others, *self.contract(variant, name), first, n).mean() * scale
            for variant, name, scale in TUNED_ON[kind]
        ]
        return float(np.mean(values))

    def tuned(self, kind: str) -> list[int]:
        """Return better weights of one kind, or START's if none are found."""
        rivals = [lambda: strategies.create("duck.v1"), self.player(START)]

        def value(row: list[int], first: int, n: int) -> float:
            make = self.player(START | {kind: row})
            return sum(self.worth(kind, make, other, first, n) for other in rivals) / 2

        step = LAYOUT_STEP if kind == "layout" else STEP
        size = (GENERATIONS, CANDIDATES, DEALS)
        found = evolve(value, START[kind], step, *size, seed=list(TUNED_ON).index(kind))
        old, new = (value(row, FRESH, FRESH_DEALS) for row in (START[kind], found))
        print(f"{kind:8} {old:8.4f} -> {new:8.4f}", flush=True)
        return found if new > old else START[kind]

    def origin(self) -> str:
        """Return a hash of what the weights were made from: how START plays, and settings."""
        settings = (
            START,
            SETTLED,
            STEP,
            LAYOUT_STEP,
            TUNED_ON,
            GENERATIONS,
            CANDIDATES,
            DEALS,
            FRESH_DEALS,
        )
        made_from = sha256(repr(settings).encode())
        made_from.update(self.chances.astype("<i2").tobytes())
        players = [self.player(START)() for _ in range(4)]
        for on in TUNED_ON.values():
            for variant, name, _ in on:
                rules, number = self.contract(variant, name)
                records = batch.play_deals(
                    rules, players, key=KEY, contracts=[number], first_block=0, n=200, log=True
                )
                assert records.moves is not None
                made_from.update(records.moves.tobytes())
        return made_from.hexdigest()[:16]


def written(weights: dict[str, list[int]], chances: Ints, origin: str) -> str:
    """Return the text of the file that count.v1 is compiled from."""
    lines = [
        "/* Written by benchmarks/tune_count.py: not to be edited. Weights by kind of item, then",
        "   of layouts; chances in 1,024ths. */",
        f"/* made from {origin} */",
        "#include <stdint.h>",
        f"enum {{ N_GROUPS = {len(weights) - 1}, N_WEIGHTS = {len(STEP)}, N_TABLES = 9,",
        "    LOWER_STEPS = 7, HIGHER_STEPS = 5, FOURTH_STEPS = 4, THIRD_STEPS = 4 };",
    ]
    blocks = (
        ("int32_t COUNT_WEIGHTS", np.array(list(weights.values()))),
        ("int16_t COUNT_CHANCES", chances.reshape(-1, 20)),
    )
    for name, rows in blocks:
        lines.append(f"static const {name}[{rows.size}] = {{")
        lines += ["    " + ", ".join(map(str, row)) + "," for row in rows.tolist()]
        lines.append("};")
    return "\n".join(lines) + "\n"


def measure(n: int) -> None:
    """Print the gains of count.v1 against three of duck.v1, with 95 % half-widths."""
    shown = [("yardstick", name) for name in load_variant("yardstick").contracts]
    shown += [("barbu_52_doubling", "domino"), ("barbu_fr_reussite", "reussite")]
    shown += [("barbu_king_br", "domino")]
    for variant, name in shown:
        rules = batch.Rules(load_variant(variant))
        number = rules.numbers.contract_names.index(name)
        one, other = (lambda s=spec: strategies.create(s) for spec in ("count.v1", "duck.v1"))
        found = gains(one, other, rules, number, FRESH * 3, n)
        half = 1.96 * found.std() / np.sqrt(n)
        print(f"{variant:18} {name:10} {found.mean():8.4f} +- {half:.4f}", flush=True)


def main() -> int:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description="Tune, check or measure count.v1.")
    parser.add_argument("--check", action="store_true", help="is the file of weights up to date?")
    parser.add_argument("--measure", action="store_true", help="gains against three duck.v1")
    parser.add_argument("--deals", type=int, default=20_000, help="to measure on")
    asked = parser.parse_args()
    if asked.measure:
        measure(asked.deals)
        return 0
    tuner = Tuner()
    origin = tuner.origin()
    if asked.check:
        fresh = FILE.exists() and f"made from {origin} " in FILE.read_text("utf-8")
        print("up to date" if fresh else "made from other sources: run it without --check")
        return 0 if fresh else 1
    weights = {kind: START[kind] if kind in SETTLED else tuner.tuned(kind) for kind in START}
    FILE.write_text(written(weights, tuner.chances, origin), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
