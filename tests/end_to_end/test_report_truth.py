"""Every figure of a report, recomputed from the rows on disk the slow way.

The reference knows nothing of the summary, of integer sums or of the database: it
walks over the rows of ``games``, ``deals`` and ``doubles``, sorts them into blocks and
works with fractions.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy import stats

from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.run import run as play
from pipeline.run_file import load_run
from pipeline.stats.estimate import Estimate
from pipeline.store import Run
from reports.commands import write
from reports.frames import estimates
from reports.markup import TEXT
from reports.reading import Reading, opened
from reports.section import Section
from reports.sections import SECTIONS
from reports.sections.choice import Choice
from reports.sections.doubling import Doubling
from reports.sections.earned import Earned
from reports.sections.league import League
from reports.sections.pairs import Pairs
from reports.sections.seats import Seats
from tests.runs import paths

VARIANTS = ("barbu_52_doubling", "barbu_king_br", "barbu_fr_reussite")
Row = dict[str, Any]
Key = tuple[Any, ...]
SHARE = (0.0, 1.0)


class Tally:
    """Counts and totals by cell and block."""

    def __init__(self) -> None:
        self.cells: dict[Key, dict[int, list[Fraction]]] = defaultdict(dict)

    def add(self, key: Key, block: int, x: Fraction | int, n: int = 1) -> None:
        """Count ``n`` and total ``x`` more in a cell of a block."""
        pair = self.cells[key].setdefault(block, [Fraction(0), Fraction(0)])
        pair[0] += n
        pair[1] += x

    def mean(self, key: Key) -> Fraction:
        """Total over count."""
        pairs = self.cells[key].values()
        return sum((x for _, x in pairs), Fraction(0)) / sum((n for n, _ in pairs), Fraction(0))

    def residuals(self, key: Key) -> dict[int, Fraction]:
        """What each block adds to the mean's error."""
        r, total = self.mean(key), sum(n for n, _ in self.cells[key].values())
        return {b: (x - r * n) / total for b, (n, x) in self.cells[key].items()}

    def check(self, key: Key, e: Estimate, within: tuple[float, float] | None = None) -> None:
        """Compare an estimate with a t interval to this cell, cut to what is possible."""
        counts = [n for n, _ in self.cells[key].values() if n]
        assert e.value == float(self.mean(key)), key
        assert (e.n, e.blocks) == (sum(counts), len(counts)), key
        if e.kind != "t":
            return
        squares = sum(u * u for u in self.residuals(key).values())
        se = float(Fraction(len(counts), len(counts) - 1) * squares) ** 0.5
        df = max(1.0, float(sum(counts) ** 2 / sum(n * n for n in counts)) - 1)
        half = se * stats.t.ppf(0.975, df)
        assert e.se == pytest.approx(se, rel=1e-9), key
        low, high = e.value - half, e.value + half
        if within is not None:
            low, high = max(within[0], low), min(within[1], high)
        assert e.low == pytest.approx(low, rel=1e-9, abs=1e-12), key
        assert e.high == pytest.approx(high, rel=1e-9, abs=1e-12), key


