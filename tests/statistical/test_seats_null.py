"""Where nothing but luck can tell seats and neighbours apart, no test finds a difference.

Seeds are fixed: a failure is a bug. A p of 0.001 comes once in a thousand seeds.
"""

from pathlib import Path

import pytest

from engine_ext.rules.load import load_variant
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.run import run as play
from pipeline.run_file import load_run
from reports.reading import opened
from reports.sections.neighbours import Neighbours

VARIANTS = ("barbu_fr_reussite", "barbu_3_leaver")
"""Every seat declares each contract, and nobody remembers a deal: rotating the seats of a game
changes nothing but their numbers."""


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


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("blocks", [400, pytest.param(25_000, marks=pytest.mark.slow)])
def test_no_seat_and_no_neighbour_is_an_advantage_among_equals(
    variant: str, blocks: int, tmp_path: Path
) -> None:
    found = p_values(tmp_path / "run", variant, blocks)
    assert set(found) == {"seats", "before", "after"}
    assert min(found.values()) > 0.001, found
