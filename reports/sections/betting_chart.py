"""When to double: by strength of the hand, and as a chart to be learnt."""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.discovery import marks
from pipeline.stats.estimate import p_value, times
from pipeline.studies.bet_chart import CHART, Advice, Strength, by_strength, charted, ways_to_double
from pipeline.studies.bets import ALWAYS, IMPOSED, STAGES
from pipeline.studies.chances import chances, imposed
from reports import bet_counts
from reports.charts import MOST_SERIES, Series, heat, lines
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words, known
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import (
    MOST_DRAWN,
    all_of,
    by,
    names_in,
    no_bets,
    of,
    stage_names,
    starred,
    studies,
    told,
    who,
)
from reports.words import MARKED, better, digits, figure, kinds, listed, sign, title

CHARTED = (ALWAYS, *STAGES)
UNSURE = -1
"""In place of how many of the best hands double."""


class BettingChart:
    """What a double of the declarer pays by strength of the doubler's hand."""

    name = "betting-chart"
    title = "When to double"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of doubling only."""
        return no_bets(run, variant)

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``strength`` (what a double pays by ``strength`` of the hand, 1 the weakest of
        ``strengths``, by contract and stage), ``chart`` (the ``best`` so many of these
        strengths double, and what such doubles pay) and ``gain`` (what the chart brings a
        chance), both on blocks that did not make it; ``marked`` where the whole table looked
        through leaves no doubt that it is not 0. In the document's sign. Of the counts
        to learn by heart ``counts`` (each thing ``counted`` counts so many ``times``),
        ``least`` (from which sum on to double, and what that ``pays``) and ``kept`` (part of
        the gain of another ``way`` that they keep), these two on blocks that did not make them.

        Half of a hand's worlds says how strong it is, the other half what the double pays;
        halves change places. The unit of error is the block.
        """
        rules = run.rules(variant)
        inside, order = sign(rules), list(rules.contracts)

        def place(one: Strength | Advice) -> tuple[int, int]:
            return order.index(one.contract), (IMPOSED, *CHARTED).index(one.stage)

        strength: list[dict[str, object]] = []
        chart: list[dict[str, object]] = []
        gain: list[dict[str, object]] = []
        for study in studies(run, variant):
            head: dict[str, object] = {"entrant": study.entrant}
            blind, found = imposed(study), chances(study)
            cells = [
                (c, one)
                for c in (blind, found)
                if c is not None
                for one in sorted(by_strength(c), key=place)
            ]
            strength += [
                head
                | {"contract": one.contract, "stage": one.stage, "strength": one.bin + 1}
                | {"strengths": c.n_bins}
                | flat("pays", times(one.pays, inside))
                for c, one in cells
            ]
            if found is not None:
                chart += [head | _advice(one, inside) for one in sorted(charted(found), key=place)]
                (ours,) = [p for p in ways_to_double(found) if p.name == CHART]
                gain.append(
                    head | flat("share", ours.share) | flat("gain", times(ours.gain, inside))
                )
        keys: dict[str, type[pl.DataType]] = {"entrant": pl.String}
        cell = keys | {"contract": pl.String, "stage": pl.String}
        whole: dict[str, type[pl.DataType]] = {"strengths": pl.Int64}
        by_hand = frame(strength, schema(cell | {"strength": pl.Int64} | whole, "pays"))
        advice = frame(chart, schema(cell | {"best": pl.Int64} | whole, "pays"))
        return {
            "strength": marked(by_hand),
            "chart": marked(advice),
            "gain": frame(gain, schema(keys, "share", "gain")),
        } | bet_counts.counts_tables(run, variant)

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Counts to learn, the chart, and curves by strength, for each entrant."""
        strength, chart, gain = tables["strength"], tables["chart"], tables["gain"]
        names = names_in(strength)
        figures: list[Figure] = []
        for k, entrant in enumerate(names[:MOST_DRAWN]):
            if not (mine := of(chart, entrant=entrant)).is_empty():
                figures.append(_chart(mine, entrant, k, rules))
            for stage in (ALWAYS, IMPOSED):
                curves = of(strength, entrant=entrant, stage=stage)
                if not curves.is_empty():
                    figures.append(_curves(curves, entrant, f"{stage}-{k}", stage, rules))
        figured = (known(strength, "pays"), known(chart, "pays"), known(gain, "gain"))

        def finding(entrant: str) -> str:
            mine = _finding(entrant, of(chart, entrant=entrant), of(gain, entrant=entrant), rules)
            return mine + bet_counts.kept_words(tables, entrant)

        return Answer(
            told(names, finding, rules),
            tuple(figures),
            (
                *bet_counts.to_learn(tables, rules),
                _listing(chart, rules),
                in_words(
                    "What a double pays by strength of the hand, 1 the weakest", strength, rules
                ),
                *bet_counts.proofs(tables, rules),
            ),
            (*kinds(all_of(*figured, *bet_counts.figured(tables))), MARKED),
            bet_counts.short(tables, rules),
        )


def marked(table: pl.DataFrame) -> pl.DataFrame:
    """The table with a mark where ``pays`` surely differs from 0, all of it looked through."""
    found = marks([None if e is None else p_value(e) for e in known(table, "pays")])
    return table.with_columns(pl.Series("marked", found, dtype=pl.Boolean))


def sure_to_pay(table: pl.DataFrame, rules: Variant) -> set[tuple[object, ...]]:
    """Contracts and stages in which the chart's doubles surely pay."""
    pays, stars = by(table, "pays", "contract", "stage"), starred(table, "contract", "stage")
    return {key for key, e in pays.items() if key in stars and sign(rules) * e.value > 0}