class Rows:
    """All rows of a variant of a run."""

    def __init__(self, run: Run, rules: Variant, variant: str) -> None:
        self.rules, self.seats = rules, range(rules.seats)
        self.sign = -1 if rules.objective == "lowest" else 1
        self.games = self._read(run, "games", variant)
        self.deals = self._read(run, "deals", variant)
        self.doubles = self._read(run, "doubles", variant)
        self.game_of = {self._key(game): game for game in self.games}
        self.bets: dict[Key, list[Row]] = defaultdict(list)
        for bet in self.doubles:
            self.bets[(*self._key(bet), bet["deal"])].append(bet)

    @staticmethod
    def _read(run: Run, table: str, variant: str) -> list[Row]:
        frames = [pl.read_parquet(path) for path in paths(run, table)]
        if not frames:
            return []
        return pl.concat(frames).filter(pl.col("variant") == variant).to_dicts()

    @staticmethod
    def _key(row: Row) -> Key:
        return (row["block"], row["table"], row["rotation"])

    def holder(self, row: Row, seat: int) -> str:
        """Who sat there in the game of a row."""
        return str(self.game_of[self._key(row)][f"entrant_{seat}"])

    def base(self, deal: Row) -> int:
        """The seat of role 0."""
        return int(deal["declarer"] if deal["declarer"] >= 0 else deal["leader"])

    def advantage(self) -> Tally:
        """Points above the table's mean, by entrant."""
        tally = Tally()
        for game in self.games:
            scores = [game[f"score_{s}"] for s in self.seats]
            mean = Fraction(sum(scores), len(scores))
            for s in self.seats:
                own = self.sign * (scores[s] - mean)
                tally.add(("entrant", game[f"entrant_{s}"]), game["block"], own)
                tally.add(("seat", s), game["block"], own)
        return tally

    def wins(self) -> Tally:
        """Win shares and mean places, ties shared, from the scores alone."""
        tally = Tally()
        for game in self.games:
            scores = [game[f"score_{s}"] for s in self.seats]
            assert (
                sum(Fraction(game["place_" + str(s)] == 1, game["n_first"]) for s in self.seats)
                == 1
            )
            for s in self.seats:
                above = sum(x > scores[s] for x in scores)
                tied = sum(x == scores[s] for x in scores)
                entrant, block = game[f"entrant_{s}"], game["block"]
                tally.add(("win", entrant), block, Fraction(above == 0, tied))
                tally.add(("place", entrant), block, above + Fraction(tied + 1, 2))
        return tally

    def roles(self) -> Tally:
        """Points above the deal's mean, by contract and role."""
        tally = Tally()
        for deal in self.deals:
            points = [deal[f"points_{s}"] for s in self.seats]
            mean = Fraction(sum(points), len(points))
            for s in self.seats:
                role = (s - self.base(deal)) % len(self.seats)
                own = self.sign * (points[s] - mean)
                for who in ("", self.holder(deal, s)):
                    tally.add((who, deal["contract"], role), deal["block"], own)
        return tally

    def choices(self) -> tuple[Tally, Tally]:
        """Shares of choices, and what they earned, by entrant, contract and left."""
        assert isinstance(self.rules.schedule, ChoiceSchedule)
        chosen, earned = Tally(), Tally()
        left: dict[Key, dict[str, int]] = {}
        for deal in sorted(self.deals, key=lambda d: (self._key(d), d["deal"])):
            seat, block = deal["declarer"], deal["block"]
            own = left.setdefault((*self._key(deal), seat), dict(self.rules.schedule.uses))
            n, who = sum(own.values()), self.holder(deal, seat)
            assert deal["n_left"] == n
            for contract in own:
                if own[contract]:
                    chosen.add((who, contract, n), block, int(contract == deal["contract"]))
            own[deal["contract"]] -= 1
            points = self.sign * deal[f"points_{seat}"]
            score = points + self.sign * deal[f"side_{seat}"]
            for k in (n, -1):
                earned.add((who, deal["contract"], k, "points"), block, points)
                earned.add((who, deal["contract"], k, "score"), block, score)
        return chosen, earned

    def bets_by_cell(self) -> tuple[Tally, Tally]:
        """How often doubles were made and answered, and what they paid."""
        rate, paid = Tally(), Tally()
        for deal in self.deals:
            made = {
                (bet["doubler"], bet["doubled"]): bet
                for bet in self.bets[(*self._key(deal), deal["deal"])]
            }
            for i in self.seats:
                for j in self.seats:
                    self._bet(deal, i, j, made, rate, paid)
        return rate, paid

    def _bet(
        self, deal: Row, i: int, j: int, made: dict[tuple[int, int], Row], rate: Tally, paid: Tally
    ) -> None:
        n, declarer = len(self.seats), deal["declarer"]
        cells = list(self._cells(deal, i, (i - declarer) % n, (j - declarer) % n))
        turn = [(s - declarer - 1) % n for s in self.seats]
        allowed = self._allowed(deal, i, j)
        if allowed and not ((j, i) in made and turn[j] < turn[i]):
            for cell in cells:
                rate.add(("double", *cell), deal["block"], int((i, j) in made))
        bet = made.get((i, j))
        if bet is not None:
            gain = deal[f"points_{i}"] - deal[f"points_{j}"]
            assert bet["settlement"] == gain * (2 if bet["redoubled"] else 1)
            for cell in cells:
                paid.add(("double", *cell), deal["block"], self.sign * bet["settlement"])
        answer = made.get((j, i))
        assert self.rules.doubling is not None
        by_declarer = i == declarer and self.rules.doubling.declarer == "doublers"
        if answer is not None and (by_declarer or (allowed and turn[j] < turn[i])):
            for cell in cells:
                rate.add(("redouble", *cell), deal["block"], int(answer["redoubled"]))
                if answer["redoubled"]:
                    paid.add(("redouble", *cell), deal["block"], -self.sign * answer["settlement"])

    def _allowed(self, deal: Row, i: int, j: int) -> bool:
        doubling, declarer = self.rules.doubling, deal["declarer"]
        assert doubling is not None
        positive = self.rules.contracts[deal["contract"]].tone == "positive"
        whom = doubling.in_positive if positive else doubling.in_negative
        if i in (j, declarer):
            return False
        return whom == "anyone" or (whom == "declarer" and j == declarer)

    def _cells(self, deal: Row, seat: int, role: int, target: int) -> Iterator[Key]:
        for who in (self.holder(deal, seat), ""):
            for contract in (deal["contract"], ""):
                for pair in ((role, target), (role, -1), (-1, -1)):
                    yield (who, contract, *pair)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    smoke = load_run("smoke")
    config = RunConfig.model_validate(
        smoke.model_dump()
        | {
            "blocks": 7,
            "entrants": (Entrant(strategy="duck.v1"), Entrant(strategy="random.v1")),
            "variants": tuple(
                NamedVariant(name=name, rules=smoke.variant(name)) for name in VARIANTS
            ),
        }
    )
    out = tmp_path_factory.mktemp("truth") / "run"
    play(config, out, executor="inline")
    return out


