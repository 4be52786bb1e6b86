"""How much of a game is the cards, and does anybody owe his place to them?"""

import math
from fractions import Fraction

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.blocks import Floats, moved, quotient, share
from pipeline.stats.estimate import Estimate, ratio
from reports.charts import MOST_SERIES, Series, dots
from reports.frames import estimates, flat, frame, schema
from reports.reading import Reading
from reports.reading_luck import Luck as Sums
from reports.reading_luck import adjusted, luck
from reports.recorded import lacks
from reports.section import Answer, Figure, Listing, Tables
from reports.words import better, digits, figure, interval, kinds, number, percent, sign, whole
from reports.words import share as in_words

DRAWN = 2 * MOST_SERIES
"""Entrants in the drawing; every one is in the table."""


class Luck:
    """How much of a game comes with the cards?"""

    name = "luck"
    title = "Luck of the cards"

    def missing(self, run: Reading, variant: str) -> str | None:
        """What others made on the same cards stands in the games alone."""
        return lacks(run, variant, "games")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``cards`` (one row, of a game's points about what the entrant usually makes:
        ``cards``, the part of their variance that comes again in other games on the same deals;
        ``r2``, the part that the par foretells; their ``deviation``, and ``adjusted`` the same
        less the par) and ``entrants`` (points a game above the table's mean, and ``adjusted``
        above what the seat made in all games on these deals).

        The unit of error is the block. The par of a seat is the mean of the other games on the
        same deals, so no game foretells itself; in design ``candidates`` it is the datum.
        """
        rules = run.rules(variant)
        made = luck(run, variant)
        scale = Fraction(sign(rules), rules.seats)
        raw = {c.entrant: c.sums for c in run.cells(variant, "advantage") if c.table == -1}
        less, over = adjusted(run, variant)
        row: dict[str, object] = {"par": "datum" if run.config.design == "candidates" else "others"}
        for name, e in _cards(made, rules.seats).items():
            row |= flat(name, e)
        names = [entrant for entrant in run.ranking(variant) if entrant in less]
        rows = [
            {"entrant": entrant}
            | flat("points", ratio(raw[entrant], scale, contrast=True))
            | flat("adjusted", ratio(less[entrant], scale / over, contrast=True))
            for entrant in names
        ]
        keys = {"par": pl.String}
        return {
            "cards": frame([row], schema(keys, "cards", "r2", "deviation", "adjusted")),
            "entrants": frame(rows, schema({"entrant": pl.String}, "points", "adjusted")),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Raw against adjusted points of each entrant, and the cards' part as a table."""
        cards, entrants = tables["cards"], tables["entrants"]
        drawn = entrants.head(DRAWN)
        series = [
            Series("above the table's mean", estimates(drawn, "points")),
            Series("above what the seat made on these deals", estimates(drawn, "adjusted")),
        ]
        drawing = dots(drawn["entrant"].to_list(), series, f"points a game ({better(rules)})")
        caption = (
            "Points a game, as they are and with the luck of the cards taken off. Where everybody "
            "sits in every seat of every deal equally often luck has cancelled already, and both "
            f"are the same; {better(rules)}. Intervals on blocks, each for itself."
        )
        shown = [
            e
            for table, names in ((cards, ("cards", "r2", "deviation", "adjusted")),)
            for name in names
            for e in estimates(table, name)
        ]
        shown += [*estimates(entrants, "points"), *estimates(entrants, "adjusted")]
        return Answer(
            _finding(cards, entrants, rules),
            (Figure(self.name, drawing, caption),),
            (_cards_listing(cards), _entrants_listing(entrants)),
            kinds(shown),
        )


def _cards(made: Sums, seats: int) -> dict[str, Estimate]:
    """Shares of the variance and standard deviations, in points."""
    n = int(made.games.sum())
    left = made.squares - 2 * made.products + made.pars
    found = {"deviation": _root(made.squares, made.games, seats, n)}
    found["adjusted"] = _root(left, made.games, seats, n)
    if made.squares.sum() > 0:
        found["cards"] = share(made.products, made.squares, n)
        found["r2"] = share(made.squares - left, made.squares, n)
    else:
        # Nobody ever made a point more than the others: there is nothing to explain.
        nothing = Estimate(0.0, None, None, None, n, len(made.games), 0.0, "none")
        found |= {"cards": nothing, "r2": nothing}
    return found


