"""Where a record's cards are: hands, tricks taken, a layout; and what cannot be so.

Each function takes the setup lines and returns one part of the position.
"""

from collections import Counter

from engine_ext.position import Lying, deck_of, never_laid
from engine_ext.record_given import Given
from engine_ext.record_position import Cards
from engine_ext.record_text import NOBODY
from engine_ext.rules.resolve import ContractNumbers


def hands_of(given: Given) -> tuple[Cards, ...]:
    """Return the hands; all empty without a line, where nobody plays."""
    line = given.line("hands")
    if line is None:
        for act in given.acts:
            if act.word in ("trick", "then", "lay"):
                raise act.wrong(f"{act.word}: no hands line says what is held")
        return ((),) * given.seats
    parts = line.text.split("|")
    if len(parts) != given.seats:
        raise line.wrong(f"hands: {len(parts)} hands, want {given.seats} with | between them")
    for seat, part in enumerate(parts):
        if not part.split():
            raise line.wrong(f"hands: nothing for P{seat} (- is an empty hand)")
    return tuple(line.cards(tuple(part.split()), given.pack) for part in parts)


def tricks_gone(given: Given, name: str, hands: tuple[Cards, ...]) -> int:
    """Return how many tricks have been played: what the hands lack of those dealt."""
    sizes = [len(hand) for hand in hands]
    line = given.line("hands")
    if len(set(sizes)) > 1:
        assert line is not None
        raise line.wrong(
            f"hands: {', '.join(map(str, sizes))} cards; between tricks of {name} all hold "
            "as many (cards of a trick in progress are still in the hands)"
        )
    if sizes[0] > given.numbers.hand_size:
        assert line is not None
        raise line.wrong(f"hands: {sizes[0]} cards each, {given.numbers.hand_size} are dealt")
    return given.numbers.hand_size - sizes[0]


def owners_of(given: Given, gone: int, layout: bool) -> tuple[int | None, ...]:
    """Return who took each trick that is gone."""
    line = given.line("owners")
    if line is None:
        return (None,) * gone
    if layout:
        raise line.wrong("owners: a layout has no tricks")
    if len(line.rest) != gone:
        raise line.wrong(
            f"owners: {len(line.rest)} said, but {gone} tricks are gone (hands of "
            f"{given.numbers.hand_size - gone}, {given.numbers.hand_size} were dealt)"
        )
    return tuple(None if t == NOBODY else line.seat(t, given.seats) for t in line.rest)


def taken_of(given: Given) -> tuple[Cards, ...]:
    """Return the cards that each seat has taken."""
    return given.by_seat("taken", lambda line: line.cards(line.rest, given.pack))


def laid_of(given: Given, layout: bool) -> Cards:
    """Return what lies in a layout."""
    line = given.line("laid")
    if line is None:
        return ()
    if not layout:
        raise line.wrong("laid: only a layout has cards laid (tricks: taken P0: ...)")
    return line.cards(line.rest, given.pack)


def once_each(
    given: Given, hands: tuple[Cards, ...], taken: tuple[Cards, ...], laid: Cards
) -> None:
    """See that no card stands more often than the packs have it."""
    places = [(f"P{seat}'s hand", hand, "hands") for seat, hand in enumerate(hands)]
    places += [(f"what P{seat} has taken", cards, "taken") for seat, cards in enumerate(taken)]
    places.append(("the layout", laid, "laid"))
    where: dict[str, str] = {}
    left = Counter(given.pack.named(given.numbers.deck))
    for place, cards, word in places:
        for card in cards:
            left[card] -= 1
            if left[card] < 0:
                both = f"in {where[card]} and in {place}"
                both = f"twice in {place}" if where[card] == place else both
                if given.pack.copies_of(card).bit_count() == 2:
                    both = "three times (the packs have two of it)"
                raise given.lines[word][-1].wrong(f"{word}: {card} stands {both}")
            where[card] = place


def tricks_fit(given: Given, owners: tuple[int | None, ...], taken: tuple[Cards, ...]) -> None:
    """See that nobody has taken more cards than there are in his tricks."""
    unknown = owners.count(None)
    spare = unknown * given.seats
    for seat, cards in enumerate(taken):
        over = len(cards) - owners.count(seat) * given.seats
        spare -= max(over, 0)
        if spare < 0:
            raise given.lines["taken"][-1].wrong(
                f"taken: too much for P{seat} (cards {len(cards)}; tricks {owners.count(seat)}, "
                f"and {unknown} whose taker is not known)"
            )


def not_decided(
    given: Given, contract: ContractNumbers, hands: tuple[Cards, ...], taken: tuple[Cards, ...]
) -> None:
    """See that there is something left to play for, where an early end is made."""
    gone = given.pack.set_of(card for cards in taken for card in cards)
    if any(hands) and contract.end_cards and contract.end_cards & ~gone == 0:
        raise given.lines["taken"][-1].wrong(
            "taken: all cards that score are taken, so the deal is over (write hands - | - ...)"
        )


def layout_fits(
    given: Given,
    contract: ContractNumbers,
    start: str | None,
    hands: tuple[Cards, ...],
    laid: Cards,
) -> None:
    """See that what lies there can, and that what is held can come to lie there."""
    if start is None or start not in given.pack.ranks:
        return
    rank, deck, lies = given.pack.ranks.index(start), given.numbers.deck, Lying.of(contract)
    there, *sets = given.pack.sets_of([laid, *hands])
    stuck = never_laid(deck, rank, 0, there, lies)
    if stuck:
        raise given.lines["laid"][0].wrong(
            f"laid: {given.pack.names(stuck)} cannot lie there, the start is {start}"
        )
    stuck = never_laid(deck, rank, there, deck_of(sets), lies)
    if stuck and not contract.stall_freezes:
        raise given.lines["hands"][0].wrong(
            f"hands: {given.pack.names(stuck)} can never be laid; the cards between them and "
            "the start are neither held nor laid"
        )
