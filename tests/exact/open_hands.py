"""Open hands for the tests of perfect information: tiny packs, all their deals, and plain
minimax that shares nothing with the solver.
"""

from collections.abc import Collection, Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from engine_ext.batch import Rules
from engine_ext.reference.cards import Card, Pack
from engine_ext.reference.table import Trick
from engine_ext.reference.tricks import legal_cards, scoring_terms, winner
from engine_ext.rules.spec import PerCard, PerTrick, TrickContract, Variant

RANKS = "23456789TJQKA"
TRICKS, TRUMPS = 0, 1
"""Contracts of :func:`tiny`: a point a trick, without and with trumps."""


def tiny(seats: int, n_suits: int, n_ranks: int) -> Rules:
    """Rules for a pack of a few cards: the contracts ``TRICKS`` and ``TRUMPS``."""
    per_trick = {
        "kind": "trick",
        "title": "Tricks",
        "tone": "positive",
        "source": "made up",
        "terms": [{"per": "trick", "points": 1}],
    }
    table = {
        "title": "Tiny",
        "language": "en",
        "source": "made up",
        "seats": seats,
        "direction": "clockwise",
        "objective": "highest",
        "deck": {"suits": tuple("CDHS"[:n_suits]), "ranks": tuple(RANKS[:n_ranks])},
        "contracts": {"tricks": per_trick, "trumps": per_trick | {"trump": "drawn"}},
        "schedule": {
            "kind": "fixed",
            "sequence": ("tricks", "trumps"),
            "leader": "dealer",
        },
    }
    return Rules(Variant.model_validate(table))


def all_deals(rules: Rules) -> npt.NDArray[np.uint64]:
    """Every way to deal the pack out: (N, S) card sets, each deal once."""
    cards = [1 << bit for bit in range(64) if rules.numbers.deck >> bit & 1]
    return np.array(list(_hands(cards, rules.numbers.seats)), np.uint64)


def _hands(cards: list[int], seats: int) -> Iterator[tuple[int, ...]]:
    if seats == 1:
        yield (sum(cards),)
        return
    for held in combinations(cards, len(cards) // seats):
        rest = [card for card in cards if card not in held]
        for others in _hands(rest, seats - 1):
            yield (sum(held), *others)


class Minimax:
    """Values by trying every legal card, on the rules of the slow twin.

    ``seats`` are those whose points count, ``pulling`` those who want them as high as can
    be; cards by name, points in the sign where more is better.
    """

    def __init__(
        self,
        variant: Variant,
        contract: str,
        trump: str | None,
        seats: Collection[int],
        pulling: Collection[int],
    ) -> None:
        rules = variant.contracts[contract]
        assert isinstance(rules, TrickContract)
        self.rules = rules
        self.pack = Pack(variant.deck)
        self.trump = trump
        self.seats = seats
        self.pulling = pulling
        self.hand_size = len(self.pack.cards) // variant.seats
        sign = -1 if variant.objective == "lowest" else 1
        self.terms = [(term, sign * points) for term, points in scoring_terms(variant, contract)]
        self.known: dict[object, int] = {}

    def value(
        self, hands: tuple[tuple[Card, ...], ...], leader: int, lying: tuple[Card, ...] = ()
    ) -> int:
        """Return the points still to come; ``lying`` are the cards of the trick so far."""
        key = (hands, leader, lying)
        if key not in self.known:
            seat = (leader + len(lying)) % len(hands)
            values = self.by_card(hands, leader, lying).values()
            self.known[key] = max(values) if seat in self.pulling else min(values)
        return self.known[key]

    def by_card(
        self, hands: tuple[tuple[Card, ...], ...], leader: int, lying: tuple[Card, ...] = ()
    ) -> dict[Card, int]:
        """Return the points after each card that the seat to play may play."""
        seat = (leader + len(lying)) % len(hands)
        led = lying[0][1] if lying else None
        legal = legal_cards(hands[seat], led, self.rules, self.pack, self.trump)
        return {card: self._after(hands, leader, lying, seat, card) for card in legal}

    def _after(
        self,
        hands: tuple[tuple[Card, ...], ...],
        leader: int,
        lying: tuple[Card, ...],
        seat: int,
        card: Card,
    ) -> int:
        n_left = len(hands[seat])
        rest = tuple(
            tuple(c for c in hand if c != card) if s == seat else hand
            for s, hand in enumerate(hands)
        )
        lying = (*lying, card)
        if len(lying) < len(hands):
            return self.value(rest, leader, lying)
        trick = Trick(leader)
        trick.cards = [((leader + k) % len(hands), c) for k, c in enumerate(lying)]
        owner = winner(trick, self.pack, self.trump)
        points = self._points(lying, n_left) if owner in self.seats else 0
        return points + (self.value(rest, owner) if n_left > 1 else 0)

    def _points(self, cards: tuple[Card, ...], n_left: int) -> int:
        number = self.hand_size - n_left + 1
        total = 0
        for term, points in self.terms:
            if isinstance(term, PerCard):
                total += points * len(self.pack.pick(term.of) & set(cards))
            elif isinstance(term, PerTrick) or {number, -n_left} & set(term.tricks):
                total += points
        return total
