"""How often each contract is chosen first, under the parent's rules and the winner's."""

import polars as pl

from pipeline.stats.estimate import Estimate
from pipeline.tuning.outcome import Outcome
from reports.charts import Series, bars
from reports.frames import frame
from reports.section import Answer, Figure, Listing, Tables
from reports.tuning.topic import stays
from reports.words import listed, percent

FIRST = pl.Schema({"contract": pl.String, "share_before": pl.Float64, "share_after": pl.Float64})
COLUMNS = ("share_before", "share_after")
BARE = (
    "shares without an interval: they are a picture of what the objectives about choices measure, "
    "and nothing is concluded from them"
)


class Chosen:
    """First choices of the best chooser."""

    name = "first"
    title = "Which contract is chosen first"

    def missing(self, outcome: Outcome) -> str | None:
        """Where no study of choices was asked for."""
        if outcome.shares:
            return None
        return "No objective is about choices, so first choices were not studied."

    def compute(self, outcome: Outcome) -> Tables:
        """Table ``first``: the share of a declarer's hands, all contracts left, in which the best
        chooser takes each contract, before and after; null where the rules have it not."""
        before, after = (outcome.shares.get(who, {}) for who in ("parent", "winner"))
        names = list(dict.fromkeys([*outcome.winner.contracts, *outcome.parent.contracts]))
        rows: list[dict[str, object]] = [
            {
                "contract": name,
                "share_before": before.get(name),
                "share_after": after.get(name),
            }
            for name in names
            if name in before or name in after
        ]
        return {"first": frame(rows, FIRST)}

    def render(self, tables: Tables, outcome: Outcome) -> Answer:
        """Two bars for each contract."""
        table = tables["first"]
        names = [_title(outcome, name) for name in table["contract"]]
        there = {_whose(outcome, column): column for column in COLUMNS if any(table[column])}
        series = [
            Series(name, [_bare(value) for value in table[column]])
            for name, column in there.items()
        ]
        drawing = bars(names, series, "chosen first, % of hands", per_cent=True)
        caption = (
            "How often good declarers choose each contract on their first deal, with all of them "
            "left. A contract that nobody chooses is one that everybody is stuck with at the end."
        )
        rows = tuple(
            (title, *("" if share is None else percent(share) for share in shares))
            for title, *shares in zip(names, *(table[c] for c in there.values()), strict=True)
        )
        listing = Listing("First choices", ("contract", *there), rows)
        return Answer(
            _finding(table, names, there),
            (Figure("first", drawing, caption),),
            (listing,),
            (BARE,),
        )


def _whose(outcome: Outcome, column: str) -> str:
    """Whose choices a column has: where the rules stay, after what was judged."""
    if column == "share_before":
        return "before"
    return f"by candidate {outcome.judged_number}" if stays(outcome) else "after"


def _bare(value: float | None) -> Estimate | None:
    return None if value is None else Estimate(value, None, None, None, 0, 0, 1.0, "none")


def _title(outcome: Outcome, contract: str) -> str:
    rules = outcome.winner if contract in outcome.winner.contracts else outcome.parent
    return rules.contracts[contract].title


def _finding(table: pl.DataFrame, names: list[str], there: dict[str, str]) -> str:
    """The contracts that are chosen most and least."""
    told = []
    for name, column in there.items():
        known = [
            (share, title)
            for share, title in zip(table[column], names, strict=True)
            if share is not None
        ]
        order = sorted(known, key=lambda one: -one[0])
        never = [title for share, title in order if not share]
        most = f"{order[0][1]} is chosen first most often ({percent(order[0][0])} of hands)"
        least = f"{order[-1][1]} least ({percent(order[-1][0])})"
        rest = f"nobody chooses {listed(never, 'or')}" if never else least
        told.append(f"{name[:1].upper()}{name[1:]}: {most}, {rest}.")
    return "\n".join(told)
