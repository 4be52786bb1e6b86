"""A deal told trick by trick, for people: who led, who took, what it brought so far."""

import textwrap
from collections.abc import Iterator, Sequence

from engine_ext.batch import Rules
from engine_ext.cards import Pack
from engine_ext.record import Record
from engine_ext.record_course import Course
from engine_ext.record_position import Position
from engine_ext.record_text import BACK, PASS, seats_of
from engine_ext.rules.resolve import (
    KIND_LAYOUT,
    SLOT_CARDS,
    SLOT_SHOT,
    SLOT_TRICKS,
    ContractNumbers,
    VariantNumbers,
)
from engine_ext.rules.words import listed, ordinal

WIDTH = 80


def tell(record: Record, course: Course, names: Sequence[str] = ()) -> Iterator[str]:
    """Yield the deal in lines of at most 80 columns; ``names`` of the players by seat."""
    rules = Rules(record.variant)
    n, place = rules.numbers, record.position
    option = record.script.choice.option if record.script.choice else None
    name = option.split()[0] if option else place.contract
    assert name is not None
    contract = n.contracts[n.contract_names.index(name)]
    named = option.partition(" ")[2] if option else place.named
    yield from _fill(" ".join(_head(record, rules, name, named or "")))
    yield ""
    width = max(map(len, names), default=0)
    for seat, hand in enumerate(place.hands):
        who = f"P{seat} {names[seat]:<{width}}" if names else f"P{seat}"
        yield from _fill(f"{who}  {_by_suit(hand, rules)}", len(who) + 2)
    yield ""
    if n.has_doubling and place.declarer is not None:
        yield from _fill(_doubles(record))
        yield ""
    if not course.moves:
        yield "No card is played."
    elif contract.kind == KIND_LAYOUT:
        yield from _layout(course, n.seats, tuple(map(len, place.hands)))
    else:
        yield from _tricks(record, course, contract, rules)
    yield ""
    yield from _end(course, n.seats, bets=bool(n.has_doubling))


def _fill(text: str, indent: int = 0) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)


def _head(record: Record, rules: Rules, name: str, named: str) -> Iterator[str]:
    place = record.position
    title = record.variant.contracts[name].title
    yield f"{_number(place, rules.numbers)}: {title}{f' {named}' if named else ''}."
    if place.declarer is not None:
        yield f"P{place.declarer} declares, P{place.dealer} deals, P{place.leader} begins."
    else:
        yield f"P{place.dealer} deals, P{place.leader} begins."
    if any(place.scores):
        yield f"Before it: {' '.join(map(str, place.scores))}."


def _number(place: Position, numbers: VariantNumbers) -> str:
    """Return which deal of its game it is; one that is played again makes the game longer."""
    if place.deal is None:
        return "Extra deal" if place.tied else "A deal"
    scheduled = numbers.n_deals + place.replays
    if place.tied:
        return f"Extra deal {place.deal - scheduled}"
    return f"Deal {place.deal} of {scheduled}"


def _by_suit(hand: Sequence[str], rules: Rules) -> str:
    """Return a hand suit by suit, high cards first: ``S AQ2 H -``."""
    pack = Pack(rules.variant.deck)
    suits = []
    for suit in reversed(pack.suits):
        ranks = [card[0] for card in hand if card[1] == suit]
        high = sorted(ranks, key=pack.ranks.index, reverse=True)
        suits.append(f"{suit} {''.join(high) or '-'}")
    return "  ".join(suits)


def _doubles(record: Record) -> str:
    said = [
        f"P{seat} has doubled {seats_of(seats)}"
        for seat, seats in enumerate(record.position.doubles)
        if seats
    ]
    for bet in record.script.bets:
        back = " back" if bet.kind == "redouble" else ""
        if bet.seats:
            said.append(f"P{bet.seat} doubles {listed([f'P{s}' for s in sorted(bet.seats)])}{back}")
    return f"{'; '.join(said)}." if said else "Nobody doubles."


