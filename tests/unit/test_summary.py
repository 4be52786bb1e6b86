"""The summary says what the tables say, cell by cell and block by block."""

from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from engine_ext.rules.resolve import VariantNumbers, resolve
from pipeline.manifest import Manifest
from pipeline.plan import Shard
from pipeline.store import Run
from pipeline.summary import MEASURES
from tests.runs import BASE, by_game, cut_into, entrants, paths, played, rows, small

Cell = tuple[str, str, int, str, str, int, int, int]
"""variant, measure, table, entrant, contract, role, target, left."""
KEY = ("variant", "measure", "table", "entrant", "contract", "role", "target", "n_left")
SUMS = ("blocks", "n", "x", "nn", "xx", "nx")


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return played(small(), tmp_path_factory.mktemp("summary") / "run")[0]


class Slow:
    """Counts and totals by cell and block, one row of the tables after the other."""

    def __init__(self) -> None:
        self.n: dict[Cell, Counter[int]] = defaultdict(Counter)
        self.x: dict[Cell, Counter[int]] = defaultdict(Counter)

    def add(self, game: dict[str, Any], measure: str, n: int, x: int, **cell: Any) -> None:
        every = {"table": -1, "entrant": "", "contract": "", "role": -1, "target": -1, "n_left": -1}
        key = (game["variant"], measure, *(every | cell).values())
        self.n[key][game["block"]] += n
        self.x[key][game["block"]] += x

    def sums(self) -> dict[Cell, tuple[int, ...]]:
        found: dict[Cell, tuple[int, ...]] = {}
        for cell, n in self.n.items():
            pairs = [(n[b], self.x[cell][b]) for b in n if n[b]]
            if pairs:
                found[cell] = (
                    len(pairs),
                    sum(n for n, _ in pairs),
                    sum(x for _, x in pairs),
                    sum(n * n for n, _ in pairs),
                    sum(x * x for _, x in pairs),
                    sum(n * x for n, x in pairs),
                )
        return found


def slowly(there: Run) -> dict[Cell, tuple[int, ...]]:
    """Every measure as pipeline.block_totals words it, from games, deals and doubles."""
    slow = Slow()
    for game, deals, doubles in by_game(there):
        rules = resolve(there.manifest.config.variant(game["variant"]))
        _of_game(slow, game, rules.seats)
        used: Counter[tuple[int, str]] = Counter()
        for deal in deals:
            bets = [bet for bet in doubles if bet["deal"] == deal["deal"]]
            _of_deal(slow, game, deal, rules.seats)
            if rules.has_choice:
                _of_choice(slow, game, deal, rules, used)
            if rules.has_doubling:
                _of_bets(slow, game, deal, bets, rules)
    return slow.sums()


def _of_game(slow: Slow, game: dict[str, Any], n: int) -> None:
    scores = [game[f"score_{s}"] for s in range(n)]
    for s, score in enumerate(scores):
        better = sum(other > score for other in scores)
        tied = scores.count(score)
        share = Fraction(int(better == 0), tied)
        assert (2520 * share).denominator == 1
        totals = {
            "advantage": n * score - sum(scores),
            "win": int(2520 * share),
            "place": 2 * better + tied + 1,
            "fouls": game[f"fouls_{s}"],
        }
        for measure, x in totals.items():
            for table in (game["table"], -1):
                slow.add(game, measure, 1, x, table=table, entrant=game[f"entrant_{s}"])
        slow.add(game, "seat", 1, totals["advantage"], role=s)


def _of_deal(slow: Slow, game: dict[str, Any], deal: dict[str, Any], n: int) -> None:
    points = [deal[f"points_{s}"] for s in range(n)]
    first = deal["declarer"] if deal["declarer"] >= 0 else deal["leader"]
    for s in range(n):
        x, role, who = n * points[s] - sum(points), (s - first) % n, game[f"entrant_{s}"]
        for contract in (deal["contract"], ""):
            slow.add(game, "points", 1, x, entrant=who, contract=contract)
            for entrant in (who, ""):
                slow.add(game, "role", 1, x, entrant=entrant, contract=contract, role=role)


def _of_choice(
    slow: Slow,
    game: dict[str, Any],
    deal: dict[str, Any],
    rules: VariantNumbers,
    used: Counter[tuple[int, str]],
) -> None:
    declarer, left = deal["declarer"], deal["n_left"]
    who = game[f"entrant_{declarer}"]
    points = deal[f"points_{declarer}"]
    for entrant in (who, ""):
        for c, name in enumerate(rules.contract_names):
            chosen = int(name == deal["contract"])
            cell = {"entrant": entrant, "contract": name, "n_left": left}
            slow.add(game, "choice_all", 1, chosen, **cell)
            if used[declarer, name] < rules.uses[c]:
                slow.add(game, "choice", 1, chosen, **cell)
        for k in (left, -1):
            cell = {"entrant": entrant, "contract": deal["contract"], "n_left": k}
            slow.add(game, "earned", 1, points, **cell)
            slow.add(game, "earned_score", 1, points + deal[f"side_{declarer}"], **cell)
    used[declarer, deal["contract"]] += 1


