"""Over a whole game, is it an advantage to be first?"""

import polars as pl

from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.stats.estimate import Estimate, clipped, times
from pipeline.stats.hotelling import Verdict
from pipeline.studies.seat_worth import Game, whole_game
from reports.charts import MOST_SERIES, Series, bars
from reports.frames import estimates, flat, frame, schema
from reports.plain import in_words
from reports.reading import Reading
from reports.section import Answer, Figure, Listing, Tables
from reports.studies import by, by_luck, names_in, no_study, of, studies, told, who
from reports.words import better, digits, figure, kinds, number, percent, share, sign

SURE = 0.05
"""Below this probability of as much by luck seats are said to differ."""


class SeatsGame:
    """Points and wins by seat, and how unfair the game is at most."""

    name = "seats-game"
    title = "Is the first seat an advantage?"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of seats only."""
        return no_study(run, variant, "seats")

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``seats`` (``points`` a game above the table's mean in the document's sign,
        ``win`` share of games won, simultaneous intervals over the seats) and ``fairness``
        (``unfair``: the largest distance of a seat's share of wins from 1 / n).

        The unit of error is the block: the same cards, every hand in every seat.
        """
        rules = run.rules(variant)
        played = [(s.entrant, whole_game(s)) for s in studies(run, variant)]
        games = [(entrant, game) for entrant, game in played if game is not None]
        rows = [
            {"entrant": entrant, "seat": seat}
            | flat("points", times(points, sign(rules)))
            | flat("win", _share(win, rules.seats))
            for entrant, game in games
            for seat, (points, win) in enumerate(zip(game.points, game.wins, strict=True))
        ]
        fair = [_fair(entrant, game) for entrant, game in games]
        keys: dict[str, type[pl.DataType]] = {"entrant": pl.String}
        tests: dict[str, type[pl.DataType]] = {"points_p": pl.Float64, "wins_p": pl.Float64}
        return {
            "seats": frame(rows, schema({**keys, "seat": pl.Int64}, "points", "win")),
            "fairness": frame(fair, schema(keys | tests, "unfair")),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Bars of wins and of points by seat, entrants side by side."""
        seats, fairness = tables["seats"], tables["fairness"]
        names = names_in(seats)
        return Answer(
            told(
                names,
                lambda e: _finding(e, of(seats, entrant=e), of(fairness, entrant=e), rules),
                rules,
            ),
            (_wins(seats, names, rules), _points(seats, names, rules)),
            (in_words("Points and wins by seat", seats, rules), _fairness(fairness)),
            kinds([*estimates(seats, "win"), *estimates(seats, "points")]),
            _short(of(seats, entrant=names[0]), of(fairness, entrant=names[0]), rules)
            if names
            else "",
        )


def _short(seats: pl.DataFrame, fairness: pl.DataFrame, rules: Variant) -> str:
    """Whether to wish for a seat, for players."""
    wins, p = estimates(seats, "win"), fairness["wins_p"][0]
    does = _does(rules)
    even = f"an even share would be {percent(1 / rules.seats)}"
    if p is not None and p < SURE:
        best = max(range(rules.seats), key=lambda k: wins[k].value)
        whose = f"Who {does} first" if best == 0 else f"Seat {best} (seat 0 {does} first)"
        return f"{whose} wins most games, {percent(wins[best].value)} ({even})."
    return (
        f"It does not matter who {does} first, as far as can be told: that seat wins "
        f"{percent(wins[0].value)} of the games ({even})."
    )


def _share(more: Estimate, seats: int) -> Estimate:
    """A share of wins from how much it is above 1 / n."""
    low, high = (None if x is None else x + 1 / seats for x in (more.low, more.high))
    return clipped(more._replace(value=more.value + 1 / seats, low=low, high=high))


def _above(share: Estimate | None, seats: int) -> Estimate | None:
    """A share of wins less 1 / n."""
    if share is None:
        return None
    low, high = (None if x is None else x - 1 / seats for x in (share.low, share.high))
    return share._replace(value=share.value - 1 / seats, low=low, high=high)


def _fair(entrant: str, game: Game) -> dict[str, object]:
    row: dict[str, object] = {"entrant": entrant}
    tests: tuple[tuple[str, Verdict], ...] = (
        ("points_p", game.points_verdict),
        ("wins_p", game.wins_verdict),
    )
    return (
        row
        | {name: verdict.p for name, verdict in tests}
        | flat("unfair", clipped(game.unfair, high=1 - 1 / len(game.wins)))
    )


def _does(rules: Variant) -> str:
    """What seat 0 does first."""
    return "declares" if isinstance(rules.schedule, ChoiceSchedule) else "deals"


def _names(rules: Variant) -> list[str]:
    return [f"seat 0 ({_does(rules)} first)", *(f"seat {k}" for k in range(1, rules.seats))]


def _wins(seats: pl.DataFrame, names: list[str], rules: Variant) -> Figure:
    found = by(seats, "win", "entrant", "seat")
    series = [
        Series(
            e,
            [_above(found.get((e, seat)), rules.seats) for seat in range(rules.seats)],
        )
        for e in names[:MOST_SERIES]
    ]
    even = percent(1 / rules.seats, 1)
    drawing = bars(_names(rules), series, f"per cent of games won above {even}", per_cent=True)
    caption = (
        f"Share of games that each seat wins, above the even share of {even}; ties are shared. "
        "All seats of an entrant are inside their intervals together."
    )
    return Figure("seats-wins", drawing, caption)


def _points(seats: pl.DataFrame, names: list[str], rules: Variant) -> Figure:
    found = by(seats, "points", "entrant", "seat")
    series = [
        Series(e, [found.get((e, seat)) for seat in range(rules.seats)])
        for e in names[:MOST_SERIES]
    ]
    drawing = bars(_names(rules), series, f"points a game ({better(rules)})")
    caption = (
        f"Points of a whole game by seat above the mean of the table; {better(rules)}. All seats "
        "of an entrant are inside their intervals together."
    )
    return Figure("seats-points", drawing, caption)


def _fairness(fairness: pl.DataFrame) -> Listing:
    rows = tuple(
        (
            row["entrant"],
            share(e),
            *(by_luck(row[name]) for name in ("points_p", "wins_p")),
        )
        for row, e in zip(
            fairness.iter_rows(named=True), estimates(fairness, "unfair"), strict=True
        )
    )
    columns = (
        "entrant",
        "largest distance from an even share of wins (interval)",
        "by luck, were points even",
        "by luck, were wins even",
    )
    return Listing("How fair the seats are, with Hotelling's test", columns, rows, shown=True)


def _finding(entrant: str, seats: pl.DataFrame, fairness: pl.DataFrame, rules: Variant) -> str:
    wins, points = estimates(seats, "win"), estimates(seats, "points")
    unfair, p = estimates(fairness, "unfair")[0], fairness["wins_p"][0]
    even = f"The even share is {percent(1 / rules.seats, 1)}."
    first = (
        f"{who(entrant)}, the seat that {_does(rules)} first (seat 0) wins {share(wins[0])} of the "
        f"games and has {figure(points[0], digits(points))} points against the table's mean. {even}"
    )
    if unfair.kind == "identical":
        return f"{who(entrant)}, every seat wins exactly as often as every other."
    if unfair.high is None:
        return f"{first} Of how sure that is the blocks do not tell."
    points_off = number(100 * unfair.high, 1)
    at_most = f"no seat is more than {points_off} percentage points away from it"
    if p is not None and p < SURE:
        best = max(range(rules.seats), key=lambda k: wins[k].value)
        most = "this one wins most" if best == 0 else f"seat {best} wins most, {share(wins[best])}"
        return f"{first} The seats surely differ: {most}; {at_most}."
    return f"{first} That seats differ is not shown; {at_most}."
