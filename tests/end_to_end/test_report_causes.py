"""Where points come from, recomputed from the rows on disk the slow way: contracts, neighbours,
luck of the cards and single blocks.

As in ``test_report_truth``: rows, fractions and nothing of what the report itself uses.
"""

import shlex
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from scipy import stats

from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import ChoiceSchedule
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.replay import Replayer
from pipeline.run import run as play
from pipeline.run_file import load_run
from pipeline.stats.estimate import Estimate
from pipeline.store import Run
from reports.frames import estimates
from reports.reading import Reading, opened
from reports.sections.decisive import DecisiveBlocks
from reports.sections.luck import Luck
from reports.sections.neighbours import Neighbours
from reports.sections.skill import Skill
from tests.end_to_end.test_report_truth import Key, Row, Rows, Tally
from tests.samples import slowly

DUCK, RANDOM, LOWEST = "duck.v1", "random.v1", "lowest.v1"
BLOCKS = 9
RUNS: dict[str, tuple[tuple[str, ...], tuple[str, ...], dict[str, Any]]] = {
    "gauntlet": ((DUCK, RANDOM), ("barbu_52_doubling", "barbu_king_br"), {}),
    "full": ((DUCK, RANDOM, LOWEST), ("barbu_3_leaver",), {}),
    "table": (
        (DUCK, RANDOM, LOWEST, "count.v1"),
        ("barbu_52_doubling",),
        {"blocks": 25, "claim": {"entrant": DUCK, "against": "count.v1"}},
    ),
    "mix": ((DUCK, RANDOM, LOWEST), ("barbu_5",), {}),
    "mix of six": ((DUCK, RANDOM, LOWEST), ("barbu_king_br_6",), {"design": "mix"}),
    "candidates": (
        (RANDOM, DUCK, LOWEST),
        ("barbu_fr_reussite",),
        {"field": (RANDOM,), "rotations": "one"},
    ),
}
"""Entrants, variants and other keys by design: 3 to 6 seats, with and without choice, side bets,
lowest total wins."""


class Case(NamedTuple):
    """One variant of one run."""

    variant: str
    truth: Rows
    run: Reading
    kept: Run


@pytest.fixture(
    scope="module", params=[slowly(one) if one == "mix of six" else one for one in RUNS]
)
def cases(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Case]]:
    entrants, variants, more = RUNS[request.param]
    config = RunConfig.model_validate(
        load_run("smoke").model_dump()
        | {
            "blocks": BLOCKS,
            "design": request.param,
            "entrants": tuple(Entrant(strategy=name) for name in entrants),
            "lineups": (),
            "variants": tuple(NamedVariant(name=n, rules=load_variant(n)) for n in variants),
        }
        | more
    )
    out: Path = tmp_path_factory.mktemp("causes") / "run"
    play(config, out, executor="inline")
    kept = Run.open(out)
    with opened(out) as run:
        yield [Case(v.name, Rows(kept, v.rules, v.name), run, kept) for v in run.config.variants]


def above(truth: Rows, row: Row, seat: int, *columns: str) -> Fraction:
    """What a seat has more than the mean of its table, in the document's sign."""
    values = [sum(int(row[f"{column}_{s}"]) for column in columns) for s in truth.seats]
    return Fraction(truth.sign) * (values[seat] - Fraction(sum(values), len(values)))


def beside(truth: Rows) -> tuple[Tally, Tally]:
    """Points by neighbour and by table, and those of the same entrant in the same company."""
    cells, bases = Tally(), Tally()
    for game in truth.games:
        names = [game[f"entrant_{s}"] for s in truth.seats]
        company, n = tuple(sorted(names)), len(names)
        for s in truth.seats:
            y, block = above(truth, game, s, "score"), game["block"]
            bases.add((company, names[s]), block, y)
            cells.add((company, names[s], "before", names[s - 1]), block, y)
            cells.add((company, names[s], "after", names[(s + 1) % n]), block, y)
            cells.add((company, names[s], "order", game["table"]), block, y)
    return cells, bases


