"""The twin's records and views in the engine's numbers, so that both can be held together.

A card is 16 * suit + rank, a set of cards or seats the integer with those bits.
"""

from collections.abc import Iterable
from typing import Any

from engine_ext.batch import DealRecords, GameRecords
from engine_ext.reference.cards import Card, Pack, is_second
from engine_ext.reference.game import DealRecord, GameRecord
from engine_ext.reference.table import Move, View
from engine_ext.reference.tricks import winner
from engine_ext.rules.spec import Variant

PASS, TAKEN_BACK, UNUSED = 255, 128, 254

Row = dict[str, Any]


class Numbers:
    """Names to numbers for one variant."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.pack = Pack(variant.deck)
        self.contracts = list(variant.contracts)

    def card(self, card: Card) -> int:
        number = 16 * self.pack.suits.index(card[1]) + self.pack.ranks.index(card[0])
        return number + 64 * is_second(card)

    def cards(self, cards: Iterable[Card]) -> int:
        return sum(1 << self.card(card) for card in cards)

    def suit(self, suit: str | None) -> int:
        if suit is None:
            return 0
        lane = (1 << len(self.pack.ranks)) - 1 << 16 * self.pack.suits.index(suit)
        return lane | lane << 64 if self.pack.copies == 2 else lane

    def seats(self, seats: Iterable[int]) -> int:
        return sum(1 << seat for seat in seats)

    def named(self, contract: str, named: str | None) -> int | None:
        """Return the number of what is named with a contract."""
        if named is None:
            return None
        layout = self.variant.contracts[contract].kind == "layout"
        return (self.pack.ranks if layout else self.pack.suits).index(named)

    def move(self, move: Move) -> int:
        if move.card is None:
            return PASS
        # A card taken back is told by its first copy.
        return self.card(move.card) % 64 + TAKEN_BACK if move.taken_back else self.card(move.card)

    def deal(self, deal: DealRecord) -> Row:
        """Return a deal of the twin as the engine records it."""
        seats = range(self.variant.seats)
        named = self.named(deal.contract, deal.named)
        moves = [self.card(card) for _, card in deal.cards] + [self.move(m) for m in deal.moves]
        return {
            "contract": self.contracts.index(deal.contract),
            "param": -1 if named is None else named,
            "dealer": deal.dealer,
            "declarer": -1 if deal.declarer is None else deal.declarer,
            "leader": deal.leader,
            "n_left": deal.left,
            "points": deal.points,
            "side": deal.side,
            "items": [sum(n[s] << 8 * k for k, n in enumerate(deal.items)) for s in seats],
            "finish": deal.places,
            "doubled": [self.seats(whom) for whom in deal.doubled],
            "extra": int(deal.extra),
            "revoked": -1 if deal.revoked is None else deal.revoked,
            "moves": moves,
        }


def engine_deals(deals: DealRecords, first: int, n_deals: int) -> list[Row]:
    """Return some deals of the engine's records: ``n_deals`` from row ``first`` on."""
    assert deals.moves is not None
    assert deals.n_moves is not None
    rows = []
    for row in range(first, first + n_deals):
        n_moves = int(deals.n_moves[row])
        assert (deals.moves[row, n_moves:] == UNUSED).all()
        columns = ("contract", "param", "dealer", "declarer", "leader", "n_left")
        by_seat = ("points", "side", "items", "finish", "doubled")
        rows.append(
            {name: int(getattr(deals, name)[row]) for name in columns}
            | {name: getattr(deals, name)[row].tolist() for name in by_seat}
            | {"extra": 0 if deals.extra is None else int(deals.extra[row])}
            | {"revoked": -1 if deals.revoked is None else int(deals.revoked[row])}
            | {"moves": deals.moves[row, :n_moves].tolist()}
        )
    return rows


def assert_same(variant: Variant, records: GameRecords, game: int, twin: GameRecord) -> None:
    """Hold one game of the engine against the twin's, deal by deal and move by move."""
    numbers = Numbers(variant)
    ours = [numbers.deal(deal) for deal in twin.deals]
    assert records.n_deals[game] == len(ours)
    theirs = engine_deals(records.deals, int(records.n_deals[:game].sum()), len(ours))
    for number, (engine, slow) in enumerate(zip(theirs, ours, strict=True)):
        assert engine == slow, f"game {game}, deal {number}"
    assert records.score[game].tolist() == twin.scores
    assert records.place[game].tolist() == twin.places
    assert records.n_first[game] == twin.places.count(1)
    assert records.fouls[game].tolist() == twin.fouls


