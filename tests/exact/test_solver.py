"""The solver against plain minimax on the slow twin's rules, and against itself."""

import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from importlib import import_module
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine_ext.batch import Rules
from engine_ext.build import KERNEL
from engine_ext.cards import Pack, cards_in
from engine_ext.endings import Solver
from engine_ext.position import Setup, lines_of
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import KIND_TRICK
from engine_ext.rules.spec import ForcedPlay, LeadBan, TrickContract, Variant
from tests.exact.open_hands import RANKS, TRICKS, TRUMPS, Minimax, all_deals, tiny
from tests.exact.tiny import tricks, variant_of
from tests.property.generators import variants
from tests.samples import a_share

Aim = Literal["most", "fewest"]
BASE = ("barbu_52_doubling", "barbu_fr_reussite", "barbu_king_br", "king_ru_fixed14", "yardstick")


def check(draw: st.DataObject, rules: Rules, contract: int, most_cards: int) -> None:
    """Ask both for an ending of a contract, perhaps with cards of a trick lying."""
    numbers, variant = rules.numbers, rules.variant
    pack, n = Pack(variant.deck), rules.numbers.seats
    terms = numbers.contracts[contract]
    trump = draw.draw(st.integers(0, numbers.n_suits - 1)) if terms.trump_mode else None
    seats = draw.draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=n - 1), "seats")
    helped_by = draw.draw(st.one_of(st.none(), st.sets(st.integers(0, n - 1))), "helped by")
    aim: Aim = draw.draw(st.sampled_from(["most", "fewest"]), "aim")
    n_left = draw.draw(st.integers(1, min(most_cards, numbers.hand_size)), "cards each")
    # What scores comes first in half of the endings, or most would be worth nothing.
    deck = list(draw.draw(st.permutations(list(cards_in(numbers.deck)))))
    if draw.draw(st.booleans()):
        deck.sort(key=lambda card: not terms.scoring_cards >> card & 1)
    cards = draw.draw(st.permutations(deck[: n * n_left]), "cards")
    hands = [set(cards[n_left * seat : n_left * (seat + 1)]) for seat in range(n)]
    leader = draw.draw(st.integers(0, n - 1), "leader")
    name = numbers.contract_names[contract]
    pulling = seats if helped_by is None else helped_by
    if aim == "fewest":
        pulling = set(range(n)) - pulling
    plain = Minimax(
        variant, name, None if trump is None else variant.deck.suits[trump], seats, pulling
    )
    solver = Solver(rules, contract, trump=trump, seats=seats, aim=aim, helped_by=helped_by)
    lying: list[int] = []
    for k in range(draw.draw(st.integers(0, n - 1), "lying")):
        held = tuple(tuple(map(pack.name, sorted(hand))) for hand in hands)
        names = tuple(map(pack.name, lying))
        legal = plain.by_card(held, leader, names)
        card = pack.number(draw.draw(st.sampled_from(sorted(legal)), "played"))
        hands[(leader + k) % n].remove(card)
        lying.append(card)
    held = tuple(tuple(map(pack.name, sorted(hand))) for hand in hands)
    names = tuple(map(pack.name, lying))
    masks = [sum(1 << card for card in hand) for hand in hands]
    assert solver.value(masks, leader, lying) == plain.value(held, leader, names)
    found = {pack.name(card): v for card, v in solver.by_card(masks, leader, lying).items()}
    assert found == plain.by_card(held, leader, names)


def plainly(variant: Variant) -> Variant:
    """Return the rules without those that the solver refuses, in trick contracts."""

    def plain(contract: TrickContract) -> TrickContract:
        ban, forced = contract.lead_ban, contract.forced_play
        void = contract.void_duty
        return contract.model_copy(
            update={
                "beat_duty": "none",
                "void_duty": void if void in ("free", "must_ruff") else "must_ruff",
                "lead_ban": ban and LeadBan(cards=ban.cards),
                "forced_play": forced and ForcedPlay(cards=forced.cards),
                "first_lead": None,
                "first_trick_ban": None,
                "shooting": None,
            }
        )

    contracts = {
        name: plain(contract) if isinstance(contract, TrickContract) else contract
        for name, contract in variant.contracts.items()
    }
    return variant.model_copy(update={"contracts": contracts})