def _root(squares: Floats, games: Floats, seats: int, n: int) -> Estimate:
    """The standard deviation of which these are the squares, times the seats."""
    value, influence = quotient(squares, games)
    if value == 0:
        return Estimate(0.0, None, None, None, n, len(games), 0.0, "none")
    deviation = math.sqrt(value)
    return moved(deviation / seats, influence / (2 * deviation * seats), n)


def _finding(cards: pl.DataFrame, entrants: pl.DataFrame, rules: Variant) -> str:
    part, r2 = estimates(cards, "cards")[0], estimates(cards, "r2")[0]
    before, after = estimates(cards, "deviation")[0], estimates(cards, "adjusted")[0]
    p = digits([before, after])
    if before.value == 0:
        return "Every seat made the same in every game, so there is no luck to speak of."
    datum = cards["par"][0] == "datum"
    others = "in the datum" if datum else "in the other games of its block"
    text = (
        f"{in_words(part)} of the ups and downs of an entrant's games comes with the cards and the "
        f"seat: so much comes again {others}. One game moves by {figure(before, p, False)} points "
        f"(standard deviation); less what the same seat made {others}, which foretells "
        f"{percent(max(0.0, r2.value))} of it, by {figure(after, p, False)}."
    )
    if after.value >= before.value:
        text += (
            " So few games on the same cards are too noisy a measure to take the luck off a "
            "single game."
        )
    gaps = [
        abs(a.value - b.value)
        for a, b in zip(estimates(entrants, "points"), estimates(entrants, "adjusted"), strict=True)
    ]
    if max(gaps) < 1e-9:
        text += (
            " Over the whole run nobody was lucky: everybody sat in every seat of the same deals, "
            "so that luck has cancelled exactly."
        )
    elif not datum:
        k = max(range(len(gaps)), key=gaps.__getitem__)
        lucky = sign(rules) * (
            estimates(entrants, "points")[k].value - estimates(entrants, "adjusted")[k].value
        )
        text += (
            f" Over the whole run the cards moved {entrants['entrant'][k]} most, by "
            f"{number(gaps[k], digits(estimates(entrants, 'points')))} points a game for the "
            f"{'better' if lucky > 0 else 'worse'}."
        )
    return f"{text} This explains; the verdict rests on the points as they are."


def _cards_listing(cards: pl.DataFrame) -> Listing:
    words = {
        "cards": "part of an entrant's variance that comes with cards and seat",
        "r2": "part of it that the other games on the same cards foretell (R\N{SUPERSCRIPT TWO})",
        "deviation": "standard deviation of one game's points",
        "adjusted": "the same with the luck of the cards taken off",
    }
    rows = []
    for name, what in words.items():
        e = estimates(cards, name)[0]
        if name in ("cards", "r2"):
            rows.append((what, percent(e.value, 1), f"{interval(e, 1, scale=100)}", whole(e.n)))
        else:
            p = digits([e])
            rows.append((what, number(e.value, p), interval(e, p), whole(e.n)))
    return Listing("Cards and play", ("what", "figure", "interval", "seat-games"), tuple(rows))


def _entrants_listing(entrants: pl.DataFrame) -> Listing:
    raw, less = estimates(entrants, "points"), estimates(entrants, "adjusted")
    p = digits([*raw, *less])
    rows = tuple(
        (
            entrant,
            number(a.value, p, signed=True),
            interval(a, p, signed=True),
            number(b.value, p, signed=True),
            interval(b, p, signed=True),
        )
        for entrant, a, b in zip(entrants["entrant"], raw, less, strict=True)
    )
    columns = ("entrant", "points", "interval", "luck taken off", "interval")
    return Listing("Points a game, raw and with luck taken off", columns, rows)