def _advice(one: Advice, inside: int) -> dict[str, object]:
    row: dict[str, object] = {"contract": one.contract, "stage": one.stage, "best": one.best}
    row |= {"strengths": one.of}
    return row | ({} if one.pays is None else flat("pays", times(one.pays, inside)))


def _chart(mine: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    best = {(c, s): b for c, s, b in mine.select("contract", "stage", "best").rows()}
    sure = sure_to_pay(mine, rules)
    of_all = mine["strengths"][0]
    columns = {s: name for s, name in stage_names(rules).items() if s in CHARTED}
    contracts = [c for c in rules.contracts if any(key[0] == c for key in best)]
    cells = [[best.get((c, s)) for s in columns] for c in contracts]
    texts = [[_said(best.get((c, s)), of_all, (c, s) in sure) for s in columns] for c in contracts]
    drawing = heat(
        list(columns.values()),
        [title(rules, c) for c in contracts],
        cells,
        texts,
        "when the declarer chose it",
        diverging=False,
        top=of_all,
    )
    tenths = "tenths" if of_all == 10 else f"parts of {of_all}"
    caption = (
        f"{entrant}: double the declarer with the best so many {tenths} of the hands that one may "
        "hold in this contract; bluer is more. A question mark where it is not sure that these "
        "doubles pay; a cell is empty where nothing was counted."
    )
    return Figure(f"betting-chart-{k}", drawing, caption)


def _said(best: int | None, of_all: int, sure: bool) -> str:
    if best is None:
        return ""
    if best == 0:
        return "never"
    text = "always" if best == of_all else f"best {best}"
    return text if sure else f"{text}?"


def _curves(mine: pl.DataFrame, entrant: str, name: str, stage: str, rules: Variant) -> Figure:
    pays = by(mine, "pays", "contract", "strength")
    contracts = [c for c in rules.contracts if any(key[0] == c for key in pays)]
    x = list(range(1, int(mine["strengths"][0]) + 1))
    series = [
        Series(title(rules, c), [pays.get((c, k)) for k in x]) for c in contracts[:MOST_SERIES]
    ]
    drawing = lines(
        x, series, "strength of the hand, 1 the weakest", f"points a double ({better(rules)})"
    )
    which = "which the declarer chose" if stage == ALWAYS else "imposed, whatever he holds"
    caption = (
        f"{entrant}: what a double of the declarer pays by strength of the doubler's hand for the "
        f"contract, {which}; {better(rules)}. Strength is told by half of the worlds that a "
        "hand leaves open, the pay by the other half. Each interval is for itself."
    )
    return Figure(f"betting-strength-{name}", drawing, caption)


def _finding(entrant: str, chart: pl.DataFrame, gain: pl.DataFrame, rules: Variant) -> str:
    if chart.is_empty():
        return f"{who(entrant)}, no contract was chosen in which one may be doubled."
    of_all = chart["strengths"][0]
    surely_pay = sure_to_pay(chart, rules)
    best = {(c, s): b for c, s, b in chart.select("contract", "stage", "best").rows()}
    parts = []
    for stage, words in ((STAGES[0], "Early, at his first choice"), (STAGES[2], "Late")):
        groups: dict[int, list[str]] = {}
        for c in rules.contracts:
            if (c, stage) in best:
                sure = best[c, stage] == 0 or (c, stage) in surely_pay
                groups.setdefault(best[c, stage] if sure else UNSURE, []).append(title(rules, c))
        said = [_with(b, of_all, listed(groups[b])) for b in sorted(groups, reverse=True)]
        if said:
            parts.append(f"{words}: {'; '.join(said)}.")
    e = estimates(gain, "gain")[0]
    return (
        f"{who(entrant)}, double the declarer as the chart says. {' '.join(parts)} Played on deals "
        f"that had no say in it the chart brings {figure(e, digits([e]))} points a chance."
    )


def _with(best: int, of_all: int, where: str) -> str:
    """With which hands to double in some contracts."""
    if best == UNSURE:
        return f"that it pays with any is not sure in {where}"
    if best == 0:
        return f"never in {where}"
    if best == of_all:
        return f"always in {where}"
    return f"with the best {best} of {of_all} hands in {where}"


def _listing(chart: pl.DataFrame, rules: Variant) -> Listing:
    stages = stage_names(rules)
    pays = known(chart, "pays")
    p = digits(e for e in pays if e is not None)
    rows = tuple(
        (
            row["entrant"],
            title(rules, row["contract"]),
            stages.get(row["stage"], row["stage"]),
            f"{row['best']} of {row['strengths']}",
            "" if e is None else figure(e, p),
        )
        for row, e in zip(chart.iter_rows(named=True), pays, strict=True)
    )
    columns = ("entrant", "contract", "when", "best hands that double", "points of such a double")
    caption = "The chart, with what such doubles pay on deals that had no say in it"
    return Listing(caption, columns, rows)