@settings(a_share(3), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(st.data())
def test_any_contract_is_worth_what_trying_every_card_finds(draw: st.DataObject) -> None:
    variant = draw.draw(variants().map(plainly))
    assume(variant.seats <= 4 and variant.deck.copies == 1)
    rules = Rules(variant)
    contracts = [i for i, c in enumerate(rules.numbers.contracts) if c.kind == KIND_TRICK]
    assume(contracts)
    check(draw, rules, draw.draw(st.sampled_from(contracts)), 3)


@pytest.mark.parametrize("name", BASE)
@a_share(3)
@given(draw=st.data())
def test_base_contracts_are_worth_what_trying_every_card_finds(
    name: str, draw: st.DataObject
) -> None:
    rules = Rules(load_variant(name))
    contracts = [i for i, c in enumerate(rules.numbers.contracts) if c.kind == KIND_TRICK]
    check(draw, rules, draw.draw(st.sampled_from(contracts), "contract"), 3)


def names(rules: Rules, *hands: str) -> list[int]:
    pack = Pack(rules.variant.deck)
    return [pack.set_of(hand) for hand in hands]


def test_a_void_seat_throws_what_is_forced_out_then_ruffs_then_anything() -> None:
    contract = tricks(
        {"per": "trick"},
        trump="drawn",
        void_duty="must_ruff",
        forced_play={"cards": {"cards": ("KH",)}},
    )
    rules = Rules(variant_of(4, "CDHS", RANKS, {"forced": contract}))
    pack = Pack(rules.variant.deck)
    solver = Solver(rules, 0, trump=3, seats={0})
    for hand, allowed in (
        ("2D 2S KH", {"2D"}),
        ("2S KH 3H", {"KH"}),
        ("2S 4S 3H", {"2S", "4S"}),
        ("4C 5C 3H", {"4C", "5C", "3H"}),
    ):
        hands = names(rules, hand, "6C 7C 8C", "9C TC JC", "AD KD")
        found = solver.by_card(hands, 3, [pack.number("QD")])
        assert {pack.name(card) for card in found} == allowed


def test_a_forced_card_can_cost_a_hand_that_would_be_safe() -> None:
    """Without 2H the 4H must take the 3H, and the last trick goes to the lead from it; kept
    together they take nothing."""
    lost = {}
    for forced in ("2H", "9S"):
        contract = tricks(
            {"per": "trick", "points": -1}, forced_play={"cards": {"cards": (forced,)}}
        )
        rules = Rules(variant_of(4, "CDHS", RANKS, {"forced": contract}))
        hands = names(rules, "2H 4H 2C", "AD KD 3H", "4D 6D 7D", "8D 9D TD")
        lost[forced] = Solver(rules, 0, seats={0}).value(hands, 1)
    assert lost == {"2H": -2, "9S": 0}


def endings(rules: Rules, n_left: int, n: int, seed: int) -> Any:
    """``n`` random endings of ``n_left`` cards a hand: (n, S) card sets."""
    chance = np.random.default_rng(seed)
    deck = np.array([1 << card for card in cards_in(rules.numbers.deck)], np.uint64)
    size = rules.numbers.seats * n_left
    dealt = np.array([chance.choice(deck, size, replace=False) for _ in range(n)])
    return np.bitwise_or.reduce(dealt.reshape(n, rules.numbers.seats, n_left), axis=2)


@pytest.mark.parametrize("contract", ["tricks", "hearts", "queens", "king", "salad", "last_two"])
def test_what_is_remembered_of_other_endings_changes_nothing(contract: str) -> None:
    rules = Rules(load_variant("yardstick"))
    number = rules.numbers.contract_names.index(contract)
    n_left = 5 if contract != "salad" else 4
    hands = endings(rules, n_left, 200, seed=1)
    leaders = np.arange(200, dtype=np.uint8) % 4
    together = Solver(rules, number, seats=(1,), table_bits=16).values(hands, leaders)
    for i in range(200):
        alone = Solver(rules, number, seats=(1,), table_bits=1)
        assert alone.value([int(hand) for hand in hands[i]], int(leaders[i])) == together[i]


@pytest.mark.parametrize("contract", [TRICKS, TRUMPS])
def test_plain_suits_may_change_places(contract: int) -> None:
    rules = tiny(4, 4, 13)
    trump = 3 if contract == TRUMPS else None
    hands = endings(rules, 5, 300, seed=2)
    leaders = np.arange(300, dtype=np.uint8) % 4
    lane = np.uint64(0xFFFF)
    c, d, h = (hands >> np.uint64(16 * suit) & lane for suit in range(3))
    spades = hands & ~np.uint64(0xFFFFFFFFFFFF)
    turned = spades | h | c << np.uint64(16) | d << np.uint64(32)
    solver = Solver(rules, contract, trump=trump, seats=(0, 2))
    assert (solver.values(hands, leaders) == solver.values(turned, leaders)).all()


@pytest.mark.parametrize("aim", ["most", "fewest"])
def test_turning_the_table_turns_the_values(aim: Aim) -> None:
    rules = Rules(load_variant("yardstick"))
    salad = rules.numbers.contract_names.index("salad")
    hands = endings(rules, 4, 200, seed=3)
    leaders = np.arange(200, dtype=np.uint8) % 4
    here = Solver(rules, salad, seats=(0,), aim=aim).values(hands, leaders)
    turned = np.roll(hands, 1, axis=1)
    there = Solver(rules, salad, seats=(1,), aim=aim).values(turned, (leaders + 1) % 4)
    assert (here == there).all()
    assert len(set(here)) > 10


@pytest.mark.parametrize("contract", ["tricks", "hearts", "queens", "king", "last_two"])
@pytest.mark.parametrize("n_left", [3, 5])
def test_a_seat_that_ducks_gets_what_the_others_cannot_avoid(contract: str, n_left: int) -> None:
    """Asked for three seats the solver uses no theorem about the one that ducks."""
    rules = Rules(load_variant("yardstick"))
    number = rules.numbers.contract_names.index(contract)
    hands = endings(rules, n_left, 400, seed=10)
    leaders = np.arange(400, dtype=np.uint8) % 4
    one = Solver(rules, number, seats={2}).values(hands, leaders)
    others = Solver(rules, number, seats={0, 1, 3}).values(hands, leaders)
    total = Solver(rules, number, seats=range(4)).values(hands, leaders)
    assert (one + others == total).all()
    assert 0 < (one == 0).sum() < 400


def test_turning_the_table_turns_the_values_of_long_endings() -> None:
    """More than 20 cards: the table knows such endings by a hash."""
    rules = tiny(4, 4, 13)
    hands = endings(rules, 8, 40, seed=9)
    leaders = np.arange(40, dtype=np.uint8) % 4
    here = Solver(rules, TRICKS, seats=(0, 2), table_bits=18).values(hands, leaders)
    solver = Solver(rules, TRICKS, seats=(1, 3), table_bits=18)
    there = solver.values(np.roll(hands, 1, axis=1), (leaders + 1) % 4)
    assert (here == there).all()
    assert len(set(here)) > 5


def test_a_gap_between_neighbours_of_a_hand_is_worth_nothing() -> None:
    """Ranks move apart where nobody holds what is between: only their order counts."""
    small, large = tiny(4, 4, 5), tiny(4, 4, 13)
    hands = endings(small, 5, 200, seed=4)
    leaders = np.arange(200, dtype=np.uint8) % 4
    ranks = np.array([1, 3, 4, 9, 12], np.uint64)
    spread = np.zeros_like(hands)
    for suit in range(4):
        for rank in range(5):
            bit = hands >> np.uint64(16 * suit + rank) & np.uint64(1)
            spread |= bit << (np.uint64(16 * suit) + ranks[rank])
    for contract, trump in ((TRICKS, None), (TRUMPS, 2)):
        near = Solver(small, contract, trump=trump, seats=(3,)).values(hands, leaders)
        far = Solver(large, contract, trump=trump, seats=(3,)).values(spread, leaders)
        assert (near == far).all()


def test_highest_trumps_take_a_trick_each_even_if_all_wish_otherwise() -> None:
    rules = tiny(4, 3, 4)
    deals = all_deals(rules)[::7]
    solver = Solver(rules, TRUMPS, trump=2, seats=(0,), aim="fewest", helped_by=range(4))
    for leader in range(4):
        fewest = solver.values(deals, np.full(len(deals), leader, np.uint8))
        mine = deals[:, 0] >> np.uint64(32)
        top = np.zeros(len(deals), np.int32)
        for rank in (3, 2, 1, 0):
            top += (top == 3 - rank) & (mine >> np.uint64(rank) & np.uint64(1) == 1)
        assert (fewest >= top).all()
        assert (fewest[top == 1] == 1).any()
        assert top.max() == 3


@pytest.mark.parametrize("contract", ["tricks", "hearts", "queens", "last_two", "salad"])
def test_the_mean_of_all_lines_that_the_engine_plays_lies_between_worst_and_best(
    contract: str,
) -> None:
    rules = Rules(load_variant("yardstick"))
    number = rules.numbers.contract_names.index(contract)
    narrow = 0
    for row in endings(rules, 2, 25, seed=5):
        hands = tuple(int(hand) for hand in row)
        gone = rules.numbers.deck & ~sum(hands)
        setup = Setup(
            hands=hands,
            dealer=3,
            leader=0,
            declarer=None,
            deal=number,
            contract=number,
            to_move=1,
            owners=(1,) * 11,
            captured=(0, gone, 0, 0),
            played=gone,
        )
        means = [Fraction(0)] * 4
        for product, (_, *points) in lines_of(rules, setup).items():
            means = [m + Fraction(p, product) for m, p in zip(means, points, strict=True)]
        for seat in (0, 2, 3):  # seat 1 has points already
            worst, best = (
                Solver(rules, number, seats={seat}, helped_by=all_or_none).value(hands, 1)
                for all_or_none in ((), range(4))
            )
            assert worst <= means[seat] <= best
            narrow += worst == best
    assert 0 < narrow < 75


def test_threads_with_solvers_of_their_own_agree() -> None:
    rules = tiny(4, 4, 13)
    hands = endings(rules, 5, 400, seed=6)
    leaders = np.zeros(400, np.uint8)

    def solve(_: int) -> list[int]:
        values = Solver(rules, TRICKS, seats=(0,)).values(hands, leaders)
        return [int(value) for value in values]

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(solve, range(4))
    assert all(other == first for other in others)


def test_one_solver_in_two_threads_is_refused() -> None:
    rules = tiny(4, 4, 13)
    hands = endings(rules, 9, 40, seed=8)
    solver = Solver(rules, TRICKS, seats=(0, 2))
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(solver.values, hands, np.zeros(40, np.uint8))
        while solver.n_nodes == 0 and not busy.done():
            time.sleep(0.001)
        with pytest.raises(RuntimeError, match="one thread at a time"):
            solver.value([int(hand) for hand in hands[0]], 0)
        assert len(busy.result()) == 40
    assert solver.value([int(hand) for hand in hands[0]], 0) == busy.result()[0]


@pytest.mark.skipif(KERNEL != "v3", reason="this processor runs the baseline only")
def test_both_kernels_look_at_the_same_positions_and_find_the_same() -> None:
    rules = Rules(load_variant("yardstick"))
    leaders = np.zeros(100, np.uint8)
    for contract in (c.id for c in rules.numbers.contracts if c.trump_mode == 0):
        hands = endings(rules, 4, 100, seed=contract)
        found = []
        for module in ("engine_ext.solver", "engine_ext.solver_v3"):
            solver = import_module(module).Solver(rules.numbers, contract, 0, 1, 1, 1, 12)
            out = np.zeros(100, np.int32)
            solver.values(hands, leaders, out)
            found.append((solver.n_nodes, out.tolist()))
        assert found[0] == found[1]


def test_thirteen_cards_of_two_suits_are_solved_for_two() -> None:
    rules = tiny(2, 2, 13)
    hands = endings(rules, 13, 5, seed=7)
    leaders = np.zeros(5, np.uint8)
    most = Solver(rules, TRICKS, seats=(0,), table_bits=18).values(hands, leaders)
    other = Solver(rules, TRICKS, seats=(1,), table_bits=18).values(hands, leaders)
    assert list(most + other) == [13] * 5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"contract": 9}, "contract 9: want 0..1"),
        ({"trump": None}, "a trump suit belongs to a contract with trumps"),
        ({"trump": 4}, "trump 4: want a suit 0..3"),
        ({"seats": (4,)}, "seat 4: want 0..3"),
        ({"aim": "least"}, "aim 'least'"),
        ({"table_bits": 40}, "table_bits 40"),
    ],
)
def test_a_question_without_sense_is_refused(change: dict[str, Any], message: str) -> None:
    question: dict[str, Any] = {"contract": TRUMPS, "trump": 1, "seats": (0,)} | change
    with pytest.raises(ValueError, match=message):
        Solver(tiny(4, 4, 5), question.pop("contract"), **question)


