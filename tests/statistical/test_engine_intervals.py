"""Real games through the pipeline's own sums: intervals cover, equals are equal.

Seeds are fixed: a failure is a bug, never bad luck.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from engine_ext.batch import Rules, StopFlag, play_games
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from pipeline.block_totals import WIN, BlockTotals, Cells
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.play import TablePlayer
from pipeline.stats.estimate import Estimate, of_blocks, proportion, ratio
from pipeline.tables import Games
from strategies.cautious import Cautious
from strategies.registry import create
from tests.runs import BASE

Bots = Sequence[tuple[str, str]]
"""Names and strategies."""


def blocks_of(rules: Variant, bots: Bots, blocks: int, **said: Any) -> tuple[TablePlayer, Games]:
    """Play blocks from 0 on, as a worker does."""
    config = RunConfig.model_validate(
        {
            "title": "equals",
            "seed": 20240308,
            "blocks": blocks,
            "entrants": [Entrant(strategy=strategy, name=name) for name, strategy in bots],
            "variants": [NamedVariant(name="played", rules=rules)],
        }
        | said
    )
    player = TablePlayer(config, "played", StopFlag())
    game = np.arange(blocks * player.block_games)
    games = player.play((game // player.block_games).astype(np.uint64), game % player.block_games)
    assert games is not None
    return player, games


def by_entrant(player: TablePlayer, games: Games, measure: str) -> Cells:
    """Counts and totals of a measure by block and entrant."""
    totals = BlockTotals(player.rules.numbers, player.labels, player.tables)
    return next(
        cells
        for cells in totals.of(games)
        if cells.measure == measure and cells.axes[0].fields == ("entrant",)
    )


def tournaments(cells: Cells, blocks: int) -> list[list[tuple[int, int]]]:
    """(n, x) of the first entrant, block by block, for each ``blocks`` blocks."""
    pairs = list(zip(cells.n[:, 0].tolist(), cells.x[:, 0].tolist(), strict=True))
    return [pairs[i : i + blocks] for i in range(0, len(pairs), blocks)]


def covered(found: list[Estimate], truth: float) -> float:
    return float(np.mean([e.low is not None and e.low <= truth <= (e.high or 0) for e in found]))


def test_equal_players_lie_in_their_intervals_in_19_of_20_tournaments() -> None:
    # 400 tournaments of 50 blocks put the standard error of a share of 95 % at 1.1 %.
    bots = [(name, "random.v1") for name in "abcd"]
    player, games = blocks_of(
        load_variant("barbu_king_br"), bots, 400 * 50, design="table", streams="independent"
    )
    points = tournaments(by_entrant(player, games, "advantage"), 50)
    found = [ratio(of_blocks(blocks), Fraction(1, 4), contrast=True) for blocks in points]
    assert 0.92 < covered(found, 0.0) < 0.98
    few = [ratio(of_blocks(blocks[:10]), Fraction(1, 4), contrast=True) for blocks in points]
    assert 0.92 < covered(few, 0.0) < 0.98
    wins = by_entrant(player, games, "win")
    assert (wins.x.sum(axis=1) == WIN * player.block_games).all()
    shares = [proportion(of_blocks(blocks), WIN) for blocks in tournaments(wins, 50)]
    assert 0.92 < covered(shares, 0.25) < 0.98
    share = wins.x / wins.n / WIN
    error = share.std(axis=0) / sqrt(len(share))
    assert (np.abs(share.mean(axis=0) - 0.25) < 4 * error).all()


def other_sizes() -> list[Variant]:
    """Document 000 for three and five players."""
    base = load_variant("barbu_king_br").model_dump()
    found = []
    for seats, removed, payout in (
        (3, ("2C",), (-40, 0, 40)),
        (5, ("2C", "2D"), (-50, -25, 0, 25, 50)),
    ):
        contracts = {
            name: contract | {"total": None} | ({"payout": payout} if name == "domino" else {})
            for name, contract in base["contracts"].items()
        }
        deck = base["deck"] | {"remove": removed}
        changes = {"seats": seats, "deck": deck, "contracts": contracts, "claims": ()}
        found.append(Variant.model_validate(base | changes))
    return found


@pytest.mark.parametrize("rules", [*map(load_variant, BASE), *other_sizes()])
@pytest.mark.parametrize("design", ["gauntlet", "table", "lineups"])
@pytest.mark.parametrize("strategy", ["duck.v1", "random.v1"])
def test_a_strategy_has_exactly_nothing_over_itself(
    rules: Variant, design: str, strategy: str
) -> None:
    names = "abcdefghij"[: rules.seats if design == "table" else 2]
    lineups = (("a",) + ("b",) * (rules.seats - 1), ("a", "b", "a", "b", "a")[: rules.seats])
    player, games = blocks_of(
        rules,
        [(name, strategy) for name in names],
        4,
        design=design,
        lineups=lineups if design == "lineups" else (),
    )
    cells = by_entrant(player, games, "advantage")
    assert games.records.score.any()
    assert not cells.x.any()
    for blocks in zip(cells.n.T.tolist(), cells.x.T.tolist(), strict=True):
        e = ratio(of_blocks(zip(*blocks, strict=True)), contrast=True)
        assert (e.value, e.low, e.high, e.kind) == (0.0, 0.0, 0.0, "identical")


def test_names_that_change_places_take_their_figures_along() -> None:
    rules = load_variant("barbu_52_doubling")
    found = []
    for bots, lineup in (
        ((("a", "duck.v1"), ("b", "random.v1")), ("a", "b", "b", "b")),
        ((("a", "random.v1"), ("b", "duck.v1")), ("b", "a", "a", "a")),
    ):
        player, games = blocks_of(rules, bots, 12, design="lineups", lineups=(lineup,))
        cells = by_entrant(player, games, "advantage")
        # Three of b for one of a, or the other way round: per seat-game, then a less b.
        gap = cells.x[:, 0] * cells.n[:, 1] - cells.x[:, 1] * cells.n[:, 0]
        found.append(ratio(of_blocks((1, int(x)) for x in gap), contrast=True))
    one, other = found
    assert one.value > 0
    assert other.value == -one.value
    assert (other.low, other.high) == (-(one.high or 0), -(one.low or 0))


@pytest.mark.parametrize("strategy", ["random.v1", "duck.v1"])
def test_no_seat_of_a_symmetric_game_is_better(strategy: str) -> None:
    # Every seat declares every contract, and what happened before changes no choice.
    n = 2000
    _, games = blocks_of(
        load_variant("barbu_fr_reussite"),
        [("a", strategy), ("b", strategy)],
        n,
        design="gauntlet",
        streams="independent",
    )
    score = games.records.score.reshape(n, 4, 4).sum(axis=1).astype(float)
    free = (score - score.mean(axis=1, keepdims=True))[:, :3]
    mean, cov = free.mean(axis=0), np.cov(free.T) / n
    assert stats.chi2.sf(mean @ np.linalg.solve(cov, mean), 3) > 0.001


class Shaky(Cautious):
    """``cautious.v1``, but one card in so many is any legal one."""

    draws = True

    def __init__(self, one_in: int) -> None:
        super().__init__()
        self.one_in = one_in

    def play(self, view: Any) -> int:
        if view.random.below(self.one_in) == 0:
            return int(view.cards[view.random.below(len(view.cards))])
        return super().play(view)

    def lay(self, view: Any) -> int | None:
        if view.random.below(self.one_in) == 0:
            return int(view.cards[view.random.below(len(view.cards))])
        return super().lay(view)


@pytest.mark.parametrize(("one_in", "gain"), [(50, 10.0), (10, 3.5)])
def test_the_same_deals_in_all_seats_save_games(one_in: int, gain: float) -> None:
    """Variance of a game over that of a block's mean, per game: how many games it saves."""
    blocks = 40
    rules = load_variant("barbu_52_doubling").model_copy(update={"doubling": None})
    games = play_games(
        Rules(rules),
        [Shaky(one_in), create("cautious.v1")],
        key=run_key(3),
        blocks=np.repeat(np.arange(blocks, dtype=np.uint64), 4),
        seating=np.tile(1 - np.eye(4, dtype=np.uint8), (blocks, 1)),
        stop_on_foul=True,
    )
    score: npt.NDArray[np.float64] = games.score.astype(float)
    own = score[np.arange(len(score)), np.arange(len(score)) % 4]
    advantage = (4 * own - score.sum(axis=1)) / 3
    by_block = advantage.reshape(blocks, 4).mean(axis=1)
    assert advantage.var(ddof=1) > gain * 4 * by_block.var(ddof=1)
