"""Every figure of a tournament's verdict, league, pairs, trajectory and design, the slow way.

The reference reads the rows of ``games`` on disk and nothing else, sorts them into blocks and
works with fractions; intervals that hold at every moment are solved for anew.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from scipy import optimize, stats

from pipeline.config import RunConfig
from pipeline.stats.estimate import Estimate
from pipeline.store import Run
from reports.frames import estimates
from reports.reading import Reading, opened
from reports.sections.decisive import DecisiveBlocks
from reports.sections.design import Design
from reports.sections.league import League
from reports.sections.pairs import Pairs
from reports.sections.trajectory import Trajectory
from reports.sections.verdict import Verdict
from reports.survey import survey
from tests.runs import entrants, played, rows, small

VARIANT = "barbu_king_br"
OTHER = "king_ru_fixed14"
SEATS = 4
MANY = ("duck.v1", "random.v1", "count.v1", "lowest.v1", "cautious.v1", "slips.v1")

RUNS: dict[str, dict[str, Any]] = {
    "gauntlet": {"design": "gauntlet", "invasions": "both", "entrants": entrants(*MANY[:3])},
    "pair": {
        "design": "mix",
        "entrants": entrants(*MANY[:3]),
        "claim": {"entrant": "count.v1", "against": "duck.v1", "equal": 1.5},
    },
    "table": {"design": "table", "entrants": entrants(*MANY[:4])},
    "candidates": {
        "design": "candidates",
        "field": ("random.v1",),
        "entrants": entrants(*MANY[:4]),
        "claim": {"entrant": "lowest.v1", "against": "duck.v1"},
    },
    "round_robin": {"design": "round_robin", "entrants": entrants(*MANY), "blocks": 40},
    "stopped": {
        "design": "gauntlet",
        "entrants": entrants(*MANY[:3]),
        "blocks": 64,
        "stop": {"rule": "decided", "look": 16},
    },
    "open": {
        "design": "gauntlet",
        "entrants": entrants("lowest.v1", "random.v1"),
        "blocks": 32,
        "stop": {"rule": "width", "width": 1e-3, "look": 16},
    },
}

Pair = tuple[Fraction, Fraction]
"""Count and total."""


class Truth:
    """Points above the table's mean by block and entrant, from the rows of games."""

    def __init__(self, there: Run, config: RunConfig, variant: str) -> None:
        self.config = config
        self.labels = [one.label for one in config.entrants]
        self.games = [row for row in rows(there, "games") if row["variant"] == variant]
        self.blocks = sorted({row["block"] for row in self.games})
        self.first = [one for one in self.labels if one not in config.field]

    def own(self, row: dict[str, Any], who: str) -> Pair:
        """Seats of an entrant in a game, and his points there above the table's mean."""
        mean = Fraction(sum(row[f"score_{s}"] for s in range(SEATS)), SEATS)
        mine = [s for s in range(SEATS) if row[f"entrant_{s}"] == who]
        return Fraction(len(mine)), sum((row[f"score_{s}"] - mean for s in mine), Fraction(0))

    def holds(self, row: dict[str, Any]) -> set[str]:
        return {row[f"entrant_{s}"] for s in range(SEATS)}

    def by_block(self, who: str, both: str | None = None) -> dict[int, Pair]:
        """Count and total of every block; with ``both`` only from tables that seat both."""
        found: dict[int, list[Fraction]] = {b: [Fraction(0), Fraction(0)] for b in self.blocks}
        for row in self.games:
            if both is not None and not {who, both} <= self.holds(row):
                continue
            n, x = self._part(row, who)
            found[row["block"]][0] += n
            found[row["block"]][1] += x
        return {b: (n, x) for b, (n, x) in found.items()}

    def _part(self, row: dict[str, Any], who: str) -> Pair:
        if self.config.design != "candidates":
            return self.own(row, who)
        # What the candidate makes in his one seat less what the field makes there.
        if who not in self.holds(row):
            return Fraction(0), Fraction(0)
        (seat,) = (s for s in range(SEATS) if row[f"entrant_{s}"] == who)
        datum = next(
            other
            for other in self.games
            if (other["block"], other["rotation"]) == (row["block"], row["rotation"])
            and self.holds(other) == set(self.config.field)
        )
        mean = [Fraction(sum(r[f"score_{s}"] for s in range(SEATS)), SEATS) for r in (row, datum)]
        return Fraction(1), (row[f"score_{seat}"] - mean[0]) - (datum[f"score_{seat}"] - mean[1])


