"""Which contract is played when, by whom, and how the game ends."""

from typing import Annotated, Literal

from pydantic import Field

from engine_ext.rules.spec_base import Frozen, Name, Text


class ExtraDeals(Frozen):
    """A tie for the first place is played out."""

    contract: Name
    """The contract of each extra deal; deal and lead pass on as before, all play,
    nobody doubles."""
    eligible: Literal["tied_only", "all"] = "tied_only"
    """Who can win then: those who were first together, of whom the best total is
    first (equal ones play on or share) and all others come behind by their
    totals; or whoever has the best total."""
    at_most: int = Field(10, ge=1, le=100)
    """Extra deals of a game; whoever is still tied then shares the win."""


class Revokes(Frozen):
    """What a card costs that does not follow suit though its player could."""

    proof: Literal["later_same_suit_play", "end_of_deal"] = "later_same_suit_play"
    """When it comes out: as soon as the player plays a card of the suit that he
    withheld, which stops the deal; or after the last trick, when all is shown."""
    penalty: Literal["contract_total"] = "contract_total"
    """How much: what the whole table gets in this contract, without its sign."""
    sign: Literal["worsens", "literal_minus", "signed_total"] = "worsens"
    """``worsens``: against the player, whatever the objective. ``literal_minus``:
    taken off his total. ``signed_total``: the contract's total added as it is."""
    other_scores: Literal["void", "keep_so_far"] = "void"
    """What the deal brings besides: nothing to anybody; or what has been taken."""
    then: Literal["next_deal", "replay_deal"] = "next_deal"
    """The next deal of the schedule; or this contract again with new cards, which
    is the next deal by dealer and leader in a fixed schedule and the same declarer's
    in a choice. A game has no more such deals than deals in its schedule, and an
    extra deal is not played again."""
    lead_ban_breach: Literal["rejected", "as_revoke"] = "rejected"
    """A banned card that is led all the same though another is held: not accepted,
    or a revoke. That one is proved at once, for the hand is looked at; with
    ``proof = "end_of_deal"`` after the last trick too."""


class FixedSchedule(Frozen):
    """Every game plays the same contracts in the same order."""

    kind: Literal["fixed"]
    sequence: tuple[Name, ...] = Field(min_length=1, max_length=200)
    """The contract of each deal. The deal passes on in playing order."""
    leader: Literal["left_of_dealer", "right_of_dealer", "dealer", "holder"]
    """Who leads to the first trick, or names the start rank and moves first.
    ``holder``: who was dealt the card ``holds``."""
    holds: Text | None = None
    """With ``holder``: the card, rank first, as in ``2C``."""


class ChoiceSchedule(Frozen):
    """A declarer chooses among his contracts that are left, after the deal."""

    kind: Literal["choice"]
    uses: dict[Name, Annotated[int, Field(ge=1, le=8)]] = Field(min_length=1)
    """How often each declarer plays each contract, or the whole table does."""
    uses_of: Literal["declarer", "table"] = "declarer"
    """Whether each declarer has these uses, or all draw on one stock, so that a
    contract played by one is gone for the others too."""
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
