"""What designs promise, on real games: nothing is made of nothing, names do not matter, cards are
everybody's, and the duplicate is worth its price. Seeds are fixed: a failure is a bug."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules, StopFlag
from engine_ext.record_deal import records_of_game
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.seeds import run_key
from engine_ext.trials import NAMED, play_trials, trials
from pipeline import digest
from pipeline.claim import Claim
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.figures import difference, of_claim, of_entrants
from pipeline.play import TablePlayer
from pipeline.seating import seat_orders
from pipeline.stats import joint
from pipeline.stats.estimate import of_blocks, ratio
from pipeline.tables import Games
from pipeline.totals import SUMS, BlockTable, Totals
from strategies.registry import create
from tests.runs import BASE, small

ANY_SIZE = ("barbu_king_br_3", "barbu_52_doubling", "canadian_salad_5", "barbu_king_br_6")
"""Variants for three to six."""


def named(*strategies: str) -> tuple[Entrant, ...]:
    """Entrants e0, e1, ..."""
    return tuple(Entrant(strategy=s, name=f"e{i}") for i, s in enumerate(strategies))


def designs(n: int) -> dict[str, dict[str, Any]]:
    """Every design for ``n`` seats, and how many entrants it takes."""
    return {
        "gauntlet": {"entrants": 3},
        "invasions": {"design": "gauntlet", "entrants": 2, "invasions": "both"},
        "mix": {"entrants": 2},
        "table": {"entrants": n},
        "full": {"entrants": n},
        "round_robin": {"entrants": n + 2},
        "candidates": {"entrants": 3, "field": ("e2",)},
        "one": {
            "design": "candidates",
            "entrants": n + 1,
            "field": tuple(f"e{i}" for i in range(2, n + 1)),
            "rotations": "one",
        },
        "lineups": {"entrants": 2, "lineups": (("e0", *["e1"] * (n - 1)), ("e0",) * n)},
    }


@cache
def variant_of(name: str) -> NamedVariant:
    """A shipped variant, loaded once."""
    return NamedVariant(name=name, rules=load_variant(name))


def of_design(name: str, variant: str, *strategies: str, **more: Any) -> RunConfig:
    """A run in a design; its entrants are the strategies in turn, as many as it takes."""
    rules = variant_of(variant)
    said = {"design": name, "lineups": ()} | designs(rules.rules.seats)[name] | more
    takes = said.pop("entrants")
    turn = [strategies[i % len(strategies)] for i in range(takes)]
    return small((rules,), entrants=named(*turn), **said)


def games_of(config: RunConfig, blocks: int, *, log: bool = False) -> tuple[TablePlayer, Games]:
    """All games of the first blocks."""
    player = TablePlayer(config, config.variants[0].name, StopFlag())
    at = np.arange(blocks * player.block_games)
    block, game = np.divmod(at, player.block_games)
    games = player.play(block.astype(np.uint64), game, log=log)
    assert games is not None
    return player, games


def totals_of(config: RunConfig, blocks: int) -> BlockTable:
    """The totals of the first blocks."""
    player, games = games_of(config, blocks)
    seats, name = player.rules.numbers.seats, config.variants[0].name
    shape = (blocks, len(player.tables), seats)
    totals = Totals(seats, len(player.tables), 0, blocks)
    totals.add(games)
    frame = totals.frame(name, player.labels)
    orders = seat_orders(config, seats, run_key(config.seed), np.arange(blocks, dtype=np.uint64))
    sums = {
        column: frame[column].cast(int).to_numpy().astype(np.int64).reshape(shape)
        for column in SUMS
    }
    return BlockTable(0, orders, **sums)


# T12: identical entrants


def nothing_is_made_of_nothing(config: RunConfig, blocks: int) -> None:
    found = totals_of(config, blocks)
    assert found.xx.any(), "somebody wins, somebody loses"
    n, x = of_entrants(config, found)
    assert not x.any()
    counted = [
        of_blocks(zip(*pair, strict=True)) for pair in zip(n.T.tolist(), x.T.tolist(), strict=True)
    ]
    # In a round robin some sit out in most of a few blocks.
    told = [ratio(sums, contrast=True) for sums in counted if sums.blocks > 1]
    assert told
    for estimate in told:
        assert (estimate.kind, estimate.low, estimate.high) == ("identical", 0, 0)
    assert not of_claim(config, found)[1].any()


@pytest.mark.parametrize("design", designs(4))
@pytest.mark.parametrize("variant", ANY_SIZE)
def test_identical_entrants_differ_by_exactly_nothing(variant: str, design: str) -> None:
    nothing_is_made_of_nothing(of_design(design, variant, "duck.v1"), 2)


@pytest.mark.parametrize(
    "some", [("mix", "round_robin", "one"), pytest.param((*designs(4),), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("variant", sorted(set(variant_names()) - set(ANY_SIZE)))
def test_identical_entrants_differ_by_nothing_in_any_variant(
    variant: str, some: tuple[str, ...]
) -> None:
    for design in some:
        nothing_is_made_of_nothing(of_design(design, variant, "duck.v1"), 2)


@pytest.mark.parametrize("design", designs(4))
def test_on_common_streams_players_by_chance_differ_by_nothing_too(design: str) -> None:
    for variant in BASE:
        nothing_is_made_of_nothing(of_design(design, variant, "random.v1"), 3)


def test_on_independent_streams_they_differ() -> None:
    config = of_design("mix", BASE[0], "random.v1", streams="independent")
    assert of_entrants(config, totals_of(config, 2))[1].any()


# T13: names


def claimed(config: RunConfig, blocks: int) -> tuple[Any, Any]:
    """The claim's estimate and variance, exactly."""
    found = joint.of_blocks(*of_claim(config, totals_of(config, blocks)))
    return difference(found, config.variants[0].rules.seats)


