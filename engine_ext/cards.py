"""Cards as small integers, their names, and sets of them, for the pack of a variant.

A card is ``16 * suit + rank``: suits in the order of the variant's deck, ranks from the
lowest; with two packs shuffled together its second copy is 64 more. A set of cards is the
integer with those bits, so a suit is a lane of 16 bits.
"""

from collections.abc import Iterable, Iterator

from engine_ext.rules.spec import Deck, Selector

LANE = 16
"""Bits of a suit's lane; at most 15 ranks are used."""
WORD = 64
"""Bits of one pack's lanes; second copies are so many up."""


def cards_in(mask: int) -> Iterator[int]:
    """Yield the cards of a set, lowest number first.

    >>> list(cards_in(0b1001))
    [0, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def merged(mask: int) -> int:
    """Return the cards of a set without regard to copies, as first copies.

    >>> merged(1 << 64 | 0b10)
    3
    """
    return (mask | mask >> WORD) & (1 << WORD) - 1


def twins(mask: int) -> int:
    """Return the cards of which both copies are in a set, as first copies."""
    return mask & mask >> WORD


class Pack:
    """The numbers, names and sets of one deck.

    >>> pack = Pack(Deck(ranks=tuple("789TJQKA")))
    >>> pack.number("KH"), pack.name(38), pack.size
    (38, 'KH', 32)
    """

    def __init__(self, deck: Deck) -> None:
        self.suits = deck.suits
        self.ranks = deck.ranks
        self.copies = deck.copies
        self.lane = (1 << len(self.ranks)) - 1
        """The ranks of one suit, as bits from 0."""
        self.deck: int = 0
        """Every card that is dealt."""
        for i in range(len(self.suits)):
            self.deck |= self.suit_mask(i)
        for name in deck.remove:
            bit = 1 << self._number(name)
            # Of two copies the second goes first.
            second = bit << WORD & self.deck
            self.deck &= ~(second or bit)

    @property
    def size(self) -> int:
        """How many cards are dealt."""
        return self.deck.bit_count()

    def suit_mask(self, suit: int) -> int:
        """Return the full lane of a suit in every pack, removed cards included."""
        lane = self.lane << LANE * suit
        return lane | lane << WORD if self.copies == 2 else lane

    def ranks_in(self, suit: int) -> int:
        """Return the ranks that a suit has, as bits from the lowest; removed cards left out."""
        return merged(self.deck) >> LANE * suit & self.lane

    def number(self, name: str) -> int:
        """Return the card called ``name``, rank first; of two copies the first.

        Raises ``ValueError`` for a name that is no card of the deck.
        """
        card = self._number(name)
        if not self.deck >> card & 1:
            raise ValueError(f"{name} is taken out of this pack")
        return card

    def copies_of(self, name: str) -> int:
        """Return the cards called ``name`` as a set; raises like :meth:`number`."""
        bit = 1 << self.number(name)
        return (bit | bit << WORD) & self.deck

    def _number(self, name: str) -> int:
        if len(name) == 2 and name[0] in self.ranks and name[1] in self.suits:
            return LANE * self.suits.index(name[1]) + self.ranks.index(name[0])
        example = self.ranks[-1] + self.suits[0]
        raise ValueError(
            f'"{name}" is no card of this pack (rank first, e.g. {example}; '
            f"ranks {' '.join(self.ranks)}, suits {' '.join(self.suits)})"
        )

    def name(self, card: int) -> str:
        """Inverse of :meth:`number`; copies have the same name."""
        return self.ranks[card % LANE] + self.suits[card % WORD // LANE]

    def named(self, mask: int) -> list[str]:
        """Return the names of a set in the order of the pack, cards alike side by side."""
        return [self.name(card) for card in sorted(cards_in(mask), key=lambda card: card % WORD)]

    def names(self, mask: int) -> str:
        """Return the names of a set as :meth:`named`, separated by blanks."""
        return " ".join(self.named(mask))

    def set_of(self, names: str | Iterable[str]) -> int:
        """Return the set of the cards named, one by one or in a text with blanks.

        Raises ``ValueError`` for a name that is no card of the deck or comes more often
        than the deck has it.
        """
        return self.sets_of([names.split() if isinstance(names, str) else names])[0]

    def sets_of(self, groups: Iterable[Iterable[str]]) -> list[int]:
        """Return sets that share no card: of a name that comes twice the first copy goes to the
        group that names it first. Raises like :meth:`set_of`.

        >>> Pack(Deck(ranks=("7", "8"), copies=2)).sets_of([["7C"], ["8C", "7C"]])
        [1, 18446744073709551618]
        """
        left = self.deck
        found = []
        for names in groups:
            mask = 0
            for name in names:
                copies = self.copies_of(name)
                free = copies & left
                if not free:
                    often = "twice" if copies.bit_count() == 1 else "three times"
                    raise ValueError(f"{name} is listed {often}")
                mask |= free & -free
                left &= ~mask
            found.append(mask)
        return found

    def select(self, selector: Selector) -> int:
        """Return the cards of the deck that a selector means, all copies of each."""
        mask = 0
        if selector.suits or selector.ranks:
            ranks = selector.ranks or self.ranks
            lane = sum(1 << self.ranks.index(rank) for rank in set(ranks))
            for suit in set(selector.suits or self.suits):
                mask |= lane << LANE * self.suits.index(suit)
        mask |= mask << WORD
        for name in selector.cards:
            mask |= self.copies_of(name)
        for name in selector.but:
            mask &= ~self.copies_of(name)
        return mask & self.deck