def mean_of(cells: dict[int, Pair], blocks: Sequence[int]) -> Fraction:
    return sum((cells[b][1] for b in blocks), Fraction(0)) / sum(cells[b][0] for b in blocks)


def residuals(cells: dict[int, Pair], blocks: Sequence[int]) -> list[Fraction]:
    r, n = mean_of(cells, blocks), sum(cells[b][0] for b in blocks)
    return [(cells[b][1] - r * cells[b][0]) / n for b in blocks]


def error(parts: Sequence[Fraction]) -> float:
    g = len(parts)
    if g < 2:
        return 0.0
    return math.sqrt(Fraction(g, g - 1) * sum((u * u for u in parts), Fraction(0)))


def at_every_moment(df: float, planned: int, alpha: float) -> float:
    """The |t| at which the average t likelihood ratio over N(0, rho^2) reaches 1 / alpha."""
    twice = -2 * math.log(alpha)
    grown, blocks = 1 + (df + 1) * (twice + math.log(twice) + 1) / planned, df + 1

    def log_ratio(t: float) -> float:
        gain = math.log1p(t * t / df) - math.log1p(t * t / (df * grown))
        return blocks / 2 * gain - math.log(grown) / 2 + math.log(alpha)

    if log_ratio(1e9) < 0:
        return math.inf
    return float(optimize.brentq(log_ratio, 0, 1e9, xtol=1e-13, rtol=1e-14))


def check(e: Estimate, value: Fraction, se: float, quantile: float) -> None:
    assert e.value == pytest.approx(float(value), rel=1e-12, abs=1e-12)
    if e.blocks < 2:
        assert (e.se, e.kind) == (None, "none")
        return
    assert e.se == pytest.approx(se, rel=1e-9)
    if math.isinf(quantile):
        assert (e.low, e.high, e.kind) == (None, None, "none")
        return
    assert e.low == pytest.approx(float(value) - quantile * se, rel=1e-7, abs=1e-9)
    assert e.high == pytest.approx(float(value) + quantile * se, rel=1e-7, abs=1e-9)


