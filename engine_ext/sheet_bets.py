"""The side bets of a deal on a sheet: who doubled whom, whether they may, what it brings."""

import re
from collections.abc import Sequence

from engine_ext.record_text import NOBODY, Line
from engine_ext.rules.resolve import VariantNumbers
from engine_ext.sheet_text import Sheet

PAIR = re.compile(r"(\()?([^()>*]+)>([^()>*]+?)(\*)?(\))?")
Pairs = dict[tuple[int, int], bool]
"""Who doubled whom, and whether it is marked as a double of the declarer."""
TARGETS = ("nobody", "only the declarer", "anybody")


def read_doubles(sheet: Sheet, line: Line, texts: Sequence[str]) -> Pairs:
    """Return the doubles of a deal: ``East>North*`` or ``(East>North)`` is one of the declarer."""
    found: Pairs = {}
    for text in () if tuple(texts) == (NOBODY,) else texts:
        match = PAIR.fullmatch(text)
        if not match or (match[1] is None) != (match[5] is None):
            raise line.wrong(f'doubles: "{text}" is no double (East>North: East has doubled North)')
        pair = sheet.seat(line, match[2]), sheet.seat(line, match[3])
        if pair[0] == pair[1]:
            raise line.wrong(f"doubles: {match[2]} cannot double himself")
        if pair in found:
            raise line.wrong(f"doubles: {text} stands there twice")
        found[pair] = bool(match[1] or match[4])
    return found


def doubles_fit(
    sheet: Sheet, line: Line, pairs: Pairs, declarer: int, tone: int, n: VariantNumbers
) -> None:
    """See that the rules know each double. ``tone``: -1 negative, 0 mixed, 1 positive."""
    whom = n.targets[tone + 1]
    for one, other in pairs:
        text = f"{sheet.players[one]}>{sheet.players[other]}"
        if one == declarer:
            if not n.declarer_redoubles:
                raise line.wrong(f"doubles: {text}: the declarer does not double")
            if (other, one) not in pairs:
                raise line.wrong(
                    f"doubles: {text}: the declarer doubles only who has doubled him "
                    f"({sheet.players[other]} has not)"
                )
        elif whom == 0 or (whom == 1 and other != declarer):
            raise line.wrong(f"doubles: {text}: here one may double {TARGETS[whom]}")
        if not n.redoubles and (other, one) in pairs:
            raise line.wrong(f"doubles: {text}: nobody doubles back")


def marks_fit(sheet: Sheet, line: Line, pairs: Pairs, declarer: int, used: bool) -> None:
    """See that exactly the doubles of the declarer are marked, on a sheet that marks them."""
    for (one, other), marked in pairs.items():
        text = f"{sheet.players[one]}>{sheet.players[other]}"
        if marked and other != declarer:
            raise line.wrong(f"doubles: {text}* is marked, {sheet.players[declarer]} declares")
        if used and not marked and other == declarer:
            raise line.wrong(f"doubles: {text} is a double of the declarer: mark it {text}* too")


def must_double(n: VariantNumbers, done: Sequence[int], declarer: int, left: int) -> list[int]:
    """Return the seats that have to double the declarer now, with ``left`` of his deals to come.

    This one is counted among them.
    """
    if not n.duty_forced:
        return []
    return [s for s in range(n.seats) if s != declarer and n.duty - done[s] >= left > 0]


def settled(points: Sequence[int], pairs: Pairs) -> list[int]:
    """Return what the side bets bring each seat; for each double the difference is paid."""
    side = [0] * len(points)
    for one, other in pairs:
        # The same in the document's sign, whatever total wins: both differences turn with it.
        side[one] += points[one] - points[other]
        side[other] += points[other] - points[one]
    return side


def split(total: int, seats: int, declarer: int) -> tuple[int, ...]:
    """Return the points of a contract that nobody doubled and so nobody plays.

    Equal parts, rounded up in size, to all but the declarer; he makes the total right.
    """
    others = seats - 1
    part = -(-abs(total) // others) * (1 if total > 0 else -1)
    return tuple(total - others * part if seat == declarer else part for seat in range(seats))
