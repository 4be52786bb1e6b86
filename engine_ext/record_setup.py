"""The setup lines of a record as a position: who deals, what is played, what was said.

What is not said follows from the rest: dealer, declarer and leader from each other by the
variant's schedule, nothing taken, nobody doubled, all contracts left.
"""

import re

from engine_ext import record_cards as cards
from engine_ext import record_shown as shown
from engine_ext.batch import Rules
from engine_ext.cards import Pack
from engine_ext.record_given import Given
from engine_ext.record_left import Turn, left_of
from engine_ext.record_position import Position
from engine_ext.record_roles import (
    OPEN,
    chosen,
    chosen_rank,
    contract_of,
    deal_of,
    phase_of,
    replays_of,
    roles_of,
    tied_of,
)
from engine_ext.record_text import NOBODY, Line, seats_of
from engine_ext.rules.checks_game import reach


def position_of(
    lines: dict[str, list[Line]], acts: list[Line], rules: Rules, pack: Pack, file: str
) -> Position:
    """Return the position that the setup lines of a record say; raises ``RecordError``."""
    given = Given(lines, acts, rules, pack, file)
    tied, replays = tied_of(given), replays_of(given)
    deal = deal_of(given, bool(tied), replays)
    turn = None if deal is None else deal - replays
    hands = cards.hands_of(given)
    dealer, declarer, leader = roles_of(given, turn if given.numbers.has_choice else deal, hands)
    contract, named = contract_of(given, turn, bool(tied), replays)
    phase = phase_of(given, contract, named)
    played = contract or chosen(given)
    layout = given.is_layout(played)
    gone = 0 if layout or played is None else cards.tricks_gone(given, played, hands)
    owners = cards.owners_of(given, gone, layout)
    taken, laid = cards.taken_of(given), cards.laid_of(given, layout)
    cards.once_each(given, hands, taken, laid)
    cards.tricks_fit(given, owners, taken)
    revokes = shown.revokes_of(given, hands, layout)
    if layout:
        assert played is not None
        start = named or chosen_rank(given)
        cards.layout_fits(given, given.of(played), start, hands, laid)
    elif played is not None:
        cards.not_decided(given, given.of(played), hands, taken)
    return Position(
        phase=phase,
        deal=deal,
        replays=replays,
        tied=tied,
        dealer=dealer,
        declarer=declarer,
        leader=leader,
        contract=contract,
        named=named,
        turn=shown.turn_of(given, owners, leader, layout, hands),
        hands=hands,
        owners=owners,
        taken=taken,
        laid=laid,
        out=shown.out_of(given, layout, hands),
        passes=shown.passes_of(given, played),
        further=shown.further_of(given, played, laid),
        passed=shown.passed_of(given, played, laid),
        lifted=shown.lifted_of(given, played, gone),
        voids=shown.voids_of(given, hands, revokes),
        revokes=revokes,
        doubles=doubles_of(given, declarer, contract),
        duty=duty_of(given, turn, declarer, replays),
        scores=scores_of(given, deal),
        left=left_of(given, Turn(deal, replays, bool(tied), declarer, contract)),
    )


def doubles_of(
    given: Given, declarer: int | None, contract: str | None
) -> tuple[frozenset[int], ...]:
    """Return whom each seat has doubled, as far as the rules allow it."""
    line = given.line("doubles")
    found: list[set[int]] = [set() for _ in range(given.seats)]
    if line is None:
        return tuple(map(frozenset, found))
    if declarer is None or not given.numbers.has_doubling:
        raise line.wrong("doubles: this variant has none")
    for text in () if line.rest in ((NOBODY,), (OPEN,)) else line.rest:
        if not re.fullmatch(r"P[0-9]>P[0-9]", text):
            raise line.wrong(f'doubles: "{text}" is no double (P1>P0: P1 has doubled P0)')
        found[line.seat(text[:2], given.seats)].add(line.seat(text[3:], given.seats))
    assert contract is not None
    whom = given.numbers.targets[given.of(contract).tone + 1]
    everybody = set(range(given.seats))
    for seat, seats in enumerate(found):
        allowed = everybody - {seat} if whom == 2 else {declarer} if whom == 1 else set()
        if seat == declarer:
            against = {other for other in everybody if seat in found[other]}
            allowed = against if given.numbers.declarer_redoubles else set()
        if not seats <= allowed:
            raise line.wrong(
                f"doubles: P{seat} may not double {seats_of(seats - allowed)} in {contract}"
            )
    return tuple(map(frozenset, found))


def scores_of(given: Given, deal: int | None) -> tuple[int, ...]:
    """Return the scores before the deal; as far as those of a game can come."""
    found = given.row("scores")
    far = reach(given.rules.variant)
    for score in found:
        if abs(score) > far:
            raise given.lines["scores"][0].wrong(
                f"scores: {score}, and no score can come further than {far} in this variant"
            )
    if deal == 1 and any(found):
        raise given.lines["scores"][0].wrong("scores: before deal 1 nobody has any")
    return found


def duty_of(given: Given, turn: int | None, declarer: int | None, replays: int) -> tuple[int, ...]:
    """Return each seat's doubles of this declarer: no more than deals that he declared."""
    line, n = given.line("duty"), given.numbers
    found = given.row("duty")
    if line is None:
        return found
    if declarer is None or not n.has_doubling:
        raise line.wrong("duty: this variant has no doubles")
    before = range(n.n_deals if turn is None else min(turn - 1, n.n_deals))
    most = sum(deal // n.dealership % given.seats == declarer for deal in before) + replays
    for seat, done in enumerate(found):
        if not 0 <= done <= (0 if seat == declarer else most):
            why = "nobody doubles himself" if seat == declarer else f"want 0 to {most}"
            raise line.wrong(f"duty: {done} doubles of P{declarer} by P{seat} ({why})")
    return found
