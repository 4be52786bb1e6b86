"""Entrants who play exactly alike: 0.000 with the interval [0, 0], whatever is played and shown.

Whole runs, of every shipped variant, in every design: the verdict and each figure of the
report that compares entrants.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine_ext.rules.load import load_variant, variant_names
from pipeline.cli import main
from pipeline.config import Entrant, RunConfig
from pipeline.stats.prefix import ALIKE
from tests.runs import played, small
from tests.samples import slowly

SIZE = {name: load_variant(name).seats for name in variant_names()}
SEATS = sorted(set(SIZE.values()))
DESIGNS = (
    "gauntlet",
    "invasions",
    "mix",
    "table",
    "full",
    "round_robin",
    "candidates",
    "one rotation",
    "lineups",
)


def of_design(design: str, seats: int, variants: tuple[str, ...], **more: Any) -> RunConfig:
    """A run of players who are all the same, each by a name of his own."""
    designs: dict[str, tuple[int, dict[str, Any]]] = {
        "gauntlet": (3, {}),
        "invasions": (2, {"design": "gauntlet", "invasions": "both"}),
        "mix": (2, {}),
        "table": (seats, {}),
        "full": (seats, {}),
        "round_robin": (seats + 2, {"blocks": 8}),
        "candidates": (3, {"field": ("c",)}),
        "one rotation": (3, {"design": "candidates", "field": ("c",), "rotations": "one"}),
        "lineups": (2, {"lineups": (("a", *"b" * (seats - 1)), ("b", "a", *"b" * (seats - 2)))}),
    }
    entrants, said = designs[design]
    base: dict[str, Any] = {
        "design": design,
        "blocks": 2,
        "lineups": (),
        "record": (),
        "entrants": [Entrant(strategy="duck.v1", name=name) for name in "abcdefgh"[:entrants]],
    }
    return small(variants, **base | said | more)


def variants_of(seats: int, design: str, one_in: int) -> tuple[str, ...]:
    """One in so many variants of a size, others for each design, so that none is left out."""
    found = [name for name, size in SIZE.items() if size == seats]
    return tuple(found[DESIGNS.index(design) % one_in :: one_in])


def test_every_size_of_table_and_every_variant_is_there() -> None:
    assert {3, 4, 5, 6} <= set(SEATS)
    played = {v for seats in SEATS for design in DESIGNS for v in variants_of(seats, design, 8)}
    assert played == set(SIZE)


@pytest.mark.parametrize("one_in", [8, slowly(1)])
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("seats", SEATS)
def test_the_verdict_is_exactly_nothing_in_every_variant(
    seats: int, design: str, one_in: int, tmp_path: Path
) -> None:
    variants = variants_of(seats, design, one_in) or variants_of(seats, design, 1)[:1]
    _, result = played(of_design(design, seats, variants), tmp_path / "run")
    assert [found.variant for found in result.decided] == list(variants)
    for found in result.decided:
        assert (found.decision, found.kind) == ("identical", "identical"), found
        assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "stop",
    [
        {"rule": "decided"},
        {"rule": "width", "width": 1.0},
        {"rule": "sprt", "delta1": 1.0, "unit": "sigma"},
        {"rule": "race"},
    ],
    ids=lambda stop: str(stop["rule"]),
)
def test_a_stop_rule_ends_with_nothing_once_enough_blocks_are_alike(
    stop: dict[str, Any], tmp_path: Path
) -> None:
    design = "candidates" if stop["rule"] == "race" else "gauntlet"
    enough = -(-ALIKE // 16) * 16
    config = of_design(design, 4, ("barbu_king_br",), blocks=320, stop=stop | {"look": 16})
    _, result = played(config, tmp_path / "run")
    (found,) = result.decided
    assert (found.decision, found.kind, found.blocks) == ("identical", "identical", enough)
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def contrasts(report: dict[str, Any], tables: list[str]) -> Iterator[dict[str, Any]]:
    """What these tables of a report, by SECTION/TABLE, print of entrants and their differences."""
    found = {
        f"{section['section']}/{name}": table
        for section in report["sections"]
        for name, table in section["tables"].items()
    }
    for name in tables:
        assert found[name], name
        for row in found[name]:
            figure = "points" if "points_kind" in row else "difference"
            yield {end: row[f"{figure}_{end}"] for end in ("value", "se", "low", "high", "kind")}


OF_SIZES = ("barbu_king_br_3", "barbu_52_doubling", "barbu_5", "barbu_king_br_6")


@pytest.mark.parametrize(
    ("variant", "design"),
    [
        (variant, design) if (2 * i + j) % 8 == 0 else slowly(variant, design)
        for i, variant in enumerate(OF_SIZES)
        for j, design in enumerate(DESIGNS)
    ],
)
def test_a_report_prints_exactly_nothing(variant: str, design: str, tmp_path: Path) -> None:
    config = of_design(design, SIZE[variant], (variant,), record=("games",))
    there, _ = played(config, tmp_path / "run")
    out = tmp_path / "report.json"
    assert main(["report", str(there.folder), "--format", "json", "--out", str(out)]) == 0
    tables = ["verdict/verdict", "league/standings", "pairs/pairs"]
    if design not in ("one rotation", "round_robin"):
        # A line-up in one seat has the luck of its cards.
        tables.append("league/lineups")
    for figure in contrasts(json.loads(out.read_text("utf-8")), tables):
        assert figure == {"value": 0.0, "se": 0.0, "low": 0.0, "high": 0.0, "kind": "identical"}
