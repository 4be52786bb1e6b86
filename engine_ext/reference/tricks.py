"""Deals of tricks: what may be played, who takes a trick, what the tricks are worth."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from engine_ext.reference.asking import Asker
from engine_ext.reference.cards import Card, Pack, suit_of
from engine_ext.reference.revokes import Honour
from engine_ext.reference.table import Table, Trick, View
from engine_ext.rules.spec import (
    ForcedPlay,
    LayoutContract,
    PerCard,
    PerTrick,
    PerTrickAt,
    TrickContract,
    Variant,
)

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
            scaled = points * Fraction(include.times)
            assert scaled.denominator == 1, "the rules are checked: only whole points"
            found.append((term, scaled.numerator))
    return found + [(term, term.points) for term in contract.terms]


def legal_cards(
    hand: Sequence[Card],
    led_suit: str | None,
    rules: TrickContract,
    pack: Pack,
    trump: str | None = None,
    *,
    lying: Sequence[Card] = (),
    first_trick: bool = False,
    ban_lifted: bool = False,
) -> list[Card]:
    """Return the cards of a hand that may be played; ``led_suit`` is None on lead.

    ``lying``: the cards of the trick so far. Rules narrow the choice one after the other,
    and one that would leave nothing is passed over.

    On lead: to the first trick a card that has to be led there; else anything but the cards
    banned (000 A18, 002 B9, 004 D8 and D9), then anything but what is kept from the first
    trick. To a trick that is led: the suit led; then what is not kept from the first trick;
    then a card that is forced out (002 B12), which settles it; then, following suit, a card
    that wins the trick so far where that is a duty, and without the suit led what is said
    of trumps (004 D10).
    """
    kept = pack.pick(rules.first_trick_ban) if first_trick and rules.first_trick_ban else set()
    if led_suit is None:
        if first_trick and rules.first_lead:
            wanted = pack.pick(rules.first_lead)
            if wanted & set(hand):
                return [card for card in hand if card in wanted]
        banned = pack.pick(rules.lead_ban.cards) if rules.lead_ban and not ban_lifted else set()
        return _without(_without(hand, banned), kept)
    following = [card for card in hand if suit_of(card) == led_suit]
    open_to = _without(following or hand, kept)
    best = lying[_best(lying, pack, trump)] if lying else None
    if rules.forced_play:
        forced = _forced_out(open_to, rules.forced_play, led_suit, best, pack, bool(following))
        if forced:
            return forced
    if following:
        return _to_beat(open_to, led_suit, rules, pack, trump, best)
    return _void(open_to, rules, pack, trump, best)


def _without(cards: Sequence[Card], unwanted: Collection[Card]) -> list[Card]:
    """Return the cards less the unwanted ones; all of them if nothing would be left."""
    return [card for card in cards if card not in unwanted] or list(cards)


def _forced_out(
    cards: Sequence[Card],
    rule: ForcedPlay,
    led_suit: str,
    best: Card | None,
    pack: Pack,
    following: bool,
) -> list[Card]:
    """Return the cards one of which must go now, none if there is no such card."""
    forced = [card for card in cards if card in pack.pick(rule.cards)]
    if following and rule.when == "void":
        return []
    if following and rule.when == "void_or_beaten":
        # Under a card of its own suit that wins: a trick that is ruffed is won by another.
        if best is None or suit_of(best) != led_suit:
            return []
        forced = [card for card in forced if not beats(card, best, pack)]
    if forced and rule.choose == "highest":
        top = max(pack.height(card) for card in forced)
        forced = [card for card in forced if pack.height(card) == top]
    return forced


def _to_beat(
    cards: list[Card],
    led_suit: str,
    rules: TrickContract,
    pack: Pack,
    trump: str | None,
    best: Card | None,
) -> list[Card]:
    """Return the cards of the suit led that may be played: those that win, if that is a duty."""
    applies = rules.beat_duty == "all_leads" or (
        rules.beat_duty == "trump_leads" and led_suit == trump
    )
    if not applies or best is None or suit_of(best) != led_suit:
        return cards
    return [card for card in cards if beats(card, best, pack)] or cards


def _void(
    cards: list[Card], rules: TrickContract, pack: Pack, trump: str | None, best: Card | None
) -> list[Card]:
    """Return what a seat without the suit led may play, by what is said of trumps."""
    trumps = [card for card in cards if suit_of(card) == trump]
    over = trumps
    if best is not None and suit_of(best) == trump:
        over = [card for card in trumps if beats(card, best, pack)]
    match rules.void_duty:
        case "free":
            return cards
        case "must_ruff":
            return trumps or cards
        case "must_overruff":
            return over or trumps or cards
        case "must_overruff_else_free":
            return over or cards


def beats(card: Card, other: Card, pack: Pack) -> bool:
    """Tell whether a card played later ranks above another of its suit; one alike does, unless
    the pack's first one wins."""
    over = pack.height(card) - pack.height(other)
    return over > 0 or (over == 0 and not pack.first_wins)


def ban_is_lifted(table: Table, rules: TrickContract, pack: Pack) -> bool:
    """Tell at the start of a trick, the last on the table, whether nobody is bound by the ban.

    A card that breaks it counts once its trick is over (dossier 2.51).
    """
    ban = rules.lead_ban
    if ban is None or ban.until == "nothing_else":
        return False
    if ban.until == "trick":
        assert ban.trick is not None
        return len(table.tricks) >= ban.trick
    breakers = pack.pick(ban.broken_by or ban.cards)
    return table.ban_lifted or any(card in breakers for taken in table.captured for card in taken)


