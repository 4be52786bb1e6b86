"""The pack, and sets of its cards."""

from typing import Literal

from pydantic import Field

from engine_ext.rules.spec_base import Frozen


class Deck(Frozen):
    """The pack that is dealt out completely."""

    suits: tuple[str, ...] = Field(("C", "D", "H", "S"), min_length=1, max_length=4)
    """One letter for each suit; equal ranks are named in this order."""
    ranks: tuple[str, ...] = Field(min_length=2, max_length=15)
    """One letter for each rank, lowest first (T is the ten)."""
    remove: tuple[str, ...] = ()
    """Cards taken out, rank first: ``["2C"]``. With two packs a card listed once
    loses one of its two copies, listed twice both."""
    copies: Literal[1, 2] = 1
    """Packs shuffled together; cards that are alike cannot be told apart."""
    identical: Literal["last_wins", "first_wins"] = "last_wins"
    """Two cards alike in one trick: which of them ranks higher, the one played
    later or the one played earlier. Without effect in one pack."""


class Selector(Frozen):
    """A set of cards: those of the suits and ranks given (both, where both
    stand), and the cards listed; less the exceptions."""

    suits: tuple[str, ...] = ()
    """Any card of these suits."""
    ranks: tuple[str, ...] = ()
    """Any card of these ranks."""
    cards: tuple[str, ...] = ()
    """These cards by name, rank first: ``["KH"]``."""
    but: tuple[str, ...] = ()
    """Cards left out again: hearts ``but = ["AH"]``."""
