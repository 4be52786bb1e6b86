"""What every section owes, on runs with nothing, one block and many blocks.

A new section is covered by standing in ``SECTIONS``.
"""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

from pipeline.stats.estimate import KINDS, Estimate
from reports.frames import estimates
from reports.reading import Reading, opened
from reports.section import Section, Tables
from reports.sections import SECTIONS
from strategies.testing import BASE_VARIANTS
from tests.samples import one_in
from tests.unit.invented import config, write

RUNS = {"nothing": (4, 0), "one block": (1, 1), "many blocks": (12, 3)}
"""Blocks and shards."""
VARIANTS = (
    *BASE_VARIANTS,
    *("yardstick", "barbu_3_leaver", "barbu_5", "barbu_king_br_6", "barbu_king_br_tiebreak"),
    *("barbu_king_br_honour", "barbu_52_split", "hearts_moon"),
)
"""The base forms, and one of each kind that a section might trip over."""
TablesOf = Callable[[Section, str], Tables]


@pytest.fixture(scope="module", params=RUNS)
def run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Reading]:
    blocks, shards = RUNS[request.param]
    folder = Path(tmp_path_factory.mktemp("sections"))
    entrants = ("anna", "bert", "carl")
    write(folder, config(VARIANTS, entrants, blocks), shards=shards)
    with opened(folder) as reading:
        yield reading


@pytest.fixture(scope="module")
def tables_of(run: Reading) -> TablesOf:
    """What a section computes; every test but that of repetition looks at the same."""
    made: dict[tuple[str, str], Tables] = {}

    def tables(section: Section, variant: str) -> Tables:
        key = section.name, variant
        if key not in made:
            made[key] = section.compute(run, variant)
        return made[key]

    return tables


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
class TestSection:
    def test_answers_or_says_why_not(
        self, section: Section, run: Reading, variant: str, tables_of: TablesOf
    ) -> None:
        why = section.missing(run, variant)
        if why is not None:
            assert why.endswith(".")
            return
        rules = run.rules(variant)
        answer = section.render(tables_of(section, variant), rules)
        assert answer.finding.endswith(".")
        # Where nothing is to be drawn a table stands in the page at once.
        assert answer.figures or any(listing.shown for listing in answer.listings)
        assert answer.listings
        assert answer.kinds
        assert "nan" not in answer.finding
        assert "None" not in answer.finding
        for listing in answer.listings:
            assert listing.rows
            assert all(len(row) == len(listing.columns) for row in listing.rows)
        names = [figure.name for figure in answer.figures]
        assert len(set(names)) == len(names)
        assert all(figure.caption.endswith(".") for figure in answer.figures)

    def test_no_figure_comes_without_its_error(
        self, section: Section, run: Reading, variant: str, tables_of: TablesOf
    ) -> None:
        for e in _estimates(section, run, variant, tables_of):
            assert e.kind in KINDS
            assert (e.kind == "none") == (e.low is None)
            if e.low is not None and e.high is not None:
                assert e.low <= e.value <= e.high
                assert math.isfinite(e.low)
                assert math.isfinite(e.high)
            assert e.n > 0
            assert e.blocks > 0

    def test_one_block_gives_no_interval(
        self, section: Section, run: Reading, variant: str, tables_of: TablesOf
    ) -> None:
        if run.blocks(variant) == 1:
            assert all(e.kind == "none" for e in _estimates(section, run, variant, tables_of))


@pytest.mark.parametrize("variant", one_in(4, VARIANTS))
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_a_section_says_the_same_twice(
    section: Section, run: Reading, variant: str, tables_of: TablesOf
) -> None:
    if section.missing(run, variant) is None:
        once, again = tables_of(section, variant), section.compute(run, variant)
        assert all(once[name].equals(again[name]) for name in once)


def _estimates(section: Section, run: Reading, variant: str, tables_of: TablesOf) -> list[Estimate]:
    if section.missing(run, variant) is not None:
        return []
    tables = tables_of(section, variant)
    return [e for table in tables.values() for name in _names(table) for e in _present(table, name)]


def _names(table: pl.DataFrame) -> list[str]:
    return [name.removesuffix("_kind") for name in table.columns if name.endswith("_kind")]


def _present(table: pl.DataFrame, name: str) -> list[Estimate]:
    return [e for e in estimates(table, name) if e.value is not None]


def test_sections_have_names_of_their_own() -> None:
    names = [section.name for section in SECTIONS]
    assert len(set(names)) == len(names)
