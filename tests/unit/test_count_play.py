"""count.v1 on positions made by hand: each idea has its right answer, and duck.v1 another
where that is said."""

from dataclasses import replace
from typing import Any

import pytest

import strategies
from engine_ext.batch import Rules, View
from engine_ext.record import parse
from engine_ext.record_position import setup_of
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant

PLAY = 2


class Scripted:
    """Plays the cards it is given, then its lowest ones."""

    def __init__(self, cards: list[int]) -> None:
        self.cards = cards

    def play(self, view: View) -> int:
        return self.cards.pop(0) if self.cards else view.lowest()

    def lay(self, view: View) -> int:
        return view.lowest()


def answer(text: str, before: str = "", who: str = "count.v1", rules: Rules | None = None) -> str:
    """The card that ``who`` plays next, after the cards ``before`` of the trick; or ``pass``."""
    record = parse(text)
    rules = rules or Rules(record.variant)
    setup = setup_of(record.position, rules)
    seats, asked = rules.numbers.seats, setup.to_move + len(before.split())
    table = rules.kernel.Tabletop(rules.packed)
    held = sum(setup.hands)
    if record.position.laid is None or not record.position.laid:
        setup = replace(setup, played=rules.numbers.deck & ~held)
    table.set_up(setup.filled(rules))
    names = record.variant.deck
    number = {
        rank + suit: 16 * names.suits.index(suit) + names.ranks.index(rank)
        for rank in names.ranks
        for suit in names.suits
    }
    cards = [number[card] for card in before.split()]
    players: list[Any] = []
    for seat in range(seats):
        place = (seat - setup.to_move) % seats
        players.append(
            rules.asking.PyPolicy(Scripted(cards[place : place + 1]), rules.numbers)
            if seat != asked % seats
            else strategies.create(who)
        )
    assert table.play_on([player.capsule for player in players], PLAY)
    out = table.outcome()
    assert not any(out["fouls"])
    known = [pair for pair in zip(out["movers"], out["moves"], strict=True) if pair[1] != 254]
    move = next(move for seat, move in known[len(cards) :] if seat == asked % seats)
    return "pass" if move == 255 else {card: name for name, card in number.items()}[move]


def position(contract: str, hands: str, *more: str, variant: str = "yardstick") -> str:
    """A record: what is neither held nor said is gone."""
    lines = (f"variant {variant}", f"contract {contract}", f"hands {hands}", *more)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("contract", "hands", "before", "best", "duck"),
    [
        # Counting, not ranks: all diamonds out are above the nine, all clubs below the five.
        ("tricks", "5C 9D | 2C TD | 3C JD | 4C QD", "", "9D", "5C"),
        # Nothing of the spades is out: the deuce would take the trick, and keep the lead.
        ("tricks", "2S 4H | 3C 5H | 4C 7H | 5C 8H", "", "4H", "2S"),
        # The king is the highest spade left: it cannot be kept back for later.
        ("trumps C", "KS 3D | 4S 4D | 5S 6D | 6S 7D", "", "KS", "KS"),
        # The ace of trumps is gone: the king draws what is left.
        ("trumps C", "KC 3D | QC 4D | JC 5D | 2S 6D", "", "KC", "KC"),
        # Who plays last and must take the trick takes it with the highest card.
        ("tricks", "3C 8C | 4C 3D | 5C 4D | 7C 9C", "3C 4C 5C", "9C", "9C"),
        # A queen goes under the king at once.
        ("queens", "KS 2D | QS 3S | 4S 4D | 5S 5D", "KS", "QS", "QS"),
        # The queen of spades is out: the king would catch it, the six of diamonds costs nothing.
        ("queens", "KS 9D | QS TD | 4S JD | 5S KD", "", "9D", "9D"),
        # Void: the ace that would catch the king of hearts is dearer than the ace of spades.
        ("king", "2C 2D | AH AS | KH 3D | 3H 4D", "2C", "AH", "AH"),
        # Void in hearts: of two high cards the one with nothing outstanding above it.
        ("tricks", "2H 3S | KC KD | AC 4H | 5H 6H", "2H", "KD", "KC"),
    ],
)
def test_the_right_card(contract: str, hands: str, before: str, best: str, duck: str) -> None:
    text = position(contract, hands, "turn P0")
    assert answer(text, before) == best
    assert answer(text, before, "duck.v1") == duck


def test_a_seat_that_has_shown_a_void_is_expected_to_throw_what_costs() -> None:
    # Spades or clubs: below both nothing is out, but P1 has no spade and throws the king.
    hands = "6S 7C 2D | KH 8C 3D | 7S 9C 4D | 8S TC 5D"
    text = position("king", hands, "turn P0", "voids P1: S")
    assert answer(text) != "6S"


@pytest.mark.parametrize(
    ("points", "best"),
    [(8, "AC"), (-8, "2D")],
)
def test_it_knows_no_contract_by_name_only_signs(points: int, best: str) -> None:
    # One card of a mixed contract: worth taking or not, whatever the file calls it.
    file = load_variant("yardstick").model_dump()
    kind = {"kind": "trick", "title": "t", "source": "made up", "tone": "mixed"}
    terms = [
        {"per": "card", "of": {"cards": ["TC"]}, "points": points, "name": "ten"},
        {"per": "card", "of": {"cards": ["2S"]}, "points": -points // 8, "name": "deuce"},
    ]
    file |= {"contracts": {"tricks": kind | {"terms": terms}}, "objective": "highest"}
    file["schedule"] |= {"sequence": ["tricks"]}
    odd = Rules(Variant.model_validate(file))
    text = position("tricks", "AC 2D | TC 5D | 3C 6D | 4C 7D", "turn P0")
    assert answer(text, rules=odd) == best


LAYOUTS = [
    # Spades lead to the own ace; hearts only to others' cards.
    ("8S AS 8H | 9S 9H QS | TS TH KS | JS JH", "7S 7H", "8S"),
    # The ace opens nothing: the eight stays where it keeps others waiting.
    ("8S AH | 9S | TS | JS", "7S 7H 8H 9H TH JH QH KH", "AH"),
]


@pytest.mark.parametrize(("hands", "laid", "best"), LAYOUTS)
def test_the_right_card_of_a_layout(hands: str, laid: str, best: str) -> None:
    more = (f"laid {laid}", "turn P0")
    assert answer(position("domino 7", hands, *more, variant="barbu_52_doubling")) == best


def test_where_later_places_pay_more_it_waits() -> None:
    hands, laid, _ = LAYOUTS[0]
    more = (f"laid {laid}", "turn P0")
    payout = "option contracts.domino.payout = [-5, 5, 20, 45]"
    passing = 'option contracts.domino.passing = "may_pass"'
    stall = 'option contracts.domino.stall = "freeze"'
    text = position("domino 7", hands, payout, *more, variant="barbu_52_doubling")
    assert answer(text) == "8H"
    text = position("domino 7", hands, passing, stall, payout, *more, variant="barbu_52_doubling")
    assert answer(text) == "pass"
