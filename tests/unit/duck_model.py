"""duck.v1's card play once more, slowly, from the rules in words and nothing else.

It reads the view as lists of cards and asks of each card what the rule asks. Only the
play of tricks and layouts is here; contracts and doubles are answered by default.
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engine_ext.pypolicy import View


class Card(NamedTuple):
    """A card; sorts by suit, then rank, as the pack does."""

    suit: int
    rank: int


def cards_of(mask: int) -> list[Card]:
    return [Card(bit // 16, bit % 16) for bit in range(64) if mask >> bit & 1]


def number(card: Card) -> int:
    return 16 * card.suit + card.rank


def highest(cards: list[Card]) -> Card:
    """Of equal ranks the first suit."""
    return min(cards, key=lambda card: (-card.rank, card.suit))


def lowest(cards: list[Card]) -> Card:
    return min(cards, key=lambda card: (card.rank, card.suit))


class Table:
    """A trick as the seat sees it, in the words of the rules."""

    def __init__(self, view: "View") -> None:
        assert view.contract is not None
        contract = view.contract
        self.legal = cards_of(view.legal)
        self.trick = cards_of(view.trick)
        self.trump = view.trump
        self.on_lead = view.n_trick == 0
        self.last_to_play = view.n_trick == view.rules.seats - 1
        self.this_trick = view.n_tricks
        self.n_tricks = view.rules.hand_size
        self.winning = cards_of(view.best)[0] if view.best else None
        self.led = cards_of(view.led)[0].suit if view.led else None

        slots = range(contract.n_slots)
        costly = [k for k in slots if contract.slot_points[k] < 0]
        self.nothing_costs = not costly
        self.each_trick_costs = any(contract.slot_kind[k] == 0 for k in costly)
        self.costly_tricks = {
            t
            for k in costly
            if contract.slot_kind[k] == 2
            for t in range(self.n_tricks)
            if contract.slot_tricks[k] >> t & 1
        }
        kinds = [k for k in costly if contract.slot_kind[k] == 1]
        kinds.sort(key=lambda k: (contract.slot_points[k], k))
        self.dear_kinds = [cards_of(contract.slot_cards[k]) for k in kinds]
        self.penalty = sorted({card for kind in self.dear_kinds for card in kind})
        self.of_late_tricks = (
            bool(self.costly_tricks) and not self.each_trick_costs and not self.penalty
        )
        self.of_cards = bool(self.penalty) and not self.each_trick_costs and not self.costly_tricks

    def power(self, card: Card) -> tuple[int, int]:
        """What wins: trumps, then the suit led, then nothing else."""
        if card.suit == self.trump:
            return (2, card.rank)
        return (1, card.rank) if card.suit == self.led else (0, 0)

    def beats(self, card: Card) -> bool:
        assert self.winning is not None
        return self.power(card) >= self.power(self.winning)  # of two packs: not under


def play_a_trick_worth_having(table: Table) -> Card:
    if table.on_lead:
        return highest(table.legal)
    winners = [card for card in table.legal if table.beats(card)]
    if not winners:
        return lowest(table.legal)
    return lowest(winners) if table.last_to_play else highest(winners)


def lead(table: Table) -> Card:
    soon = {table.this_trick, table.this_trick + 1, table.this_trick + 2}
    if table.of_late_tricks and not soon & table.costly_tricks:
        return highest(table.legal)
    return lowest(table.legal)


def follow(table: Table, cards: list[Card]) -> Card:
    if table.of_late_tricks and table.this_trick not in table.costly_tricks:
        return highest(cards)
    under = [card for card in cards if not table.beats(card)]
    if table.of_cards:
        harmless = [card for card in cards if card not in table.penalty]
        clean = not any(card in table.penalty for card in table.trick)
        if table.last_to_play and clean and harmless:
            return highest(harmless)
        dear_under = [card for card in under if card in table.penalty]
        if dear_under:
            return highest(dear_under)
    if under:
        return highest(under)
    if table.of_cards and len({card.suit for card in table.penalty}) > 1:
        cards = [card for card in cards if card not in table.penalty] or cards
    return highest(cards) if table.last_to_play else lowest(cards)


def discard(table: Table) -> Card:
    plain = [card for card in table.legal if card.suit != table.trump]
    if not plain:
        return follow(table, table.legal)
    for kind in table.dear_kinds:
        held = [card for card in plain if card in kind]
        if held:
            return highest(held)
    if table.of_cards and len(table.penalty) == 1:
        (only,) = table.penalty
        covers = [card for card in plain if card.suit == only.suit and card.rank > only.rank]
        if covers:
            return highest(covers)
    return highest(plain)


def trick_card(view: "View") -> Card:
    table = Table(view)
    if table.nothing_costs:
        return play_a_trick_worth_having(table)
    if table.on_lead:
        return lead(table)
    if any(card.suit == table.led for card in table.legal):
        return follow(table, table.legal)
    return discard(table)


def layout_card(view: "View") -> Card:
    hand = cards_of(view.hand)
    start, top = view.start_rank, view.rules.n_ranks - 1
    assert start is not None

    def worth(card: Card) -> int:
        ways = []
        if card.rank >= start:
            ways.append(range(card.rank + 1, top + 1))
        if card.rank <= start:
            ways.append(range(card.rank))
        furthest = others = 0
        for way in ways:
            own = [rank for rank in way if Card(card.suit, rank) in hand]
            others += len(way) - len(own)
            furthest = max([furthest, *(abs(rank - card.rank) for rank in own)])
        return 2 * furthest - others

    legal = cards_of(view.legal)
    most = max(map(worth, legal))
    return next(card for card in legal if worth(card) == most)


class DuckModel:
    """Plays as the rules in words say; in the other questions the engine's defaults."""

    def __repr__(self) -> str:
        return "duck_model.v1"

    def play(self, view: "View") -> int:
        return number(trick_card(view))

    def lay(self, view: "View") -> int | None:
        return number(layout_card(view))
