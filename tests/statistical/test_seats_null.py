"""Where nothing but luck can tell seats and neighbours apart, no test finds a difference; where
a seat has more to say, it is found.

Seeds are fixed: a failure is a bug. A p of 0.001 comes once in a thousand seeds.
"""

from pathlib import Path

import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import ChoiceSchedule
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.run import run as play
from pipeline.run_file import load_run
from reports.reading import opened
from reports.sections.neighbours import Neighbours

ALIKE = ("barbu_fr_reussite", "barbu_king_br_rotate_5")
"""Symmetric variants."""
UNEVEN = "barbu_3_leaver"
"""Seven deals for three seats: seat 0 declares once more than the others."""
SLOW = pytest.param(25_000, marks=pytest.mark.slow)
"""Blocks of four games: 100,000 games."""


def is_symmetric(variant: str) -> bool:
    """Whether turning the seats of a game changes nothing but their numbers, for players who
    remember no deal: every seat declares each contract, and no debt of doubles runs on."""
    rules = load_variant(variant)
    schedule, numbers = rules.schedule, resolve(rules)
    return (
        isinstance(schedule, ChoiceSchedule)
        and schedule.uses_of == "declarer"
        and rules.doubling is None
        and numbers.n_deals == numbers.seats * sum(schedule.uses.values())
    )


def p_values(folder: Path, variant: str, blocks: int, seed: int = 7) -> dict[str, float]:
    """The p-values of a table of players who are all the same, each by a name of his own."""
    seats = load_variant(variant).seats
    config = RunConfig.model_validate(
        load_run("smoke").model_dump()
        | {
            "seed": seed,
            "blocks": blocks,
            "design": "table",
            "streams": "independent",
            "record": ("games",),
            "lineups": (),
            "entrants": tuple(Entrant(strategy="random.v1", name=n) for n in "abcdef"[:seats]),
            "variants": (NamedVariant(name=variant, rules=load_variant(variant)),),
        }
    )
    play(config, folder)
    with opened(folder) as run:
        tests = Neighbours().compute(run, variant)["tests"]
        return dict(tests.select("what", "p").rows())


@pytest.mark.parametrize("variant", ALIKE)
@pytest.mark.parametrize("blocks", [400, SLOW])
def test_no_seat_and_no_neighbour_is_an_advantage_among_equals(
    variant: str, blocks: int, tmp_path: Path
) -> None:
    assert is_symmetric(variant)
    found = p_values(tmp_path / "run", variant, blocks)
    assert set(found) == {"seats", "before", "after"}
    assert min(found.values()) > 0.001, found


@pytest.mark.slow
def test_a_seat_that_declares_more_often_is_found(tmp_path: Path) -> None:
    assert not is_symmetric(UNEVEN)
    found = p_values(tmp_path / "run", UNEVEN, 25_000)
    assert found["seats"] < 0.001
    # Who sits beside whom still says nothing.
    assert min(found["before"], found["after"]) > 0.001, found
