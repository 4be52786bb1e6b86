"""Cards by name, the pack they come from, and the sets of them that a rule picks.

A card is a text, rank first: ``"KH"`` is the king of hearts. With two packs the second copy
is ``"KH'"``, so that the twin can tell apart what players cannot. A hand is a list of cards.
"""

from collections.abc import Collection, Iterable, Sequence

from engine_ext.rules.spec import Deck, Selector

Card = str


def rank_of(card: Card) -> str:
    """Return the letter of a card's rank.

    >>> rank_of("TD"), suit_of("TD")
    ('T', 'D')
    """
    return card[0]


def suit_of(card: Card) -> str:
    """Return the letter of a card's suit."""
    return card[1]


def name_of(card: Card) -> str:
    """Return the name of a card, the same for both copies.

    >>> name_of("KH'")
    'KH'
    """
    return card[:2]


def is_second(card: Card) -> bool:
    """Tell whether a card is a second copy."""
    return card.endswith("'")


def meant(card: Card | None, among: Collection[Card]) -> Card | None:
    """Return the card among some that has the same name, the card itself if there is none.

    Cards alike cannot be told apart, so either copy may be named.
    """
    if card is None or card in among:
        return card
    return next((other for other in among if name_of(other) == name_of(card)), card)


class Pack:
    """The pack of a variant, in the order in which it is dealt and named.

    Suit by suit in the order of the file, in a suit from the lowest rank up; the cards
    removed are left out, of two copies the second first. Second copies come after all first
    ones. Where a rule speaks of "the first" card it means this order.
    """

    def __init__(self, deck: Deck) -> None:
        self.suits = deck.suits
        self.ranks = deck.ranks
        self.cards: list[Card] = [
            rank + suit + "'" * copy
            for copy in range(deck.copies) for suit in deck.suits for rank in deck.ranks
            if copy < deck.copies - deck.remove.count(rank + suit)
        ]  # fmt: skip
        self.copies = deck.copies
        self.first_wins = deck.identical == "first_wins"
        self.place = {card: place for place, card in enumerate(self.cards)}
        self.heights = {rank: height for height, rank in enumerate(deck.ranks)}
        self.picked: dict[Selector, frozenset[Card]] = {}
        """What selectors mean, found out once each: rules ask for it at every trick."""

    def height(self, card: Card) -> int:
        """Return how high a card ranks: 0 is the lowest rank of the deck."""
        return self.heights[rank_of(card)]

    def in_order(self, cards: Iterable[Card]) -> list[Card]:
        """Return the cards sorted as in the pack."""
        return sorted(cards, key=self.place.__getitem__)

    def lowest(self, cards: Collection[Card]) -> Card:
        """Return the lowest card by rank; of equals, the one whose suit comes first, of cards
        alike the first copy."""
        return min(
            cards,
            key=lambda card: (self.height(card), self.suits.index(suit_of(card)), is_second(card)),
        )

    def number_of(self, name: str) -> int:
        """Return how many cards of a name the pack has: none, one or two."""
        return sum(name_of(card) == name for card in self.cards)

    def told_apart(self, groups: Iterable[Sequence[str]]) -> list[list[Card]]:
        """Return cards for groups of names: who names a card first has its first copy."""
        left = list(self.cards)
        found = []
        for names in groups:
            group = []
            for name in names:
                card = next(card for card in left if name_of(card) == name_of(name))
                left.remove(card)
                group.append(card)
            found.append(group)
        return found

    def pick(self, selector: Selector) -> frozenset[Card]:
        """Return the cards of the pack that a selector of a rule file means."""
        cards = self.picked.get(selector)
        if cards is None:
            cards = frozenset(card for card in self.cards if _is_meant(card, selector))
            self.picked[selector] = cards
        return cards


def _is_meant(card: Card, selector: Selector) -> bool:
    if name_of(card) in selector.but:
        return False
    if name_of(card) in selector.cards:
        return True
    if not selector.suits and not selector.ranks:
        return False
    suit_fits = not selector.suits or suit_of(card) in selector.suits
    rank_fits = not selector.ranks or rank_of(card) in selector.ranks
    return suit_fits and rank_fits
