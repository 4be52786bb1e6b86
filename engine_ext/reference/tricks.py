"""Deals of tricks: what may be played, who takes a trick, what the tricks are worth."""

from collections.abc import Sequence

from engine_ext.reference.asking import Asker
from engine_ext.reference.cards import Card, Pack, suit_of
from engine_ext.reference.table import Table, Trick, View
from engine_ext.rules.spec import PerCard, PerTrick, PerTrickAt, TrickContract, Variant

Term = PerTrick | PerCard | PerTrickAt


def scoring_terms(variant: Variant, name: str) -> list[tuple[Term, int]]:
    """Return what scores in a contract: each term with the points for one item of it.

    First the terms of the contracts it includes, as a salad does, times the factor given
    there; then its own. Points in the document's sign.
    """
    contract = variant.contracts[name]
    assert isinstance(contract, TrickContract)
    found: list[tuple[Term, int]] = []
    for include in contract.include:
        for term, points in scoring_terms(variant, include.contract):
            found.append((term, points * include.times))
    return found + [(term, term.points) for term in contract.terms]


def legal_cards(
    hand: Sequence[Card],
    led_suit: str | None,
    rules: TrickContract,
    pack: Pack,
    trump: str | None = None,
) -> list[Card]:
    """Return the cards of a hand that may be played; ``led_suit`` is None on lead.

    On lead: anything but the cards banned, unless nothing else is held (000 A18, 002 B9,
    004 D8 and D9). Otherwise the suit led must be followed. Without that suit: a card that
    is forced out must go (002 B12); else a trump must be played where the contract says so
    (004 D10); else anything.
    """
    if led_suit is None:
        banned = pack.pick(rules.lead_ban.cards) if rules.lead_ban else set()
        return [card for card in hand if card not in banned] or list(hand)
    following = [card for card in hand if suit_of(card) == led_suit]
    if following:
        return following
    if rules.forced_play:
        forced = pack.pick(rules.forced_play.cards)
        if any(card in forced for card in hand):
            return [card for card in hand if card in forced]
    if rules.void_duty == "must_ruff":
        return [card for card in hand if suit_of(card) == trump] or list(hand)
    return list(hand)


def winner(trick: Trick, pack: Pack, trump: str | None = None) -> int:
    """Return who takes a trick: the highest trump, else the highest card of the suit led."""
    trumps = [played for played in trick.cards if suit_of(played[1]) == trump]
    followed = [played for played in trick.cards if suit_of(played[1]) == trick.led_suit]
    return max(trumps or followed, key=lambda played: pack.height(played[1]))[0]


def items(term: Term, table: Table, pack: Pack) -> list[int]:
    """Count, for each seat, the items of a term: tricks, cards taken, or certain tricks.

    Tricks are counted from 1, from the last one back with minus signs; the last is the
    one that empties the hands. A trick whose taker is not known counts for nobody.
    """
    counted = [0 for _ in range(table.seats)]
    if isinstance(term, PerCard):
        cards = pack.pick(term.of)
        return [sum(card in cards for card in taken) for taken in table.captured]
    hand_size = len(pack.cards) // table.seats
    for number, trick in enumerate(table.tricks, start=1):
        if trick.owner is None:
            continue
        counts = isinstance(term, PerTrick) or bool(
            {number, number - hand_size - 1} & set(term.tricks)
        )
        counted[trick.owner] += counts
    return counted


def cards_that_decide(variant: Variant, name: str, pack: Pack) -> set[Card]:
    """Return the cards after whose capture nothing can score; empty: play every trick.

    Source: 002 B4, 004 D6. Only a contract in which cards alone score can be decided early.
    """
    contract = variant.contracts[name]
    assert isinstance(contract, TrickContract)
    terms = [term for term, _ in scoring_terms(variant, name)]
    if contract.early_end == "never" or not all(isinstance(term, PerCard) for term in terms):
        return set()
    return {card for term in terms if isinstance(term, PerCard) for card in pack.pick(term.of)}


def play_tricks(
    variant: Variant,
    table: Table,
    hands: list[list[Card]],
    pack: Pack,
    ask: Asker,
    turn: int | None = None,
) -> None:
    """Play a deal of tricks on the table, until the hands are empty or it is decided.

    ``hands`` by seat, each in the order of the pack; cards played are taken out of them.
    ``turn`` leads the next trick; without it the first leader.
    """
    assert table.contract is not None
    rules = variant.contracts[table.contract]
    assert isinstance(rules, TrickContract)
    trump = table.named
    deciding = cards_that_decide(variant, table.contract, pack)
    leader = table.leader if turn is None else turn
    while hands[leader]:
        trick = Trick(leader)
        table.tricks.append(trick)
        seat = leader
        for _ in range(table.seats):
            legal = legal_cards(hands[seat], trick.led_suit, rules, pack, trump)
            card = ask.card(View(table, seat, tuple(hands[seat]), legal=tuple(legal)))
            hands[seat].remove(card)
            table.cards_left[seat] -= 1
            if trick.led_suit not in (None, suit_of(card)):
                table.void[seat].add(str(trick.led_suit))
            trick.cards.append((seat, card))
            seat = table.after(seat)
        leader = trick.owner = winner(trick, pack, trump)
        take(table, trick, rules, pack)
        if deciding and deciding <= {card for taken in table.captured for card in taken}:
            return


def take(table: Table, trick: Trick, rules: TrickContract, pack: Pack) -> None:
    """Put a trick before its owner; the cards that the rules name stay face up."""
    assert trick.owner is not None
    cards = [card for _, card in trick.cards]
    table.captured[trick.owner] += cards
    if rules.face_up:
        table.face_up[trick.owner] |= pack.pick(rules.face_up) & set(cards)
