"""Reports of runs whose end was not fixed before: whole blocks from 0 on, honest intervals."""

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from pipeline.claim import Stop
from pipeline.manifest import Decided
from pipeline.stats.anytime import band, factor
from pipeline.stats.estimate import CONFIDENCE, Estimate, t_quantile
from pipeline.store import Run
from reports import moments
from reports.build import build
from reports.columns import figures_of
from reports.frames import flat, frame, schema
from reports.plain import known
from reports.reading import Reading, opened
from reports.survey import Survey, survey
from reports.together import compared, less_always
from tests.runs import paths
from tests.unit.invented import config, restate, write

VARIANTS = ("barbu_52_doubling", "barbu_king_br", "barbu_3_leaver", "king_ru_fixed14")
BLOCKS, SHARD, WHOLE = 40, 8, 24
"""Planned; in a shard; before the gap."""
ALWAYS = {"anytime", "identical", "bound", "none"}


@contextmanager
def part(
    folder: Path,
    shards: int = BLOCKS // SHARD,
    lost: tuple[int, ...] = (3,),
    variants: tuple[str, ...] = VARIANTS,
    **said: Any,
) -> Iterator[Reading]:
    """A run whose fourth shard is not there, but the fifth is."""
    one = config(variants, ("anna", "bert", "carl"), blocks=shards * SHARD)
    write(folder, one.model_copy(update=said), shards=shards, lift=40, lost=lost)
    with opened(folder) as reading:
        yield reading


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    with part(tmp_path_factory.mktemp("unfinished")) as reading:
        yield reading


@pytest.fixture(scope="module")
def surveys(unfinished: Reading) -> tuple[Survey, ...]:
    return survey([unfinished])


def figures(found: tuple[Survey, ...]) -> Iterator[tuple[str, Estimate]]:
    """Every figure of every table."""
    for one in found:
        for piece in one.pieces:
            for table in piece.tables.values():
                for name in figures_of(table):
                    yield from ((name, e) for e in known(table, name) if e is not None)


