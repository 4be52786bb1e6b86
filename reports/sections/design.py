"""What are the same deals in all seatings worth, and how many games would halve an error?"""

import polars as pl

from engine_ext.rules.spec import Variant
from reports.charts import Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.gains import of_entrant
from reports.prefixes import whole as whole_of
from reports.ranked import ranked
from reports.reading import Reading
from reports.recorded import NO_BLOCKS
from reports.section import Answer, Figure, Listing, Tables
from reports.words import counted, digits, figure, interval, kinds, number, whole

FINER = 4
"""Times as many games halve an error."""
COLUMNS: dict[str, pl.DataType] = {
    "sd_game": pl.Float64(),
    "sd_block": pl.Float64(),
    "reached": pl.Float64(),
    "games": pl.Int64(),
    "independent": pl.Int64(),
    "halve": pl.Int64(),
}


class Design:
    """How many games on deals of their own tell as much as one of the design."""

    name = "design"
    title = "What the design is worth"

    def missing(self, run: Reading, variant: str) -> str | None:
        """It takes two blocks that differ, and single games that totals tell of."""
        if run.blocks(variant) < 2:
            return "It takes two whole blocks to tell how blocks differ."
        if run.pieces(variant) is None:
            return "The run keeps no totals of its blocks: a version before them played it."
        if not run.config.keeps_totals and not run.catalog.contents.files.get("totals"):
            return NO_BLOCKS
        if self.compute(run, variant)["gain"].is_empty():
            return (
                "All blocks are alike, or entrants hold several seats of every table, which "
                "totals of blocks do not tell apart."
            )
        return None

    def compute(self, run: Reading, variant: str) -> Tables:
        """Table ``gain``: how many games on independent deals tell as much as one that was
        played, by entrant, best placed first; standard deviations of single games and of blocks,
        the standard error reached, and games, all in points a game.

        The unit of error is the block: the gain is a ratio of two sums over blocks.
        """
        return run.once(("gain", variant), lambda: _tables(run, variant))

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots of the gains, and what they are made of."""
        table = tables["gain"]
        gains, names = estimates(table, "gain"), table["entrant"].to_list()
        drawing = dots(
            names, [Series("gain", gains)], "games on independent deals for one that was played"
        )
        drawing.add_vline(x=1, line={"color": "#8a9199", "dash": "dash", "width": 1.5})
        caption = (
            "How many games, each on deals of its own, would tell as much of an entrant's points "
            "as one game of the design. At 1, the dashes, the same deals in all seatings bring "
            "nothing. Where company changes, what the strength of who sat there explains is taken "
            "out first."
        )
        return Answer(
            _finding(table),
            (Figure(self.name, drawing, caption),),
            (_listing(table),),
            kinds(gains),
        )


def _tables(run: Reading, variant: str) -> Tables:
    parts = run.net_pieces(variant)
    assert parts is not None, "asked without totals"
    total = whole_of(list(parts))
    seats, places = run.rules(variant).seats, run.ranked()
    league = ranked(run, variant)
    rows = []
    for name, points in zip(league.entrants, league.points, strict=True):
        datum = run.config.design == "candidates"
        found = of_entrant(parts, total, places.index(name), seats, datum)
        if found is None:
            continue
        row: dict[str, object] = {"entrant": name} | flat("gain", found.gain)
        row |= {
            "sd_game": found.sd_game,
            "sd_block": found.sd_block,
            "reached": points.se,
            "games": found.games,
            "independent": round(found.gain.value * found.games),
            "halve": FINER * found.games,
        }
        rows.append(row)
    columns = schema({"entrant": pl.String}, "gain")
    columns.update(COLUMNS)
    return {"gain": frame(rows, columns)}


def _finding(table: pl.DataFrame) -> str:
    e, row = estimates(table, "gain")[0], table.row(0, named=True)
    p = digits([e])
    worth = (
        f"One game of this design tells as much of {row['entrant']} as "
        f"{figure(e, p, signed=False)} games on deals of their own: "
        f"{counted(row['games'], 'game')} did what {whole(row['independent'])} would do."
    )
    if row["reached"] is None:
        return worth
    return (
        f"{worth} The standard error is {_points(row['reached'])} points a game; half of it takes "
        f"{whole(row['halve'])} games."
    )


def _points(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def _listing(table: pl.DataFrame) -> Listing:
    gains = estimates(table, "gain")
    p = digits(gains)
    rows = tuple(
        (
            row["entrant"],
            number(e.value, p),
            interval(e, p),
            _points(row["sd_game"]),
            _points(row["sd_block"]),
            _points(row["reached"]),
            whole(row["games"]),
            whole(row["independent"]),
            whole(row["halve"]),
        )
        for row, e in zip(table.iter_rows(named=True), gains, strict=True)
    )
    columns = (
        "entrant",
        "gain",
        "interval",
        "deviation of a game",
        "of a block",
        "standard error",
        "games",
        "as many on deals of their own",
        "games for half the error",
    )
    return Listing("Gain of the design by entrant, points a game", columns, rows, shown=True)
