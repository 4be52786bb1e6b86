"""Deals and random play have the odds that are known exactly.

Packs, hands and tiny games whose chances can be counted to the end, held against many
deals of the engine. Seeds are fixed: a failure is a bug, never bad luck. ``near`` allows
four standard errors, which among all the figures here would be passed by luck once in a
hundred seeds.
"""

from fractions import Fraction
from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engine_ext.batch import DealRecords, Rules, deal_hands, play_deals, play_games
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.registry import create

KEY = run_key(20240307)
DEALS = 200_000
Floats = npt.NDArray[np.float64]
SUIT = np.uint64(0xFFFF)


def near(found: npt.NDArray[Any], exact: float | Fraction, errors: float = 4.0) -> None:
    """Hold the mean of independent rows (row means, if they have columns) to an exact value."""
    rows = found.reshape(len(found), -1).mean(axis=1)
    error = rows.std(ddof=1) / sqrt(len(rows))
    assert abs(rows.mean() - float(exact)) <= errors * error, (rows.mean(), float(exact), error)


def hands(variant: str, blocks: int = 500_000) -> npt.NDArray[np.uint64]:
    rules = Rules(load_variant(variant))
    return deal_hands(rules, key=KEY, blocks=np.arange(blocks, dtype=np.uint64), deal=3)


