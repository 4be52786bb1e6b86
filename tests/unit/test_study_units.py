"""Units of the three studies, held against the same counted one trial at a time."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import strategies
from engine_ext.batch import Rules, StopFlag, play_games
from engine_ext.cards import Pack
from engine_ext.seeds import run_key
from pipeline.config import NamedVariant, RunConfig
from pipeline.studies.designs import KINDS, STUDIES, n_steps, n_trials
from pipeline.studies.play import play_units
from pipeline.studies.player import Player
from pipeline.studies.units import Units
from tests.houses import HOUSES, any_variant
from tests.runs import entrants, small
from tests.slow_study import Key, SlowUnits, Sums

STEPS = 3
"""Of a dealership: the first, one in the middle, the last."""
VALUE = ("barbu_52_doubling", "barbu_3_leaver", "barbu_king_br_rotate_5", "barbu_fr_reussite")
SEATS = (
    "barbu_52_doubling",
    "barbu_3_leaver",
    "barbu_king_br_tiebreak",
    "hearts",
    "barbu_king_br_6",
)
DOUBLING = ("barbu_52_doubling", "barbu_app", "barbu_5", "barbu_52_two_rounds")


def study(name: str, design: str, *players: str, **more: Any) -> RunConfig:
    variant = NamedVariant(name=name, rules=any_variant(name))
    said = {"design": design, "lineups": (), "entrants": entrants(*players), "blocks": 4}
    return small((variant,), **said | more)


def units_of(config: RunConfig, block: list[int], unit: list[int]) -> Units:
    name = config.variants[0].name
    player = Player(config, name, StopFlag())
    found = play_units(player, np.array(block, np.uint64), np.array(unit), player.numbers.seats)
    assert found is not None
    return found


def told(units: Units, block: int, table: int, step: int, seats: int) -> dict[Key, Sums]:
    """Rows of one unit."""
    found = {}
    mine = (pl.col("block") == block) & (pl.col("table") == table) & (pl.col("step") == step)
    for row in units.trials.filter(mine).to_dicts():
        names = ("kind", "contract", "param", "who", "whom", "weight", "half", "n_left")
        points = tuple(row[f"points_{k}"] for k in range(seats))
        key = tuple(row[name] for name in names)
        assert key not in found
        found[key] = Sums(row["n"], points, row["squares"])
    return found


def assert_counted_alike(
    name: str, design: str, player: str, worlds: int, block: int = 2, **more: Any
) -> set[str]:
    """Some units of a block; which kinds of rows they had."""
    if design != "seats":
        more["worlds"] = worlds
    config = study(name, design, "lowest.v1", player, **more)
    rules = Rules(any_variant(name))
    steps = n_steps(design, rules.numbers)
    some = sorted({0, steps // 2, steps - 1})[:STEPS]
    units = units_of(config, [block] * len(some), [steps + step for step in some])
    slow = SlowUnits(rules, strategies.create(player), run_key(config.seed), worlds)
    assert steps == (rules.variant.seats if design == "seats" else len(slow.dealership()))
    path = [] if design == "seats" else slow.path(block, bets=design == "doubling")
    kinds: set[str] = set()
    for step, row in zip(some, units.units.to_dicts(), strict=True):
        slow.rows()
        if design == "seats":
            expected, played = slow.seats_turned(block, step), slow.counted
            said = ("", "", 0)
        else:
            count = slow.value if design == "value" else slow.doubling
            expected, played = count(block, path[step]), slow.counted
            pack, left = Pack(rules.variant.deck), path[step].left
            hand = " ".join(pack.named(slow.hand(block, path[step])))
            names = [n for n, uses in zip(slow.names, left, strict=True) for _ in range(uses)]
            said = (hand, " ".join(names), sum(left))
        found = told(units, block, 1, step, rules.variant.seats)
        assert found == expected
        assert (row["hand"], row["left"], row["n_left"]) == said
        assert (row["block"], row["table"], row["step"]) == (block, 1, step)
        assert (row["variant"], row["entrant"], row["fouls"]) == (name, player, 0)
        assert (row["n_rows"], row["n_trials"]) == (len(expected), played)
        kinds |= {str(key[0]) for key in found}
    return kinds


@pytest.mark.parametrize("name", [*VALUE, "drawn", "stock"])
@pytest.mark.parametrize("player", ["duck.v1", "random.v1"])
def test_value_is_counted_alike(name: str, player: str) -> None:
    assert assert_counted_alike(name, "value", player, 4) == {"worth", "dealt", "chosen"}


@pytest.mark.parametrize("name", [*SEATS, *HOUSES])
@pytest.mark.parametrize("player", ["duck.v1", "random.v1"])
def test_seats_are_counted_alike(name: str, player: str) -> None:
    kinds = assert_counted_alike(name, "seats", player, 4)
    rules = any_variant(name)
    expected = {"forced", "score", "win"}
    if rules.schedule.kind == "choice":
        expected.add("chosen")
    if rules.doubling is not None:
        expected.add("side")
    assert kinds == expected


STEADY = "tests.steady:Steady"


@pytest.mark.parametrize("name", [*DOUBLING, "stock", "fined", "mute", "gautron_family"])
@pytest.mark.parametrize("player", ["cautious.v1", "random.v1", STEADY])
def test_doubling_is_counted_alike(name: str, player: str) -> None:
    kinds = assert_counted_alike(name, "doubling", player, 4)
    assert kinds >= {"forced", "chosen", "aware", "hand"}
    if player == "random.v1":
        assert kinds >= {"made", "answer"}


def test_a_game_with_an_extra_deal_is_counted_without_it() -> None:
    """As the deals of its schedule; its total has it."""
    rules = Rules(any_variant("barbu_king_br_tiebreak"))
    player = strategies.create("lowest.v1")
    n = 400
    games = play_games(
        rules,
        [player],
        key=run_key(7),
        blocks=np.arange(n, dtype=np.uint64),
        seating=np.zeros((n, 4), np.uint8),
    )
    block = int(np.flatnonzero(games.n_deals > rules.numbers.n_deals)[0])
    slow = SlowUnits(rules, player, run_key(7), 2)
    config = study("barbu_king_br_tiebreak", "seats", "lowest.v1", blocks=n)
    units = units_of(config, [block], [0])
    found = told(units, block, 0, 0, 4)
    assert found == slow.seats_turned(block, 0)
    assert sum(row.n for key, row in found.items() if key[0] == "forced") == 8
    assert units.units["n_trials"][0] == games.n_deals[block]


@pytest.mark.parametrize("design", STUDIES)
def test_rows_stand_in_the_order_that_the_digest_has(design: str) -> None:
    config = study("barbu_52_doubling", design, "random.v1", "duck.v1",
                   **{} if design == "seats" else {"worlds": 2})  # fmt: skip
    unit = [0, 1, n_steps(design, any_numbers("barbu_52_doubling"))]
    rows = units_of(config, [0, 0, 0], unit).trials
    contracts = ["", *any_variant("barbu_52_doubling").contracts]
    keys = [
        (row["table"], row["step"], list(KINDS).index(row["kind"]),
         contracts.index(row["contract"]),
         *(row[name] for name in ("param", "who", "whom", "weight", "half")))
        for row in rows.to_dicts()
    ]  # fmt: skip
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_random_doubles_fill_every_kind_of_row_at_the_limit_of_worlds() -> None:
    """A strategy that always chooses the first contract is picked in all worlds."""
    config = study("barbu_52_doubling", "doubling", "lowest.v1", worlds=6)
    units = units_of(config, [0], [0])
    picked = units.trials.filter(pl.col("kind") == "picked")
    assert picked["n"].to_list() == [3] * 6


@pytest.mark.parametrize("design", ["value", "seats", "doubling"])
def test_units_are_the_same_whichever_are_played_together(design: str) -> None:
    config = study(
        "barbu_52_doubling", design, "duck.v1", "random.v1",
        **{} if design == "seats" else {"worlds": 2},
    )  # fmt: skip
    steps = n_steps(design, any_numbers("barbu_52_doubling"))
    block = np.repeat(np.arange(2), 2 * steps)
    unit = np.tile(np.arange(2 * steps), 2)
    whole = units_of(config, block.tolist(), unit.tolist())
    assert len(whole) == 4 * steps
    for cut in (1, steps + 1, 3 * steps - 2):
        parts = [
            units_of(config, block[part].tolist(), unit[part].tolist())
            for part in (slice(cut), slice(cut, None))
        ]
        assert pl.concat([part.units for part in parts]).equals(whole.units)
        assert pl.concat([part.trials for part in parts]).equals(whole.trials)


@pytest.mark.parametrize("at_once", [1, 500])
@pytest.mark.parametrize("design", ["value", "seats", "doubling"])
def test_how_many_trials_go_at_once_changes_nothing(
    design: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = study("barbu_52_doubling", design, "random.v1",
                   **{} if design == "seats" else {"worlds": 2})  # fmt: skip
    whole = units_of(config, [0, 0, 1, 1], [0, 3, 0, 2])
    monkeypatch.setattr(f"pipeline.studies.{design}.AT_ONCE", at_once)
    again = units_of(config, [0, 0, 1, 1], [0, 3, 0, 2])
    assert again.units.equals(whole.units)
    assert again.trials.equals(whole.trials)


def any_numbers(name: str) -> Any:
    return Rules(any_variant(name)).numbers


@pytest.mark.parametrize("name", ["barbu_52_doubling", "barbu_3_leaver", "hearts"])
@pytest.mark.parametrize("design", ["value", "seats"])
def test_the_forecast_of_trials_is_what_is_played(name: str, design: str) -> None:
    numbers = any_numbers(name)
    if design == "value" and not numbers.has_choice:
        return
    worlds = None if design == "seats" else 4
    config = study(name, design, "lowest.v1", worlds=worlds)
    found = units_of(config, [0], [0]).units["n_trials"][0]
    assert found == n_trials(design, numbers, worlds)


def test_a_stop_gives_nothing() -> None:
    config = study("barbu_52_doubling", "value", "duck.v1", worlds=2)
    stop = StopFlag()
    player = Player(config, "barbu_52_doubling", stop)
    stop.set()
    assert play_units(player, np.zeros(1, np.uint64), np.zeros(1, np.int64), 4) is None


def test_one_wide_run_leaves_the_seats_beyond_empty() -> None:
    config = study("barbu_3_leaver", "value", "duck.v1", worlds=2)
    player = Player(config, "barbu_3_leaver", StopFlag())
    units = play_units(player, np.zeros(1, np.uint64), np.zeros(1, np.int64), 5)
    assert units is not None
    assert units.trials["points_3"].null_count() == len(units.trials)
    assert units.trials["points_4"].null_count() == len(units.trials)
    assert units.trials["points_2"].null_count() == 0
