"""Several runs on one page: each with its chapters, and side by side with honest errors."""

import math
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import polars as pl
import pytest
from plotly.offline import get_plotlyjs

from pipeline.stats.estimate import Estimate
from reports.build import build
from reports.plain import known
from reports.reading import Reading, opened
from reports.survey import survey
from reports.together import compared, less
from tests.unit.invented import config, write

VARIANT = "barbu_52_doubling"
A = Estimate(3.0, 0.3, 2.4, 3.6, 40, 40, 39.0, "t")
B = Estimate(1.0, 0.4, 0.2, 1.8, 10, 10, 9.0, "t")


def test_errors_of_independent_runs_add_in_squares() -> None:
    d = less(A, B, shared=False)
    assert (d.value, d.n, d.blocks, d.kind) == (2.0, 50, 10, "t")
    assert d.se == pytest.approx(0.5)
    # Welch: 0.5^4 / (0.3^4 / 39 + 0.4^4 / 9) degrees of freedom.
    assert d.df == pytest.approx(0.0625 / (0.0081 / 39 + 0.0256 / 9))
    assert d.high is not None
    assert d.high - d.value == pytest.approx(0.5 * 2.0848, rel=2e-3)


def test_errors_of_runs_that_share_deals_add_plainly() -> None:
    d = less(A, B, shared=True)
    assert d.se == pytest.approx(0.7)
    assert d.df == 9.0
    assert d.se is not None
    assert d.se >= math.hypot(0.3, 0.4)


def test_a_figure_without_error_has_no_difference_with_one() -> None:
    alone = A._replace(se=None, low=None, high=None, kind="none")
    assert less(alone, B, False).kind == "none"
    nothing = Estimate(0.0, 0.0, 0.0, 0.0, 9, 9, 8.0, "identical")
    assert less(nothing, nothing, False)[:4] == (0.0, 0.0, 0.0, 0.0)
    half = less(A, nothing, shared=False)
    assert (half.se, half.df) == (A.se, A.df)


@contextmanager
def runs(folder: Path, *how: tuple[int, int, str]) -> Iterator[list[Reading]]:
    """Runs by seed, lift of the first entrant, and design."""
    with ExitStack() as stack:
        found = []
        for number, (seed, lift, design) in enumerate(how, start=1):
            names = ("anna", "bert", "carl", "dora")[: 4 if design == "table" else 2]
            one = config((VARIANT, "barbu_king_br"), names, blocks=12, design=design)
            place = folder / str(number)
            place.mkdir()
            write(place, one.model_copy(update={"seed": seed, "title": f"no {number}"}), lift=lift)
            found.append(stack.enter_context(opened(place)))
        yield found


def standings(readings: list[Reading]) -> pl.DataFrame:
    first = compared(survey(readings))[0]
    assert first.variant == VARIANT
    return next(part for part in first.parts if part.name == "league").tables["standings"]


def test_the_same_figures_stand_side_by_side_with_their_difference(tmp_path: Path) -> None:
    with runs(tmp_path, (7, 0, "gauntlet"), (8, 60, "gauntlet")) as readings:
        surveys = survey(readings)
        table = standings(readings)
        own = [
            known(piece.tables["standings"], "points")
            for one in surveys
            if one.variant == VARIANT
            for piece in one.pieces
            if piece.section.name == "league"
        ]
    for run in (1, 2):
        assert known(table.filter(run=run), "points") == own[run - 1]
    more = known(table.filter(run=2), "points_more")
    by_name = dict(zip(table.filter(run=2)["entrant"], more, strict=True))
    before = dict(zip(table.filter(run=1)["entrant"], own[0], strict=True))
    after = dict(zip(table.filter(run=2)["entrant"], own[1], strict=True))
    for name, d in by_name.items():
        a, b = after[name], before[name]
        assert d is not None
        assert a is not None
        assert b is not None
        assert d.value == pytest.approx(a.value - b.value)
        assert d.se == pytest.approx(math.hypot(a.se or 0, b.se or 0))
    assert by_name["anna"] is not None
    assert (by_name["anna"].low or 0) > 0
    assert known(table.filter(run=1), "points_more") == [None, None]


def test_runs_of_one_seed_get_the_wider_error_and_are_said_to_share_deals(tmp_path: Path) -> None:
    with runs(tmp_path, (7, 0, "gauntlet"), (7, 60, "gauntlet")) as readings:
        table = standings(readings)
        lead = compared(survey(readings))[0].lead
    assert "share deals" in lead
    assert "independent" not in lead
    se = {run: known(table.filter(run=run, entrant="anna"), "points")[0] for run in (1, 2)}
    more = known(table.filter(run=2, entrant="anna"), "points_more")[0]
    assert more is not None
    assert more.se == pytest.approx(sum((e.se or 0) for e in se.values() if e))


def test_runs_of_other_designs_are_not_compared(tmp_path: Path) -> None:
    with runs(tmp_path, (7, 0, "gauntlet"), (8, 0, "table")) as readings:
        assert compared(survey(readings)) == []


def test_runs_of_other_rules_under_one_name_are_not_compared(tmp_path: Path) -> None:
    with runs(tmp_path, (7, 0, "gauntlet"), (8, 0, "gauntlet")) as readings:
        surveys = survey(readings)
        second = next(one for one in surveys if (one.run, one.variant) == (2, VARIANT))
        other = second.rules.model_copy(update={"source": "another house"})
        surveys = tuple(one._replace(rules=other) if one is second else one for one in surveys)
        assert [one.variant for one in compared(surveys)] == ["barbu_king_br"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("several")
    with runs(folder, (7, 0, "gauntlet"), (8, 60, "gauntlet"), (7, 0, "gauntlet")) as readings:
        return build(*readings).replace(get_plotlyjs(), "")


def test_every_run_has_its_chapters_and_its_facts(page: str) -> None:
    for number, seed in ((1, 7), (2, 8), (3, 7)):
        assert f"Run {number}: no {number}" in page
        assert f"barbu run FILE-{number} --out RUN-{number}" in page
        assert f'id="run-{number}-{VARIANT}"' in page
        facts = page.split(f"Run {number}: no {number}")[1].split("</dl>", maxsplit=1)[0]
        assert f"<dt>seed</dt><dd>{seed}</dd>" in facts
        assert "ab" * 32 in facts


def test_ids_are_unique_and_links_lead_somewhere(page: str) -> None:
    anchors = re.findall(r' id="([^"]+)"', page)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(anchors)


def test_comparisons_stand_in_front_and_chapters_by_variant(page: str) -> None:
    chapters = re.findall(r'class="chapter" id="([^"]+)"', page)
    assert chapters == [
        *(f"compared-gauntlet-{variant}" for variant in (VARIANT, "barbu_king_br")),
        *(f"run-{n}-{v}" for v in (VARIANT, "barbu_king_br") for n in (1, 2, 3)),
    ]
    assert "Runs 1 and 3 have one seed" in page
    assert "Run 2 and run 1 have different seeds" in page


def test_surely_different_runs_are_starred_and_told(page: str) -> None:
    part = page.split(f'id="compared-gauntlet-{VARIANT}-league"')[1].split(
        "</section>", maxsplit=1
    )[0]
    finding = part.split('class="finding">')[1].split("</p>")[0]
    assert re.match(r"In \d+ of 16 figures that the runs share they surely differ", finding)
    rows = re.findall(r'<th scope="row">anna</th>(.*?)</tr>', part)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", rows[0])
    assert cells[3].endswith("*")
    assert not cells[4].endswith("*")
