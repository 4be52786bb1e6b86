"""Reports of odd games say nothing false: ties, one contract, no points, a seat that pays.

Played for real, a few blocks each, and read from the page's own findings.
"""

from pathlib import Path
from typing import Any

import pytest

from engine_ext.rules.spec import Variant
from pipeline.config import Entrant, NamedVariant, RunConfig
from reports.build import build
from reports.reading import opened
from reports.section import Section
from reports.sections.choice import Choice
from reports.sections.earned import Earned
from reports.sections.league import League
from reports.sections.seats import Seats
from tests.runs import played

TRICK = {"kind": "trick", "tone": "mixed", "source": "made up"}


def variant(
    contracts: dict[str, dict[str, Any]], objective: str = "highest", **rules: Any
) -> Variant:
    """Four seats with 32 cards; each declarer plays each contract once."""
    table = {
        "title": "Odd",
        "language": "en",
        "source": "made up",
        "seats": 4,
        "direction": "clockwise",
        "objective": objective,
        "deck": {"ranks": tuple("789TJQKA")},
        "contracts": {name: TRICK | {"title": name} | one for name, one in contracts.items()},
        "schedule": {
            "kind": "choice",
            "uses": dict.fromkeys(contracts, 1),
            "dealership": 1,
            "dealer": "declarer",
            "leader": "declarer",
        },
    }
    return Variant.model_validate(table | rules)


def per_trick(points: int) -> dict[str, Any]:
    return {"terms": ({"per": "trick", "points": points},)}


def run(folder: Path, rules: Variant, *strategies: str, **changes: Any) -> Path:
    """Play the first strategy against a table full of each other one."""
    entrants = tuple(
        Entrant(strategy=name, name=letter) for name, letter in zip(strategies, "abc", strict=False)
    )
    config = {
        "title": "odd",
        "seed": 7,
        "blocks": 4,
        "variants": (NamedVariant(name="odd", rules=rules),),
        "design": "gauntlet",
        "entrants": entrants,
    }
    played(RunConfig.model_validate(config | changes), folder / "run")
    return folder / "run"


def finding(folder: Path, section: Section) -> str:
    """What a section of the run says, or why it says nothing."""
    with opened(folder) as reading:
        missing = section.missing(reading, "odd")
        if missing is not None:
            return missing
        return section.render(section.compute(reading, "odd"), reading.rules("odd")).finding


def test_contracts_that_earned_the_same_are_not_told_as_one(tmp_path: Path) -> None:
    rules = variant({"first": per_trick(0), "second": per_trick(0)})
    said = finding(run(tmp_path, rules, "random.v1", "random.v1"), Earned())
    assert "a earned the same in each contract, 0.0" in said
    assert "only" not in said


def test_a_single_contract_is_no_choice(tmp_path: Path) -> None:
    there = run(tmp_path, variant({"alone": per_trick(-1)}), "duck.v1", "random.v1")
    assert finding(there, Choice()) == "A declarer has one contract, so nobody chooses."
    earned = finding(there, Earned())
    assert "a declared alone only: " in earned
    assert "chosen" not in earned
    with opened(there) as reading:
        page = build(reading)
    assert (
        "\u201cChoice of contract\u201d is left out: a declarer has one contract, so nobody chooses. "
        "\u201cDoubling\u201d is left out: "
    ) in page
    assert "odd-choice" not in page


def test_entrants_with_equal_points_are_first_together(tmp_path: Path) -> None:
    there = run(tmp_path, variant({"first": per_trick(-1)}), "duck.v1", "duck.v1")
    assert finding(there, League()).startswith("a and b are identical")
    with opened(there) as reading:
        assert "First by points: a and b; not surely better than every other entrant" in (
            build(reading)
        )


@pytest.mark.parametrize(
    ("objective", "says"), [("lowest", "lower is better"), ("highest", "higher is better")]
)
def test_what_a_seat_is_worth_comes_with_the_direction(
    tmp_path: Path, objective: str, says: str
) -> None:
    # Only the first deal counts: its leader, seat 1, takes the first trick more often.
    rules = variant(
        {
            "first": {"terms": ({"per": "trick_at", "tricks": (1,), "points": 9, "name": "one"},)},
            "none": per_trick(0),
        },
        objective,
        schedule={"kind": "fixed", "sequence": ("first", "none"), "leader": "left_of_dealer"},
    )
    there = run(tmp_path, rules, "random.v1", "random.v1", blocks=2500, streams="independent")
    said = finding(there, Seats())
    assert f"Over a whole game the seat is worth points ({says}): " in said
    assert "seat 1 +" in said