@pytest.mark.parametrize("design", sorted(set(designs(4)) - {"candidates", "one"}))
def test_an_estimate_turns_its_sign_where_two_change_their_names(design: str) -> None:
    here = of_design(design, BASE[3], "duck.v1", "random.v1", "count.v1")
    here = here.model_copy(update={"claim": Claim(entrant="e0", against="e1")})
    first, second, *others = here.entrants
    swapped = (
        first.model_copy(update={"name": "e1"}),
        second.model_copy(update={"name": "e0"}),
        *others,
    )
    renamed = {"e0": "e1", "e1": "e0"}
    lineups = tuple(tuple(renamed.get(who, who) for who in row) for row in here.lineups)
    there = here.model_copy(update={"entrants": swapped, "lineups": lineups})
    value, square = claimed(here, 8)
    assert value != 0
    assert claimed(there, 8) == (-value, square)


def test_both_invasions_are_the_same_whoever_comes_first() -> None:
    here = of_design("invasions", BASE[3], "duck.v1", "count.v1")
    here = here.model_copy(update={"claim": Claim(entrant="e0", against="e1")})
    there = here.model_copy(update={"entrants": here.entrants[::-1]})
    assert claimed(here, 8) == claimed(there, 8)
    back = there.model_copy(update={"claim": Claim(entrant="e1", against="e0")})
    value, square = claimed(here, 8)
    assert claimed(back, 8) == (-value, square)


# T14: seats


