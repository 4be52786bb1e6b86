"""Rows of a shard: what the columns hold, whose memory is used again, and how it lies on disk."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from engine_ext.batch import StopFlag
from engine_ext.build import load
from pipeline.columns import Columns
from pipeline.plan import Shard
from pipeline.play import TablePlayer, slices
from pipeline.rows import Rows
from pipeline.schema import polars_schema
from pipeline.store import parquet
from pipeline.tables import Games, find_doubles, read_games
from tests.runs import entrants, small

VARIANT = "barbu_52_doubling"
TABLES = ("games", "deals", "doubles")


@pytest.fixture(scope="module")
def player() -> TablePlayer:
    four = entrants("duck.v1", "random.v1", "count.v1", "lowest.v1")
    config = small((VARIANT,), design="table", entrants=four, lineups=())
    return TablePlayer(config, VARIANT, StopFlag())


def of_blocks(player: TablePlayer, first: int, n: int) -> Iterator[Games]:
    for games, _, _ in slices(player, Shard(0, VARIANT, first, n, 0, player.block_games, True)):
        assert games is not None
        yield games


def hashes_of(games: Games) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Stand-ins that differ."""
    return np.arange(32 * len(games), dtype=np.uint8).view("V32")


def frames_of(player: TablePlayer, parts: list[Games]) -> tuple[Rows, dict[str, pl.DataFrame]]:
    rows = Rows(VARIANT, player.rules.numbers, player.labels, TABLES)
    for games in parts:
        rows.add(games, hashes_of(games))
    return rows, dict(rows.frames(6))


def test_rows_read_back_are_the_games_however_they_were_sliced(player: TablePlayer) -> None:
    parts = list(of_blocks(player, 0, 5))
    assert len(parts) > 1
    rows, frames = frames_of(player, parts)
    stored = {name: pl.read_parquet(parquet(frame, {})) for name, frame in frames.items()}
    games = read_games(VARIANT, player.rules.numbers, player.labels, stored)
    for name in ("block", "table", "rotation", "entrant"):
        expected = np.concatenate([getattr(part, name) for part in parts])
        assert np.array_equal(getattr(games, name), expected), name
    for name in ("score", "place", "n_first", "n_deals", "fouls"):
        expected = np.concatenate([getattr(part.records, name) for part in parts])
        assert np.array_equal(getattr(games.records, name), expected), name
    for name in ("contract", "param", "dealer", "declarer", "leader", "n_left"):
        expected = np.concatenate([getattr(part.records.deals, name) for part in parts])
        assert np.array_equal(getattr(games.records.deals, name), expected), name
    for name in ("points", "side", "items", "finish"):
        expected = np.concatenate([getattr(part.records.deals, name) for part in parts])
        assert np.array_equal(getattr(games.records.deals, name), expected), name
    for name in ("deal", "doubler", "doubled", "redoubled", "difference", "settlement"):
        expected = np.concatenate([getattr(part.doubles, name) for part in parts])
        assert np.array_equal(getattr(games.doubles, name), expected), name
        assert getattr(games.doubles, name).dtype == expected.dtype
    digests = np.concatenate([hashes_of(part) for part in parts]).tolist()
    assert stored["games"]["digest"].to_list() == digests
    assert stored["games"]["entrant_5"].null_count() == len(games)
    rows.release()


def test_names_lie_as_strings_in_a_file_for_everybody(player: TablePlayer, tmp_path: Path) -> None:
    rows, frames = frames_of(player, list(of_blocks(player, 0, 2)))
    for name, frame in frames.items():
        assert frame.schema["variant"] == pl.Enum((VARIANT,))
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(parquet(frame, {"barbu_run": "x"}))
        assert dict(pl.read_parquet_schema(path)) == polars_schema(name, 6)
        assert dict(pl.scan_parquet(path).collect_schema()) == polars_schema(name, 6)
        assert "dictionary" not in str(pq.read_schema(path))
        assert pl.read_parquet_metadata(path)["barbu_run"] == "x"
        described = duckdb.connect().execute(f"describe from '{path}'").fetchall()
        assert {kind for column, kind, *_ in described if column == "variant"} == {"VARCHAR"}
        strings = frame.with_columns(pl.col(pl.Enum).cast(pl.String))
        assert pl.read_parquet(path).equals(strings)
    rows.release()


