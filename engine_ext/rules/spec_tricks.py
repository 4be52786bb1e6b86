"""Trick contracts: what scores, and who may play what."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from engine_ext.rules.spec_base import ContractBase, Frozen, Name, Points
from engine_ext.rules.spec_cards import Selector


class PerTrick(Frozen):
    """Points for each trick taken."""

    per: Literal["trick"]
    points: Points
    """To the seat that takes the trick."""
    name: Name = "tricks"
    """What the item is called in tables."""


class PerCard(Frozen):
    """Points for each card of a set among the cards taken."""

    per: Literal["card"]
    of: Selector
    """The cards that count."""
    points: Points
    """To the seat that takes the card."""
    name: Name
    """What the item is called in tables: ``queens``."""


class PerTrickAt(Frozen):
    """Points for each of certain tricks of the deal."""

    per: Literal["trick_at"]
    tricks: tuple[int, ...] = Field(min_length=1)
    """Which tricks: 1 is the first, -1 the last, -2 the last but one."""
    points: Points
    """To the seat that takes one of them."""
    name: Name
    """What the item is called in tables: ``last_trick``."""


Factor = Annotated[str, StringConstraints(pattern=r"^-?[1-9][0-9]?/[1-9][0-9]?$")]
"""A factor that is not whole: ``"1/2"``."""
Term = Annotated[PerTrick | PerCard | PerTrickAt, Field(discriminator="per")]


class Shooting(Frozen):
    """Whoever takes all cards of a set changes the points of the whole deal."""

    cards: Selector
    """The cards of which one seat has to take every one."""
    taker: Points
    """What that seat gets, in place of all other points of the deal."""
    others: Points
    """What each other seat gets, in place of all other points of the deal."""
    name: Name = "shot"
    """What it is called in tables: 1 for the seat that did it."""


class Include(Frozen):
    """All terms of another trick contract, as in a salad."""

    contract: Name
    """The contract whose terms are taken over (terms, not its other rules)."""
    times: Annotated[int, Field(ge=-100, le=100)] | Factor = 1
    """Factor on its points; -1 turns every sign, ``"1/2"`` halves them (what
    comes out must be whole points)."""


class LeadBan(Frozen):
    """Cards that may not be led while the seat holds anything else."""

    cards: Selector
    """The cards that may not be led."""
    until: Literal["nothing_else", "broken", "trick"] = "nothing_else"
    """What lifts the ban for all. ``nothing_else``: nothing, a discard never
    does. ``broken``: a card of ``broken_by`` was played in an earlier trick.
    ``trick``: the tricks before number ``trick`` are over. Whatever is said
    here, a seat that holds nothing but banned cards leads one (hearts: the only
    suit left; one card: the only card left)."""
    broken_by: Selector | None = None
    """With ``broken``: the cards that lift it; left out, the banned ones."""
    trick: int | None = Field(None, ge=2, le=128)
    """With ``trick``: the first trick to which the cards may be led, from 1."""


class ForcedPlay(Frozen):
    """Cards that must be played at the first opportunity."""

    cards: Selector
    """The cards that are forced out."""
    when: Literal["void", "void_or_beaten", "first_legal"] = "void"
    """``void``: when the seat has no card of the suit led. ``void_or_beaten``:
    also under a higher card of its own suit that wins the trick so far, when
    that suit was led. ``first_legal``: as soon as it may be played to a trick
    that another seat has led."""
    choose: Literal["any", "highest"] = "any"
    """Of several forced cards: any, or one of the highest rank."""


class TrickContract(ContractBase):
    """A deal of tricks."""

    kind: Literal["trick"]
    terms: tuple[Term, ...] = ()
    """What scores."""
    include: tuple[Include, ...] = ()
    """Other contracts whose terms score here too."""
    trump: Literal["none", "declarer", "drawn"] = "none"
    """``declarer``: the declarer names the suit with the contract; ``drawn``:
    a suit at random, the same for everyone, from the schedule's stream."""
    beat_duty: Literal["none", "trump_leads", "all_leads"] = "none"
    """When following suit: any card of it, or one that wins the trick so far
    where the seat has one (when trumps were led, or always; a trick that has
    been ruffed cannot be won by following)."""
    void_duty: Literal["free", "must_ruff", "must_overruff", "must_overruff_else_free"] = "free"
    """Without the suit led: any card, or a trump if the seat has one.
    ``must_overruff``: a trump higher than those in the trick, if the seat has
    none any trump. ``must_overruff_else_free``: a trump higher than those in the
    trick, if the seat has none any card."""
    lead_ban: LeadBan | None = None
    """Cards that may not be led."""
    forced_play: ForcedPlay | None = None
    """Cards that must go at the first opportunity."""
    first_lead: Selector | None = None
    """Whoever leads to the first trick and holds one of these leads it."""
    first_trick_ban: Selector | None = None
    """Cards not played to the first trick by a seat that may play another."""
    early_end: Literal["never", "when_decided"] = "never"
    """``when_decided``: the deal ends with the trick that takes the last
    scoring card, if only cards score; otherwise it has no effect."""
    shooting: Shooting | None = None
    """Taking all of certain cards changes the points of the deal."""
    face_up: Selector | None = None
    """Captured cards that stay face up, for all to see."""