def _of_bets(
    slow: Slow,
    game: dict[str, Any],
    deal: dict[str, Any],
    bets: list[dict[str, Any]],
    rules: VariantNumbers,
) -> None:
    """Seat after seat speaks: doubles whom it may, answers those who doubled it."""
    n, declarer = rules.seats, deal["declarer"]
    whom = rules.targets[rules.contracts[rules.contract_names.index(deal["contract"])].tone + 1]
    made = {(bet["doubler"], bet["doubled"]): bet for bet in bets}
    speakers = [(declarer + k) % n for k in range(1, n + 1)]
    for turn, seat in enumerate(speakers):
        for other in speakers:
            if other == seat:
                continue
            earlier = made.get((other, seat)) if other in speakers[:turn] else None
            allowed = whom == 2 or (whom == 1 and other == declarer)
            if seat == declarer:
                allowed = earlier is not None and bool(rules.declarer_redoubles)
            if not allowed:
                continue
            if earlier is None:
                bet = made.get((seat, other))
                _bet(slow, "doubled", game, deal, n, seat, other, int(bet is not None))
                if bet:
                    _bet(slow, "double_ev", game, deal, n, seat, other, bet["settlement"])
            else:
                _bet(slow, "redouble", game, deal, n, seat, other, int(earlier["redoubled"]))
                if earlier["redoubled"]:
                    gain = -earlier["settlement"]
                    _bet(slow, "redouble_ev", game, deal, n, seat, other, gain)


def _bet(
    slow: Slow,
    measure: str,
    game: dict[str, Any],
    deal: dict[str, Any],
    n: int,
    seat: int,
    other: int,
    x: int,
) -> None:
    role, target = (seat - deal["declarer"]) % n, (other - deal["declarer"]) % n
    for entrant in (game[f"entrant_{seat}"], ""):
        for contract in (deal["contract"], ""):
            for roles in ((role, target), (role, -1), (-1, -1)):
                cell = {"entrant": entrant, "contract": contract}
                slow.add(game, measure, 1, x, **cell, role=roles[0], target=roles[1])


def summed(there: Run) -> dict[Cell, tuple[int, ...]]:
    """The stored summary, shards added up."""
    found: dict[Cell, tuple[int, ...]] = {}
    for row in rows(there, "summary"):
        cell: Cell = tuple(row[name] for name in KEY)
        sums = [row[name] for name in SUMS]
        found[cell] = tuple(map(sum, zip(found.get(cell, (0,) * 6), sums, strict=True)))
    return found


def test_every_cell_is_what_the_tables_add_up_to(there: Run) -> None:
    expected = slowly(there)
    assert {cell[1] for cell in expected} == set(MEASURES)
    assert summed(there) == expected


def test_blocks_in_which_not_everybody_sits(tmp_path: Path) -> None:
    # Five at tables of four, one table a block: those left out are passed over.
    names = ("duck.v1", "random.v1", "lowest.v1", "cautious.v1", "count.v1")
    config = small(
        (BASE[3],), design="round_robin", entrants=entrants(*names), lineups=(), blocks=7
    )
    run, _ = played(config, tmp_path / "run")
    assert any(row["n"] < 7 * 4 for row in rows(run, "summary") if row["measure"] == "win")
    # A table's company is another one in every block: no cells of tables.
    assert summed(run) == {cell: sums for cell, sums in slowly(run).items() if cell[2] < 0}


def test_one_cell_stands_once_in_a_shard(there: Run) -> None:
    stored = pl.concat([pl.read_parquet(path) for path in paths(there, "summary")])
    assert stored.select(*KEY, "shard").is_duplicated().sum() == 0


@pytest.mark.parametrize(("blocks", "parts"), [(1, 1), (2, 1), (1, 3)])
def test_how_blocks_are_cut_does_not_show(
    there: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: int, parts: int
) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, blocks, parts))
    monkeypatch.setattr("pipeline.play.Pace.took", lambda pace, *_: setattr(pace, "games", 2))
    other, result = played(small(), tmp_path / "run")
    assert result.digest == there.manifest.digest
    assert summed(other) == summed(there)
    assert len(other.receipts()) == -(-3 // blocks) * parts * 4


def test_win_shares_of_every_game_add_up_to_one(there: Run) -> None:
    manifest: Manifest = there.manifest
    won = Counter[str]()
    for row in rows(there, "summary"):
        if row["measure"] == "win" and row["table"] == -1:
            won[row["variant"]] += row["x"]
    games = manifest.config.blocks * 8
    assert set(won.values()) == {2520 * games}


def test_shards_are_numbered_through_and_cover_every_block_once(there: Run) -> None:
    from pipeline.plan import Plan

    pieces: list[Shard] = list(Plan(there.manifest.config, cut_into(there.manifest.config, 2)))
    assert [piece.number for piece in pieces] == list(range(8))
    assert [(p.first_block, p.n_blocks) for p in pieces[:2]] == [(0, 2), (2, 1)]
