"""Layout contracts: what fits, who may pass, what the places are worth."""

from typing import Literal

from pydantic import Field

from engine_ext.rules.spec_base import ContractBase, Frozen, Points
from engine_ext.rules.spec_cards import Selector


class Replay(Frozen):
    """Cards that let their player move again."""

    cards: Selector
    """Laying one of these gives another turn at once (not as the last card)."""
    duty: Literal["optional", "mandatory"] = "optional"
    """The further turn may be declined, even where passing is forbidden; or it
    must be used by whoever can lay a card."""


class LayoutContract(ContractBase):
    """A deal of domino: cards are laid in sequence on a start rank."""

    kind: Literal["layout"]
    start: Literal["any_rank"] | tuple[str, ...] = "any_rank"
    """Ranks that may be named; any of the deck, or those listed. It need not
    be held."""
    missing_start: Literal["virtual", "forbid", "stall"] = "virtual"
    """Start rank lacking in a suit (removed cards): it counts as laid; or the
    rank may not be named; or the suit stays closed (then ``stall = "freeze"``
    has to end the deal)."""
    copies: Literal["shared_run", "parallel_rows", "stack"] = "shared_run"
    """Cards alike, with two packs. ``shared_run``: one row a suit, a card fits
    next to either copy of its neighbour. ``parallel_rows``: two rows a suit, each
    copy has a row of its own and its neighbours in it. ``stack``: one row, and the
    next rank opens once every copy of its neighbour lies."""
    passing: Literal["must_play", "may_pass", "limited"]
    """Whether a seat that can lay a card may pass: never, always, or as often in
    a deal as ``passes`` says."""
    passes: int | None = Field(None, ge=1, le=100)
    """With ``limited``: the passes of a seat in a deal that could have laid."""
    stall: Literal["none", "force_after_full_circle", "freeze"] = "none"
    """After as many passes in a row as seats still in: nothing; whoever can lay
    a card must, until one is laid; or the deal is over and the seats still in
    come by fewest cards, equal ones by who would move first. Required where
    passing is free."""
    unplayable: Literal["foul", "lose_turn"] = "foul"
    """A card of the hand that does not fit: a foul; or taken back, the turn is
    lost and counts as a pass (a foul all the same where a card is forced)."""
    replay: Replay | None = None
    """Cards that let their player move again."""
    end: Literal["all_out", "one_left"] = "one_left"
    """Play until the last hand is empty, or until one seat is left. Points are
    the same."""
    payout: tuple[Points, ...] = Field(min_length=2, max_length=10)
    """Points by finishing place, first out first; one for each seat."""
