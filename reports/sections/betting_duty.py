"""What does the duty to double cost, and when should one get it over with?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.duty import Duty
from pipeline.stats.estimate import Estimate, times
from pipeline.studies.bets import most_left
from pipeline.studies.chances import chances
from pipeline.studies.owed import duty
from reports.charts import Series, lines
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words, known
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.studies import (
    MOST_DRAWN,
    all_of,
    by,
    names_in,
    no_bets,
    of,
    studies,
    told,
    who,
)
from reports.words import better, counted, digits, figure, kinds, listed, number, sign

KEYS: dict[str, type[pl.DataType]] = {"entrant": pl.String, "deals": pl.Int64, "owed": pl.Int64}


class BettingDuty:
    """Worth of the deals of a declarer, by how many are left and how many doubles are owed."""

    name = "betting-duty"
    title = "The duty to double"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Where the rules have a duty."""
        why = no_bets(run, variant)
        if why is not None:
            return why
        rules = run.rules(variant).doubling
        if rules is None or not rules.duty or rules.duty_enforced == "none":
            return "These rules oblige nobody to double."
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``duty``: with so many ``deals`` of a declarer left, this one among them, and so
        many doubles of him ``owed``: what the right to double him is ``worth`` to one of the
        others, what owing them costs (``price``), and up to what loss a double now is right
        (``limit``; nothing where none is owed). Points in the document's sign.

        A double is decided by half of a hand's worlds and valued by the other; without
        redoubles. The unit of error is the block, through all deals of a dealership.
        """
        inside = sign(run.rules(variant))
        rows = []
        for study in studies(run, variant):
            found = chances(study)
            if found is None:
                continue
            owed = duty(study, found)
            for deals in range(1, most_left(study) + 1):
                for q in range(min(owed.most_owed, deals) + 1):
                    if (deals, q) in owed.states:
                        rows.append(
                            {"entrant": study.entrant, "deals": deals, "owed": q}
                            | flat("worth", times(owed.worth(deals, q), inside))
                            | flat("price", times(owed.price(deals, q), inside))
                            | _limit(owed, deals, q, inside)
                        )
        return {"duty": frame(rows, schema(KEYS, "worth", "price", "limit"))}

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Curves of worth by deals left, one for each number owed, for each entrant."""
        table = tables["duty"]
        names = names_in(table)
        return Answer(
            told(names, lambda e: _finding(e, of(table, entrant=e), rules), rules),
            tuple(
                _curves(of(table, entrant=e), e, k, rules) for k, e in enumerate(names[:MOST_DRAWN])
            ),
            (in_words("By deals left and doubles owed", table, rules),),
            kinds(all_of(*(known(table, name) for name in ("worth", "price", "limit")))),
            _short(of(table, entrant=names[0]), rules) if names else "",
        )


def _limit(owed: Duty, deals: int, q: int, inside: int) -> dict[str, object]:
    """Nothing where there is no choice."""
    if owed.must(deals, q):
        return {}
    return flat("limit", times(owed.bonus(deals, q), -inside))


def _curves(table: pl.DataFrame, entrant: str, k: int, rules: Variant) -> Figure:
    worth = by(table, "worth", "deals", "owed")
    x = sorted({int(deals) for deals in table["deals"]}, reverse=True)
    series = [
        Series(f"{owed} owed", [worth.get((deals, owed)) for deals in x])
        for owed in sorted(set(table["owed"].to_list()))
    ]
    drawing = lines(x, series, "deals of the declarer left", f"points ({better(rules)})")
    caption = (
        f"{entrant}: what the deals left of a declarer are worth to one who may, and must so many "
        f"times, double him; {better(rules)}. Each interval is for itself."
    )
    return Figure(f"betting-duty-{k}", drawing, caption)


def _short(table: pl.DataFrame, rules: Variant) -> str:
    """What owing means, in a sentence; '' where it is not sure that it costs anything."""
    deals, owed = int(str(table["deals"].max())), int(str(table["owed"].max()))
    full = times(estimates(of(table, deals=deals, owed=owed), "price")[0], sign(rules))
    if full.low is None or full.low <= 0:
        return ""
    limits = by(of(table, owed=owed), "limit", "deals")
    said = [
        f"less than {number(_loss(limits[left,], rules), 1)} with {counted(left, 'deal')} of his "
        "left"
        for left in dict.fromkeys((owed + 1, deals))
        if (left,) in limits
    ]
    when = f" Get one over with where you expect it to lose {listed(said)}." if said else ""
    return (
        f"To owe a declarer {counted(owed, 'double')} costs about {number(full.value, 1)} points."
        f"{when}"
    )


def _loss(limit: Estimate, rules: Variant) -> float:
    """Up to which loss to double; luck can make it look like a gain, which it never is."""
    return max(0.0, -sign(rules) * limit.value)


def _finding(entrant: str, table: pl.DataFrame, rules: Variant) -> str:
    if table.is_empty():
        return f"{who(entrant)}, there was no deal in which the declarer may be doubled."
    deals, owed = int(str(table["deals"].max())), int(str(table["owed"].max()))
    full = of(table, deals=deals, owed=owed)
    price = estimates(full, "price")[0]
    free = estimates(of(table, deals=deals, owed=0), "worth")[0]
    p = digits([price])
    limits = by(of(table, owed=owed), "limit", "deals")
    pp = digits(limits.values())
    said = [
        f"{'less than ' if k else 'you expect to lose less than '}"
        f"{number(_loss(limits[left,], rules), pp)} points with {counted(left, 'deal')} left"
        for k, left in enumerate(dict.fromkeys((deals, owed + 1)))
        if (left,) in limits
    ]
    return (
        f"{who(entrant)}, the right to double a declarer is worth {figure(free, digits([free]))} "
        f"points over his {counted(deals, 'deal')}; that {owed} doubles are owed costs "
        f"{figure(times(price, sign(rules)), p, signed=False)} of it. With {owed} owed, double "
        f"now if {', '.join(said)}. Redoubles are not counted."
    )
