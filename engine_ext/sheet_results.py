"""The fields of a deal on a sheet: what each player took and what it is worth."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from engine_ext.record_text import Line
from engine_ext.rules.messages import nearest
from engine_ext.rules.resolve import (
    KIND_LAYOUT,
    REVOKE_SIGN,
    ContractNumbers,
    VariantNumbers,
)
from engine_ext.sheet_items import (
    Item,
    Row,
    counted,
    fits,
    items_of,
    labels,
    places_of,
    points_of,
    row_of,
    shot_by,
)
from engine_ext.sheet_text import (
    NUMBER,
    RESULTS,
    DealLine,
    Sheet,
    not_so,
    numbers_of,
    row_text,
)

PRINTED = ("points", "side", "scores")


class Fields:
    """The fields of one deal's line, each read once."""

    def __init__(
        self, sheet: Sheet, n: VariantNumbers, contract: ContractNumbers, line: DealLine
    ) -> None:
        self.sheet, self.n, self.contract, self.head = sheet, n, contract, line.head
        self.layout = contract.kind == KIND_LAYOUT
        self.items: list[Item] = [] if self.layout else items_of(contract, n)
        self.doubles: tuple[Line, tuple[str, ...]] | None = None
        self.printed: dict[str, tuple[Line, Row]] = {}
        self.taken: dict[str, tuple[Line, tuple[str, ...]]] = {}
        """By name of the item, of the shooting, or ``place``."""
        self.revoked: int | None = None
        for field in line.fields:
            self.read(field)

    def read(self, field: Line) -> None:
        """Sort a field by its first word."""
        word = field.word
        if word == "doubles" or ">" in word:
            texts = field.rest if word == "doubles" else (word, *field.rest)
            if self.doubles is not None:
                raise field.wrong("doubles: there is a field of them already")
            self.doubles = field, texts
        elif word in PRINTED:
            if word in self.printed:
                raise field.wrong(f"{word}: there is a field of them already")
            self.printed[word] = field, numbers_of(field, field.rest, self.sheet.players)
        elif word == "revoke":
            self.revoke(field)
        else:
            name, texts = self.item(field)
            if name in self.taken:
                raise field.wrong(f"{name}: there is a field of them already")
            self.taken[name] = Line(field.file, field.number, name, None, texts), texts

    def item(self, field: Line) -> tuple[str, tuple[str, ...]]:
        """Return which item a field is about, and the words that say who took it."""
        names = list(self.names())
        if field.word in names:
            return field.word, field.rest
        if self.layout and field.word == "out":
            return "place", field.rest
        bare = re.fullmatch(NUMBER, field.word) or self.sheet.seat_of(field.word) is not None
        if bare and (self.layout or len(self.items) == 1):
            return names[0], (field.word, *field.rest)
        if bare:
            raise field.wrong(f"say of what: {', '.join(names)}")
        known = [*names, *(word for word in RESULTS if word not in ("place", "out"))]
        hint = nearest(field.word, known) or f"what counts here: {', '.join(names)}"
        raise field.wrong(f'"{field.word}" does not count in {self.contract_name} ({hint})')

    @property
    def contract_name(self) -> str:
        """Name of the contract that is played."""
        return self.n.contract_names[self.contract.id]

    def names(self) -> Iterator[str]:
        """Yield the names of what can be taken."""
        if self.layout:
            yield "place"
            return
        yield from (item.name for item in self.items)
        if self.contract.shoot_cards:
            yield self.contract.slot_names[-1]

    def revoke(self, field: Line) -> None:
        """Read whose revoke stopped the deal."""
        if not self.n.honour or self.layout:
            raise field.wrong("revoke: in this deal nobody can (want legality as a table)")
        if self.revoked is not None or len(field.rest) != 1:
            raise field.wrong("revoke: say the one player whose revoke was proved")
        self.revoked = self.sheet.seat(field, field.rest[0])

    def nothing_taken(self) -> None:
        """See that nothing is said of a contract that nobody doubled and so nobody played."""
        if self.revoked is not None:
            raise self.head.wrong("revoke: nobody doubled, so the contract is not played")
        for line, _ in self.taken.values():
            raise line.wrong(
                f"{line.word}: nobody doubled, so the contract is not played but split "
                "(leave out what was taken, or write who doubled)"
            )

    def says(self, word: str, right: Row) -> None:
        """Hold a printed row, if there is one, against what comes out."""
        if word in self.printed:
            line, said = self.printed[word]
            if said != right:
                raise not_so(line, said, right)


class Results(NamedTuple):
    """What came of a deal, as far as the sheet tells."""

    points: Row
    """In the document's sign."""
    taken: tuple[Row, ...] | None
    """How many of each of :attr:`Fields.items` each player took; None where that is not told."""
    shot: int | None
    """Who took all that shooting asks for."""
    places: Row | None
    """Places of a layout from 1; None where they are not told, and for tricks."""


