"""Side bets: who may double whom, the one round in which it is said, the settlement."""

from collections.abc import Sequence

from engine_ext.reference.asking import Asker
from engine_ext.reference.cards import Card
from engine_ext.reference.table import Table, View
from engine_ext.rules.spec import ChoiceSchedule, Doubling, Variant


def targets(rules: Doubling, table: Table, seat: int, tone: str) -> set[int]:
    """Return the seats that a seat may double or double back.

    The declarer: those who doubled him (004 D13). The others, by the tone of the contract:
    everybody, the declarer alone (004 D14), or nobody; a mixed contract goes with the
    negative ones.
    """
    if seat == table.declarer:
        if rules.declarer == "nobody":
            return set()
        return {other for other in range(table.seats) if seat in table.doubled[other]}
    whom = rules.in_positive if tone == "positive" else rules.in_negative
    if whom == "anyone":
        return set(range(table.seats)) - {seat}
    if whom == "declarer" and table.declarer is not None:
        return {table.declarer}
    return set()


def duty_compels(rules: Doubling, done: int, deals_left: int) -> bool:
    """Tell whether a seat must double the declarer now.

    It must as soon as the deals left of the dealership, this one included, are no more than
    the doubles it still owes (004 D15, dossier 2.40).
    """
    return rules.duty_enforced == "force" and rules.duty - done >= deals_left


def speak(variant: Variant, table: Table, hands: list[list[Card]], ask: Asker) -> None:
    """Hold the one round: the seat after the declarer first, the declarer last.

    A seat is first asked whom it doubles, among those who have not doubled it; then whom it
    doubles back, among those who have. A question without anybody to name is not put.
    Source: 004 D12 to D16, dossier 2.38.
    """
    rules, schedule = variant.doubling, variant.schedule
    assert rules is not None
    assert isinstance(schedule, ChoiceSchedule)
    assert table.contract is not None
    assert table.declarer is not None
    tone = variant.contracts[table.contract].tone
    deals_left = schedule.dealership - table.deal % schedule.dealership
    seat = table.declarer
    for _ in range(table.seats):
        seat = table.after(seat)
        hand = tuple(hands[seat])
        allowed = targets(rules, table, seat, tone)
        back = {other for other in allowed if seat in table.doubled[other]}
        fresh = frozenset(allowed - back)
        must: frozenset[int] = frozenset()
        if duty_compels(rules, table.duty_done[seat], deals_left):
            must = fresh & {table.declarer}
        if fresh:
            view = View(table, seat, hand, may_double=fresh, must_double=must)
            table.doubled[seat] |= ask.doubles(view)
            table.duty_done[seat] += table.declarer in table.doubled[seat]
        if back:
            view = View(table, seat, hand, may_redouble=frozenset(back))
            table.doubled[seat] |= ask.redoubles(view)


def settle(points: Sequence[int], doubled: Sequence[set[int]]) -> list[int]:
    """Return what the side bets bring each seat, from the raw points of the deal.

    For each pair with one double the difference goes from the worse to the better, where
    both doubled twice the difference (004 D18). All pairs are reckoned from the same raw
    points, so their order does not matter (dossier 2.41). More points are better here.
    """
    side = [0 for _ in points]
    for one, first in enumerate(points):
        for other, second in enumerate(points):
            # Each of the two ordered pairs stands for one double.
            if other in doubled[one]:
                side[one] += first - second
                side[other] += second - first
    return side