def test_blocks_beyond_a_gap_do_not_count(
    surveys: tuple[Survey, ...], unfinished: Reading, tmp_path: Path
) -> None:
    assert {unfinished.blocks(name) for name in VARIANTS} == {WHOLE}
    with part(tmp_path, WHOLE // SHARD, ()) as first:
        for name in VARIANTS:
            assert unfinished.games(name) == first.games(name)
        complete = dict(enumerate(_unpicked(survey([first]))))
    found = _unpicked(surveys)
    assert len(found) == len(complete) > 500
    for i, (name, e) in enumerate(found):
        assert (name, e.value, e.n, e.blocks) == (complete[i][0], *_counts(complete[i][1]))


def _unpicked(found: tuple[Survey, ...]) -> list[tuple[str, Estimate]]:
    """Figures but those of rows that stand only where roles surely differ."""
    return [(name, e) for name, e in figures(found) if name not in ("high", "low")]


def _counts(e: Estimate) -> tuple[float, int, int]:
    return e.value, e.n, e.blocks


def test_every_interval_holds_at_every_moment(surveys: tuple[Survey, ...]) -> None:
    found = [e for _, e in figures(surveys)]
    assert {e.kind for e in found} <= ALWAYS
    assert sum(e.kind == "anytime" for e in found) > 200
    for e in found:
        if e.kind == "anytime" and e.se and e.high not in (1.0, 3.0, 4.0) and e.low != 0.0:
            assert e.high is not None
            assert e.high - e.value >= e.se * t_quantile(e.df) * (1 - 1e-9)


def test_sections_speak_of_such_tables(surveys: tuple[Survey, ...]) -> None:
    for one in surveys:
        assert len(one.pieces) >= 6
        for piece in one.pieces:
            assert piece.answer.finding.endswith(".")
            assert "nan" not in piece.answer.finding
            assert not any("Benjamini" in kind for kind in piece.answer.kinds)
            for table in piece.tables.values():
                if "p" in table.columns:
                    assert table["p"].null_count() == table.height


def test_the_page_says_so_and_gives_no_verdict(unfinished: Reading) -> None:
    page = build(unfinished)
    assert "This run is not finished: 64 blocks of 160" in page
    assert "every interval here holds at every moment" in page
    assert page.count("No verdict yet: the run is not finished.") == len(VARIANTS)
    assert "Verdict: " not in page.split("</header>")[0]
    assert "barbu resume RUN" in page
    assert "--out NEW" not in page


def test_a_finished_run_keeps_its_intervals(tmp_path: Path) -> None:
    with part(tmp_path, 3, (), VARIANTS[:2]) as reading:
        assert reading.watched == ""
        kinds = {e.kind for _, e in figures(survey([reading]))}
        assert {"t", "max_t"} <= kinds
        page = build(reading)
    assert "holds at every moment" not in page.split("</header>")[0]
    assert "Verdict: anna is better than the mean of its tables in" in page


def test_a_run_that_its_rule_stopped_has_none_of_a_fixed_end(tmp_path: Path) -> None:
    with part(tmp_path, 3, (), VARIANTS[:1], stop=Stop(rule="decided", look=16)) as reading:
        assert "stop rule decided" in reading.watched
        assert {e.kind for _, e in figures(survey([reading]))} <= ALWAYS
        page = build(reading)
    assert reading.watched in page.replace("\N{NO-BREAK SPACE}%", " %")
    # With its rule the same deals would stop at the same block.
    assert f"barbu run FILE --out NEW, with blocks = {4 * 3 * SHARD} and no [stop] in the" in page


def test_the_verdict_is_that_of_the_manifest(tmp_path: Path) -> None:
    write(tmp_path, config(VARIANTS[:1], blocks=16), lift=40)
    said = Decided(
        variant=VARIANTS[0],
        entrant="anna",
        against=None,
        rule="fixed",
        alpha=0.05,
        blocks=16,
        decision="open",
        statistic=None,
        value=1.5,
        low=-0.5,
        high=3.5,
        kind="t",
        attempt=3,
    )
    Run.open(tmp_path).with_manifest(decided=(said,))
    with opened(tmp_path) as reading:
        (one,) = survey([reading], only="verdict")
    (piece,) = one.pieces
    row = piece.tables["verdict"].row(0, named=True)
    assert (row["difference_value"], row["difference_low"], row["decision"]) == (1.5, -0.5, "open")
    assert "This is attempt 3 at this question." in piece.answer.finding
    assert "one of all 3 with up to 0.15" in piece.answer.finding


def test_a_run_without_totals_has_its_league_from_games(tmp_path: Path) -> None:
    plain = write(tmp_path, config(VARIANTS[:2], blocks=16), lift=40)
    with opened(tmp_path) as reading:
        before = {name: _league(reading, name) for name in VARIANTS[:2]}
    for path in paths(plain, "totals"):
        path.unlink()
    restate(tmp_path, without="totals")
    with opened(tmp_path) as reading:
        assert reading.pieces(VARIANTS[0]) is None
        for name, standings in before.items():
            assert _league(reading, name).equals(standings)
        left_out = survey([reading])[0].left_out
    why = left_out["How it went, block by block"]
    assert why == "The run keeps no totals of its blocks: a version before them played it."


def _league(reading: Reading, variant: str) -> pl.DataFrame:
    found = next(one for one in survey([reading], only="league") if one.variant == variant)
    return found.pieces[0].tables["standings"]


def table(*cells: Estimate) -> pl.DataFrame:
    rows = [{"contract": str(i), "marked": True} | flat("points", e) for i, e in enumerate(cells)]
    return frame(rows, schema({"contract": pl.String, "marked": pl.Boolean}, "points"))


def test_marks_are_those_of_the_whole_table(unfinished: Reading) -> None:
    planned = 64  # an eighth of the blocks would be less than a look
    se = 1.0
    edge = se * factor(WHOLE, planned, (1 - CONFIDENCE) / 2)
    rules = load_variant(VARIANTS[0])
    cells = [Estimate(v, se, v, v, 9, WHOLE, WHOLE - 1.0, "t") for v in (edge + 0.01, edge - 0.01)]
    held = moments.held(unfinished, rules, {"one": table(*cells)})["one"]
    assert held["marked"].to_list() == [True, False]
    # Each interval is that of its own figure, so the second excludes 0 as well.
    assert all(low > 0 for low in held["points_low"])
    assert known(held, "points")[0] == band(cells[0], planned)


def test_roles_that_differ_do_so_at_every_moment(unfinished: Reading) -> None:
    edge = factor(WHOLE, 64, (1 - CONFIDENCE) / 2)
    rows = []
    for contract, half_gap in (("sure", edge + 0.01), ("not", edge - 0.01)):
        high, low = (
            Estimate(v, 1.0, v, v, 9, WHOLE, WHOLE - 1.0, "t") for v in (half_gap, -half_gap)
        )
        rows.append({"contract": contract, "gap": 2.0} | flat("high", high) | flat("low", low))
    apart = frame(rows, schema({"contract": pl.String, "gap": pl.Float64}, "high", "low"))
    held = moments.held(unfinished, load_variant(VARIANTS[0]), {"apart": apart})["apart"]
    assert held["contract"].to_list() == ["sure"]


def test_shares_stay_shares(unfinished: Reading) -> None:
    rules = load_variant(VARIANTS[0])
    e = Estimate(0.9, 0.2, 0.5, 1.0, 9, WHOLE, WHOLE - 1.0, "t")
    rows = frame([{"entrant": "a"} | flat("win", e)], schema({"entrant": pl.String}, "win"))
    assert moments.held(unfinished, rules, {"one": rows})["one"]["win_high"].to_list() == [1.0]


def test_differences_of_runs_hold_at_every_moment_if_one_does_not_end_as_fixed() -> None:
    a = Estimate(3.0, 0.3, 2.4, 3.6, 40, 40, 39.0, "anytime")
    b = Estimate(1.0, 0.4, 0.2, 1.8, 10, 10, 9.0, "t")
    d = less_always(a, b, (64, None), 5)
    assert (d.value, d.kind) == (2.0, "anytime")
    assert d.high is not None
    half = 0.3 * factor(40, 64, 0.005) + 0.4 * t_quantile(9.0, 0.995)
    assert d.high - d.value == pytest.approx(half)
    assert math.isclose(d.value - (d.low or 0.0), half)


def test_a_run_that_is_not_finished_is_compared_so(unfinished: Reading, tmp_path: Path) -> None:
    with ExitStack() as stack:
        other = stack.enter_context(part(tmp_path, 3, (), seed=8))
        found = compared(survey([unfinished, other]))
    assert len(found) == len(VARIANTS)
    for one in found:
        assert "differences hold at every moment" in one.lead
        for piece in one.parts:
            for rows in piece.tables.values():
                for name in figures_of(rows):
                    if name.endswith("_more"):
                        assert {e.kind for e in known(rows, name) if e} <= ALWAYS
