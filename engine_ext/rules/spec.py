"""The schema of a variant file: what a rule may say, and nothing else.

A variant is one TOML file, ``configs/rules/NAME.toml``. It is read into these
frozen records, which refuse unknown keys. Points stand here in the document's
own sign; :mod:`engine_ext.rules.resolve` turns them once, so that inside the
engine more is always better.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Points = Annotated[int, Field(ge=-100_000, le=100_000)]
"""Points in the document's sign."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
"""A contract's or variant's name in files and tables: lower case, digits, _."""
Text = Annotated[str, StringConstraints(min_length=1)]


class Frozen(BaseModel):
    """Base of every record: immutable, no unknown keys, field docs kept."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, strict=False
    )


class Deck(Frozen):
    """The pack that is dealt out completely."""

    suits: tuple[str, ...] = Field(("C", "D", "H", "S"), min_length=1, max_length=4)
    """One letter for each suit; equal ranks are named in this order."""
    ranks: tuple[str, ...] = Field(min_length=2, max_length=15)
    """One letter for each rank, lowest first (T is the ten)."""
    remove: tuple[str, ...] = ()
    """Cards taken out, rank first: ``["2C"]``."""


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


Term = Annotated[PerTrick | PerCard | PerTrickAt, Field(discriminator="per")]


class Include(Frozen):
    """All terms of another trick contract, as in a salad."""

    contract: Name
    """The contract whose terms are taken over (terms, not its other rules)."""
    times: int = Field(1, ge=-100, le=100)
    """Factor on its points; -1 turns every sign."""


class LeadBan(Frozen):
    """Cards that may not be led while the seat holds anything else."""

    cards: Selector
    """The cards that may not be led."""
    until: Literal["nothing_else"] = "nothing_else"
    """The ban ends for a seat that holds nothing but banned cards (hearts: the
    only suit left; one card: the only card left). A discard never lifts it."""


class ForcedPlay(Frozen):
    """Cards that must be played at the first opportunity."""

    cards: Selector
    """The cards that are forced out."""
    when: Literal["void"] = "void"
    """``void``: when the seat has no card of the suit led."""


class ContractBase(Frozen):
    """What every contract says."""

    title: Text
    """Name in English, for reports: ``No hearts``."""
    local: Text | None = None
    """Name in the document's own language."""
    tone: Literal["negative", "positive", "mixed"]
    """Whether taking is bad, good or both; doubling rules ask for it."""
    source: Text
    """Where the rule stands: a rule number of the dossier or a page."""
    total: Points | None = None
    """What the four hands must add up to; checked at load."""


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
    void_duty: Literal["free", "must_ruff"] = "free"
    """Without the suit led: any card, or a trump if the seat has one."""
    lead_ban: LeadBan | None = None
    """Cards that may not be led."""
    forced_play: ForcedPlay | None = None
    """Cards that must go at the first opportunity."""
    early_end: Literal["never", "when_decided"] = "never"
    """``when_decided``: the deal ends with the trick that takes the last
    scoring card, if only cards score; otherwise it has no effect."""
    face_up: Selector | None = None
    """Captured cards that stay face up, for all to see."""


class Replay(Frozen):
    """Cards that let their player move again."""

    cards: Selector
    """Laying one of these gives another turn at once (not as the last card)."""
    duty: Literal["optional"] = "optional"
    """The further turn may be declined, even where passing is forbidden."""


class LayoutContract(ContractBase):
    """A deal of domino: cards are laid in sequence on a start rank."""

    kind: Literal["layout"]
    start: Literal["any_rank"] | tuple[str, ...] = "any_rank"
    """Ranks that may be named; any of the deck, or those listed. It need not
    be held."""
    missing_start: Literal["virtual", "forbid"] = "virtual"
    """Start rank lacking in a suit (removed cards): it counts as laid, or the
    rank may not be named."""
    passing: Literal["must_play", "may_pass"]
    """Whether a seat that can lay a card may pass."""
    stall: Literal["none", "force_after_full_circle"] = "none"
    """After as many passes in a row as seats still in, whoever can lay a card
    must, until one is laid. Required where passing is free."""
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


Contract = Annotated[TrickContract | LayoutContract, Field(discriminator="kind")]


class FixedSchedule(Frozen):
    """Every game plays the same contracts in the same order."""

    kind: Literal["fixed"]
    sequence: tuple[Name, ...] = Field(min_length=1, max_length=200)
    """The contract of each deal. The deal passes on in playing order."""
    leader: Literal["left_of_dealer", "right_of_dealer", "dealer"]
    """Who leads to the first trick, or names the start rank and moves first."""


class ChoiceSchedule(Frozen):
    """A declarer chooses among his contracts that are left, after the deal."""

    kind: Literal["choice"]
    uses: dict[Name, Annotated[int, Field(ge=1, le=8)]] = Field(min_length=1)
    """How often each declarer plays each contract."""
    dealership: int = Field(ge=1, le=200)
    """How many deals in a row one seat is declarer before the next one is.
    Divides the number of contracts of a declarer."""
    dealer: Literal["declarer", "right_of_declarer", "left_of_declarer"]
    """Who deals."""
    leader: Literal["declarer", "left_of_declarer", "right_of_declarer"]
    """Who leads to the first trick, or moves first in a layout. The declarer
    names trump suit and start rank."""
    timing: Literal["after_deal"] = "after_deal"
    """When the contract is named: with the cards of the deal in hand."""


Schedule = Annotated[FixedSchedule | ChoiceSchedule, Field(discriminator="kind")]
Targets = Literal["anyone", "declarer", "nobody"]


class Doubling(Frozen):
    """Side bets between two seats on who does better in the deal.

    One round: the seat after the declarer speaks first, the declarer last.
    Doubling a seat that has doubled you is a redouble."""

    in_negative: Targets
    """Whom the others may double in a negative or mixed contract."""
    in_positive: Targets
    """Whom the others may double in a positive contract."""
    declarer: Literal["doublers", "nobody"]
    """Whom the declarer may double: those who doubled him, or nobody."""
    duty: int = Field(0, ge=0, le=200)
    """How many times each other seat must double the declarer in the deals of
    a dealership. A redouble by the declarer does not count."""
    duty_enforced: Literal["force", "none"] = "force"
    """``force``: compulsory as soon as the deals left would not suffice."""
    order: Literal["declarer_last"] = "declarer_last"
    """One turn each in playing order, the declarer last."""
    base: Literal["raw_points"] = "raw_points"
    """A pair is settled on the points of the deal, before any side bet."""
    undoubled: Literal["play"] = "play"
    """A contract that nobody doubles is played all the same."""
    source: Text
    """Where the rule stands."""


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
    ties: Literal["shared"] = "shared"
    """Equal first totals share the win."""
    legality: Literal["engine_enforced"] = "engine_enforced"
    """An illegal card is never played: there are no revokes at the table."""
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