def test_memory_goes_to_the_next_of_its_kind_and_to_no_second_one(player: TablePlayer) -> None:
    first, second = (list(of_blocks(player, at, 2)) for at in (0, 2))
    alone, expected = frames_of(player, second)
    expected = {name: frame.clone() for name, frame in expected.items()}
    rows, frames = frames_of(player, first)
    kept = {name: frame.clone() for name, frame in frames.items()}
    other, others = frames_of(player, second)  # while both are in use
    for name in TABLES:
        assert frames[name].equals(kept[name])
        assert others[name].equals(expected[name])
        assert not others[name].equals(frames[name])
    for one in (alone, rows, other):
        one.release()


def test_columns_keep_their_rows_when_they_grow() -> None:
    columns = Columns("doubles", 4)
    for value in range(40):
        for array in columns.more(1000 + value).values():
            array[:] = value % 2
    frame = columns.frame("v", {}, 4)
    expected = np.repeat(np.arange(40) % 2, 1000 + np.arange(40))
    for name in frame.columns[1:]:
        assert np.array_equal(frame[name].to_numpy(), expected), name
    columns.release()


def test_a_row_of_deals_takes_at_most_16_bytes(player: TablePlayer) -> None:
    rows, frames = frames_of(player, list(of_blocks(player, 0, 100)))
    deals = frames["deals"]
    assert len(deals) == 100 * player.block_games * 28
    assert len(parquet(deals.drop("entrant_4", strict=False), {})) <= 16 * len(deals)
    rows.release()


def test_pairs_with_a_bet_are_those_of_who_spoke_first(player: TablePlayer) -> None:
    for games in of_blocks(player, 0, 3):
        records, deals = games.records, games.records.deals
        found = []
        row = 0
        for game, n_deals in enumerate(records.n_deals.tolist()):
            for deal in range(n_deals):
                said, points = deals.doubled[row].tolist(), deals.points[row].tolist()
                turns = [(int(deals.declarer[row]) + k) % 4 for k in range(1, 5)]
                for by in range(4):
                    for to in range(4):
                        if not said[by] >> to & 1:
                            continue
                        answered = bool(said[to] >> by & 1)
                        if answered and turns.index(to) < turns.index(by):
                            continue
                        gap = points[by] - points[to]
                        found.append((game, deal, by, to, answered, gap, gap * (1 + answered)))
                row += 1
        pairs = find_doubles(records)
        assert list(zip(*(column.tolist() for column in pairs), strict=True)) == found
        assert any(pairs.redoubled)


def test_both_builds_land_the_same(player: TablePlayer) -> None:
    if load("engine_ext.tally").__name__ == "engine_ext.tally":
        pytest.skip("one build only")
    from pipeline.block_totals import BlockTotals

    totals = BlockTotals(player.rules.numbers, player.labels, player.tables)
    builds = [
        {
            name: import_module(f"engine_ext.{name}{suffix}")
            for name in ("tally", "canonical", "bets")
        }
        for suffix in ("", "_v3")
    ]
    for games in of_blocks(player, 0, 20):
        deals = games.records.deals
        said = deals.doubled, deals.declarer, deals.points, games.records.n_deals
        found = []
        for build in builds:
            tally = build["tally"].Tally(totals)
            tally.add(games, True)
            found.append(
                [
                    tally.power_sums,
                    tally.product_sums,
                    *build["canonical"].canonical_bytes(games, [b"ab", b"c", b"", b"def"]),
                    *build["bets"].find_pairs(*said),
                ]
            )
        for one, other in zip(*found, strict=True):
            assert np.array_equal(one, other)
        assert found[0][0].any()
