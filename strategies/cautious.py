"""``cautious.v1``: a strategy in Python that answers all five questions with reasons.

It is written to be read and copied. Cards are bits ``16 * suit + rank``, a set of cards
is an int; a card's answer is its number. Second copies stand 64 bits up; it plays as if
there were none, and a card answered by its first copy is taken for either. Points are inside
points: more is better.
"""

from typing import TYPE_CHECKING

from engine_ext.cards import cards_in, merged
from strategies.registry import register

if TYPE_CHECKING:
    from engine_ext.pypolicy import View
    from engine_ext.rules.resolve import ContractNumbers

SUIT = 0xFFFF
"""The bits of one suit, moved down to bit 0."""


def costs(contract: "ContractNumbers") -> bool:
    """Whether anything in a contract costs points: then tricks are avoided."""
    return any(points < 0 for points in contract.slot_points)


def height(hand: int, n_ranks: int) -> float:
    """Mean rank of a hand between -1/2 (only the lowest) and 1/2 (only the highest)."""
    ranks = [card & 15 for card in cards_in(hand)]
    return sum(ranks) / (len(ranks) * (n_ranks - 1)) - 0.5


def spread(hand: int, start: int) -> float:
    """Mean distance of a hand's cards from a start rank: what one has to wait for."""
    distances = [abs((card & 15) - start) for card in cards_in(hand)]
    return sum(distances) / len(distances)


@register("cautious.v1")
class Cautious:
    """Keeps under the trick, throws dear cards, likes low hands in negative contracts."""

    draws = False

    def choose(self, view: "View") -> tuple[int, int]:
        """Return what suits the hand best: low cards, long trumps, cards near the start."""
        return max(view.choices, key=lambda choice: self._promise(view, *choice))

    def _promise(self, view: "View", number: int, param: int) -> float:
        """How well a contract suits the hand, in shares of what is at stake."""
        contract = view.rules.contracts[number]
        ranks = view.rules.n_ranks
        if contract.kind == 1:
            return max(contract.payout) * (0.25 - spread(view.hand, param) / ranks)
        if costs(contract):
            return contract.total * height(view.hand, ranks)
        trumps = merged(view.hand) >> 16 * param & SUIT if contract.trump_mode else 0
        length = trumps.bit_count() * view.rules.n_suits / view.rules.hand_size - 1.5
        return contract.total * (height(view.hand, ranks) + length / 4)

    def double(self, view: "View") -> int:
        """Return what duty says, and everybody where the own hand is a good one."""
        return view.may_double if self._is_good(view, 0.06) else view.must_double

    def redouble(self, view: "View") -> int:
        """Return everybody who doubled a very good hand."""
        return view.may_redouble if self._is_good(view, 0.1) else 0

    def _is_good(self, view: "View", margin: float) -> bool:
        """Whether the hand is low enough for a contract of penalties; else never."""
        contract = view.contract
        assert contract is not None, "doubles are asked for after the choice"
        return (
            contract.kind == 0
            and costs(contract)
            and height(view.hand, view.rules.n_ranks) < -margin
        )

    def play(self, view: "View") -> int:
        """Return a card that keeps out of the trick, or one that takes it, as is wanted."""
        contract = view.contract
        assert contract is not None, "cards are asked for after the choice"
        if not costs(contract):
            return view.highest()
        if view.n_trick == 0:
            return view.lowest()
        following = merged(view.legal & view.led)
        if following:
            best = merged(view.best & view.led)
            under = following & (best - 1) if best else following
            return max(cards_in(under)) if under else view.lowest()
        for slot in contract.card_slots:  # the dearest first
            dear = merged(view.legal & contract.slot_cards[slot])
            if dear and contract.slot_points[slot] < 0:
                return max(cards_in(dear), key=lambda card: card & 15)
        return view.highest()

    def lay(self, view: "View") -> int | None:
        """Return the card of the suit in which most of the own cards still wait."""
        return max(
            cards_in(view.legal),
            key=lambda card: (merged(view.hand) >> (card & 48) & SUIT).bit_count(),
        )
