"""What each player took in a deal of a sheet: counted, held against the pack, and paid."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine_ext.record_text import NOBODY, Line
from engine_ext.rules.resolve import (
    SLOT_CARDS,
    SLOT_SHOT,
    SLOT_TRICKS,
    ContractNumbers,
    VariantNumbers,
)
from engine_ext.sheet_text import NUMBER, Sheet, numbers_of, row_text

Row = tuple[int, ...]
"""A number for each seat."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that scores in a contract."""

    name: str
    points: int
    """For each, in the document's sign."""
    things: int
    """Which cards, or which tricks of the deal, as bits; 0 where every trick counts."""
    cards: bool
    count: int
    """How many there are in a deal."""


def items_of(contract: ContractNumbers, n: VariantNumbers) -> list[Item]:
    """Return what scores in a trick contract; terms on the same things together."""
    found: dict[tuple[bool, int], Item] = {}
    names: list[str] = []
    for k, name in enumerate(contract.slot_names):
        kind = contract.slot_kind[k]
        if kind == SLOT_SHOT:
            continue
        cards = kind == SLOT_CARDS
        things = contract.slot_cards[k] if cards else contract.slot_tricks[k]
        points = n.objective * contract.slot_points[k]
        if (cards, things) in found:
            old = found[cards, things]
            found[cards, things] = Item(old.name, old.points + points, things, cards, old.count)
            continue
        names.append(name)
        label = name if names.count(name) == 1 else f"{name}_{names.count(name)}"
        count = n.hand_size if kind == SLOT_TRICKS else things.bit_count()
        found[cards, things] = Item(label, points, things, cards, count)
    return list(found.values())


def row_of(sheet: Sheet, line: Line, texts: tuple[str, ...]) -> Row:
    """Return how many each player took: ``2 4 1 6``, or ``East East South``, ``East 2 South``."""
    if texts and re.fullmatch(NUMBER, texts[0]):
        row = numbers_of(line, texts, sheet.players)
    else:
        found = [0] * len(sheet.players)
        last: int | None = None
        for text in () if texts == (NOBODY,) else texts:
            if last is not None and re.fullmatch(NUMBER, text):
                found[last] += line.integer(text) - 1
                last = None
            else:
                last = sheet.seat(line, text)
                found[last] += 1
        row = tuple(found)
    if min(row) < 0:
        raise line.wrong(f"{line.word}: nobody takes {min(row)}")
    return row


def counted(line: Line, name: str, count: int, row: Row) -> None:
    """See that as many were taken as there are."""
    if sum(row) != count:
        there = "is" if count == 1 else "are"
        raise line.wrong(f"{name}: {sum(row)} were taken, there {there} {count}")


def fits(line: Line, items: Sequence[Item], rows: Sequence[Row], n: VariantNumbers) -> None:
    """See that what was taken can have been: each two things that count together."""
    taken = list(zip(items, rows, strict=True))
    every = [row for item, row in taken if not item.cards and not item.things]
    for (one, a), (other, b) in combinations([p for p in taken if p[0].things], 2):
        if one.cards == other.cards:
            _overlap(line, one, a, other, b)
    for item, row in taken:
        if every and item.things:
            _tricks(line, item, row, every[0], n)
        elif item.cards and not every and sum(-(-c // n.seats) for c in row) > n.hand_size:
            raise line.wrong(f"{item.name}: so many tricks were not played")


def _overlap(line: Line, one: Item, a: Row, other: Item, b: Row) -> None:
    """What both count is in both numbers: the king of hearts is a king and a heart."""
    both = (one.things & other.things).bit_count()
    least = [
        max(0, x - (one.count - both), y - (other.count - both)) for x, y in zip(a, b, strict=True)
    ]
    most = [min(x, y, both) for x, y in zip(a, b, strict=True)]
    cannot = any(lo > hi for lo, hi in zip(least, most, strict=True))
    if cannot or not sum(least) <= both <= sum(most):
        raise line.wrong(
            f"{one.name} {row_text(a)} and {other.name} {row_text(b)} do not go together: "
            f"{both or 'none'} of them {'is' if both == 1 else 'are'} the same"
        )


def _tricks(line: Line, item: Item, row: Row, tricks: Row, n: VariantNumbers) -> None:
    """Cards come in tricks, and the last trick is one of those taken."""
    each, whole = (n.seats, n.deck.bit_count()) if item.cards else (1, n.hand_size)
    for took, t in zip(row, tricks, strict=True):
        if took > each * t or each * t - took > whole - item.count:
            raise line.wrong(
                f"{item.name} {row_text(row)} cannot be with tricks {row_text(tricks)}"
            )


def shot_by(
    contract: ContractNumbers, items: Sequence[Item], rows: Sequence[Row], said: set[int] | None
) -> tuple[int | None, str | None]:
    """Return who took all that shooting asks for, and what is wrong with what is said of it.

    Known where what scores makes up those cards; else it has to be said.
    """
    parts = [
        (item, row)
        for item, row in zip(items, rows, strict=True)
        if item.cards and item.things & ~contract.shoot_cards == 0
    ]
    covered = 0
    for item, _ in parts:
        covered |= item.things
    seats = range(len(contract.payout))
    could = {s for s in seats if all(row[s] == item.count for item, row in parts)}
    whole = covered == contract.shoot_cards
    name = contract.slot_names[-1]
    if said is None:
        said = could if whole else set()
    if len(said) > 1 or not said <= could or (whole and said != could):
        return None, f"{name}: by what was taken it is {'somebody else' if could else 'nobody'}"
    return next(iter(said), None), None


def points_of(
    contract: ContractNumbers,
    n: VariantNumbers,
    items: Sequence[Item],
    rows: Sequence[Row],
    shot: int | None,
) -> Row:
    """Return the points of a trick contract in the document's sign."""
    if shot is not None:
        taker, others = n.objective * contract.shoot_taker, n.objective * contract.shoot_others
        return tuple(taker if seat == shot else others for seat in range(n.seats))
    return tuple(
        sum(item.points * row[seat] for item, row in zip(items, rows, strict=True))
        for seat in range(n.seats)
    )


def places_of(sheet: Sheet, line: Line, texts: tuple[str, ...]) -> Row:
    """Return the finishing places: ``out East North West``, or a place for each player."""
    seats = len(sheet.players)
    if texts and re.fullmatch(NUMBER, texts[0]):
        row = numbers_of(line, texts, sheet.players)
        if sorted(row) != list(range(1, seats + 1)):
            raise line.wrong(f"{line.word}: {row_text(row)} are not the places 1 to {seats}")
        return row
    order = [sheet.seat(line, text) for text in texts]
    for seat in order:
        if order.count(seat) > 1:
            raise line.wrong(f"{line.word}: {sheet.players[seat]} goes out twice")
    if len(order) < seats - 1:
        raise line.wrong(f"{line.word}: {len(order)} players, say the order of {seats - 1} or all")
    order += [seat for seat in range(seats) if seat not in order]
    return tuple(order.index(seat) + 1 for seat in range(seats))


def labels(items: Sequence[Item]) -> Iterator[str]:
    """Yield each thing that counts, as people are asked for it: ``queens (4)``."""
    for item in items:
        yield f"{item.name} ({item.count})"
