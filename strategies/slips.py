"""``slips.v1``: another strategy that now and then does not see what it holds.

Parameters: ``of`` is who plays, ``revoke`` how often it plays another suit though it could
follow, ``misplay`` how often it shows a card of a layout that does not fit. Each is the
probability of a slip where one is possible: a revoke where players are on their honour
(``legality`` of the rules), a card that does not fit where it only costs the turn
(``unplayable = "lose_turn"``) and no card is forced. Where the rules know no slips it plays
as ``of`` does. The card is any of those that would be a slip, each as likely.

Slips come from numbers of their own: neither the cards nor what ``of`` draws changes with
them, so that a run with and without tells what they cost. ``of`` is asked a table at a time;
a compiled one is wrapped in compiled code (``slipping.pyx``).
"""

from typing import TYPE_CHECKING, Any

from engine_ext.batch import is_batched
from engine_ext.build import load
from engine_ext.cards import cards_in
from strategies.parts import is_timed
from strategies.registry import register
from strategies.spec import Nested, ParameterError

if TYPE_CHECKING:
    from engine_ext.pypolicy import View

TAKEN_BACK = 128
"""Moves of a layout from here on laid no card."""


@register("slips.v1", of=Nested("duck.v1"), revoke=0.01, misplay=0.01)
class Slips:
    """Another strategy that now and then revokes, or shows a card that does not fit."""

    draws = True

    def __new__(cls, *, of: Any, revoke: float, misplay: float) -> Any:
        """Return one in compiled code where ``of`` is compiled."""
        for key, value in (("revoke", revoke), ("misplay", misplay)):
            if not 0 <= value <= 1:
                raise ParameterError(f"{key}: {value}, want a probability from 0 to 1")
        if is_batched(of):
            raise ParameterError(f"of: {of!r} is batched, want one that is asked table by table")
        if repr(of).startswith("slips."):
            raise ParameterError(f"of: {of!r} slips already")
        if hasattr(of, "capsule"):
            return load("strategies.slipping").Slipping(of, revoke, misplay)
        return super().__new__(cls)

    def __init__(self, *, of: Any, revoke: float, misplay: float) -> None:
        self._of = of
        self.timed = is_timed(of)
        # With 53 bits, as :meth:`Draws.random` has them.
        self._revoke, self._misplay = (int(p * 2.0**53) for p in (revoke, misplay))

    def __getattr__(self, question: str) -> Any:
        """The other questions are answered by the strategy inside."""
        if question.startswith("_"):
            raise AttributeError(question)
        return getattr(self._of, question)

    def play(self, view: "View") -> int:
        """Return its card, or any of another suit."""
        if view.rules.honour and view.n_trick and view.hand & view.led:
            slip = _slip(view, view.hand & ~view.led, self._revoke)
            if slip is not None:
                return slip
        card: int = self._of.play(view) if hasattr(self._of, "play") else view.lowest()
        return card

    def lay(self, view: "View") -> int | None:
        """Return its move, or any card that does not fit."""
        contract = view.contract
        assert contract is not None, "cards are asked for after the choice"
        if contract.lose_turn and not (contract.stall_forces and _full_circle(view)):
            slip = _slip(view, view.hand & ~view.legal, self._misplay)
            if slip is not None:
                return slip
        move: int | None = self._of.lay(view) if hasattr(self._of, "lay") else view.lowest()
        return move


def _slip(view: "View", cards: int, below: int) -> int | None:
    """Any of the cards, with a probability of ``below`` / 2^53; else None."""
    if not cards:
        return None
    whether, which, *_ = view.random.aside()
    listed = list(cards_in(cards))
    return listed[which * len(listed) >> 64] if whether >> 11 < below else None


def _full_circle(view: "View") -> bool:
    """Whether all who are still in have passed in a row, so that a card is forced."""
    passes = 0
    for _, move in reversed(view.moves):
        if move < TAKEN_BACK:
            break
        passes += 1
    return passes >= view.places.count(0)
