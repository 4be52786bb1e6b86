"""Cards as small integers, their names, and sets of them, for the pack of a variant.

A card is ``16 * suit + rank``: suits in the order of the variant's deck, ranks from the
lowest. A set of cards is the integer with those bits, so a suit is a lane of 16 bits.
"""

from collections.abc import Iterable, Iterator

from engine_ext.rules.spec import Deck, Selector

LANE = 16
"""Bits of a suit's lane; at most 15 ranks are used."""


def cards_in(mask: int) -> Iterator[int]:
    """Yield the cards of a set, lowest number first.

    >>> list(cards_in(0b1001))
    [0, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Pack:
    """The numbers, names and sets of one deck.

    >>> pack = Pack(Deck(ranks=tuple("789TJQKA")))
    >>> pack.number("KH"), pack.name(38), pack.size
    (38, 'KH', 32)
    """

    def __init__(self, deck: Deck) -> None:
        self.suits = deck.suits
        self.ranks = deck.ranks
        self.lane = (1 << len(self.ranks)) - 1
        """The ranks of one suit, as bits from 0."""
        full = sum(self.suit_mask(i) for i in range(len(self.suits)))
        removed = 0
        for name in deck.remove:
            removed |= 1 << self._number(name)
        self.deck: int = full & ~removed
        """Every card that is dealt."""

    @property
    def size(self) -> int:
        """How many cards are dealt."""
        return self.deck.bit_count()

    def suit_mask(self, suit: int) -> int:
        """Return the full lane of a suit, removed cards included."""
        return self.lane << LANE * suit

    def ranks_in(self, suit: int) -> int:
        """Return the ranks that a suit has, as bits from the lowest; removed cards left out."""
        return self.deck >> LANE * suit & self.lane

    def number(self, name: str) -> int:
        """Return the card called ``name``, rank first.

        Raises ``ValueError`` for a name that is no card of the deck.
        """
        card = self._number(name)
        if not self.deck >> card & 1:
            raise ValueError(f"{name} is taken out of this pack")
        return card

    def _number(self, name: str) -> int:
        if len(name) == 2 and name[0] in self.ranks and name[1] in self.suits:
            return LANE * self.suits.index(name[1]) + self.ranks.index(name[0])
        example = self.ranks[-1] + self.suits[0]
        raise ValueError(
            f'"{name}" is no card of this pack (rank first, e.g. {example}; '
            f"ranks {' '.join(self.ranks)}, suits {' '.join(self.suits)})"
        )

    def name(self, card: int) -> str:
        """Inverse of :meth:`number`."""
        return self.ranks[card % LANE] + self.suits[card // LANE]

    def names(self, mask: int) -> str:
        """Return the names of a set, separated by blanks, lowest number first."""
        return " ".join(self.name(card) for card in cards_in(mask))

    def set_of(self, names: str | Iterable[str]) -> int:
        """Return the set of the cards named, one by one or in a text with blanks.

        Raises ``ValueError`` for a name that is no card of the deck or comes twice.
        """
        mask = 0
        for name in names.split() if isinstance(names, str) else names:
            bit = 1 << self.number(name)
            if mask & bit:
                raise ValueError(f"{name} is listed twice")
            mask |= bit
        return mask

    def select(self, selector: Selector) -> int:
        """Return the cards of the deck that a selector means."""
        mask = 0
        if selector.suits or selector.ranks:
            ranks = selector.ranks or self.ranks
            lane = sum(1 << self.ranks.index(rank) for rank in set(ranks))
            for suit in set(selector.suits or self.suits):
                mask |= lane << LANE * self.suits.index(suit)
        mask |= self.set_of(selector.cards)
        return mask & ~self.set_of(selector.but) & self.deck