@pytest.fixture(scope="module")
def reading(folder: Path) -> Iterator[Reading]:
    with opened(folder) as run:
        yield run


@pytest.fixture(scope="module", params=VARIANTS)
def rows(request: pytest.FixtureRequest, folder: Path, reading: Reading) -> tuple[str, Rows]:
    variant = str(request.param)
    return variant, Rows(Run.open(folder), reading.rules(variant), variant)


def test_standings_and_pairs(rows: tuple[str, Rows], reading: Reading) -> None:
    variant, truth = rows
    tables = League().compute(reading, variant)
    points, wins = truth.advantage(), truth.wins()
    entrants = tables["standings"]["entrant"].to_list()
    for name in ("win", "place"):
        for entrant, e in zip(entrants, estimates(tables["standings"], name), strict=True):
            wins.check((name, entrant), e, SHARE if name == "win" else (1, len(truth.seats)))
    residuals = {who: points.residuals(("entrant", who)) for who in entrants}
    for who, e in zip(entrants, estimates(tables["standings"], "points"), strict=True):
        assert e.value == float(points.mean(("entrant", who)))
        square = Fraction(7, 6) * sum(u * u for u in residuals[who].values())
        assert e.se == pytest.approx(float(square) ** 0.5, rel=1e-9)
    pair = estimates(Pairs().compute(reading, variant)["pairs"], "difference")[0]
    first, second = entrants
    gaps = [residuals[first][b] - residuals[second][b] for b in residuals[first]]
    assert pair.se == pytest.approx(float(Fraction(7, 6) * sum(g * g for g in gaps)) ** 0.5)
    # Two entrants at the same tables are one comparison: plain t with 6 degrees.
    assert pair.high == pytest.approx(pair.value + (pair.se or 0) * stats.t.ppf(0.975, 6))


