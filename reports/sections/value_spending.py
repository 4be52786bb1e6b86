"""Which contract to spend first, and how good must the hand be?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate, times
from pipeline.stats.sets import Policy, averages
from pipeline.stats.spending import prices, spent
from pipeline.studies.analysis import Analysis
from reports.charts import MOST_SERIES, Series, dots, heat
from reports.frames import estimates, flat, frame, schema
from reports.grids import grid
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import MOST_DRAWN, by, names_in, no_study, of, told, who
from reports.value import analyses, shared
from reports.words import better, digits, kinds, listed, number, percent, share, sign, title

KEYS: dict[str, type[pl.DataType]] = {
    "entrant": pl.String,
    "contract": pl.String,
    "n_left": pl.Int64,
}


class ValueSpending:
    """Prices, first uses and thresholds of the dynamic program."""

    name = "value-spending"
    title = "Which contract to spend first"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of value only."""
        return no_study(run, variant, "value")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``prices`` (``cost``: what the deals to come lose when the contract is spent)
        and ``spent`` (``share`` of the choices with the contract left in which the dynamic
        program spends it; ``threshold``: worth of a hand in it from which half of all hands
        would be spent on it), by how many are left, in the document's sign.

        Prices are means over all ways of leaving so many, shares and thresholds over those
        that the program comes to. The unit of error is the block.
        """
        inside, found = sign(run.rules(variant)), analyses(run, variant)
        return {"prices": _prices(found, inside), "spent": _spent(found, inside)}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """First uses as dots, uses by contracts left as maps, the price list."""
        cost, used = tables["prices"], tables["spent"]
        names = names_in(cost)
        figures = [_first(used, names, rules)]
        figures += [
            _map(of(used, entrant=e), e, k, rules) for k, e in enumerate(names[:MOST_DRAWN])
        ]
        shown = [*estimates(cost, "cost"), *estimates(used, "share")]
        return Answer(
            told(names, lambda e: _finding(e, of(cost, entrant=e), of(used, entrant=e), rules))
            + shared(rules),
            tuple(figures),
            (
                _price_list(cost, used, rules),
                in_words("Prices by contracts left", cost, rules),
                in_words("Shares and thresholds by contracts left", used, rules),
            ),
            kinds(e for e in shown if e.value is not None),
        )


def _prices(found: list[Analysis], inside: int) -> pl.DataFrame:
    rows = []
    for one in found:
        average = averages(one.found.sides)
        for p in prices(one.found.best, one.worth.uses):
            price = times(p.price, inside)
            rows.append(
                _key(one, p.contract, p.left)
                | {"average": inside * float(average[p.contract])}
                | flat("cost", price)
            )
    return frame(rows, schema(KEYS | {"average": pl.Float64}, "cost"))


def _spent(found: list[Analysis], inside: int) -> pl.DataFrame:
    rows = []
    for one in found:
        policy = Policy(one.found.sides)
        for s in spent(policy, one.found.best, one.worth.uses, one.worth.blocks):
            row = _key(one, s.contract, s.left)
            if s.threshold is not None:
                row |= flat("threshold", times(s.threshold, inside))
            rows.append(row | flat("share", s.share))
    return frame(
        [dict.fromkeys(schema(KEYS, "threshold", "share")) | row for row in rows],
        schema(KEYS, "threshold", "share"),
    )


def _key(one: Analysis, contract: int, left: int) -> dict[str, object]:
    return {
        "entrant": one.study.entrant,
        "contract": one.worth.contracts[contract],
        "n_left": left,
    }


def _most(table: pl.DataFrame) -> int:
    return int(str(table["n_left"].max())) if len(table) else 0


def _first(used: pl.DataFrame, names: list[str], rules: Variant) -> Figure:
    first = by(of(used, n_left=_most(used)), "share", "entrant", "contract")
    contracts = names_in(used, "contract")
    series = [Series(e, [first.get((e, c)) for c in contracts]) for e in names[:MOST_SERIES]]
    drawing = dots(
        [title(rules, c) for c in contracts], series, "spent first, % of hands", per_cent=True
    )
    caption = (
        "How often the dynamic program spends each contract on a declarer's first deal, with all "
        "of them left, where everybody plays as the entrant."
    )
    return Figure("value-first", drawing, caption)


def _map(mine: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    shares = by(mine, "share", "contract", "n_left")
    contracts, lefts = names_in(mine, "contract"), list(range(_most(mine), 1, -1))
    cells = [[shares.get((c, left)) for left in lefts] for c in contracts]
    values = [[None if e is None else e.value for e in row] for row in cells]
    texts = [["" if v is None else f"{100 * v:.0f}" for v in row] for row in values]
    columns, names = [str(left) for left in lefts], [title(rules, c) for c in contracts]
    drawing = heat(columns, names, values, texts, "contracts left", diverging=False, top=1)
    caption = (
        f"{entrant}: per cent of the choices with the contract left in which the dynamic program "
        "spends it, the first choice at the left."
    )
    beside = grid(f"{entrant}: spent, %", "contract", columns, names, cells, per_cent=True)
    return Figure(f"value-spent-{k}", drawing, caption, beside)


def _price_list(cost: pl.DataFrame, used: pl.DataFrame, rules: Variant) -> Listing:
    """With all contracts left: average, price, how often first, and from which worth on."""
    cost, used = of(cost, n_left=_most(cost)), of(used, n_left=_most(used))
    price, first = (
        by(cost, "cost", "entrant", "contract"),
        by(used, "share", "entrant", "contract"),
    )
    edge = by(used, "threshold", "entrant", "contract")
    average = dict(zip(cost.select("entrant", "contract").rows(), cost["average"], strict=True))
    p = digits(price.values())
    rows = tuple(
        (
            str(key[0]),
            title(rules, str(key[1])),
            number(average[key], 1, True),
            _with(price[key], p),
            share(first[key]),
            _with(edge[key], p) if key in edge else "",
        )
        for key in price
    )
    heads = ("entrant", "contract", "average", "price", "spent first", "from a hand worth")
    caption = (
        "Price list with all contracts left: spend the contract in which your hand is worth most "
        f"less its price ({better(rules)}). From the worth in the last column on, half of all "
        "hands would be spent on it."
    )
    return Listing(caption, heads, rows, shown=True)


def _with(e: Estimate, p: int) -> str:
    if e.low is None or e.high is None:
        return number(e.value, p, True)
    return f"{number(e.value, p, True)} ({number(e.low, p, True)} to {number(e.high, p, True)})"


def _finding(entrant: str, cost: pl.DataFrame, used: pl.DataFrame, rules: Variant) -> str:
    top = _most(used)
    first = by(of(used, n_left=top), "share", "contract")
    edge = by(of(used, n_left=top), "threshold", "contract")
    named = {c: title(rules, c) for (c,) in ((str(k[0]),) for k in first)}
    order = sorted(named, key=lambda c: -first[c,].value)
    often, seldom = order[0], order[-1]
    said = (
        f"{who(entrant)}, good declarers spend {named[often]} first most often "
        f"({share(first[often,])} of hands), {named[seldom]} least "
        f"({percent(first[seldom,].value)})."
    )
    good = "at most" if rules.objective == "lowest" else "at least"
    rule = [
        f"{named[c]} if this hand is worth {good} {number(edge[c,].value, 0, True)} in it"
        for c in order[:3]
        if (c,) in edge and first[c,].value >= 0.5 / len(order)
    ]
    if rule:
        said += (
            f" As a rule of thumb, spend first {listed(rule, 'or')}; else compare each contract's "
            "worth less its price."
        )
    return said + _unless(cost, edge, named, sign(rules))


def _unless(
    cost: pl.DataFrame,
    edge: dict[tuple[object, ...], Estimate],
    named: dict[str, str],
    inside: int,
) -> str:
    """The contract whose hand must be furthest above its average, if it must be in any."""
    average = dict(zip(cost["contract"], cost["average"], strict=True))
    asks = {c: inside * (edge[c,].value - average[c]) for c in named if (c,) in edge}
    most = max(asks, key=lambda c: asks[c], default="")
    if not most or asks[most] < 0.5:
        return ""
    return (
        f" {named[most]} is worth waiting for most: do not spend it first unless the hand is some "
        f"{number(asks[most], 0)} points better in it than the usual one."
    )
