"""What the columns of the sections' tables mean, and which of them name a row."""

import polars as pl

from reports.frames import FIELDS

KEYS: dict[str, str] = {
    "run": "number of the run, in the order in which runs were given",
    "variant": "name of the variant",
    "entrant": "name of the entrant; empty for all together",
    "other": "the entrant of which a difference is taken",
    "lineup": "who sits at the table, in playing order",
    "contract": "key of the contract in the rule file; empty for all together",
    "contract_title": "name of the contract in the reader's language",
    "n_left": "contracts left to choose from, one that may be chosen twice counted twice; "
    "-1 for all",
    "role": "seats after the declarer, in playing order; after the leader where nobody declares; "
    "-1 for all",
    "target": "role of who was doubled; -1 for all",
    "seat": "number of the seat; 0 deals or declares first",
}
"""Columns that name a row."""
OTHERS: dict[str, str] = {
    "best": "the best rank possible; in `seats/apart` the role that does best",
    "worst": "the worst rank possible; in `seats/apart` the role that does worst",
    "gap": "points between the roles `best` and `worst`, more is better",
    "marked": "surely differs from 0: Benjamini-Hochberg over the table, 5 % false marks expected",
}
FIGURES: dict[str, str] = {
    "points": "points in the document's sign: above the table's or deal's mean in `league`, "
    "`seats` and `earned/above`, else the declarer's own before side bets",
    "score": "the declarer's own points, side bets included",
    "win": "share of a first place: 1 alone, 1/2 each for two who tie",
    "place": "mean place at the table",
    "difference": "points a game of `entrant` less those of `other`",
    "share": "share of the choices in which the contract was left",
    "rate": "share of the bets that were possible",
    "paid": "mean settlement of a bet to who made it, in the document's sign",
    "high": "points in the role `best`",
    "low": "points in the role `worst`",
}
"""Estimates: each stands in eight columns, NAME_value and so on."""
PARTS: dict[str, str] = {
    "value": "the figure",
    "se": "its standard error; empty where blocks do not tell",
    "low": "lower end of its 95 % interval",
    "high": "upper end of its 95 % interval",
    "n": "what was counted: games, deals, choices or bets",
    "blocks": "blocks in which it was counted",
    "df": "degrees of freedom of the interval",
    "kind": "how the interval came about: t, max_t (all of a table together), identical, bound, "
    "none",
}
MORE = "_more"
"""After the name of an estimate: the same less that of the first run."""


def figures_of(table: pl.DataFrame) -> list[str]:
    """Names of the estimates of a table, in order."""
    names = [c.removesuffix("_value") for c in table.columns if c.endswith("_value")]
    return [name for name in names if all(f"{name}_{part}" in table.columns for part in FIELDS)]


def keys_of(table: pl.DataFrame) -> list[str]:
    """Columns that name a row: words and whole numbers that stand before the first estimate."""
    figures = figures_of(table)
    first = table.columns.index(f"{figures[0]}_value") if figures else len(table.columns)
    return [
        name
        for name, kind in zip(table.columns[:first], table.dtypes[:first], strict=True)
        if (kind == pl.String or kind.is_integer()) and name not in OTHERS
    ]


def meaning(column: str) -> str:
    """What a column holds; empty for one that nobody described."""
    plain = KEYS.get(column) or OTHERS.get(column)
    if plain:
        return plain
    figure, _, part = column.rpartition("_")
    more = figure.endswith(MORE)
    said = FIGURES.get(figure.removesuffix(MORE), "")
    if part not in PARTS:
        return ""
    less = ", less that of the first run" if more else ""
    return f"{said}{less}: {PARTS[part]}" if said else PARTS[part]
