"""A record of a deal as it stood in the middle, and what its views show."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine_ext.cards import Pack, cards_in
from engine_ext.record import Record
from engine_ext.record_checks import hold
from engine_ext.record_course import Course
from engine_ext.record_play import EngineSide, prompter_of
from engine_ext.record_position import Position
from engine_ext.record_steps import Script
from engine_ext.record_text import in_order
from tests.differential.numbers import Row, shown_by_engine

SETS = ("hand", "legal", "best", "led", "trick", "played")
"""What a view shows as a set of cards."""


def all_shown(record: Record) -> list[Row]:
    rows: list[Row] = []
    hold(record, EngineSide(lambda kind, view: rows.append(shown_by_engine(kind, view))))
    return rows


def shown(record: Record) -> list[Row]:
    """Return all that the views show; the cards of earlier tricks are not set up in order, and
    which copy of a card is whose is not written down."""
    rows = all_shown(record)
    pack = Pack(record.variant.deck)
    for row in rows:
        del row["moves"]
        if row["question"] == "lay":
            del row["trick_leader"]  # of no trick
        if pack.copies == 2:
            row |= {key: pack.names(row[key]) for key in SETS}
            row["face_up"] = list(map(pack.names, row["face_up"]))
    return rows


def is_layout(record: Record) -> bool:
    name = record.script.choice.option.split()[0] if record.script.choice else None
    return record.variant.contracts[name or record.position.contract or ""].kind == "layout"


def later(record: Record, course: Course, cut: int) -> Record:
    """Return the deal as it stood after ``cut`` moves (whole tricks), the rest still to play."""
    place, pack = record.position, Pack(record.variant.deck)
    option = record.script.choice.option if record.script.choice else None
    contract, named = place.contract, place.named
    if option is not None:
        contract, _, text = option.partition(" ")
        named = text or None
    gone = course.moves[:cut]
    doubles = list(place.doubles)
    for bet in record.script.bets:
        doubles[bet.seat] |= bet.seats
    declarer = place.declarer
    shared = getattr(record.variant.schedule, "uses_of", "declarer") == "table"
    chosen = option is not None and place.contract is None  # not given: played again, or extra
    left = tuple(
        tuple(
            (
                name,
                uses - (chosen and name == contract and (shared or seat == declarer)),
            )
            for name, uses in uses_of
        )
        for seat, uses_of in enumerate(place.left)
    )
    position = replace(
        place,
        phase="play",
        contract=contract,
        named=named,
        hands=tuple(
            in_order(held(hand, seat, gone), pack) for seat, hand in enumerate(place.hands)
        ),
        turn=course.moves[cut][0],
        doubles=tuple(doubles),
        left=tuple(tuple(pair for pair in uses if pair[1]) for uses in left),
    )
    if not is_layout(record):
        position = with_tricks(position, course, cut, pack, banned_leads(record, course, pack))
    else:
        position = replace(with_layout(position, gone, pack), passed=passed(record, cut))
        position = replace(position, further=is_further(record, course, cut))
    return replace(
        record, position=position, script=Script(None, (), record.script.moves[cut:]), checks=()
    )


def passed(record: Record, cut: int) -> tuple[int, ...]:
    """Return how often each seat has passed of its own will, as its next view tells it."""
    seats = range(record.variant.seats)
    rows = [row for row in all_shown(record) if row["question"] == "lay"]
    later_on = [row for row in rows if len(row["moves"]) >= cut]
    mine = ((row["passed"][seat] for row in later_on if row["seat"] == seat) for seat in seats)
    return tuple(next(counts, 0) for counts in mine)


def is_further(record: Record, course: Course, cut: int) -> bool:
    """Tell whether the mover laid the card before, and has a further turn by it."""
    mover, token = course.moves[cut - 1]
    replay = prompter_of(record, record.script).further
    return cut > 0 and token in replay and course.moves[cut][0] == mover


def held(hand: Sequence[str], seat: int, gone: Sequence[tuple[int, str]]) -> list[str]:
    """What is left of a hand; of two cards alike one goes at a time."""
    return [*(Counter(hand) - Counter(token for mover, token in gone if mover == seat)).elements()]


def pack_names(pack: Pack) -> set[str]:
    return {pack.name(card) for card in cards_in(pack.deck)}


def banned_leads(record: Record, course: Course, pack: Pack) -> set[int]:
    """Return which tricks were led by a card that its player was not to lead."""
    if record.position.owners:
        return set()
    seats, rows = record.variant.seats, [r for r in all_shown(record) if r["question"] == "play"]
    leads = {len(row["moves"]): pack.named(row["legal"]) for row in rows if not row["n_trick"]}
    return {i // seats for i, legal in leads.items() if course.moves[i][1] not in legal}


def with_tricks(
    position: Position, course: Course, cut: int, pack: Pack, banned: set[int]
) -> Position:
    """Put the tricks before their takers."""
    seats = len(position.hands)
    owners = course.winners[: cut // seats]
    taken: list[list[str]] = [[] for _ in range(seats)]
    voids: list[set[str]] = [set() for _ in range(seats)]
    revokes: dict[int, set[str]] = {}
    for trick, owner in enumerate(owners):
        played = course.moves[trick * seats : (trick + 1) * seats]
        taken[owner] += [card for _, card in played]
        if trick in banned:
            revokes.setdefault(played[0][0], set())
        for i, (seat, card) in enumerate(played):
            led = played[0][1][1]
            voids[seat] = voids[seat] - {card[1]} | ({led} - {card[1]})
            later_on = [c for s, c in course.moves[trick * seats + i :] if s == seat]
            if led != card[1] and any(c[1] == led for c in [*later_on, *position.hands[seat]]):
                revokes.setdefault(seat, set()).add(led)
    return replace(
        position,
        owners=owners,
        taken=tuple(in_order(cards, pack) for cards in taken),
        voids=tuple(tuple(suit for suit in pack.suits if suit in gone) for gone in voids),
        revokes=tuple(
            (seat, tuple(suit for suit in pack.suits if suit in withheld))
            for seat, withheld in first_then_by_seat(revokes)
        ),
    )


def first_then_by_seat(revokes: dict[int, set[str]]) -> list[tuple[int, set[str]]]:
    """Of those who revoked only the first is told apart, and by a lead nobody else."""
    first = list(revokes.items())[:1]
    return first + sorted(pair for pair in list(revokes.items())[1:] if pair[1])


def with_layout(position: Position, gone: Sequence[tuple[int, str]], pack: Pack) -> Position:
    """Lay the cards on the table, and see who is out and how often was passed since."""
    names = pack_names(pack)
    last = {seat: i for i, (seat, token) in enumerate(gone) if token in names}
    out = [seat for seat in last if not position.hands[seat]]
    laid = [i for i, (_, token) in enumerate(gone) if token in names]
    return replace(
        position,
        laid=in_order([gone[i][1] for i in laid], pack),
        out=tuple(sorted(out, key=lambda seat: last[seat])),
        passes=len(gone) - 1 - laid[-1] if laid else len(gone),
    )
