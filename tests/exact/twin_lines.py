"""Every line of play of a small deal, gone through by the rules of the slow twin.

What may be played, who takes a trick and what fits a layout are asked of the twin; turns,
passes, further turns and the end of a deal are written down here once more.
"""

from dataclasses import dataclass, field

from engine_ext.reference.cards import Card, Pack
from engine_ext.reference.layout import playable
from engine_ext.reference.table import Table, Trick
from engine_ext.reference.tricks import items, legal_cards, scoring_terms, winner
from engine_ext.rules.spec import LayoutContract, PerCard, TrickContract, Variant

Counts = dict[int, list[int]]
"""{product of the numbers of options along a line: [lines, points by seat]}."""


@dataclass
class Lines:
    """A deal of one contract; hands and table change as the lines are gone through."""

    variant: Variant
    contract: str
    hands: list[list[Card]]
    named: str | None = None
    counts: Counts = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seats = self.variant.seats
        self.pack = Pack(self.variant.deck)
        self.better = -1 if self.variant.objective == "lowest" else 1
        self.table = Table(0, self.seats, 0, None, 0, [], [], [])

    def count(self) -> Counts:
        """Go through all lines; seat 0 leads."""
        if isinstance(self.variant.contracts[self.contract], TrickContract):
            self.lead(0, 1)
        else:
            self.laid: list[Card] = []
            self.out: list[int] = []
            self.turn(0, 0, 1)
        return self.counts

    def end(self, points: list[int], product: int) -> None:
        """Write down a line that has been played to its end."""
        row = self.counts.setdefault(product, [0] * (self.seats + 1))
        row[0] += 1
        for seat in range(self.seats):
            row[seat + 1] += self.better * points[seat]

    # Tricks

    def lead(self, leader: int, product: int) -> None:
        """A new trick, or the end."""
        if not self.hands[leader] or self.decided():
            points = [0] * self.seats
            for term, each in scoring_terms(self.variant, self.contract):
                for seat, n in enumerate(items(term, self.table, self.pack)):
                    points[seat] += each * n
            self.end(points, product)
            return
        self.table.tricks.append(Trick(leader))
        self.follow(leader, product)
        self.table.tricks.pop()

    def follow(self, seat: int, product: int) -> None:
        """One seat's card to the last trick, or the trick's end."""
        trick = self.table.tricks[-1]
        if len(trick.cards) == self.seats:
            owner = trick.owner = winner(trick, self.pack, self.named)
            taken = self.table.captured[owner]
            self.table.captured[owner] = taken + [card for _, card in trick.cards]
            self.lead(owner, product)
            self.table.captured[owner] = taken
            trick.owner = None
            return
        rules = self.variant.contracts[self.contract]
        assert isinstance(rules, TrickContract)
        legal = legal_cards(self.hands[seat], trick.led_suit, rules, self.pack, self.named)
        for card in legal:
            held = self.hands[seat]
            self.hands[seat] = [other for other in held if other != card]
            trick.cards.append((seat, card))
            self.follow((seat + 1) % self.seats, product * len(legal))
            trick.cards.pop()
            self.hands[seat] = held

    def decided(self) -> bool:
        """Whether nothing is left to score, in a contract that stops then."""
        rules = self.variant.contracts[self.contract]
        assert isinstance(rules, TrickContract)
        if rules.early_end == "never":
            return False
        gone = {card for taken in self.table.captured for card in taken}
        terms = [term for term, _ in scoring_terms(self.variant, self.contract)]
        return all(isinstance(t, PerCard) and self.pack.pick(t.of) <= gone for t in terms)

    # Layouts

    def turn(self, seat: int, passes: int, product: int) -> None:
        """One seat's turn; ``passes`` in a row before it."""
        rules = self.variant.contracts[self.contract]
        assert isinstance(rules, LayoutContract)
        still = [s for s in range(self.seats) if self.hands[s]]
        if not still or (rules.end == "one_left" and len(still) == 1):
            order = self.out + still
            self.end([rules.payout[order.index(s)] for s in range(self.seats)], product)
            return
        after = (seat + 1) % self.seats
        if not self.hands[seat]:
            self.turn(after, passes, product)
            return
        fitting = self.fitting(seat)
        if not fitting:
            self.turn(after, passes + 1, product)
            return
        forced = rules.stall == "force_after_full_circle" and passes >= len(still)
        passing = rules.passing == "may_pass" and not forced
        options = len(fitting) + passing
        for card in fitting:
            self.lay(seat, card, product * options)
        if passing:
            self.turn(after, passes + 1, product * options)

    def lay(self, seat: int, card: Card, product: int) -> None:
        """Lay a card, see what may follow, and take it back."""
        rules = self.variant.contracts[self.contract]
        assert isinstance(rules, LayoutContract)
        held = self.hands[seat]
        self.hands[seat] = [other for other in held if other != card]
        self.laid.append(card)
        after = (seat + 1) % self.seats
        if not self.hands[seat]:
            self.out.append(seat)
            self.turn(after, 0, product)
            self.out.pop()
        else:
            again = rules.replay is not None and card in self.pack.pick(rules.replay.cards)
            more = self.fitting(seat) if again else []
            for other in more:
                self.lay(seat, other, product * (len(more) + 1))
            self.turn(after, 0, product * (len(more) + 1))
        self.laid.pop()
        self.hands[seat] = held

    def fitting(self, seat: int) -> list[Card]:
        """The cards of a seat that fit now."""
        assert self.named is not None
        return playable(self.hands[seat], self.laid, self.named, self.pack)