def _tricks(
    record: Record, course: Course, contract: ContractNumbers, rules: Rules
) -> Iterator[str]:
    seats = rules.numbers.seats
    gone = len(record.position.owners)
    # The last trick of a deal that was stopped need not be full.
    tricks = [course.moves[i : i + seats] for i in range(0, len(course.moves), seats)]
    so_far = _SoFar(record, contract, rules)
    rows = []
    for number, trick in enumerate(tricks):
        cards = " ".join(card for _, card in trick)
        owner = course.winners[number] if number < len(course.winners) else None
        row = so_far.after(gone + number, owner, [card for _, card in trick])
        taker = "nobody" if owner is None else f"P{owner}"
        rows.append(
            (f"{gone + number + 1:>5}  P{trick[0][0]}: {cards:<{3 * seats}}{taker:>5}", row)
        )
    figures = max(max(len(str(p)) for p in row) for _, row in rows)
    wide = max(figures, 2)
    heads = " ".join(f"P{seat}".rjust(wide) for seat in range(seats))
    yield f"trick  led and played{'':>{max(1, 3 * seats - 10)}}taken   points so far"
    room = max(len(left) for left, _ in rows)
    fits = room + 3 + (wide + 1) * seats <= WIDTH
    yield f"{'':<{room if fits else 9}}   {heads}"
    for left, row in rows:
        points = " ".join(str(p).rjust(wide) for p in row)
        yield f"{left:<{room}}   {points}" if fits else left
        if not fits:
            yield f"{'':<9}   {points}"


class _SoFar:
    """Points of the tricks so far, in the document's sign."""

    def __init__(self, record: Record, contract: ContractNumbers, rules: Rules) -> None:
        self.contract, self.objective = contract, rules.numbers.objective
        self.pack = Pack(record.variant.deck)
        self.points = [0] * rules.numbers.seats
        self.hand_size = rules.numbers.hand_size
        for trick, owner in enumerate(record.position.owners):
            self._count(trick, owner, [])
        for seat, cards in enumerate(record.position.taken):
            self._cards(seat, cards)

    def after(self, trick: int, owner: int | None, cards: Sequence[str]) -> list[int]:
        """Count a trick, numbered from 0, and return the points."""
        self._count(trick, owner, cards)
        return list(self.points)

    def _count(self, trick: int, owner: int | None, cards: Sequence[str]) -> None:
        if owner is None:
            return
        for kind, points, tricks in zip(
            self.contract.slot_kind,
            self.contract.slot_points,
            self.contract.slot_tricks,
            strict=True,
        ):
            if kind == SLOT_TRICKS or (kind not in (SLOT_CARDS, SLOT_SHOT) and tricks >> trick & 1):
                self.points[owner] += self.objective * points
        self._cards(owner, cards)

    def _cards(self, owner: int, cards: Sequence[str]) -> None:
        for kind, points, scoring in zip(
            self.contract.slot_kind,
            self.contract.slot_points,
            self.contract.slot_cards,
            strict=True,
        ):
            if kind == SLOT_CARDS:
                taken = sum(scoring >> self.pack.number(card) & 1 for card in cards)
                self.points[owner] += self.objective * points * taken


def _layout(course: Course, seats: int, held: tuple[int, ...]) -> Iterator[str]:
    """Tell the turns round by round, and who goes out; ``held``: cards in hand before."""
    left = list(held)
    place_of = next(by_seat for _, by_seat in course.items) if course.ended else (0,) * seats
    round_: list[str] = []
    before = -1
    for seat, token in course.moves:
        if seat <= before:
            yield from _fill("   ".join(round_))
            round_ = []
        before = seat
        back = token.endswith(BACK)
        what = "-" if token == PASS else token
        round_.append(f"P{seat} {f'{what[:-1]} taken back' if back else f'{what:<2}'}")
        left[seat] -= token != PASS and not back
        if not left[seat] and course.ended:
            round_[-1] += f" (out {ordinal(place_of[seat])})"
    if round_:
        yield from _fill("   ".join(round_))


def _end(course: Course, seats: int, *, bets: bool) -> Iterator[str]:
    if not course.ended:
        yield "The deal is not over."
        return
    rows = [("points", course.points), ("total", course.scores)]
    if bets:
        rows.insert(1, ("side bets", course.side))
    wide = max(3, *(len(str(p)) for _, row in rows for p in row))
    yield " " * 10 + " ".join(f"P{seat}".rjust(wide) for seat in range(seats))
    for word, row in rows:
        yield f"{word:<10}" + " ".join(str(p).rjust(wide) for p in row)
