"""Which contract does a declarer choose, and when?"""

from fractions import Fraction

import polars as pl

from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.stats.estimate import Estimate, proportion
from reports.charts import MOST_SERIES, Series, dots, heat
from reports.frames import estimates, flat, frame, schema
from reports.grids import grid
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.words import (
    counted,
    empty_note,
    kinds,
    listed,
    percent,
    share,
    title,
    uses_note,
    whole,
)

MOST_MAPS = 4
"""Heat maps in a section; every entrant is in the tables."""


def options(rules: Variant) -> dict[str, int]:
    """What may be named at a first choice, by contract: each trump suit or start rank is
    an option of its own."""
    assert isinstance(rules.schedule, ChoiceSchedule)
    numbers = resolve(rules)
    return {
        name: contract.params.bit_count()
        for name, contract in zip(numbers.contract_names, numbers.contracts, strict=True)
        if name in rules.schedule.uses
    }


def nobody_chose(run: Reading, variant: str, measure: str) -> str | None:
    """Why ``measure`` says nothing of choices: a fixed order, or nothing played; or None."""
    if not isinstance(run.rules(variant).schedule, ChoiceSchedule):
        return "The contracts come in a fixed order, so nobody chooses."
    if not run.cells(variant, measure):
        return "No whole block of this variant was played, so nobody chose."
    return None


class Choice:
    """How often is each contract chosen, first and later?"""

    name = "choice"
    title = "Choice of contract"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Only where a declarer chooses among several."""
        why, schedule = nobody_chose(run, variant, "choice"), run.rules(variant).schedule
        if why is None and isinstance(schedule, ChoiceSchedule) and len(schedule.uses) == 1:
            return "A declarer has one contract, so nobody chooses."
        return why

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``first`` and ``later``: share of choices among those in which the
        contract was there to choose, by entrant, contract and how many were left.

        A declarer's choices and those on the same deals in other seatings move
        together, so the unit of error is the block. The last contract left is
        no choice and not listed.
        """
        rules = run.rules(variant)
        assert isinstance(rules.schedule, ChoiceSchedule)
        full = sum(rules.schedule.uses.values())
        cells = {(c.entrant, c.contract, c.n_left): c.sums for c in run.cells(variant, "choice")}
        rows = [
            {"entrant": entrant, "contract": contract, "n_left": left}
            | flat("share", proportion(cells[entrant, contract, left]))
            for entrant in run.ranking(variant)
            for contract in rules.contracts
            for left in range(full, 1, -1)
            if (entrant, contract, left) in cells
        ]
        keys = {"entrant": pl.String, "contract": pl.String, "n_left": pl.Int64}
        every = frame(rows, schema(keys, "share"))
        first = pl.col("n_left") == full
        return {"first": every.filter(first), "later": every}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """First choices as dots, all choices as a heat map for each entrant."""
        first, later = tables["first"], tables["later"]
        contracts = [c for c in rules.contracts if c in set(first["contract"])]
        lines = [title(rules, contract) for contract in contracts]
        entrants = first["entrant"].unique(maintain_order=True).to_list()
        by_key = dict(
            zip(first.select("entrant", "contract").rows(), estimates(first, "share"), strict=True)
        )
        series = [
            Series(entrant, [by_key.get((entrant, contract)) for contract in contracts])
            for entrant in entrants[:MOST_SERIES]
        ]
        drawing = dots(lines, series, "share of first choices, %", per_cent=True)
        caption = (
            "Share of a declarer's first choices, with all contracts left; intervals on "
            f"blocks.{uses_note(rules)}{_options_note(rules)}"
        )
        figures = [Figure(f"{self.name}-first", drawing, caption)]
        figures += [_map(later, rules, contracts, e, k) for k, e in enumerate(entrants[:MOST_MAPS])]
        listings = (
            _listing("First choices", first, rules),
            _listing("Choices by how many were left", later, rules),
        )
        shares = estimates(later, "share")
        return Answer(_finding(first, rules), tuple(figures), listings, kinds(shares))


