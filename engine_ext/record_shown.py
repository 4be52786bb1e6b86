"""What play has shown so far: whose turn it is, who is out or has passed, voids and revokes.

Each function takes the setup lines and returns one part of the position.
"""

from engine_ext.cards import cards_in
from engine_ext.record_given import Given
from engine_ext.record_position import Cards
from engine_ext.record_text import NOBODY, Line, seats_of
from engine_ext.rules.resolve import ContractNumbers
from engine_ext.rules.resolve_contracts import BAN_UNTIL

Revoked = tuple[tuple[int, tuple[str, ...]], ...]
"""Who has revoked, the first one first, and the suits not followed."""


def turn_of(
    given: Given,
    owners: tuple[int | None, ...],
    leader: int,
    layout: bool,
    hands: tuple[Cards, ...],
) -> int:
    """Return who leads or moves next: the last taker, else the first leader."""
    line = given.line("turn")
    last = owners[-1] if owners else None
    if line is None:
        return leader if last is None else last
    seat = line.seat(line.one("P0"), given.seats)
    if last not in (None, seat):
        raise line.wrong(f"turn: P{last} took the last trick, so it is P{last}'s turn")
    if layout and not hands[seat] and any(hands):
        raise line.wrong(f"turn: P{seat} is out")
    if not layout and not owners and seat != leader:
        raise line.wrong(f"turn: P{leader} leads the first trick (leader P{seat} says else)")
    return seat


def out_of(given: Given, layout: bool, hands: tuple[Cards, ...]) -> tuple[int, ...]:
    """Return who has finished a layout, in order."""
    line = given.line("out")
    empty = {seat for seat, hand in enumerate(hands) if not hand} if layout else set()
    if line is None:
        if len(empty) > 1 and "hands" in given.lines:
            raise given.lines["hands"][0].wrong(
                f"hands: {seats_of(empty)} hold nothing; say who finished first (out Pn Pn)"
            )
        # Without hands nobody plays, and nobody asks who was first.
        return tuple(sorted(empty))
    order = tuple(line.seat(text, given.seats) for text in line.rest)
    if len(order) != len(empty) or set(order) != empty:
        raise line.wrong(f"out: the empty hands are those of {seats_of(empty)}")
    return order


def passes_of(given: Given, name: str | None) -> int:
    """Return how many passes in a row there were."""
    line = given.line("passes")
    if line is None:
        return 0
    number = line.integer(line.one("2"))
    most = 2 * given.seats - 1  # one full circle, then those who have nothing that fits
    if name is not None and given.of(name).passes and not stalls(given.of(name)):
        # Nothing but the number of passes ends a stall: each circle costs somebody one of his.
        most = given.seats * (given.seats * given.of(name).passes + 1) - 1
    if not given.is_layout(name) or not 0 <= number <= most:
        raise line.wrong(f"passes: in a row, in a layout, 0 to {most}")
    return number


def stalls(contract: ContractNumbers) -> bool:
    """Tell whether a full circle of passes has the next card come, or ends the deal."""
    return bool(contract.stall_forces or contract.stall_freezes)


def further_of(given: Given, name: str | None, laid: Cards) -> bool:
    """Return whether the last card laid gives who is to move a further turn."""
    line = given.line("further")
    if line is None:
        return False
    if line.rest:
        raise line.wrong("further: nothing stands behind it (turn says whose it is)")
    giving = given.of(name).replay if name is not None else 0
    names = {given.pack.name(card) for card in cards_in(giving)}
    if not names & set(laid):
        one_of = f"one of {' '.join(sorted(names))}" if names else f"no card does so in {name}"
        raise line.wrong(f"further: the card laid last gives a further turn ({one_of})")
    if "passes" in given.lines:
        raise given.lines["passes"][0].wrong(
            "passes: none since the card that gives a further turn"
        )
    return True


def passed_of(given: Given, name: str | None, laid: Cards) -> tuple[int, ...]:
    """Return how often each seat has passed although it could have laid a card."""
    found = given.row("passed")
    if name is None or not any(found):
        return found
    line, contract = given.lines["passed"][0], given.of(name)
    if not given.is_layout(name):
        raise line.wrong("passed: only in a layout")
    if not contract.may_pass:
        raise line.wrong(f"passed: in {name} nobody may pass who can lay a card")
    most, why = contract.passes, f"so often may a seat in {name}"
    # Once all have passed, the next card has to come or the deal ends: so a seat passes no more
    # than once before each card and after the last.
    if stalls(contract) and not 0 < most <= len(laid) + 1:
        most, why = len(laid) + 1, "once before each card laid and once after the last"
    for seat, times in enumerate(found):
        if not 0 <= times <= most:
            raise line.wrong(f"passed: {times} by P{seat} (want 0 to {most}: {why})")
    return found


def lifted_of(given: Given, name: str | None, gone: int) -> bool:
    """Return whether it is said that cards played before have lifted the lead ban."""
    line = given.line("lifted")
    if line is None:
        return False
    if line.rest:
        raise line.wrong("lifted: nothing stands behind it (the ban holds for nobody any more)")
    if name is None or given.of(name).ban_until != BAN_UNTIL["broken"]:
        raise line.wrong(f"lifted: no card lifts a lead ban in {name}")
    if not gone:
        raise line.wrong("lifted: no trick has been played yet")
    return True


def suits_of(given: Given, line: Line) -> tuple[str, ...]:
    """Return the suits of a line, each once, in the order of the pack."""
    for suit in line.rest:
        if suit not in given.pack.suits:
            raise line.wrong(f'{line.word}: "{suit}" is no suit ({" ".join(given.pack.suits)})')
    return tuple(sorted(set(line.rest), key=given.pack.suits.index))


def voids_of(
    given: Given, hands: tuple[Cards, ...], revokes: Revoked
) -> tuple[tuple[str, ...], ...]:
    """Return which suits each seat has shown it does not hold, or not to follow."""

    def read(line: Line) -> tuple[str, ...]:
        withheld = dict(revokes).get(line.by(given.seats), ())
        for suit in suits_of(given, line):
            held = [card for card in hands[line.by(given.seats)] if card[1] == suit]
            if held and suit not in withheld:
                raise line.wrong(f"voids: P{line.speaker} holds {' '.join(held)}")
        return suits_of(given, line)

    return given.by_seat("voids", read)


def revokes_of(given: Given, hands: tuple[Cards, ...], layout: bool) -> Revoked:
    """Return who has revoked and not been found out, the first one first, and in which suits."""
    found: dict[int, tuple[str, ...]] = {}
    numbers = given.numbers
    for line in given.lines.get("revokes", []):
        if layout or not numbers.honour:
            raise line.wrong("revokes: there are none in this deal (want legality as a table)")
        seat = line.by(given.seats)
        if seat in found:
            raise line.wrong(f"revokes: P{seat} has a line already")
        rest = () if line.rest == (NOBODY,) else suits_of(given, line)
        if not rest and not (numbers.ban_as_revoke and numbers.revoke_at_end):
            raise line.wrong("revokes: say which suits were not followed (e.g. revokes P0: S)")
        for suit in rest:
            if not numbers.revoke_at_end and all(card[1] != suit for card in hands[seat]):
                raise line.wrong(f"revokes: P{seat} holds no {suit}, so that has come out")
        found[seat] = rest
    return tuple(found.items())
