"""Side bets: who may double whom, the one round in which it is said, the settlement."""

from collections.abc import Sequence

from engine_ext.reference.asking import Asker
from engine_ext.reference.cards import Card
from engine_ext.reference.schedule import declarer_of, n_deals
from engine_ext.reference.table import Table, View
from engine_ext.rules.spec import Doubling, Variant


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

    It must as soon as the deals that the declarer has left, this one included, are no more
    than the doubles it still owes (004 D15, dossier 2.40).
    """
    return rules.duty_enforced == "force" and rules.duty - done >= deals_left


def speak(variant: Variant, table: Table, hands: list[list[Card]], ask: Asker) -> None:
    """Hold the rounds of speaking: the seat after the declarer first, the declarer last.

    A seat is first asked whom it doubles, among those who have not doubled it; then whom it
    doubles back, among those who have. A question without anybody to name is not put.
    Source: 004 D12 to D16, dossier 2.38.
    """
    rules = variant.doubling
    assert rules is not None
    assert table.contract is not None
    assert table.declarer is not None
    tone = variant.contracts[table.contract].tone
    deals_left = left_to_declare(variant, table)
    order = [(table.declarer + k) % table.seats for k in range(1, table.seats + 1)]
    for seat in order:
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
        if back and rules.redoubles:
            view = View(table, seat, hand, may_redouble=frozenset(back))
            table.doubled[seat] |= ask.redoubles(view)
    if rules.rounds == 2:
        for turn, seat in enumerate(order):
            # Those who spoke later; who spoke before could be answered in the first round.
            since = {other for other in order[turn + 1 :] if seat in table.doubled[other]}
            back = (since - table.doubled[seat]) & targets(rules, table, seat, tone)
            if back:
                view = View(table, seat, tuple(hands[seat]), may_redouble=frozenset(back))
                table.doubled[seat] |= ask.redoubles(view)


def left_to_declare(variant: Variant, table: Table) -> int:
    """Return how many deals the declarer declares from this one on."""
    deals = range(table.step, n_deals(variant))
    return sum(declarer_of(variant, deal) == table.declarer for deal in deals)


def is_split(variant: Variant, table: Table) -> bool:
    """Tell whether a contract is not played since nobody has doubled (dossier 2.42)."""
    rules = variant.doubling
    assert table.contract is not None
    negative = variant.contracts[table.contract].tone == "negative"
    return rules is not None and rules.undoubled == "split" and negative and not any(table.doubled)


def split(total: int, table: Table) -> list[int]:
    """Return the points of a contract that is not played.

    All but the declarer get the same, the total in equal parts rounded away from nothing, and
    he what makes the total right.
    """
    others = table.seats - 1
    part = -(-abs(total) // others) * (1 if total > 0 else -1)
    return [
        total - others * part if seat == table.declarer else part for seat in range(table.seats)
    ]


def fines(variant: Variant, table: Table) -> list[int]:
    """Return what lacking doubles cost each seat after the declarer's last deal.

    In inside points: more is better. Not for the caller to ask if that deal is played again,
    or of one that plays out a tie.
    """
    rules = variant.doubling
    if rules is None or rules.duty_enforced != "penalty" or left_to_declare(variant, table) > 1:
        return [0] * table.seats
    each = rules.duty_penalty * (-1 if variant.objective == "lowest" else 1)
    return [
        0 if seat == table.declarer else each * max(0, rules.duty - done)
        for seat, done in enumerate(table.duty_done)
    ]


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