@pytest.mark.parametrize("games", [8, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", variant_names())
def test_when_hands_dealer_and_players_move_on_a_seat_so_do_the_points(
    name: str, games: int
) -> None:
    rules, key = Rules(load_variant(name)), run_key(14)
    n, deals = rules.numbers.seats, games * rules.numbers.n_deals
    players = [create("duck.v1" if seat % 2 else "count.v1") for seat in range(n)]
    number = np.arange(deals, dtype=np.uint64)
    base = (number % n).astype(np.uint8)
    contract = number // n % rules.numbers.n_contracts
    code = contract.astype(np.int32) << 8 | NAMED
    here = play_trials(
        rules, players, trials(rules, deals, block=number, base=base, code=code), key=key
    )
    moved = trials(
        rules, deals, block=number, base=((base + 1) % n).astype(np.uint8), turn=n - 1, code=code
    )
    there = play_trials(rules, players[-1:] + players[:-1], moved, key=key)
    assert (here.code == there.code).all()
    assert here.deals.points.any()
    assert (np.roll(here.deals.points, 1, axis=1) == there.deals.points).all()


# T22: the duplicate


def gain(careless: str, blocks: int) -> float:
    """How many games of independent deals are worth one of a block: the variance of the
    points above the table of a single game, over n times that of a block's mean."""
    rules = load_variant("barbu_52_doubling").model_copy(update={"doubling": None})
    variant = NamedVariant(name="plain", rules=rules)
    config = small((variant,), design="gauntlet", lineups=(), entrants=named(careless, "lowest.v1"))
    found, n = totals_of(config, blocks), rules.seats
    means = found.x[:, 0, 0] / n**2  # of n games; totals count in n-ths of a point
    single = found.xx[:, 0, 0].mean() / n**3 - means.mean() ** 2
    return float(single / (n * means.var(ddof=1)))


@pytest.mark.parametrize(
    ("careless", "least"), [("tests.careless:Careless", 10), ("tests.careless:Reckless", 3.5)]
)
def test_the_duplicate_is_worth_many_games(careless: str, least: float) -> None:
    assert gain(careless, 60) > least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("careless", "least"), [("tests.careless:Careless", 10), ("tests.careless:Reckless", 3.5)]
)
def test_the_duplicate_is_worth_many_games_surely(careless: str, least: float) -> None:
    assert gain(careless, 1_000) > least


# T30: cards and games are independent of who else is there


def cards_of(config: RunConfig, blocks: int) -> dict[int, set[Any]]:
    """The hands of each block, as they lie at its tables."""
    player, games = games_of(config, blocks, log=True)
    found: dict[int, set[Any]] = {}
    for game, block in enumerate(games.block.tolist()):
        records = records_of_game(
            player.rules,
            games.records,
            game,
            key=run_key(config.seed),
            block=block,
            variant_name=player.variant,
            source="a test",
        )
        found.setdefault(block, set()).add(tuple(record.position.hands for record in records))
    return found


def test_deals_do_not_depend_on_who_plays_what_design() -> None:
    variant = BASE[0]
    first = cards_of(of_design("table", variant, "duck.v1", "random.v1"), 2)
    assert all(len(cards) == 1 for cards in first.values())
    assert len(set.union(*first.values())) == 2
    for config in (
        of_design("table", variant, "random.v1", "count.v1", "duck.v1"),
        of_design("table", variant, "duck.v1", "random.v1", streams="independent"),
        of_design("round_robin", variant, "duck.v1", "random.v1"),
        of_design("one", variant, "tests.careless:Reckless", "random.v1"),
    ):
        assert cards_of(config, 2) == first


@pytest.mark.parametrize("streams", ["common", "independent"])
@pytest.mark.parametrize("design", ["gauntlet", "invasions", "mix", "candidates", "lineups"])
def test_one_entrant_more_leaves_the_other_tables_games_as_they_are(
    design: str, streams: str
) -> None:
    here = of_design(design, BASE[3], "duck.v1", "random.v1", "count.v1", streams=streams)
    more = Entrant(strategy="tests.careless:Reckless", name="late")
    there = here.model_copy(update={"entrants": (*here.entrants, more)})
    old, new = (games_of(config, 2)[1] for config in (here, there))
    known = np.isin(new.table, np.unique(old.table))
    assert len(np.unique(new.table)) > len(np.unique(old.table)) or design == "lineups"
    assert (digest.game_hashes(old) == digest.game_hashes(new)[known]).all()


def test_the_order_of_entrants_moves_tables_and_changes_no_game() -> None:
    here = of_design("gauntlet", BASE[3], "duck.v1", "random.v1", "count.v1")
    there = here.model_copy(update={"entrants": tuple(here.entrants[i] for i in (0, 2, 1))})
    old, new = (games_of(config, 2)[1].records.score for config in (here, there))
    one, other = (scores.reshape(2, 2, 4, 4) for scores in (old, new))  # block, table, rotation
    assert (one == other[:, ::-1]).all()
    assert (one != other).any()