class Case:
    """A run, as its report reads it and as its rows say."""

    def __init__(self, name: str, reading: Reading, there: Run) -> None:
        self.name, self.reading = name, reading
        self.variant = OTHER if name == "open" else VARIANT
        self.config = there.manifest.config
        self.truth = Truth(there, self.config, self.variant)
        self.sign = -1 if reading.rules(self.variant).objective == "lowest" else 1
        self.always = self.config.stop is not None
        self.look = 64 if self.config.stop is None else self.config.stop.look
        self.planned = max(self.look, self.config.blocks // 8)

    def claim(self, blocks: Sequence[int]) -> tuple[Fraction, float]:
        """The claim over some blocks: value and error."""
        value, se = self._claim(blocks)
        if self.name != "round_robin":
            return value, se
        # An entrant lifts his table's mean, and of all he meets all but himself.
        k = len(self.config.entrants)
        lifted = Fraction(SEATS * (k - 1), (SEATS - 1) * k)
        return lifted * value, float(lifted) * se

    def _claim(self, blocks: Sequence[int]) -> tuple[Fraction, float]:
        """The same in points above the tables' mean."""
        said, truth = self.config.claim, self.truth
        who = truth.first[0] if said is None or said.entrant is None else said.entrant
        if said is None or said.against is None:
            cells = truth.by_block(who)
            counted = [b for b in blocks if cells[b][0]]  # the others are byes
            return mean_of(cells, counted), error(residuals(cells, counted))
        both = None if self.config.design == "candidates" else said.against
        a = truth.by_block(who, both)
        b = truth.by_block(said.against, None if both is None else who)
        gaps = [p - q for p, q in zip(residuals(a, blocks), residuals(b, blocks), strict=True)]
        return mean_of(a, blocks) - mean_of(b, blocks), error(gaps)

    def degrees(self, blocks: Sequence[int]) -> float:
        """Of the claim: effective blocks less one; in some a round robin gives a bye."""
        if self.name != "round_robin":
            return len(blocks) - 1
        cells = self.truth.by_block(self.truth.first[0])
        counts = [cells[b][0] for b in blocks]
        return max(1.0, float(sum(counts) ** 2 / sum(n * n for n in counts)) - 1)


@pytest.fixture(scope="module", params=RUNS)
def case(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Case]:
    name = str(request.param)
    said = {"blocks": 24, "lineups": (), "seed": 11} | RUNS[name]
    variant = OTHER if name == "open" else VARIANT
    folder = Path(tmp_path_factory.mktemp("truth")) / "run"
    there, _ = played(small((variant,), **said), folder)
    with opened(folder) as reading:
        yield Case(name, reading, there)


def test_verdict(case: Case) -> None:
    e = estimates(Verdict().compute(case.reading, case.variant)["verdict"], "difference")[0]
    if case.name == "round_robin":
        found = _least_squares(case)
        i = found.number[case.truth.first[0]]
        assert e.value == pytest.approx(case.sign * found.theta[i], rel=1e-9)
        assert e.se == pytest.approx(math.sqrt(found.cov[i, i]), rel=1e-8)
        assert e.kind == ("wild" if len(case.truth.blocks) < 30 else "t")
        return
    blocks = case.truth.blocks
    value, se = case.claim(blocks)
    df = case.degrees(blocks)
    quantile = at_every_moment(df, case.planned, 0.05) if case.always else stats.t.ppf(0.975, df)
    check(e, case.sign * value, se, quantile)
    assert e.kind == ("anytime" if case.always else "t")
    row = Verdict().compute(case.reading, case.variant)["verdict"].row(0, named=True)
    assert row["games"] == len(case.truth.games)
    if not case.always:
        assert row["p"] == pytest.approx(2 * stats.t.sf(abs(float(value)) / se, df), rel=1e-9)


def test_blocks_that_count_most_add_up_to_the_claim(case: Case) -> None:
    blocks = DecisiveBlocks().compute(case.reading, case.variant)["blocks"]
    value, _ = case.claim(case.truth.blocks)
    assert blocks["value"].to_list() == pytest.approx([case.sign * float(value)] * blocks.height)
    row = Verdict().compute(case.reading, case.variant)["verdict"].row(0, named=True)
    assert blocks["claim"][0] == f"{row['entrant']} less {row['compared']}"
    assert (row["compared"] == "an average entrant") == (case.name == "round_robin")


def test_trajectory(case: Case) -> None:
    table = Trajectory().compute(case.reading, case.variant)["trajectory"]
    assert table["blocks"].to_list() == [b + 1 for b in case.truth.blocks if _met(case, b)]
    for at, e in list(zip(table["blocks"], estimates(table, "difference"), strict=True))[1::5]:
        prefix = [b for b in case.truth.blocks if b < at]
        value, se = case.claim(prefix)
        quantile = at_every_moment(case.degrees(prefix), case.planned, 0.05)
        check(e, case.sign * value, se, quantile)


def _met(case: Case, block: int) -> bool:
    """Whether the claim's entrant has played by this block; byes come in round robins alone."""
    cells = case.truth.by_block(case.truth.first[0])
    return any(cells[b][0] for b in case.truth.blocks if b <= block)


def test_league_and_pairs(case: Case) -> None:
    if case.name == "round_robin":
        _check_score_model(case)
        return
    blocks, truth = case.truth.blocks, case.truth
    table = League().compute(case.reading, case.variant)["standings"]
    names = table["entrant"].to_list()
    cells = {who: truth.by_block(who) for who in truth.first}
    assert sorted(names) == sorted(truth.first)
    k, df = len(names), len(blocks) - 1
    for who, e in zip(names, estimates(table, "points"), strict=True):
        value, se = mean_of(cells[who], blocks), error(residuals(cells[who], blocks))
        if case.always:
            check(e, case.sign * value, se, at_every_moment(df, case.planned, 0.05 / k))
        else:
            _between(e, case.sign * value, se, df, k)
    pairs = Pairs().compute(case.reading, case.variant)["pairs"]
    found = estimates(pairs, "difference")
    assert len(found) == k * (k - 1) // 2
    better: dict[str, set[str]] = defaultdict(set)
    for (a, b), e in zip(pairs.select("entrant", "other").rows(), found, strict=True):
        mine, theirs = cells[a], cells[b]
        if case.config.design in ("gauntlet", "mix") and truth.labels[0] in (a, b):
            # Head to head: the first one's own mean has tables with others in it.
            mine, theirs = truth.by_block(a, b), truth.by_block(b, a)
        u, v = residuals(mine, blocks), residuals(theirs, blocks)
        gap = mean_of(mine, blocks) - mean_of(theirs, blocks)
        se = error([p - q for p, q in zip(u, v, strict=True)])
        if case.always:
            check(e, case.sign * gap, se, at_every_moment(df, case.planned, 0.05 / len(found)))
        else:
            _between(e, case.sign * gap, se, df, len(found))
        assert e.low is not None
        assert e.high is not None
        low, high = sorted((case.sign * e.low, case.sign * e.high))
        if low > 0:
            better[b].add(a)
        if high < 0:
            better[a].add(b)
    letters = dict(zip(names, table["letters"], strict=True))
    for who, best, worst in table.select("entrant", "best", "worst").rows():
        assert best == 1 + len(better[who])
        assert worst == k - sum(who in better[other] for other in names)
        for other in names:
            apart = who in better[other] or other in better[who]
            assert apart == (not set(letters[who]) & set(letters[other]))


def _between(e: Estimate, value: Fraction, se: float, df: int, k: int) -> None:
    """Simultaneous: the critical value lies between that of one figure and Bonferroni's."""
    one, all_ = stats.t.ppf(0.975, df), stats.t.ppf(1 - 0.025 / k, df)
    assert e.value == pytest.approx(float(value), rel=1e-12, abs=1e-12)
    assert e.se == pytest.approx(se, rel=1e-9)
    assert e.high is not None
    assert one * (1 - 1e-9) <= (e.high - e.value) / se <= all_ * (1 + 1e-9)


class Squares(NamedTuple):
    """Least squares over all seats of all games, in floating point; cluster sandwich."""

    number: dict[str, int]
    theta: npt.NDArray[np.float64]
    cov: npt.NDArray[np.float64]
    beyond: npt.NDArray[np.float64]
    """What strength does not explain, by game and seat."""
    block: npt.NDArray[np.int64]


def _least_squares(case: Case) -> Squares:
    truth = case.truth
    index = {who: i for i, who in enumerate(truth.labels)}
    k = len(index)
    lines, points, block = [], [], []
    for row in truth.games:
        there = np.zeros(k)
        for s in range(SEATS):
            there[index[row[f"entrant_{s}"]]] += 1 / SEATS
        mean = sum(row[f"score_{s}"] for s in range(SEATS)) / SEATS
        for s in range(SEATS):
            line = -there.copy()
            line[index[row[f"entrant_{s}"]]] += 1
            lines.append(line)
            points.append(row[f"score_{s}"] - mean)
            block.append(row["block"])
    x, y, b = np.array(lines), np.array(points), np.array(block)
    inverse = np.linalg.pinv(x.T @ x)
    theta = inverse @ x.T @ y
    u = np.array([x[b == one].T @ (y - x @ theta)[b == one] for one in truth.blocks])
    g = len(truth.blocks)
    cov = g / (g - 1) * inverse @ u.T @ u @ inverse
    return Squares(index, theta, cov, y - x @ theta, b)


def _check_score_model(case: Case) -> None:
    index, theta, cov, beyond, block = _least_squares(case)
    _check_gain_beyond_strength(case, beyond, block)
    sign, k = case.sign, len(index)
    table = League().compute(case.reading, case.variant)["standings"]
    for who, e in zip(table["entrant"], estimates(table, "points"), strict=True):
        assert e.value == pytest.approx(sign * theta[index[who]], rel=1e-9)
        assert e.se == pytest.approx(math.sqrt(cov[index[who], index[who]]), rel=1e-8)
    pairs = Pairs().compute(case.reading, case.variant)["pairs"]
    for (a, c), e in zip(
        pairs.select("entrant", "other").rows(), estimates(pairs, "difference"), strict=True
    ):
        d = np.zeros(k)
        d[index[a]], d[index[c]] = 1, -1
        assert e.value == pytest.approx(sign * d @ theta, rel=1e-9)
        assert e.se == pytest.approx(math.sqrt(d @ cov @ d), rel=1e-8)


def _check_gain_beyond_strength(
    case: Case, beyond: npt.NDArray[np.float64], block: npt.NDArray[np.int64]
) -> None:
    """Spread of single games and of blocks in what the strength of the table does not explain;
    the report takes strength to a quarter of a point."""
    who = np.array([row[f"entrant_{s}"] for row in case.truth.games for s in range(SEATS)])
    table = Design().compute(case.reading, case.variant)["gain"]
    for name, e in zip(table["entrant"], estimates(table, "gain"), strict=True):
        mine, blocks = beyond[who == name], block[who == name]
        games = float(((mine - mine.mean()) ** 2).sum())
        of_blocks = sum(
            float((mine[blocks == one] - mine.mean()).sum()) ** 2 for one in np.unique(blocks)
        )
        assert e.value == pytest.approx(games / of_blocks, rel=0.02)


def test_design(case: Case) -> None:
    truth = case.truth
    if case.name == "round_robin":
        return  # with the score model, in test_league
    if Design().missing(case.reading, case.variant) is not None:
        assert case.name == "pair"  # two seats of four are told by no total
        return
    table = Design().compute(case.reading, case.variant)["gain"]
    for row, e in zip(table.iter_rows(named=True), estimates(table, "gain"), strict=True):
        who = row["entrant"]
        cells = truth.by_block(who)
        blocks = [b for b in truth.blocks if cells[b][0]]
        r = mean_of(cells, blocks)
        squares = sum(((x - r * n) ** 2 for n, x in cells.values()), Fraction(0))
        single, games = _single(truth, who)
        assert e.value == pytest.approx(float(single / squares), rel=1e-9)
        assert row["games"] == games
        assert row["independent"] == round(float(single / squares) * games)
        assert row["reached"] == pytest.approx(error(residuals(cells, blocks)), rel=1e-9)


def _single(truth: Truth, who: str) -> tuple[Fraction, int]:
    """Squares of single games about the mean of their table, and how many games there are."""
    by_table: dict[Any, list[Fraction]] = defaultdict(list)
    games = 0
    for row in truth.games:
        n, x = truth.own(row, who)
        if n:
            games += 1
            by_table["any" if truth.config.design == "round_robin" else row["table"]].append(x)
        if truth.config.design == "candidates" and row["table"] == 0:
            place = next(r for r in truth.games if who in truth.holds(r))
            member = next(s for s in range(SEATS) if place[f"entrant_{s}"] == who)
            member = (member - place["rotation"]) % SEATS
            mean = Fraction(sum(row[f"score_{s}"] for s in range(SEATS)), SEATS)
            by_table["datum"].append(row[f"score_{(member + row['rotation']) % SEATS}"] - mean)
    total = Fraction(0)
    for found in by_table.values():
        mean = sum(found, Fraction(0)) / len(found)
        total += sum(((x - mean) ** 2 for x in found), Fraction(0))
    return total, games


def test_other_sections_hold_at_every_moment_where_the_end_was_not_fixed(case: Case) -> None:
    (one,) = survey([case.reading])
    kinds = {
        kind
        for piece in one.pieces
        for table in piece.tables.values()
        for column in table.columns
        if column.endswith("_kind")
        for kind in table[column].drop_nulls()
    }
    if case.always:
        assert kinds <= {"anytime", "identical", "bound", "none"}
    else:
        assert "t" in kinds
