"""Every objective that rules can be tuned by, in the order in which pages show them.

A new one is a function in a file of this folder and its line in :data:`OBJECTIVES`.
"""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives import bets, choosing, course, ends, scales, seats, skill
from pipeline.tuning.results import Results

Needs = Literal["games", "choices", "skill", "moves"]
"""What has to be played: games; a ``value`` study; games with restricted players; games whose
moves are kept."""
Better = Literal["less", "more"]


class Objective(NamedTuple):
    """A figure that rules can be tuned by."""

    name: str
    title: str
    """For pages: ``Unfair seats``."""
    meaning: str
    """A sentence for people: what the figure is, in which unit, what it is at best."""
    unit: str
    """``percentage points squared``; empty for a share."""
    better: Better
    step: float
    """What difference one would care about, in the unit: objectives are weighed by it."""
    needs: Needs
    measure: Callable[[Results], Measured]
    why_not: Callable[[Results], str | None] | None = None
    """Why these results cannot tell, or None."""


OBJECTIVES: tuple[Objective, ...] = (
    Objective(
        "seat_fairness",
        "Unfair seats",
        "Mean over seats of how far their share of games won is from an equal one, squared; "
        "0 where all seats are alike.",
        "percentage points squared",
        "less",
        4.0,
        "games",
        seats.seat_fairness,
    ),
    Objective(
        "seat_points",
        "Points by seat",
        "How much of the variance of points ahead of the table comes from the seat alone; 0 where "
        "all seats are alike.",
        "per cent",
        "less",
        0.5,
        "games",
        seats.seat_points,
    ),
    Objective(
        "scale_balance",
        "Uneven contracts",
        "How much the contracts differ in how far they spread the points of a deal: standard "
        "deviation of the logarithm of their spreads; 0 where all are alike.",
        "",
        "less",
        0.05,
        "games",
        scales.scale_balance,
    ),
    Objective(
        "largest_share",
        "Largest contract",
        "The largest share that one contract has in who is ahead at the end; at best 1 by the "
        "number of contracts, where nobody doubles.",
        "",
        "less",
        0.02,
        "games",
        scales.largest_share,
    ),
    Objective(
        "choice_entropy",
        "Even first choices",
        "How evenly the best chooser spreads his first choice over the contracts, by how often "
        "each may be spent; 1 where every use is as often first.",
        "",
        "more",
        0.02,
        "choices",
        choosing.choice_entropy,
        choosing.nobody_chooses,
    ),
    Objective(
        "least_chosen",
        "Most seldom first",
        "How often the contract that the best chooser spends first most seldom is first, beside "
        "its part of all uses; 0 where nobody spends it before he must, at best 1.",
        "",
        "more",
        0.1,
        "choices",
        choosing.least_chosen,
        choosing.nobody_chooses,
    ),
    Objective(
        "choice_value",
        "Worth of choosing",
        "Points of a dealership that choosing best brings beyond any fixed order, in standard "
        "deviations of a dealership.",
        "standard deviations",
        "more",
        0.1,
        "choices",
        choosing.choice_value,
        choosing.table_chooses,
    ),
    Objective(
        "restricted_gap",
        "Cost of a restriction",
        "How much less than an equal share of games a restricted player wins at a table of full "
        "ones, on average of the restrictions.",
        "percentage points",
        "more",
        2.0,
        "skill",
        skill.restricted_gap,
        skill.nobody_lacks,
    ),
    Objective(
        "restricted_balance",
        "No idle, no deadly restriction",
        "Of the restriction that comes nearest to costing nothing, or all games that a player "
        "among equals wins, how far it is from that; at best half an equal share.",
        "percentage points",
        "more",
        1.0,
        "skill",
        skill.restricted_balance,
        skill.nobody_lacks,
    ),
    Objective(
        "skill_share",
        "Part of skill",
        "Share of the variance of one game's points ahead of the table that is due to who plays, "
        "full and restricted players equally often; 0 where luck alone decides.",
        "",
        "more",
        0.02,
        "skill",
        skill.skill_share,
        skill.nobody_lacks,
    ),
    Objective(
        "drama",
        "Drama",
        "How far winners were behind on the way: mean root of what their chance to win lacked to "
        "one half, over the moments before deals in which it was below.",
        "",
        "more",
        0.01,
        "games",
        course.drama,
    ),
    Objective(
        "decisiveness",
        "Open for",
        "Mean share of a game's deals that are played before somebody's chance to win is above "
        "0.8; 1 where only the last deal decides.",
        "",
        "more",
        0.02,
        "games",
        course.decisiveness,
    ),
    Objective(
        "dead_deals",
        "Dead deals",
        "Share of deals that begin when somebody's chance to win is 0.99 or more.",
        "",
        "less",
        0.02,
        "games",
        course.dead_deals,
    ),
    Objective(
        "lead_changes",
        "Changes of the lead",
        "How often in a game another seat comes to lead alone, by the totals after each deal.",
        "a game",
        "more",
        0.25,
        "games",
        course.lead_changes,
    ),
    Objective(
        "tie_rate",
        "Shared wins",
        "Share of games whose first place is shared at the end.",
        "",
        "less",
        0.005,
        "games",
        ends.tie_rate,
    ),
    Objective(
        "deals",
        "Deals",
        "Mean deals of a game.",
        "deals",
        "less",
        1.0,
        "games",
        ends.deals,
    ),
    Objective(
        "turns",
        "Turns",
        "Mean cards and passes of a game, of all seats together.",
        "turns",
        "less",
        25.0,
        "moves",
        ends.turns,
        ends.no_moves,
    ),
    Objective(
        "double_rate",
        "Doubles",
        "Pairs doubled unasked, not by a duty, for each deal in which somebody may double.",
        "a deal",
        "more",
        0.1,
        "games",
        bets.double_rate,
        bets.no_doubling,
    ),
    Objective(
        "double_value",
        "Worth of a double",
        "What a double made unasked pays the doubler on average.",
        "points",
        "more",
        1.0,
        "games",
        bets.double_value,
        bets.no_doubles,
    ),
    Objective(
        "redouble_rate",
        "Answered doubles",
        "Share of all doubles that are answered by a redouble.",
        "",
        "more",
        0.05,
        "games",
        bets.redouble_rate,
        bets.no_answers,
    ),
)

REGISTRY: Mapping[str, Objective] = {one.name: one for one in OBJECTIVES}
"""The same by name."""
