"""Every section, in the order in which a report shows them."""

from reports.section import Section
from reports.sections.choice import Choice
from reports.sections.doubling import Doubling
from reports.sections.earned import Earned
from reports.sections.league import League
from reports.sections.seats import Seats

SECTIONS: tuple[Section, ...] = (League(), Choice(), Earned(), Seats(), Doubling())
SECTIONS_OF: dict[str, tuple[Section, ...]] = {
    "gauntlet": SECTIONS,
    "table": SECTIONS,
    "lineups": SECTIONS,
    "value": (),
    "seats": (),
    "doubling": (),
}
"""What the page of a run shows, by its design."""
