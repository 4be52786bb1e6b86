"""Runs side by side: the same tables of each, and how much one has more than the first.

Runs of different seeds are independent, so the errors of a difference add in squares. Runs
of one seed share deals, as far as both have them, and those on given deals may; how much that
takes off (or adds, where what is good for one is bad for the other) their tables do not tell. The
sum of both errors is never too small, and that is what they get.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from pipeline import stopping
from pipeline.stats.anytime import factor
from pipeline.stats.estimate import CONFIDENCE, Estimate, t_quantile
from reports.columns import MORE, figures_of, keys_of
from reports.differences import answer
from reports.frames import flat, frame, schema
from reports.plain import known
from reports.section import Answer, Tables
from reports.survey import Survey
from reports.words import better, listed


class Part(NamedTuple):
    """A section of several runs."""

    name: str
    title: str
    tables: Tables
    answer: Answer


class Comparison(NamedTuple):
    """Several runs of one variant and design."""

    variant: str
    design: str
    title: str
    lead: str
    parts: tuple[Part, ...]
    left_out: dict[str, str]

    @property
    def anchor(self) -> str:
        """A word for ids and file names."""
        return f"compared-{self.design}-{self.variant}"


def compared(surveys: Sequence[Survey]) -> list[Comparison]:
    """A comparison for all runs that share design and rules, two or more."""
    groups: list[list[Survey]] = []
    for one in surveys:
        mine = next((group for group in groups if _comparable(group[0], one)), None)
        if mine is None:
            groups.append([one])
        else:
            mine.append(one)
    return [_comparison(group) for group in groups if len(group) > 1]


def _comparable(a: Survey, b: Survey) -> bool:
    return (
        a.variant == b.variant
        and a.reading.config.design == b.reading.config.design
        and a.rules == b.rules
    )


def _comparison(group: Sequence[Survey]) -> Comparison:
    first, rules = group[0], group[0].rules
    parts, left_out = [], {}
    for piece in first.pieces:
        section = piece.section
        others = [
            next((p.tables for p in one.pieces if p.section.name == section.name), None)
            for one in group[1:]
        ]
        tables = _tables([piece.tables, *others], group)
        if tables:
            told = answer(tables, rules, _how(group))
            parts.append(Part(section.name, section.title, tables, told))
        else:
            left_out[section.title] = "The runs have no figure in common."
    runs = listed([str(one.run) for one in group])
    design = first.reading.config.design
    lead = (
        f"Runs {runs} play the same rules by the same design, {design}. {_how(group)} "
        f"Points have the document's sign: {better(rules)}."
    )
    title = f"Compared: {rules.title}, runs {runs}"
    return Comparison(first.variant, design, title, lead, tuple(parts), left_out)


def _how(group: Sequence[Survey]) -> str:
    """How errors of differences come about, in words."""
    shared = [one for one in group[1:] if _shares(group[0], one)]
    said = []
    if shared:
        runs = listed([str(one.run) for one in (group[0], *shared)])
        given = any(one.reading.config.dealt is not None for one in (group[0], *shared))
        why = "have one seed or given deals, so they may" if given else "have one seed, so they"
        said.append(
            f"Runs {runs} {why} share deals: the error of a difference between "
            "them is taken as the sum of both errors, which is never too small."
        )
    apart = [one for one in group[1:] if not _shares(group[0], one)]
    if apart:
        runs = listed([str(one.run) for one in apart])
        said.append(
            f"{'Run' if len(apart) == 1 else 'Runs'} {runs} and run {group[0].run} have different "
            "seeds, so they are independent: the errors of a difference add in squares."
        )
    if any(one.reading.watched for one in group):
        said.append(
            "One of them is not finished, or ended when its results said so: differences hold at "
            "every moment, all of a table together."
        )
    return " ".join(said)


def _shares(a: Survey, b: Survey) -> bool:
    """Whether two runs may have deals in common."""
    ours, theirs = a.reading.config, b.reading.config
    # A file of deals may have been written from any run.
    given = ours.dealt is not None or theirs.dealt is not None
    return given or ours.seed == theirs.seed


def _tables(found: Sequence[Tables | None], group: Sequence[Survey]) -> Tables:
    """Each table of the first run that another run has as well, all runs one below the other."""
    tables = {}
    for name, first in (found[0] or {}).items():
        mine = [None if tables_ is None else tables_.get(name) for tables_ in found]
        keys, figures = keys_of(first), figures_of(first)
        if not figures or first.is_empty() or not keys:
            continue
        if any(t is not None and t.select(keys).is_duplicated().any() for t in mine):
            continue  # rows without names of their own cannot be put side by side
        table = _side_by_side(mine, keys, figures, group)
        if table[f"{figures[0]}{MORE}_value"].is_not_null().any():
            tables[name] = table
    return tables


def _side_by_side(
    found: Sequence[pl.DataFrame | None],
    keys: list[str],
    figures: list[str],
    group: Sequence[Survey],
) -> pl.DataFrame:
    """Rows of every run with the columns ``run``, the keys, the figures, and each figure less
    the first run's."""
    first = found[0]
    assert first is not None
    base = {
        name: dict(zip(first.select(keys).rows(), known(first, name), strict=True))
        for name in figures
    }
    moments = [_planned(one) for one in group]
    gaps = len(base[figures[0]]) * (len(group) - 1)
    rows: list[dict[str, object]] = []
    for one, table, moment in zip(group, found, moments, strict=True):
        if table is None:
            continue
        shares = _shares(group[0], one)
        columns = {name: known(table, name) for name in figures}
        for i, key in enumerate(table.select(keys).rows()):
            row: dict[str, object] = {"run": one.run} | dict(zip(keys, key, strict=True))
            for name in figures:
                mine, theirs = columns[name][i], base[name].get(key)
                row |= {} if mine is None else flat(name, mine)
                if one is not group[0] and mine is not None and theirs is not None:
                    if moment is None and moments[0] is None:
                        gap = less(mine, theirs, shares)
                    else:
                        gap = less_always(mine, theirs, (moment, moments[0]), gaps)
                    row |= flat(name + MORE, gap)
            rows.append(row)
    types = {"run": pl.Int64} | {key: first.schema[key] for key in keys}
    return frame(rows, schema(types, *figures, *(name + MORE for name in figures)))


