"""Every section of a tuning's page, in the order in which a club asks."""

from typing import NamedTuple

from reports.tuning.brings import Brings
from reports.tuning.change import Change
from reports.tuning.chosen import Chosen
from reports.tuning.course import Course
from reports.tuning.front import Front
from reports.tuning.matters import Matters
from reports.tuning.topic import Topic
from reports.tuning.trust import Trust


class Group(NamedTuple):
    """Sections that stand together."""

    anchor: str
    title: str
    lead: str
    topics: tuple[Topic, ...]


GROUPS: tuple[Group, ...] = (
    Group(
        "answer",
        "The answer",
        "What to change in the rules, and what it does to the game.",
        (Change(), Brings(), Chosen()),
    ),
    Group(
        "search",
        "The search",
        "What else was tried, what it costs, and which knobs it hangs on. Figures here are those "
        "that the search saw; the answer does not rest on them.",
        (Front(), Matters(), Course()),
    ),
    Group(
        "evidence",
        "The evidence",
        "What was played, and how to see it again.",
        (Trust(),),
    ),
)
TOPICS: tuple[Topic, ...] = tuple(topic for group in GROUPS for topic in group.topics)
