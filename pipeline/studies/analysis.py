"""Everything that a ``value`` study tells of one entrant, computed once for all its sections."""

from typing import NamedTuple

from engine_ext.cards import Pack
from pipeline.stats.blocks import ratio_of
from pipeline.stats.estimate import Estimate
from pipeline.stats.sets import Ints, solve
from pipeline.studies.chart import Chart, Counted, counted, fold_of, made, played
from pipeline.studies.features import holdings
from pipeline.studies.fitting import LEAST_BLOCKS
from pipeline.studies.linear import figures, informed
from pipeline.studies.models import Foretold, foretold
from pipeline.studies.study import Study
from pipeline.studies.ways import CHART, ORDER, PROGRAM, Figure, Valued, of_full, totals, valued
from pipeline.studies.worth import Worth, worth_of


class Analysis(NamedTuple):
    """A study's hands, values and ways of choosing."""

    study: Study
    worth: Worth
    found: Valued
    totals: dict[str, Figure]
    """A dealership's points by way of choosing."""
    counted: Counted
    chart: Chart | None
    kept: Estimate | None
    """Part of what the program brings over a fixed order that the chart brings."""


def analysed(study: Study) -> Analysis:
    """Solve a study of at least one block."""
    worth = worth_of(study)
    pack = Pack(study.rules.deck)
    held = holdings(worth.hands, pack)
    hands = counted(study, worth, held)
    if worth.n_blocks < LEAST_BLOCKS:
        found = valued(worth, worth.points)
        return Analysis(study, worth, found, totals(found), hands, None, None)
    _, wide = figures(held, pack)
    found = valued(worth, informed(worth.points, wide.columns, fold_of(worth)))
    ways = totals(found)
    others = found.best if worth.turns > 1 else None
    by_chart = solve(played(hands), worth.uses, worth.blocks, worth.turns, others)
    ways[CHART] = of_full(by_chart, len(worth.blocks))
    every: Ints = worth.blocks.argsort(kind="stable")
    return Analysis(study, worth, found, ways, hands, made(hands, every), kept_by(ways))


def kept_by(ways: dict[str, Figure]) -> Estimate | None:
    """Part of the program's points over a fixed order that the chart keeps; None where there
    is nothing to keep."""
    chart, best = ways[CHART].less(ways[ORDER]), ways[PROGRAM].less(ways[ORDER])
    if best.estimate.low is None or best.estimate.low <= 0:
        return None
    return ratio_of(chart.estimate, chart.influence, best.estimate, best.influence)


def models(found: Analysis) -> list[Foretold]:
    """How well worth is foretold from the hand; nothing where there are too few blocks."""
    return foretold(found.counted, found.chart) if found.chart else []