def lengths(dealt: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """(B, seats, suits): cards of each suit in each hand."""
    suits = [np.bitwise_count(dealt >> np.uint64(16 * suit) & SUIT) for suit in range(4)]
    return np.stack(suits, axis=-1)


def test_hands_of_13_have_their_suits_and_queens_as_often_as_counted() -> None:
    dealt = hands("yardstick")
    length = lengths(dealt)
    for k in range(7):
        near(length[:, :, 2] == k, Fraction(comb(13, k) * comb(39, 13 - k), comb(52, 13)))
    near((length[:, :, 2] - 3.25) ** 2, Fraction(507, 272))
    near((length == 0).any(axis=2), Fraction(1621364909, 31750677980))
    near(length.max(axis=2), 4.9007735640)
    shape = np.sort(length, axis=2)
    for cards, odds in ((2344, 0.2155117565), (2335, 0.1551684646), (3334, 0.1053613032)):
        near((shape @ np.array([1000, 100, 10, 1]) == cards), odds)
    queens = np.bitwise_count(dealt & np.uint64(sum(1 << 16 * suit + 10 for suit in range(4))))
    for k in range(5):
        near(queens == k, Fraction(comb(4, k) * comb(48, 13 - k), comb(52, 13)))
    near((queens == 1).all(axis=1), Fraction(2197, 20825))
    near((queens == 4).any(axis=1), Fraction(44, 4165))
    # The first seat in turn that could open a layout on queens.
    first = np.argmax(queens > 0, axis=1)
    for seat, odds_of in enumerate((14498, 5177, 1095, 55)):
        near(first == seat, Fraction(odds_of, 20825))


def test_the_king_of_hearts_is_bare_or_beside_the_ace_as_often_as_counted() -> None:
    dealt = hands("yardstick")
    king, ace = np.uint64(1 << 43), np.uint64(1 << 44)
    holder = (dealt & king != 0).argmax(axis=1)
    his = dealt[np.arange(len(dealt)), holder]
    hearts = his >> np.uint64(32) & SUIT
    near(np.bitwise_count(hearts) == 1, Fraction(8215961, 333515525))
    near(hearts & np.uint64((1 << 11) - 1) == 0, 0.0351920263)
    near(his & ace != 0, Fraction(12, 51))


def test_hands_of_8_have_their_suits_and_queens_as_often_as_counted() -> None:
    dealt = hands("king_ru_fixed14")
    length = lengths(dealt)
    near(length[:, :, 2] == 0, Fraction(81719, 1168700))
    near((length == 0).any(axis=2), Fraction(716167, 2629575))
    near((length[:, :, 2] - 2.0) ** 2, Fraction(36, 31))
    queens = np.bitwise_count(dealt & np.uint64(sum(1 << 16 * suit + 5 for suit in range(4))))
    for k in range(5):
        near(queens == k, Fraction(comb(4, k) * comb(28, 8 - k), comb(32, 8)))


def rules_of(seats: int, suits: str, ranks: str, **contracts: dict[str, Any]) -> Rules:
    """Rules of a game whose contracts are played in the order given; the dealer leads."""
    trick: dict[str, Any] = {"kind": "trick", "tone": "mixed", "source": "x", "title": "counted"}
    payout = tuple(range(seats))
    layout = trick | {"kind": "layout", "passing": "must_play", "payout": payout}
    table = {
        "title": "Counted",
        "language": "en",
        "source": "counted",
        "seats": seats,
        "direction": "clockwise",
        "objective": "highest",
        "deck": {"suits": tuple(suits), "ranks": tuple(ranks)},
        "schedule": {"kind": "fixed", "sequence": tuple(contracts), "leader": "dealer"},
        "contracts": {
            name: (layout if "start" in one else trick) | one for name, one in contracts.items()
        },
    }
    return Rules(Variant.model_validate(table))


def scoring(per: str, **more: Any) -> dict[str, Any]:
    """A contract in which one kind of item scores a point."""
    term: dict[str, Any] = {"per": per, "points": 1, "name": "item"}
    if "tricks" in more:
        term["tricks"] = (more.pop("tricks"),)
    if "of" in more:
        term["of"] = more.pop("of")
    return {"terms": (term,), **more}


def played(rules: Rules, strategy: str, contract: str, deals: int = DEALS) -> DealRecords:
    names = rules.numbers.contract_names
    number = names.index(contract)
    return play_deals(
        rules,
        [create(strategy) for _ in range(rules.numbers.seats)],
        key=KEY,
        contracts=[number],
        first_block=number * 10**7,
        n=deals,
    )


def by_role(deals: DealRecords, values: npt.NDArray[Any]) -> Floats:
    """(D, seats): values by seat turned so that the leader stands first."""
    seats = values.shape[1]
    turn = (deals.leader[:, None].astype(int) + np.arange(seats)) % seats
    return np.asarray(values[np.arange(len(values))[:, None], turn], np.float64)


HEARTS = {"suits": ("H",)}
TINY: dict[tuple[int, str, str], dict[str, tuple[str, str]]] = {
    # Leader, each other: all deals and all ways to play them, counted.
    (4, "HS", "2345"): {
        "tricks": ("13/21", "29/63"),
        "first": ("23/70", "47/210"),
        "last": ("61/210", "149/630"),
        "hearts": ("6/5", "14/15"),
        "trumps": ("1/2", "1/2"),
        "trump_first": ("27/140", "113/420"),
    },
    (4, "DHS", "2345"): {
        "tricks": ("4247/4620", "9613/13860"),
        "first": ("7/20", "13/60"),
        "last": ("181/660", "479/1980"),
        "trumps": ("10601/13860", "30979/41580"),
        "trump_first": ("1061/4620", "3559/13860"),
    },
    (2, "HS", "234"): {"tricks": ("27/16", "21/16")},
    (3, "DHS", "23"): {"tricks": ("17/15", "13/30")},
    (3, "HS", "234"): {"tricks": ("49/60", "71/120")},
}
CONTRACTS = {
    "tricks": scoring("trick"),
    "first": scoring("trick_at", tricks=1),
    "last": scoring("trick_at", tricks=-1),
    "hearts": scoring("card", of=HEARTS, lead_ban={"cards": HEARTS}),
    "trumps": scoring("trick", trump="drawn"),
    "trump_first": scoring("trick_at", tricks=1, trump="drawn"),
}


@pytest.mark.parametrize(("seats", "suits", "ranks"), TINY)
def test_random_play_of_a_tiny_pack_gives_what_all_its_games_give(
    seats: int, suits: str, ranks: str
) -> None:
    rules = rules_of(seats, suits, ranks, **CONTRACTS)
    for contract, (leader, other) in TINY[seats, suits, ranks].items():
        deals = played(rules, "random.v1", contract)
        points = by_role(deals, deals.points)
        near(points[:, 0], Fraction(leader))
        for role in range(1, seats):
            near(points[:, role], Fraction(other))


LAYOUTS: list[tuple[int, str, str, str, tuple[float, ...]]] = [
    (4, "HS", "2345", "3", (0.3520833, 0.1212302, 0.2700397, 0.2566468)),
    (4, "HS", "2345", "4", (0.3520833, 0.1212302, 0.2700397, 0.2566468)),
    (4, "DHS", "2345", "3", (0.4219238, 0.0858281, 0.2303856, 0.2618624)),
    (4, "CDHS", "234", "3", (0.5803090, 0.0224892, 0.1681764, 0.2290254)),
    (2, "HS", "234", "3", (0.7333333, 0.2666667)),
    (2, "HS", "234", "2", (0.575, 0.425)),
]


@pytest.mark.parametrize(("seats", "suits", "ranks", "start", "odds"), LAYOUTS)
def test_who_begins_a_layout_of_a_tiny_pack_goes_out_as_often_as_counted(
    seats: int, suits: str, ranks: str, start: str, odds: tuple[float, ...]
) -> None:
    deals = played(rules_of(seats, suits, ranks, layout={"start": (start,)}), "random.v1", "layout")
    place = deals.finish[np.arange(DEALS), deals.leader]
    for nth, chance in enumerate(odds, start=1):
        near(place == nth, chance)


FULL = {"of_trump": scoring("trick", trump="drawn"), "first": scoring("trick_at", tricks=1)}


def test_the_leader_of_a_random_deal_takes_the_first_trick_as_often_as_counted() -> None:
    deals = played(rules_of(4, "CDHS", "23456789TJQKA", **FULL), "random.v1", "first", 1_000_000)
    points = by_role(deals, deals.points)
    near(points[:, 0], Fraction(161466065349, 635013559600))
    for role in (1, 2, 3):
        near(points[:, role], 0.2485760538)


def one_by_one(rules: Rules, contract: int, deals: int) -> tuple[DealRecords, Any, Any, Any]:
    """Random deals with, by trick and place in it, suit, rank and who played; slow."""
    numbers = rules.numbers
    found = play_deals(
        rules,
        [create("random.v1")] * numbers.seats,
        key=KEY,
        contracts=[contract],
        first_block=0,
        n=deals,
        log=True,
    )
    assert found.moves is not None
    cards = found.moves[:, : numbers.seats * numbers.hand_size].astype(int)
    cards = cards.reshape(deals, numbers.hand_size, numbers.seats)
    return found, cards >> 4, cards & 15, np.arange(deals)


@pytest.mark.parametrize("trump", [False, True])
def test_any_card_of_the_suit_that_counts_is_as_likely_to_take_a_random_trick(trump: bool) -> None:
    n = 20_000
    rules = rules_of(4, "CDHS", "23456789TJQKA", plain=scoring("trick"), **FULL)
    deals, suit, rank, row = one_by_one(rules, int(trump), n)
    leader = deals.leader.astype(int)
    wins = np.zeros((5, 4))  # by how many played the suit, and which of them took it
    trumps_taken = np.zeros((n, 4))
    for trick in range(13):
        ruffs = suit[:, trick] == deals.param[:, None]
        plain = suit[:, trick] == suit[:, trick, :1]
        counts = np.where(ruffs.any(axis=1)[:, None], ruffs, plain)
        best = np.where(counts, rank[:, trick], -1).argmax(axis=1)
        nth = (counts & (np.arange(4) <= best[:, None])).sum(axis=1) - 1
        np.add.at(wins, (counts.sum(axis=1), nth), 1)
        leader = (leader + best) % 4
        trumps_taken[row, leader] += ruffs.sum(axis=1)
    for k in (2, 3, 4):
        total = wins[k].sum()
        assert np.abs(wins[k, :k] / total - 1 / k).max() < 4 * sqrt((k - 1) / total) / k
    if trump:
        taken = by_role(deals, trumps_taken)
        for role in range(4):
            near(taken[:, role], Fraction(13, 4))


def test_seats_that_share_a_constant_total_are_correlated_as_they_must_be() -> None:
    for seats in (2, 3, 4, 6):
        rules = rules_of(seats, "CDHS", "23456789TJQK", tricks=scoring("trick"))
        points = played(rules, "random.v1", "tricks", 50_000).points.astype(float)
        correlations = np.corrcoef(points.T)[np.triu_indices(seats, 1)]
        assert np.abs(correlations + 1 / (seats - 1)).max() < 0.02


def is_safe(dealt: npt.NDArray[np.uint64], ranks: int) -> npt.NDArray[np.bool_]:
    """Whether in each suit the i-th lowest card has at most i - 1 foreign ones below it."""
    safe = np.ones(dealt.shape, bool)
    for suit in range(4):
        held = np.zeros(dealt.shape, int)
        for rank in range(ranks):
            has = dealt >> np.uint64(16 * suit + rank) & np.uint64(1) != 0
            held += has
            # The i-th lowest at index r (from 0) has r - (i - 1) foreign cards below.
            safe &= ~has | (rank - (held - 1) <= held - 1)
    return safe


@pytest.mark.parametrize("others", ["random.v1", "duck.v1"])
def test_a_ballot_safe_hand_takes_no_trick_from_anybody(others: str) -> None:
    rules = rules_of(4, "CDHS", "23456789", tricks=scoring("trick") | {"tone": "negative"})
    rules = Rules(rules.variant.model_copy(update={"objective": "lowest"}))
    blocks = np.arange(500_000, dtype=np.uint64)
    safe = is_safe(deal_hands(rules, key=KEY, blocks=blocks), 8)
    safe[:, 0] = False  # the dealer leads
    block, seat = np.nonzero(safe)
    assert len(block) > 100
    games = play_games(
        rules,
        [create("duck.v1"), create(others)],
        key=KEY,
        blocks=block.astype(np.uint64),
        seating=1 - np.eye(4, dtype=np.uint8)[seat],
    )
    taken = -games.deals.points
    assert (taken[np.arange(len(block)), seat] == 0).all()
    assert (taken.sum(axis=1) == 8).all()


@pytest.mark.parametrize("strategy", ["random.v1", "duck.v1"])
def test_the_highest_trumps_take_a_trick_each_however_they_are_played(strategy: str) -> None:
    n = 100_000
    rules = rules_of(4, "CDHS", "23456789TJQKA", **FULL)
    deals = played(rules, strategy, "of_trump", n)
    dealt = deal_hands(rules, key=KEY, blocks=np.arange(n, dtype=np.uint64))
    trumps = dealt >> (deals.param[:, None].astype(np.uint64) * np.uint64(16)) & SUIT
    tops = np.zeros((n, 4), int)
    unbroken = np.ones((n, 4), bool)
    for rank in range(12, -1, -1):
        unbroken &= trumps >> np.uint64(rank) & np.uint64(1) != 0
        tops += unbroken
    assert (deals.points >= tops).all()
    assert (tops >= 4).any()
    assert (deals.points == tops)[tops >= 2].any()


RANDOM: dict[str, tuple[float, float, float]] = {
    # 400,000 deals of an independent program: leader, mean of the others, 95 % half-width.
    "tricks": (3.284, 3.239, 0.006),
    "hearts": (3.271, 3.243, 0.010),
    "queens": (1.013, 0.996, 0.003),
    "king": (0.2512, 0.2496, 0.0013),
    "last_two": (0.7512, 0.7496, 0.0037),
    "first_last": (0.5037, 0.4988, 0.0019),
    "salad": (73.10, 72.30, 0.19),
    "trumps": (3.261, 3.246, 0.006),
}
DUCKS: dict[str, tuple[float, float, float, float]] = {
    "tricks": (3.373, 3.275, 3.277, 3.075),
    "hearts": (3.562, 3.286, 3.153, 2.999),
    "queens": (1.080, 1.017, 0.974, 0.929),
    "king": (0.277, 0.253, 0.240, 0.230),
    "last_two": (0.753, 0.747, 0.753, 0.748),
    "first_last": (0.342, 0.561, 0.557, 0.540),
    "salad": (76.1, 73.1, 72.4, 68.3),
    "trumps": (3.012, 3.304, 3.331, 3.354),
}


@pytest.mark.parametrize("contract", RANDOM)
def test_random_players_fare_by_role_as_in_another_program(contract: str) -> None:
    rules = Rules(load_variant("yardstick"))
    deals = played(rules, "random.v1", contract, 100_000)
    points = np.abs(by_role(deals, deals.points))
    leader, other, half = RANDOM[contract]
    for found, told in ((points[:, 0], leader), (points[:, 1:].mean(axis=1), other)):
        error = np.hypot(found.std() / sqrt(len(found)), half / 1.96)
        assert abs(found.mean() - told) < 4 * error


@pytest.mark.parametrize("contract", DUCKS)
def test_four_ducks_fare_by_role_as_in_another_program(contract: str) -> None:
    rules = Rules(load_variant("yardstick"))
    n = 100_000
    deals = played(rules, "duck.v1", contract, n)
    points = np.abs(by_role(deals, deals.points))
    rounding = 0.05 if contract == "salad" else 0.0005
    for found, told in zip(points.T, DUCKS[contract], strict=True):
        error = found.std() * sqrt(1 / n + 1 / 400_000)
        assert abs(found.mean() - told) < 4 * error + rounding