def test_seat_advantage(rows: tuple[str, Rows], reading: Reading) -> None:
    variant, truth = rows
    tables = Seats().compute(reading, variant)
    roles, game = truth.roles(), truth.advantage()
    keys = [("", *key) for key in tables["roles"].select("contract", "role").rows()]
    mine = tables["own"].select("entrant", "contract", "role").rows()
    assert {*keys, *mine} == set(roles.cells)
    for key, e in zip(keys, estimates(tables["roles"], "points"), strict=True):
        roles.check(key, e)
    for key, e in zip(mine, estimates(tables["own"], "points"), strict=True):
        roles.check(key, e)
    for seat, e in zip(tables["game"]["seat"], estimates(tables["game"], "points"), strict=True):
        game.check(("seat", seat), e)


def test_choices_and_what_they_earned(rows: tuple[str, Rows], reading: Reading) -> None:
    variant, truth = rows
    # Only where the rules give no choice may the section have nothing to say.
    nothing = truth.rules.schedule.kind == "fixed"
    assert bool(Choice().missing(reading, variant)) == nothing
    if nothing:
        return
    chosen, earned = truth.choices()
    later = Choice().compute(reading, variant)["later"]
    keys = later.select("entrant", "contract", "n_left").rows()
    assert set(keys) == {key for key in chosen.cells if key[2] > 1}
    for key, e in zip(keys, estimates(later, "share"), strict=True):
        chosen.check(key, e, SHARE)
    tables = Earned().compute(reading, variant)
    table = tables["earned"]
    keys = table.select("entrant", "contract", "n_left").rows()
    assert {(*key, "points") for key in keys} == {k for k in earned.cells if k[3] == "points"}
    above, roles = tables["above"], truth.roles()
    for (who, contract), e in zip(
        above.select("entrant", "contract").rows(), estimates(above, "points"), strict=True
    ):
        roles.check((who, contract, 0), e)
    assert above.height == table.filter(pl.col("n_left") == -1).height
    for what in ("points", "score"):
        for key, e in zip(keys, estimates(table, what), strict=True):
            earned.check((*key, what), e)


def test_doubles_and_what_they_paid(rows: tuple[str, Rows], reading: Reading) -> None:
    variant, truth = rows
    nothing = truth.rules.doubling is None
    assert bool(Doubling().missing(reading, variant)) == nothing
    if nothing:
        return
    rate, paid = truth.bets_by_cell()
    tables = Doubling().compute(reading, variant)
    seen = 0
    for name, table in tables.items():
        what = "redouble" if name == "redoubles" else "double"
        keys = table.select("entrant", "contract", "role", "target").rows()
        for key, r, e in zip(keys, estimates(table, "rate"), estimates(table, "paid"), strict=True):
            rate.check((what, *key), r, SHARE)
            if e.value is None:
                assert (what, *key) not in paid.cells
            else:
                paid.check((what, *key), e)
                seen += 1
    assert seen > 40


def test_the_page_prints_what_was_computed(folder: Path, reading: Reading) -> None:
    page = write(folder, None).read_text()
    for variant in VARIANTS:
        for section in SECTIONS:
            if section.missing(reading, variant) is None:
                part = page.split(f'<section id="{variant}-{section.name}" ')[1]
                _compare(section, reading, variant, part.split("</section>")[0])
    truth = Rows(Run.open(folder), reading.rules(VARIANTS[0]), VARIANTS[0]).advantage()
    printed = re.search(
        r'<th scope="row">duck\.v1</th><td>\d</td><td[^>]*>\w</td><td>([^<]+)</td>', page
    )
    assert printed is not None
    value = float(printed[1].replace("\N{MINUS SIGN}", "-"))
    assert value == pytest.approx(float(truth.mean(("entrant", "duck.v1"))), abs=0.51)


def _compare(section: Section, reading: Reading, variant: str, part: str) -> None:
    answer = section.render(section.compute(reading, variant), reading.rules(variant))
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", part)  # suits of hands have a colour
    printed = [unescape(re.sub(r"<[^>]+>", "", cell)).replace(TEXT, "") for cell in cells]
    maps = [figure.beside for figure in answer.figures if figure.beside is not None]
    expected = [
        cell
        for listing in (*maps, *answer.listings)
        for line in (listing.columns, *listing.rows)
        for cell in line
    ]
    assert printed == expected
    assert answer.finding in unescape(part).replace("\N{NO-BREAK SPACE}%", " %")
