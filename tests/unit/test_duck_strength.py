"""duck.v1 is as strong as the yardstick says, and its choices and doubles pay.

Seeds are fixed: a failure is a change of play, never bad luck.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest

import strategies
from engine_ext import batch
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from strategies.testing import BASE_VARIANTS

KEY = run_key(77)

# Own points less the mean of three random.v1, by contract of the yardstick variant, in
# the lab's units (40,000 deals with the challenger in each seat in turn).
LAB = {
    "tricks": 2.013,
    "hearts": 1.544,
    "queens": 0.805,
    "king": 0.187,
    "last_two": 0.804,
    "first_last": 0.517,
    "salad": 41.3,
    "trumps": 1.528,
}


def rules(name: str, *, doubling: bool = True) -> batch.Rules:
    variant = load_variant(name)
    return batch.Rules(variant if doubling else variant.model_copy(update={"doubling": None}))


def in_every_seat(one: str, others: str, played: batch.Rules, blocks: int) -> batch.GameRecords:
    """Games of ``one`` against ``others``, in each seat once on the same cards."""
    seats = played.numbers.seats
    seating = 1 - np.eye(seats, dtype=np.uint8)
    return batch.play_games(
        played,
        [strategies.create(one), strategies.create(others)],
        key=KEY,
        blocks=np.repeat(np.arange(blocks, dtype=np.uint64), seats),
        seating=np.tile(seating, (blocks, 1)),
        stop_on_foul=True,
    )


def advantage(points: npt.NDArray[np.int32], seats: int) -> npt.NDArray[np.float64]:
    """Own points less the mean of the others, of rows where seat i mod n is the one's."""
    own = points[np.arange(len(points)), np.arange(len(points)) % seats]
    others = (points.sum(axis=1) - own) / (seats - 1)
    return np.asarray(own - others, np.float64)


def test_beats_random_players_by_what_the_lab_measured() -> None:
    played = rules("yardstick")
    seats, deals = played.numbers.seats, played.numbers.n_deals
    games = in_every_seat("duck.v1", "random.v1", played, blocks=4_000)
    points = games.deals.points.reshape(-1, deals, seats)
    for number, name in enumerate(played.numbers.contract_names):
        assert (games.deals.contract.reshape(-1, deals)[:, number] == number).all()
        by_block = advantage(points[:, number], seats).reshape(-1, seats).mean(axis=1)
        # 4,000 blocks put the standard error of each mean at 1.5 % of it or less.
        assert by_block.mean() == pytest.approx(LAB[name], rel=0.1), name


@pytest.mark.parametrize("name", BASE_VARIANTS)
@pytest.mark.parametrize(
    ("better", "worse", "blocks"),
    [
        ("duck.v1", "random.v1", 100),
        ("cautious.v1", "random.v1", 30),
        ("duck.v1", "cautious.v1", 30),
    ],
)
def test_the_better_one_wins_in_every_base_variant(
    name: str, better: str, worse: str, blocks: int
) -> None:
    played = rules(name)
    seats = played.numbers.seats
    games = in_every_seat(better, worse, played, blocks)
    by_block = advantage(games.score, seats).reshape(-1, seats).mean(axis=1)
    assert by_block.mean() > 4 * by_block.std() / np.sqrt(blocks)


def declared(records: batch.DealRecords) -> npt.NDArray[np.int32]:
    """Points of the declarer of each deal."""
    return records.points[np.arange(len(records.points)), records.declarer]


@pytest.mark.parametrize("name", ["barbu_52_doubling", "barbu_fr_reussite"])
def test_choosing_by_the_hand_beats_any_fixed_order(name: str) -> None:
    played = rules(name, doubling=False)
    numbers = played.numbers
    ducks = [strategies.create("duck.v1")] * numbers.seats
    imposed = [
        declared(
            batch.play_deals(
                played, ducks, key=KEY, contracts=[contract], first_block=10**6, n=4_000
            )
        ).mean()
        for contract in range(numbers.n_contracts)
    ]
    # Every order of a declarer's contracts has the same value: the sum of the means.
    fixed = sum(mean * uses for mean, uses in zip(imposed, numbers.uses, strict=True))
    games = in_every_seat("duck.v1", "duck.v1", played, blocks=300)
    chosen = declared(games.deals).sum() / (len(games.score) * numbers.seats)
    deviation = declared(games.deals).std() * np.sqrt(sum(numbers.uses))
    assert chosen - fixed > 0.25 * deviation


def doubles_of(games: batch.GameRecords, seats: int) -> npt.NDArray[np.bool_]:
    """(D, S, S): whether seat i doubled or redoubled seat j."""
    bits = games.deals.doubled[:, :, None] >> np.arange(seats, dtype=np.uint16) & 1
    return bits.astype(np.bool_)


def test_its_doubles_pay() -> None:
    played = rules("barbu_52_doubling")
    seats, deals = played.numbers.seats, played.numbers.n_deals
    games = in_every_seat("duck.v1", "duck.v1", played, blocks=150)
    points = games.deals.points
    gain = (points[:, :, None] - points[:, None, :])[doubles_of(games, seats)]
    assert len(gain) > 20 * len(games.score)
    assert gain.mean() > 4 * gain.std() / np.sqrt(len(gain))
    # Never a voluntary double of a good declarer's positive contract without a reason:
    # those that are left are few, where in negative ones they are the rule.
    tone = np.array([c.tone for c in played.numbers.contracts])[games.deals.contract]
    by_others = np.arange(seats)[None, :] != games.deals.declarer[:, None]
    of_declarer = (games.deals.doubled >> games.deals.declarer[:, None].astype(np.uint16)) & 1
    rate = [of_declarer[tone == t][by_others[tone == t]].mean() for t in (-1, 1)]
    assert rate[1] < rate[0] / 4
    assert deals == 28


def test_threads_that_start_together_play_alike() -> None:
    """The tables of suits are made by whoever needs them first, without the GIL."""
    played = rules("barbu_52_doubling")

    def scores(first: int) -> npt.NDArray[np.int32]:
        return batch.play_games(
            played,
            [strategies.create("duck.v1")],
            key=KEY,
            blocks=np.arange(first, first + 50, dtype=np.uint64),
            seating=np.zeros((50, 4), np.uint8),
        ).score

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(scores, [0, 50, 0, 50]))
    np.testing.assert_array_equal(together[0], together[2])
    np.testing.assert_array_equal(together[1], together[3])
    np.testing.assert_array_equal(together[1], scores(50))


def test_rules_that_take_the_place_of_others_in_memory_are_read_anew() -> None:
    used = strategies.create("duck.v1")
    for name in ("barbu_fr_reussite", "barbu_52_doubling", "barbu_king_br") * 3:
        for _ in range(3):
            played = rules(name)
            again, fresh = (
                batch.play_games(
                    played,
                    [player],
                    key=KEY,
                    blocks=np.arange(3, dtype=np.uint64),
                    seating=np.zeros((3, 4), np.uint8),
                )
                for player in (used, strategies.create("duck.v1"))
            )
            np.testing.assert_array_equal(again.score, fresh.score)
            del played, again, fresh
