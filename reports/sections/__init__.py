"""Every section, in the order in which a report shows them."""

from reports.section import Section
from reports.sections.betting_answers import BettingAnswers
from reports.sections.betting_chart import BettingChart
from reports.sections.betting_duty import BettingDuty
from reports.sections.betting_made import BettingMade
from reports.sections.betting_pays import BettingPays
from reports.sections.betting_risk import BettingRisk
from reports.sections.betting_steering import BettingSteering
from reports.sections.choice import Choice
from reports.sections.decisive import DecisiveBlocks
from reports.sections.design import Design
from reports.sections.doubling import Doubling
from reports.sections.earned import Earned
from reports.sections.integrity import Integrity
from reports.sections.league import League
from reports.sections.luck import Luck
from reports.sections.neighbours import Neighbours
from reports.sections.pairs import Pairs
from reports.sections.seats import Seats
from reports.sections.seats_causes import SeatsCauses
from reports.sections.seats_game import SeatsGame
from reports.sections.seats_roles import SeatsRoles
from reports.sections.skill import Skill
from reports.sections.trajectory import Trajectory
from reports.sections.value_chart import ValueChart
from reports.sections.value_choice import ValueChoice
from reports.sections.value_contracts import ValueContracts
from reports.sections.value_hand import ValueHand
from reports.sections.value_naming import ValueNaming
from reports.sections.value_regret import ValueRegret
from reports.sections.value_spending import ValueSpending
from reports.sections.verdict import Verdict

SECTIONS: tuple[Section, ...] = (
    Verdict(),
    Trajectory(),
    League(),
    Pairs(),
    Design(),
    Skill(),
    Choice(),
    Earned(),
    Seats(),
    Neighbours(),
    Doubling(),
    Luck(),
    DecisiveBlocks(),
    Integrity(),
)
"""Of tournaments, whatever their design."""
SECTIONS_OF: dict[str, tuple[Section, ...]] = {
    "value": (
        ValueChart(),
        ValueSpending(),
        ValueChoice(),
        ValueContracts(),
        ValueNaming(),
        ValueRegret(),
        ValueHand(),
    ),
    "seats": (SeatsRoles(), SeatsCauses(), SeatsGame()),
    "doubling": (
        BettingPays(),
        BettingChart(),
        BettingMade(),
        BettingSteering(),
        BettingAnswers(),
        BettingDuty(),
        BettingRisk(),
    ),
}
"""Of studies, by design."""
DESIGNS = ("value", "seats", "doubling")
"""Studies of one variant, in the order in which they stand on a page."""


def sections_of(design: str) -> tuple[Section, ...]:
    """The sections of a run of this design."""
    return SECTIONS_OF.get(design, SECTIONS)