@pytest.mark.parametrize(
    ("hands", "leader", "trick", "message"),
    [
        ((1, 2, 4), 0, (), "want 4 hands"),
        ((1, 2, 4, 8), 4, (), "want 4 hands, a leader among them"),
        ((1, 2, 4, 8), 0, (32, 33, 34, 35), "less than a whole trick"),
        ((1, 2, 4, 16 + 8), 0, (), "want as many for each"),
        ((1, 2, 4, 8), 0, (16,), "want as many for each"),
        ((0, 0, 0, 0), 0, (), "want as many for each"),
        ((1, 2, 4, 4), 0, (), "a card is held twice or is no card of the pack"),
        ((1, 2, 4, 1 << 14), 0, (), "a card is held twice or is no card of the pack"),
    ],
)
def test_hands_that_cannot_be_are_refused(
    hands: tuple[int, ...], leader: int, trick: tuple[int, ...], message: str
) -> None:
    solver = Solver(tiny(4, 4, 5), TRICKS, seats=(0,))
    with pytest.raises(ValueError, match=message):
        solver.value(hands, leader, trick)
    if not trick and len(hands) == 4 and leader < 4:
        with pytest.raises(ValueError, match=message):
            solver.values(np.array([hands], np.uint64), np.array([leader], np.uint8))


def test_large_tables_and_layouts_are_not_solved() -> None:
    with pytest.raises(ValueError, match="5 seats: a table of at most 4 is solved"):
        Solver(tiny(5, 1, 10), TRICKS, seats=(0,))
    rules = Rules(load_variant("barbu_52_doubling"))
    layout = next(i for i, c in enumerate(rules.numbers.contracts) if c.kind != KIND_TRICK)
    with pytest.raises(ValueError, match="is a layout: only tricks are solved"):
        Solver(rules, layout, seats=(0,))