def in_words(company: Key) -> str:
    """As the page writes who sits at a table."""
    counts = {name: company.count(name) for name in company}
    return ", ".join(name if n == 1 else f"{n} × {name}" for name, n in counts.items())


def less(cells: Tally, bases: Tally, key: Key) -> tuple[Fraction, dict[int, Fraction]]:
    """A cell's mean less that of its base, and what each block adds to its error."""
    own, base = cells.residuals(key), bases.residuals(key[:2])
    gaps = {b: own.get(b, Fraction(0)) - base[b] for b in base}
    return cells.mean(key) - bases.mean(key[:2]), gaps


def apart(cells: Tally, key: Key, other: Key) -> tuple[Fraction, dict[int, Fraction]]:
    """The same of two cells."""
    own, against = cells.residuals(key), cells.residuals(other)
    nothing = Fraction(0)
    gaps = {b: own.get(b, nothing) - against.get(b, nothing) for b in {*own, *against}}
    return cells.mean(key) - cells.mean(other), gaps


def check_less(cells: Tally, bases: Tally, key: Key, e: Estimate) -> None:
    value, gaps = less(cells, bases, key)
    counts = [int(n) for n, _ in cells.cells[key].values()]
    blocks = len(counts)
    assert e.value == pytest.approx(float(value), abs=1e-12), key
    assert (e.n, e.blocks) == (sum(counts), blocks)
    square = Fraction(blocks, blocks - 1) * sum(gap * gap for gap in gaps.values())
    if not square:
        assert e.kind == ("identical" if value == 0 else "none")
        return
    se = float(square) ** 0.5
    df = max(1.0, sum(counts) ** 2 / sum(n * n for n in counts) - 1)
    assert e.se == pytest.approx(se, rel=1e-9)
    assert e.high == pytest.approx(e.value + se * stats.t.ppf(0.975, df), rel=1e-9)


def together(
    vectors: list[tuple[Fraction, dict[int, Fraction]]], blocks: int
) -> tuple[float | None, int]:
    """T squared of figures that were measured together, and how many of them are free; None
    where one that never moves is not nothing."""
    values = np.array([float(value) for value, _ in vectors])
    moved = np.array([[float(gaps.get(b, 0)) for b in range(blocks)] for _, gaps in vectors])
    cov = moved @ moved.T * blocks / (blocks - 1)
    rank = int(np.linalg.matrix_rank(cov, tol=1e-10 * np.abs(cov).max()))
    inverse = np.linalg.pinv(cov, rcond=1e-10, hermitian=True)
    if np.abs(values - cov @ inverse @ values).max() > 1e-6 * np.abs(values).max():
        return None, rank
    return float(values @ inverse @ values), rank


def test_neighbours_and_orders(cases: list[Case]) -> None:
    for variant, truth, run, _ in cases:
        tables = Neighbours().compute(run, variant)
        cells, bases = beside(truth)
        many: dict[Key, int] = defaultdict(int)
        for key in cells.cells:
            many[key[:3]] += 1
        due = {key for key in cells.cells if many[key[:3]] > 1}
        names = {in_words(company): company for company, *_ in cells.cells}
        keys = [
            (names[company], *rest)
            for company, *rest in tables["cells"]
            .select("company", "entrant", "side", "other")
            .rows()
        ]
        assert sorted(keys) == sorted(key for key in due if key[2] != "order")
        for key, e in zip(keys, estimates(tables["cells"], "points"), strict=True):
            check_less(cells, bases, key, e)
        if run.config.design != "full":
            assert tables["orders"].is_empty()
            continue
        lineups = run.lineups(variant)
        company = next(iter(bases.cells))[0]
        orders = tables["orders"].select("entrant", "lineup").rows()
        assert len(orders) == len(run.entrants()) * len(lineups)
        for (entrant, lineup), e in zip(orders, estimates(tables["orders"], "points"), strict=True):
            check_less(cells, bases, (company, entrant, "order", lineups.index(lineup)), e)


