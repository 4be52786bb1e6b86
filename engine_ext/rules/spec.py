"""The schema of a variant file: what a rule may say, and nothing else.

A variant is one TOML file, ``configs/rules/NAME.toml``. It is read into these
frozen records, which refuse unknown keys. Points stand here in the document's
own sign; :mod:`engine_ext.rules.resolve` turns them once, so that inside the
engine more is always better.
"""

from typing import Annotated, Literal

from pydantic import Field

from engine_ext.rules.spec_base import ContractBase, Frozen, Name, Points, Text
from engine_ext.rules.spec_cards import Deck, Selector
from engine_ext.rules.spec_doubling import Doubling, Targets
from engine_ext.rules.spec_layout import LayoutContract, Replay
from engine_ext.rules.spec_papers import Claim, Reading
from engine_ext.rules.spec_schedule import (
    ChoiceSchedule,
    ExtraDeals,
    FixedSchedule,
    Revokes,
    Schedule,
)
from engine_ext.rules.spec_tricks import (
    ForcedPlay,
    Include,
    LeadBan,
    PerCard,
    PerTrick,
    PerTrickAt,
    Shooting,
    Term,
    TrickContract,
)

__all__ = [
    "ChoiceSchedule",
    "Claim",
    "Contract",
    "ContractBase",
    "Deck",
    "Doubling",
    "ExtraDeals",
    "FixedSchedule",
    "ForcedPlay",
    "Frozen",
    "Include",
    "LayoutContract",
    "LeadBan",
    "Name",
    "PerCard",
    "PerTrick",
    "PerTrickAt",
    "Points",
    "Reading",
    "Replay",
    "Revokes",
    "Schedule",
    "Selector",
    "Shooting",
    "Targets",
    "Term",
    "Text",
    "TrickContract",
    "Variant",
]

Contract = Annotated[TrickContract | LayoutContract, Field(discriminator="kind")]


class Variant(Frozen):
    """A complete set of rules for one table size."""

    title: Text
    """Name for people."""
    language: Literal["ca", "de", "en", "es", "fr", "pt", "ru"]
    """Language of the document."""
    source: Text
    """The document the rules come from."""
    seats: int = Field(ge=2, le=10)
    """Number of players."""
    direction: Literal["clockwise", "counter_clockwise"]
    """Direction of play, deal and rotation. Seats count in this direction."""
    objective: Literal["lowest", "highest"]
    """Which total wins, in the document's sign."""
    ties: Literal["shared"] | ExtraDeals = "shared"
    """Equal first totals share the win, or are played out."""
    legality: Literal["engine_enforced"] | Revokes = "engine_enforced"
    """An illegal card is never played; or players follow suit on their honour,
    and the table says what a revoke costs (in trick contracts only)."""
    deck: Deck
    """The pack."""
    contracts: dict[Name, Contract] = Field(min_length=1, max_length=32)
    """The contracts by name, in the order in which tables number them."""
    schedule: Schedule
    """Which contract is played when, and by whom."""
    doubling: Doubling | None = None
    """Side bets, if there are any."""
    readings: tuple[Reading, ...] = ()
    """Readings taken where the document is not clear."""
    claims: tuple[Claim, ...] = ()
    """Totals that the document prints."""
    not_covered: tuple[Text, ...] = ()
    """Rules of the document that this variant leaves out, a sentence or two each."""