def results_of(fields: Fields, total: int, points_alone: bool = False) -> Results:
    """Return what came of a deal; ``total``: points of the whole table, in the document's sign.

    ``points_alone``: points will do where several things count; what each player took is then
    not known.
    """
    if fields.layout:
        return _layout(fields)
    whole = all(item.name in fields.taken for item in fields.items)
    if points_alone and "points" in fields.printed and fields.revoked is None and not whole:
        return _points_alone(fields, total)
    rows = _rows(fields, total)
    shot = _shot(fields, rows)
    points = list(points_of(fields.contract, fields.n, fields.items, rows, shot))
    if fields.revoked is not None:
        points[fields.revoked] += _price(fields.n, total)
    return Results(tuple(points), tuple(rows), shot, None)


def not_played(fields: Fields, points: Row) -> Results:
    """Return what came of a trick contract that is split, not played: nobody took anything."""
    nothing = (0,) * fields.n.seats
    return Results(points, (nothing,) * len(fields.items), None, None)


def _points_alone(fields: Fields, total: int) -> Results:
    """Return printed points that can have come out, each player's by itself and all together.

    Where one thing counts they tell who took it.
    """
    contract, items = fields.contract, fields.items
    line, points = fields.printed["points"]
    for name, (at, texts) in fields.taken.items():
        for item in items:
            if item.name == name:
                counted(at, name, item.count, row_of(fields.sheet, at, texts))
    if contract.shoot_cards:
        shots = (points_of(contract, fields.n, items, (), seat) for seat in range(fields.n.seats))
        if points in shots:
            return Results(points, None, None, None)
    elif len(items) == 1 and not fields.taken:
        return Results(points, (_by_points(fields, items[0], total),), None, None)
    if sum(points) != total:
        raise line.wrong(f"points: {sum(points)} in all, {fields.contract_name} has {total}")
    can_be = {0}
    for item in items:
        can_be = {p + k * item.points for p in can_be for k in range(item.count + 1)}
    for player, score in zip(fields.sheet.players, points, strict=True):
        if score not in can_be:
            raise line.wrong(
                f"points: {score} of {player} cannot be (what counts: {', '.join(labels(items))})"
            )
    return Results(points, None, None, None)


def _price(n: VariantNumbers, total: int) -> int:
    """Return what a revoke brings its player, in the document's sign."""
    if n.revoke_sign == REVOKE_SIGN["signed_total"]:
        return total
    if n.revoke_sign == REVOKE_SIGN["literal_minus"]:
        return -abs(total)
    return -n.objective * abs(total)


def _rows(fields: Fields, total: int) -> list[Row]:
    """Return how many of each item each player took."""
    stopped = fields.revoked is not None
    rows = []
    for item in fields.items:
        if item.name in fields.taken:
            line, texts = fields.taken[item.name]
            row = row_of(fields.sheet, line, texts)
            if stopped and not fields.n.revoke_keeps and any(row):
                raise line.wrong(f"{item.name}: the revoke stopped the deal, nothing else counts")
            if not stopped or sum(row) > item.count:
                counted(line, item.name, item.count, row)
        elif stopped:
            row = (0,) * fields.n.seats
        else:
            row = _by_points(fields, item, total)
        rows.append(row)
    if not stopped:
        fits(fields.head, fields.items, rows, fields.n)
    return rows


def _by_points(fields: Fields, item: Item, total: int) -> Row:
    """Return what was taken where only the points of the one thing that counts are written."""
    if len(fields.items) > 1 or "points" not in fields.printed or fields.contract.shoot_cards:
        raise fields.head.wrong(f"say who took what: {', '.join(labels(fields.items))}")
    line, points = fields.printed["points"]
    each = [p / item.points if item.points else -1 for p in points]
    if sum(points) != total:
        raise line.wrong(f"points: {sum(points)} in all, {fields.contract_name} has {total}")
    if any(took < 0 or took != int(took) for took in each):
        raise line.wrong(
            f"points: {item.name} count {item.points:+d} each, {row_text(points)} cannot be"
        )
    return tuple(map(int, each))


def _shot(fields: Fields, rows: list[Row]) -> int | None:
    """Return who took all that shooting asks for."""
    if not fields.contract.shoot_cards:
        return None
    name = fields.contract.slot_names[-1]
    said, line = None, fields.head
    if name in fields.taken:
        line, texts = fields.taken[name]
        row = row_of(fields.sheet, line, texts)
        said = {seat for seat, took in enumerate(row) if took}
    if fields.revoked is not None and not fields.n.revoke_keeps:
        if said:
            raise line.wrong(f"{name}: the revoke stopped the deal, nothing else counts")
        return None
    seat, wrong = shot_by(fields.contract, fields.items, rows, said)
    if wrong is not None:
        raise line.wrong(wrong)
    return seat


def _layout(fields: Fields) -> Results:
    sign, payout = fields.n.objective, fields.contract.payout
    if "place" in fields.taken:
        places = places_of(fields.sheet, *fields.taken["place"])
        paid = tuple(sign * payout[place - 1] for place in places)
        return Results(paid, None, None, places)
    if "points" not in fields.printed:
        raise fields.head.wrong("say in which order they went out (e.g. out East North West)")
    line, points = fields.printed["points"]
    right = sorted(sign * points for points in payout)
    if sorted(points) != right:
        raise line.wrong(
            f"points: {row_text(points)} are not those of the places, {row_text(right)}"
        )
    if len(set(right)) < len(right):
        return Results(points, None, None, None)
    return Results(points, None, None, tuple(payout.index(sign * p) + 1 for p in points))