def _map(later: pl.DataFrame, rules: Variant, contracts: list[str], entrant: str, k: int) -> Figure:
    mine = later.filter(pl.col("entrant") == entrant)
    found = dict(
        zip(mine.select("contract", "n_left").rows(), estimates(mine, "share"), strict=True)
    )
    lefts = sorted({left for _, left in found}, reverse=True)
    cells = [[found.get((c, left)) for left in lefts] for c in contracts]
    values = [[None if e is None else e.value for e in row] for row in cells]
    texts = [["" if v is None else f"{100 * v:.0f}" for v in row] for row in values]
    columns, lines = [str(left) for left in lefts], [title(rules, c) for c in contracts]
    drawing = heat(
        columns,
        lines,
        values,
        texts,
        "contracts left to choose from",
        diverging=False,
        top=1,
    )
    caption = (
        f"{entrant}: per cent of the choices in which the contract was left, from the first "
        "choice on the left to the last with an alternative; the bluer the more often."
        f"{empty_note(texts, 'the contract was never left')}{uses_note(rules)}"
    )
    named = f"{entrant}: per cent by contracts left, with intervals"
    beside = grid(named, "contract", columns, lines, cells, per_cent=True)
    return Figure(f"choice-{k}", drawing, caption, beside)


def _listing(caption: str, table: pl.DataFrame, rules: Variant) -> Listing:
    rows = tuple(
        (
            row["entrant"],
            title(rules, row["contract"]),
            str(row["n_left"]),
            share(e),
            whole(e.n),
        )
        for row, e in zip(table.iter_rows(named=True), estimates(table, "share"), strict=True)
    )
    columns = ("entrant", "contract", "contracts left", "share (interval)", "choices")
    return Listing(caption, columns, rows)


def _options_note(rules: Variant) -> str:
    """Why a pick at random is not even over contracts, where it is not."""
    named = options(rules)
    if len(set(named.values())) == 1:
        return ""
    many = [
        f"{title(rules, c)} {n} of them ({percent(n / sum(named.values()))})"
        for c, n in named.items()
        if n > 1
    ]
    return (
        " Each trump suit and start rank is an option of its own, "
        f"{sum(named.values())} in all, {listed(many)}: so often a pick at random names them."
    )


def _blindly(e: Estimate, rules: Variant, contract: str) -> str:
    """That a share is no more than blind picks give, where the interval says so."""
    named = options(rules)
    blind = named[contract] / sum(named.values())
    if named[contract] == 1 or e.low is None or e.high is None or not e.low <= blind <= e.high:
        return ""
    return (
        f", as a pick at random among all {sum(named.values())} options would "
        f"({counted(named[contract], 'of them is', 'of them are')} {title(rules, contract)})"
    )


def _finding(first: pl.DataFrame, rules: Variant) -> str:
    said = []
    entrants = first["entrant"].unique(maintain_order=True).to_list()
    for entrant in entrants[:MOST_MAPS]:
        mine = first.filter(pl.col("entrant") == entrant)
        shares = estimates(mine, "share")
        best = max(range(len(shares)), key=lambda i: shares[i].value)
        e, name = shares[best], title(rules, mine["contract"][best])
        even = Fraction(1, len(shares))
        if e.value == 1.0:
            said.append(f"{entrant} always chose {name} first, {counted(e.n, 'time')}")
        elif e.low is not None and e.low > even:
            text = f"{entrant} chose {name} first most often, {share(e)}"
            said.append(text + _blindly(e, rules, mine["contract"][best]))
        else:
            said.append(
                f"{entrant} has no first choice that surely comes more often than "
                f"{percent(float(even))}, one in {len(shares)}"
            )
    if len(entrants) > MOST_MAPS:
        said.append("the others are in the table")
    return "; ".join(said) + "."
