"""Side bets between two seats."""

from typing import Literal

from pydantic import Field

from engine_ext.rules.spec_base import Frozen, Points, Text

Targets = Literal["anyone", "declarer", "nobody"]


class Doubling(Frozen):
    """Side bets between two seats on who does better in the deal.

    The seat after the declarer speaks first, the declarer last. Doubling a seat
    that has doubled you is a redouble."""

    in_negative: Targets
    """Whom the others may double in a negative or mixed contract."""
    in_positive: Targets
    """Whom the others may double in a positive contract."""
    declarer: Literal["doublers", "nobody"]
    """Whom the declarer may double: those who doubled him, or nobody."""
    redoubles: bool = True
    """Whether a seat may double back one that has doubled it."""
    rounds: Literal[1, 2] = 1
    """Turns of each seat in playing order. In the second those who were doubled
    after they had spoken may redouble; nobody doubles anew."""
    duty: int = Field(0, ge=0, le=200)
    """How many times each other seat must double the declarer in the deals that
    a seat declares. A redouble by the declarer does not count."""
    duty_enforced: Literal["force", "penalty", "none"] = "force"
    """``force``: compulsory as soon as the deals left would not suffice.
    ``penalty``: each double that lacks at the end costs ``duty_penalty``."""
    duty_penalty: Points = 0
    """With ``penalty``: points for each double that lacks, in the document's sign."""
    order: Literal["declarer_last"] = "declarer_last"
    """In playing order, the declarer last."""
    base: Literal["raw_points"] = "raw_points"
    """A pair is settled on the points of the deal, before any side bet."""
    undoubled: Literal["play", "split"] = "play"
    """A contract that nobody doubles is played all the same; or, if it is
    negative, not played: the others get its points in equal parts, rounded up in
    size, and the declarer what makes the total right (0 or a little good)."""
    source: Text
    """Where the rule stands."""
