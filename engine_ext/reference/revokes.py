"""Revokes: players on their honour, what counts as one, when it is proved, what it costs."""

from collections.abc import Sequence

from engine_ext.reference.cards import Card, Pack, suit_of
from engine_ext.rules.spec import Revokes, TrickContract, Variant


class Honour:
    """What the hands of one deal of tricks hide from the table: who has revoked so far."""

    def __init__(
        self,
        variant: Variant,
        rules: TrickContract,
        pack: Pack,
        past: Sequence[tuple[int, Sequence[str]]] = (),
    ) -> None:
        """``past``: who has revoked before, the first one first, and the suits withheld."""
        self.price = variant.legality if isinstance(variant.legality, Revokes) else None
        self.banned = pack.pick(rules.lead_ban.cards) if rules.lead_ban else set()
        self.withheld: list[set[str]] = [set() for _ in range(variant.seats)]
        """By seat: suits that it could have followed and did not."""
        for seat, suits in past:
            self.withheld[seat] |= set(suits)
        self.first: int | None = past[0][0] if past else None
        """Who revoked first."""
        self.proved: int | None = None
        """Whose revoke has come out; the deal stops then."""

    def accepts(
        self, hand: Sequence[Card], legal: Sequence[Card], led_suit: str | None
    ) -> list[Card]:
        """Return the cards beyond the legal ones that nobody at the table can object to.

        A card of another suit from a hand that could follow (000 A26); a banned card that is
        led, if that is a revoke here (dossier 2.8). Who cannot follow and breaks another duty
        is put right by the table, as is one who follows with the wrong card.
        """
        if self.price is None:
            return []
        if led_suit is None:
            if self.price.lead_ban_breach == "rejected":
                return []
            if all(card in self.banned for card in hand):
                return []
            return [card for card in hand if card in self.banned and card not in legal]
        if not any(suit_of(card) == led_suit for card in hand):
            return []
        return [card for card in hand if suit_of(card) != led_suit]

    def watch(self, seat: int, card: Card, led_suit: str | None, slipped: bool) -> None:
        """Note what a seat played; ``slipped`` if the card was not legal.

        A revoke is proved by a later card of the suit withheld (000 A27). A banned card led is
        proved at once, for the hand is looked at; at the end of the deal everything is.
        """
        if self.price is None:
            return
        early = self.price.proof == "later_same_suit_play"
        looked_at = slipped and led_suit is None
        if early and (looked_at or suit_of(card) in self.withheld[seat]):
            self.proved = seat
        if slipped:
            self.first = seat if self.first is None else self.first
            if led_suit is not None:
                self.withheld[seat].add(led_suit)

    def end(self) -> None:
        """All is shown after the last trick, where that is what proves a revoke."""
        if self.price is not None and self.price.proof == "end_of_deal":
            self.proved = self.first


def settle_revoke(
    variant: Variant, points: list[int], counted: list[list[int]], total: int, seat: int
) -> None:
    """Charge a proved revoke of ``seat`` to the points of the deal; more is better here.

    ``counted`` are the items, by term and seat: nothing of them counts where the deal is void.
    ``total`` is what the whole table gets in the contract, in the document's sign.
    """
    price = variant.legality
    assert isinstance(price, Revokes)
    better = -1 if variant.objective == "lowest" else 1
    if price.other_scores == "void":
        points[:] = [0 for _ in points]
        counted[:] = [[0 for _ in by_seat] for by_seat in counted]
    if price.sign == "worsens":
        points[seat] -= abs(total)
    elif price.sign == "literal_minus":
        points[seat] += better * -abs(total)
    else:
        points[seat] += better * total