def test_do_neighbours_matter_at_all(cases: list[Case]) -> None:
    for variant, truth, run, _ in cases:
        tests = {row["what"]: row for row in Neighbours().compute(run, variant)["tests"].to_dicts()}
        cells, _ = beside(truth)
        blocks = run.config.blocks
        seats = Tally()
        for game in truth.games:
            for s in truth.seats:
                seats.add((s,), game["block"], above(truth, game, s, "score"))
        all_seats, rank = together(
            [(seats.mean((s,)), seats.residuals((s,))) for s in truth.seats], blocks
        )
        assert all_seats is not None
        assert tests["seats"]["df"] == rank == len(truth.seats) - 1
        f = all_seats * (blocks - rank) / (rank * (blocks - 1))
        assert tests["seats"]["f"] == pytest.approx(f, rel=1e-6)
        assert tests["seats"]["p"] == pytest.approx(stats.f.sf(f, rank, blocks - rank), rel=1e-6)
        for side in ("before", "after"):
            free: dict[Key, list[Key]] = {}
            for key in sorted(key for key in cells.cells if key[2] == side):
                free.setdefault(key[:3], []).append(key)
            # All are the same to him if each is the same as his last.
            used = [(key, group[-1]) for group in free.values() for key in group[:-1]]
            if side not in tests:
                assert not used or sum(map(len, free.values())) > 40
                continue
            square, rank = together([apart(cells, *pair) for pair in used], blocks)
            counts = [[int(n) for n, _ in cells.cells[key].values()] for key, _ in used]
            effective = min(sum(c) ** 2 / sum(n * n for n in c) for c in counts)
            assert tests[side]["df"] == rank
            if square is None or effective <= rank:
                assert tests[side]["p"] is None
                continue
            f = square * (effective - rank) / (rank * (effective - 1))
            assert tests[side]["f"] == pytest.approx(f, rel=1e-6)
            assert tests[side]["p"] == pytest.approx(
                stats.f.sf(f, rank, effective - rank), rel=1e-6
            )


def test_where_points_are_won(cases: list[Case]) -> None:
    for variant, truth, run, _ in cases:
        tables = Skill().compute(run, variant)
        by_deal, by_game = Tally(), Tally()
        chooses = isinstance(truth.rules.schedule, ChoiceSchedule)
        for deal in truth.deals:
            for s in truth.seats:
                who, block = truth.holder(deal, s), deal["block"]
                points, side = (above(truth, deal, s, c) for c in ("points", "side"))
                parts = [""]
                if chooses:
                    parts.append("declarer" if deal["declarer"] == s else "others")
                for part in parts:
                    by_deal.add((who, deal["contract"], part), block, points)
                    by_game.add((who, deal["contract"], part), block, points, 0)
                if truth.rules.doubling:
                    by_game.add((who, "", "bets"), block, side, 0)
        for game in truth.games:
            for s in truth.seats:
                for key in by_game.cells:
                    if key[0] == game[f"entrant_{s}"]:
                        by_game.add(key, game["block"], 0)
        _same(by_deal, tables["contracts"], lambda row: (row["entrant"], row["contract"], ""))
        _same(by_deal, tables["others"], lambda row: (row["entrant"], row["contract"], "others"))
        assert tables["others"].is_empty() == (not chooses)
        won = tables["won"]
        _same(by_game, won, lambda row: (row["entrant"], row["contract"], row["who"]))
        assert won.height == len(by_game.cells)
        # All contracts and the side bets together are the points above the table's mean.
        advantage = truth.advantage()
        for entrant in set(won["entrant"]):
            mine = won.filter(pl.col("who").is_in(["", "bets"]) & (pl.col("entrant") == entrant))
            total = float(advantage.mean(("entrant", entrant)))
            assert mine["points_value"].sum() == pytest.approx(total)


def _same(tally: Tally, table: pl.DataFrame, key_of: Any) -> None:
    for row, e in zip(table.to_dicts(), estimates(table, "points"), strict=True):
        tally.check(key_of(row), e)


