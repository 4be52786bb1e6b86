"""Many tournaments at the price of one: a long run whose blocks are cut into tournaments.

Blocks are independent of each other, so fifty in a row are what a run of fifty would be.
``python -m tests.many_blocks`` prints the truths that :data:`TRUTHS` keeps.
"""

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from pipeline.config import Entrant, RunConfig
from pipeline.figures import difference, of_claim
from pipeline.plan import Plan
from pipeline.stats.joint import of_blocks
from pipeline.stopping import Outcome, at_end
from pipeline.totals import BlockTable
from pipeline.watermark import block_tables
from tests.runs import played, small


class Pair(NamedTuple):
    """Two strategies whose difference is known."""

    variant: str
    design: str
    strategies: tuple[str, str]
    against: bool
    """Whether the claim compares the two; else the first with the mean of his tables."""
    blocks: int
    """Of a million games."""


PAIRS = {
    "gauntlet": Pair("barbu_king_br", "gauntlet", ("count.v1", "duck.v1"), False, 250_000),
    "mix": Pair("king_ru_fixed14", "mix", ("duck.v1", "random.v1"), True, 83_334),
}
TRUTHS = {"gauntlet": Fraction(15654027, 200000), "mix": Fraction(6428909, 166668)}
"""Points a game by which the first is better, in a million games on deals of another seed."""


def of_pair(pair: Pair, seed: int, blocks: int) -> RunConfig:
    """A run that tells how much better the first is."""
    first, second = pair.strategies
    claim = {"entrant": first, "against": second if pair.against else None}
    return long_run(pair.variant, pair.design, pair.strategies, seed, blocks, claim=claim)


def long_run(
    variant: str, design: str, strategies: tuple[str, ...], seed: int, blocks: int, **more: Any
) -> RunConfig:
    """A run that keeps totals only, each seat with draws of its own in each game."""
    names = strategies if len(set(strategies)) == len(strategies) else "abcdef"
    said: dict[str, Any] = {
        "seed": seed,
        "blocks": blocks,
        "design": design,
        "lineups": (),
        "streams": "independent",
        "record": (),
        "entrants": [
            Entrant(strategy=strategy, name=name)
            for strategy, name in zip(strategies, names, strict=False)
        ],
    }
    return small((variant,), **said | more)


def totals_of(config: RunConfig) -> BlockTable:
    """Play a run of one variant; all that its ``totals`` files say."""
    with TemporaryDirectory() as folder:
        there, _ = played(config, Path(folder) / "run")
        manifest, name = there.manifest, config.variants[0].name
        planned = Plan(config, manifest.bounds)
        found = list(block_tables(there, planned, name, 0, config.blocks))
    columns = zip(*(part[1:] for part in found), strict=True)
    return BlockTable(0, *(np.concatenate(column) for column in columns))


def verdicts(config: RunConfig, totals: BlockTable, blocks: int, of: int = 50) -> list[Outcome]:
    """What tournaments of the first ``blocks`` of each ``of`` blocks come to."""
    n, x = of_claim(config, totals)
    seats = config.variants[0].rules.seats
    starts = range(0, len(n), of)
    return [at_end(config, seats, of_blocks(n[i : i + blocks], x[i : i + blocks])) for i in starts]


def truth(name: str) -> Fraction:
    """Play the million games of a pair."""
    pair = PAIRS[name]
    config = of_pair(pair, 1, pair.blocks)
    sums = of_blocks(*of_claim(config, totals_of(config)))
    return difference(sums, config.variants[0].rules.seats)[0]


if __name__ == "__main__":
    for pair_name in PAIRS:
        print(f"{pair_name!r}: {truth(pair_name)!r},")