def shown_by_engine(question: str, view: Any) -> Row:
    """Return all that the engine's view shows, as plain values."""
    contract = view.contract
    shown: Row = {"question": question, "contract": None if contract is None else contract.id}
    always = ("seat", "role", "hand", "deal", "dealer", "declarer", "leader", "trump")
    # Nothing, where no contract, no card or nobody to double is asked for.
    table = ("choices", "legal", "best", "led", "trick", "n_trick", "may_pass")
    bets = ("may_double", "must_double", "may_redouble")
    public = ("start_rank", "played", "n_tricks", "trick_leader", "voids", "places", "face_up")
    game = ("doubled", "duty_done", "scores", "uses_left", "tied", "ban_lifted")
    for name in always + table + bets + public + game:
        shown[name] = getattr(view, name)
    shown["moves"] = [tuple(move) for move in view.moves]
    for name in ("n_cards", "passed") if question == "lay" else ():
        shown[name] = getattr(view, name)
    return shown


def shown_by_twin(question: str, view: View, numbers: Numbers) -> Row:
    """Return the same of a view of the twin."""
    table, variant = view.table, numbers.variant
    contract = table.contract
    layout = contract is not None and variant.contracts[contract].kind == "layout"
    named = None if contract is None else numbers.named(contract, table.named)
    origin = table.leader if table.declarer is None else table.declarer
    played = [card for trick in table.tricks for _, card in trick.cards]
    moves = [(seat, numbers.card(c)) for trick in table.tricks for seat, c in trick.cards]
    moves += [(move.seat, numbers.move(move)) for move in table.moves]
    shown: Row = {
        "question": question,
        "contract": None if contract is None else numbers.contracts.index(contract),
        "seat": view.seat,
        "role": (view.seat - origin) % table.seats,
        "hand": numbers.cards(view.hand),
        "deal": table.deal,
        "dealer": table.dealer,
        "declarer": table.declarer,
        "leader": table.leader,
        "trump": None if layout else named,
        "start_rank": named if layout else None,
        "played": numbers.cards(played + table.laid),
        "n_tricks": sum(trick.owner is not None for trick in table.tricks),
        "trick_leader": table.tricks[-1].leader if table.tricks else table.leader,
        "voids": [numbers.seats(map(numbers.pack.suits.index, v)) for v in table.void],
        "places": list(table.places),
        "face_up": [numbers.cards(cards) for cards in table.face_up],
        "doubled": [numbers.seats(whom) for whom in table.doubled],
        "duty_done": list(table.duty_done),
        "scores": list(table.scores),
        "tied": numbers.seats(table.tied),
        "uses_left": [
            [uses.get(name, 0) for name in numbers.contracts] for uses in table.uses_left
        ],
        "ban_lifted": table.ban_lifted,
        "moves": moves,
        "choices": [],
        **dict.fromkeys(("legal", "best", "led", "trick", "n_trick"), 0),
        "may_pass": view.may_pass,
        "may_double": numbers.seats(view.may_double),
        "must_double": numbers.seats(view.must_double),
        "may_redouble": numbers.seats(view.may_redouble),
    }
    if question == "choose":
        pairs = [(numbers.contracts.index(c), numbers.named(c, n) or 0) for c, n in view.options]
        shown["choices"] = pairs
    elif question == "lay":
        shown["legal"] = numbers.cards(view.legal)
        shown["n_cards"] = list(table.cards_left)
        own = range(len(table.passed))
        shown["passed"] = [table.passed[seat] if seat == view.seat else 0 for seat in own]
    elif question == "play":
        trick = table.tricks[-1]
        best = [card for seat, card in trick.cards if seat == _winning(view, numbers)]
        shown["legal"] = numbers.cards(view.legal)
        shown["best"] = numbers.cards(best)
        shown["led"] = numbers.suit(trick.led_suit)
        shown["trick"] = numbers.cards(card for _, card in trick.cards)
        shown["n_trick"] = len(trick.cards)
    return shown


def _winning(view: View, numbers: Numbers) -> int | None:
    trick = view.table.tricks[-1]
    return winner(trick, numbers.pack, view.table.named) if trick.cards else None