def pars(truth: Rows, design: str) -> list[tuple[Row, Fraction, Fraction]]:
    """Of every seat-game what it is more than the entrant usually makes, and its par."""
    usual = Tally()
    for game in truth.games:
        for s in truth.seats:
            usual.add((game["table"], game[f"entrant_{s}"]), 0, above(truth, game, s, "score"))
    more = {
        (id(game), s): above(truth, game, s, "score")
        - usual.mean((game["table"], game[f"entrant_{s}"]))
        for game in truth.games
        for s in truth.seats
    }
    found = []
    for game in truth.games:
        same = [other for other in truth.games if other["block"] == game["block"]]
        if design == "candidates":
            if game["table"] == 0:
                continue
            others = [o for o in same if (o["table"], o["rotation"]) == (0, game["rotation"])]
        else:
            others = [o for o in same if o is not game]
        for s in truth.seats:
            par = sum((more[id(o), s] for o in others), Fraction(0)) / len(others)
            found.append((game, more[id(game), s], par))
    return found


def test_luck_of_the_cards(cases: list[Case]) -> None:
    for variant, truth, run, _ in cases:
        tables = Luck().compute(run, variant)
        found = pars(truth, run.config.design)
        sums: dict[str, dict[int, float]] = {k: defaultdict(float) for k in ("n", "y", "yp", "d")}
        for game, own, par in found:
            more: dict[str, Fraction | int] = {
                "n": 1,
                "y": own * own,
                "yp": own * par,
                "d": (own - par) ** 2,
            }
            for name, value in more.items():
                sums[name][game["block"]] += float(value)
        n, y, yp, d = (np.array([v for _, v in sorted(sums[k].items())]) for k in sums)
        row = {name: estimates(tables["cards"], name)[0] for name in ("cards", "r2")}
        _check_share(row["cards"], yp, y, len(found))
        _check_share(row["r2"], y - d, y, len(found))
        for name, squares in (("deviation", y), ("adjusted", d)):
            e = estimates(tables["cards"], name)[0]
            assert e.value == pytest.approx((squares.sum() / n.sum()) ** 0.5)
        _check_adjusted(truth, run, tables["entrants"])


def _check_share(e: Estimate, upper: np.ndarray, lower: np.ndarray, n: int) -> None:
    value = upper.sum() / lower.sum()
    blocks = len(upper)
    moved = (upper - value * lower) / lower.sum()
    se = (blocks / (blocks - 1) * (moved**2).sum()) ** 0.5
    assert e.value == pytest.approx(value, rel=1e-9, abs=1e-12)
    assert e.se == pytest.approx(se, rel=1e-9)
    assert e.n == n


def _check_adjusted(truth: Rows, run: Reading, table: pl.DataFrame) -> None:
    tally = Tally()
    datum = run.config.design == "candidates"
    for game in truth.games:
        same = [other for other in truth.games if other["block"] == game["block"]]
        if datum:
            same = [o for o in same if (o["table"], o["rotation"]) == (0, game["rotation"])]
        for s in truth.seats:
            seat = sum((above(truth, o, s, "score") for o in same), Fraction(0)) / len(same)
            if not datum or game["table"] > 0:
                own = above(truth, game, s, "score")
                tally.add((game[f"entrant_{s}"],), game["block"], own - seat)
    for entrant, e in zip(table["entrant"], estimates(table, "adjusted"), strict=True):
        tally.check((entrant,), e)
    points = truth.advantage()
    for entrant, e in zip(table["entrant"], estimates(table, "points"), strict=True):
        points.check(("entrant", entrant), e)
    if not datum:
        # Everybody sat in every seat of the same deals, so luck has cancelled.
        assert table["adjusted_value"].to_list() == pytest.approx(table["points_value"].to_list())