def less(a: Estimate, b: Estimate, shared: bool) -> Estimate:
    """How much ``a`` is more than ``b``; ``shared``: they may rest on the same deals."""
    value, n, blocks = a.value - b.value, a.n + b.n, min(a.blocks, b.blocks)
    if a.se is None or b.se is None:
        return Estimate(value, None, None, None, n, blocks, 0.0, "none")
    se = a.se + b.se if shared else math.hypot(a.se, b.se)
    if se == 0:
        return Estimate(value, 0.0, value, value, n, blocks, min(a.df, b.df), "identical")
    df = min(a.df, b.df) if shared else _welch(a.se, a.df, b.se, b.df)
    half = se * t_quantile(df)
    return Estimate(value, se, value - half, value + half, n, blocks, df, "t")


def less_always(
    a: Estimate, b: Estimate, planned: tuple[int | None, int | None], figures: int
) -> Estimate:
    """The same where a run's end was not fixed before, with intervals of so many differences that
    hold together at every moment.

    ``planned`` as in :func:`pipeline.stats.anytime.factor`, None for a run whose end was fixed.
    Both figures are held with half of what may miss, so it does not matter what they share.
    """
    plain = less(a, b, shared=True)
    if not plain.se or a.se is None or b.se is None:
        return plain
    alpha = (1 - CONFIDENCE) / (2 * figures)
    half = sum(
        e.se * (t_quantile(e.df, 1 - alpha) if at is None else factor(e.df + 1, at, alpha))
        for e, at in zip((a, b), planned, strict=True)
        if e.se
    )
    if math.isinf(half):
        return plain._replace(low=None, high=None, kind="none")
    return plain._replace(low=plain.value - half, high=plain.value + half, kind="anytime")


def _planned(one: Survey) -> int | None:
    reading = one.reading
    return stopping.planned(reading.config) if reading.watched else None


def _welch(a: float, df_a: float, b: float, df_b: float) -> float:
    """Degrees of freedom of a difference of independent means (Welch 1947)."""
    total = a * a + b * b
    parts = sum((se * se / total) ** 2 / df for se, df in ((a, df_a), (b, df_b)) if se > 0)
    return max(1.0, 1 / parts)
