"""What a variant says of its document: readings taken, totals printed."""

from typing import Annotated

from pydantic import Field

from engine_ext.rules.spec_base import Frozen, Text


class Reading(Frozen):
    """Which reading this variant takes where the document is not clear."""

    issue: Text
    """Number in the dossier's section 2, or the passage in words."""
    option: Text | Annotated[tuple[Text, ...], Field(min_length=1)]
    """Key in this file that carries the reading: ``contracts.domino.passing``,
    ``contracts.kings.terms[0].of.ranks``; or several keys."""
    value: str | int | bool | tuple[int, ...] | tuple[str, ...]
    """The value that the key has, ``none`` where a table is absent; checked at
    load. With several keys: the value of all, or a list with one for each."""
    why: Text
    """The reason, in a sentence."""
    source: Text
    """Document and passage, or the public source."""


class Claim(Frozen):
    """A total that the document prints, to be held against what comes out."""

    what: Text
    """``game``, ``declarer``, ``contracts.NAME``, ``gross_positive`` or
    ``gross_negative`` (all deals of a game, points of one sign only)."""
    value: int
    """What the document says, in its own sign."""
    source: Text
    """Where it says so."""
    note: Text | None = None
    """What is wrong with it, where it is false."""