def claim_parts(truth: Rows, run: Reading, rows: list[Row], *columns: str) -> dict[Key, Fraction]:
    """What each row of games or deals adds to the claim's figure, by block and deal."""
    claim, design = run.config.claim, run.config.design
    first = DUCK if claim is None else claim.entrant
    ways = {first: 1} if claim is None else {first: 1, claim.against: -1}
    games = {who: sum(_held(truth, game, who) for game in truth.games) for who in ways}
    out: dict[Key, Fraction] = defaultdict(Fraction)
    for row in rows:
        game = truth.game_of[row["block"], row["table"], row["rotation"]]
        for s in truth.seats:
            who, made = game[f"entrant_{s}"], above(truth, row, s, *columns)
            if design == "candidates":
                ahead = {0: -1, 1: 1}.get(row["table"], 0)
                place = next(
                    g for g in truth.games if (g["block"], g["table"]) == (row["block"], 1)
                )
                mine = place[f"entrant_{s}"] == DUCK
                out[row["block"], row.get("deal")] += ahead * mine * made / games[DUCK]
            elif who in ways:
                out[row["block"], row.get("deal")] += ways[who] * made / games[who]
    return out


def _held(truth: Rows, game: Row, who: object) -> int:
    return sum(game[f"entrant_{s}"] == who for s in truth.seats)


def test_blocks_and_deals_that_count_most(cases: list[Case]) -> None:
    for variant, truth, run, kept in cases:
        tables = DecisiveBlocks().compute(run, variant)
        blocks = tables["blocks"]
        parts = {b: x for (b, _), x in claim_parts(truth, run, truth.games, "score").items()}
        deals = claim_parts(truth, run, truth.deals, "points", "side")
        for block, part in parts.items():
            assert part == sum(x for (b, _), x in deals.items() if b == block)
        order = sorted(parts, key=lambda b: (-abs(parts[b]), b))[:10]
        assert blocks["block"].to_list() == order
        value = float(sum(parts.values()))
        for row in blocks.to_dicts():
            block = row["block"]
            own = {d: x for (b, d), x in deals.items() if b == block}
            way = 1 if parts[block] >= 0 else -1
            best = max(sorted(own), key=lambda d: way * own[d])
            assert row["value"] == pytest.approx(value)
            assert row["part"] == pytest.approx(float(parts[block]))
            assert row["alone"] == pytest.approx(float(parts[block]) * run.config.blocks)
            assert row["deal"] == best
            assert row["deal_part"] == pytest.approx(float(own[best]))
        _check_made(truth, tables["made"])
        _check_hands(kept, variant, tables)


def _check_made(truth: Rows, made: pl.DataFrame) -> None:
    deals = {(d["block"], d["table"], d["rotation"], d["deal"]): d for d in truth.deals}
    for row in made.to_dicts():
        deal = deals[row["block"], row["table"], row["rotation"], row["deal"]]
        seat = row["seat"]
        assert row["contract"] == deal["contract"]
        assert row["entrant"] == truth.holder(deal, seat)
        assert row["made"] == truth.sign * deal[f"points_{seat}"]
        assert row["side_bets"] == truth.sign * deal[f"side_{seat}"]


def _check_hands(kept: Run, variant: str, tables: dict[str, pl.DataFrame]) -> None:
    """The cards are those of the records, and the commands show what was played."""
    replayer = Replayer(kept, variant)
    shown = {(row["block"], row["seat"]): row["hand"] for row in tables["hands"].to_dicts()}
    assert tables["replay"].height >= tables["blocks"].height
    for command in tables["replay"]["command"]:
        words = shlex.split(command)
        said = dict(zip(words[3:-1:2], words[4::2], strict=True))
        assert words[:3] == ["barbu", "replay", "RUN"]
        assert said["--variant"] == variant
        block, table, rotation, deal = (
            int(said[f"--{name}"]) for name in ("block", "table", "rotation", "deal")
        )
        game = replayer.play(block, table, rotation)
        assert game.same
        for seat, hand in enumerate(game.records[deal].position.hands):
            cards = sorted(hand)
            symbols = dict(zip("♠♥♦♣", "SHDC", strict=True))
            told = [
                rank + symbols[suit]
                for suit, ranks in (part.split() for part in shown[block, seat].split("  "))
                for rank in ranks
                if rank != "—"
            ]
            assert sorted(told) == cards