def winner(trick: Trick, pack: Pack, trump: str | None = None) -> int:
    """Return who takes a trick: the highest trump, else the highest card of the suit led."""
    return trick.cards[_best([card for _, card in trick.cards], pack, trump)][0]


def _best(cards: Sequence[Card], pack: Pack, trump: str | None) -> int:
    """Return which of the cards of a trick, in order, wins it.

    Of two cards alike the later one, unless the pack's first one wins (000 A37).
    """
    trumps = [i for i, card in enumerate(cards) if suit_of(card) == trump]
    followed = [i for i, card in enumerate(cards) if suit_of(card) == suit_of(cards[0])]
    in_doubt = trumps or followed
    highest = max(pack.height(cards[i]) for i in in_doubt)
    alike = [i for i in in_doubt if pack.height(cards[i]) == highest]
    return alike[0 if pack.first_wins else -1]


def table_total(variant: Variant, name: str, pack: Pack) -> int:
    """Return what all hands together get in a contract, in the document's sign."""
    contract = variant.contracts[name]
    if isinstance(contract, LayoutContract):
        return sum(contract.payout)
    total = 0
    for term, points in scoring_terms(variant, name):
        if isinstance(term, PerCard):
            total += points * len(pack.pick(term.of))
        elif isinstance(term, PerTrick):
            total += points * (len(pack.cards) // variant.seats)
        else:
            total += points * len(term.tricks)
    return total


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
    deciding = {card for term in terms if isinstance(term, PerCard) for card in pack.pick(term.of)}
    # Whoever may still take all cards that shooting asks for may still change everything.
    return deciding | (pack.pick(contract.shooting.cards) if contract.shooting else set())


def play_tricks(
    variant: Variant,
    table: Table,
    hands: list[list[Card]],
    pack: Pack,
    ask: Asker,
    turn: int | None = None,
    revokes: Sequence[tuple[int, Sequence[str]]] = (),
) -> int | None:
    """Play a deal of tricks on the table, until the hands are empty or it is decided.

    ``hands`` by seat, each in the order of the pack; cards played are taken out of them.
    ``turn`` leads the next trick; without it the first leader. ``revokes``: who has revoked
    before, the first one first, and the suits not followed. Returns the seat that is
    proved to have revoked, if one is; that may stop the deal inside a trick.
    """
    assert table.contract is not None
    rules = variant.contracts[table.contract]
    assert isinstance(rules, TrickContract)
    trump = table.named
    deciding = cards_that_decide(variant, table.contract, pack)
    honour = Honour(variant, rules, pack, revokes)
    leader = table.leader if turn is None else turn
    while hands[leader]:
        trick = Trick(leader)
        table.tricks.append(trick)
        table.ban_lifted = ban_is_lifted(table, rules, pack)
        seat = leader
        for _ in range(table.seats):
            led_suit = trick.led_suit
            legal = legal_cards(
                hands[seat],
                led_suit,
                rules,
                pack,
                trump,
                lying=[card for _, card in trick.cards],
                first_trick=len(table.tricks) == 1,
                ban_lifted=table.ban_lifted,
            )
            slips = honour.accepts(hands[seat], legal, led_suit)
            card = ask.card(View(table, seat, tuple(hands[seat]), legal=tuple(legal)), slips)
            hands[seat].remove(card)
            table.cards_left[seat] -= 1
            show_void(table, seat, card, led_suit)
            trick.cards.append((seat, card))
            honour.watch(seat, card, led_suit, card not in legal)
            if honour.proved is not None:
                return honour.proved
            seat = table.after(seat)
        leader = trick.owner = winner(trick, pack, trump)
        take(table, trick, rules, pack)
        if deciding and deciding <= {card for taken in table.captured for card in taken}:
            break
    honour.end()
    return honour.proved


def show_void(table: Table, seat: int, card: Card, led_suit: str | None) -> None:
    """Note what a card tells everybody: who does not follow has none of the suit led.

    Unless it was a revoke. A card of a suit that its player did not follow before takes that
    back.
    """
    table.void[seat].discard(suit_of(card))
    if led_suit is not None and suit_of(card) != led_suit:
        table.void[seat].add(led_suit)


def reckon(variant: Variant, table: Table, pack: Pack) -> tuple[list[int], list[list[int]]]:
    """Return the points of a deal that is over, in the document's sign, and what was counted.

    Counted is a row by seat for each term that scores; where all of certain cards can be
    taken, a last row with 1 for the seat that did.
    """
    assert table.contract is not None
    rules = variant.contracts[table.contract]
    assert isinstance(rules, TrickContract)
    scoring = scoring_terms(variant, table.contract)
    counted = [items(term, table, pack) for term, _ in scoring]
    points = [0] * table.seats
    for (_, each), by_seat in zip(scoring, counted, strict=True):
        for seat, n_items in enumerate(by_seat):
            points[seat] += each * n_items
    if rules.shooting:
        wanted = pack.pick(rules.shooting.cards)
        shot = [int(wanted <= set(taken)) for taken in table.captured]
        counted.append(shot)
        if any(shot):
            taker, others = rules.shooting.taker, rules.shooting.others
            points = [taker if did else others for did in shot]
    return points, counted


def take(table: Table, trick: Trick, rules: TrickContract, pack: Pack) -> None:
    """Put a trick before its owner; the cards that the rules name stay face up."""
    assert trick.owner is not None
    cards = [card for _, card in trick.cards]
    table.captured[trick.owner] += cards
    if rules.face_up:
        table.face_up[trick.owner] |= pack.pick(rules.face_up) & set(cards)
