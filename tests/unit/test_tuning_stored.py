"""Games read back from a run, held against its rows read slowly."""

from itertools import groupby
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from pipeline.compaction import compact
from pipeline.stores import StoreError
from pipeline.tuning.results import Played
from pipeline.tuning.stored import read_played
from tests.runs import BASE, by_game, cut_into, entrants, played, rows, small


def test_every_array_is_what_the_rows_say(tmp_path: Path) -> None:
    config = small(("barbu_52_doubling",), blocks=4, record=("games", "deals", "doubles", "plays"))
    there, _ = played(config, tmp_path / "run")
    found = read_played(there, "barbu_52_doubling")
    names, labels = found.rules.contract_names, found.labels
    row = 0
    bets = iter(zip(*found.bets, strict=True))
    for i, (game, deals, doubles) in enumerate(by_game(there)):
        assert found.block[i] == game["block"]
        assert [labels[e] for e in found.entrant[i]] == [game[f"entrant_{s}"] for s in range(4)]
        assert found.score[i].tolist() == [game[f"score_{s}"] for s in range(4)]
        assert found.n_deals[i] == len(deals)
        assert found.first_row[i] == row
        for deal in deals:
            assert names[found.contract[row]] == deal["contract"]
            for name in ("declarer", "leader", "n_left"):
                assert getattr(found, name)[row] == deal[name], name
            for name in ("points", "side", "items"):
                here = getattr(found, name)[row].tolist()
                assert here == [deal[f"{name}_{s}"] for s in range(4)], name
            for bet in (b for b in doubles if b["deal"] == deal["deal"]):
                own = (row, bet["doubler"], bet["doubled"], bet["redoubled"])
                assert tuple(next(bets)) == own
            row += 1
    assert next(bets, None) is None
    assert found.blocks == 4
    assert row == len(found.contract) == len(found.items)
    assert found.counted.all()
    assert found.variant == load_variant("barbu_52_doubling")
    assert found.revoked is None
    assert found.n_moves is not None
    assert found.n_moves.tolist() == [one["n_moves"] for one in rows(there, "plays")]


def test_shards_parts_and_compacted_files_make_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = small(("barbu_52_split",), blocks=6)
    whole, _ = played(config, tmp_path / "whole")
    expected = read_played(whole, "barbu_52_split")
    monkeypatch.setattr("pipeline.run.cut", lambda *_: cut_into(config, 1, 3))
    cut, _ = played(config, tmp_path / "cut")
    assert len(cut.receipts()) == 18
    alike(expected, read_played(cut, "barbu_52_split"))
    compact(cut)
    alike(expected, read_played(type(cut).open(tmp_path / "cut"), "barbu_52_split"))


def alike(one: Played, other: Played) -> None:
    for name in ("block", "entrant", "n_deals", "score", "contract", "points", "side", "items"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.bets.row.tolist() == other.bets.row.tolist()
    assert one.bets.redoubled.tolist() == other.bets.redoubled.tolist()


def test_a_variant_with_fewer_seats_than_the_run_has(tmp_path: Path) -> None:
    config = small(("barbu_52_split", "barbu_king_br_3"), design="gauntlet", lineups=())
    there, _ = played(config, tmp_path / "run")
    found = read_played(there, "barbu_king_br_3")
    assert found.points.shape[1] == found.entrant.shape[1] == 3
    assert found.score.tolist() == [
        [game[f"score_{s}"] for s in range(3)]
        for game in rows(there, "games")
        if game["variant"] == "barbu_king_br_3"
    ]


def test_a_study_has_no_games(tmp_path: Path) -> None:
    config = small(BASE[1:2], entrants=entrants("duck.v1"), design="seats", lineups=())
    there, _ = played(config, tmp_path / "study")
    with pytest.raises(StoreError, match="design: 'seats' is a study"):
        read_played(there, "king_ru_fixed14")


def test_what_was_not_kept_is_refused_in_a_line(tmp_path: Path) -> None:
    there, _ = played(small(BASE[1:2], record="summary"), tmp_path / "sums")
    with pytest.raises(StoreError, match=r"record: games and deals and doubles were not kept"):
        read_played(there, "king_ru_fixed14")
    there, _ = played(small(BASE[1:2], record=("games", "doubles")), tmp_path / "games")
    with pytest.raises(StoreError, match="record: deals were not kept of all blocks"):
        read_played(there, "king_ru_fixed14")
    with pytest.raises(StoreError, match="no variant 'hearts' in it"):
        read_played(there, "hearts")


def test_a_run_that_is_not_complete_is_refused(tmp_path: Path) -> None:
    there, _ = played(small(BASE[1:2]), tmp_path / "run")
    half = there.with_manifest(status="interrupted", digest=None)
    with pytest.raises(StoreError, match="status: interrupted"):
        read_played(half, "king_ru_fixed14")


def test_a_file_that_is_not_as_it_landed_is_refused(tmp_path: Path) -> None:
    there, _ = played(small(BASE[1:2]), tmp_path / "run")
    (file,) = there.files("deals")
    path = there.folder / file
    pl.read_parquet(path).with_columns(pl.col("points_0") + 1).write_parquet(path)
    with pytest.raises(StoreError, match=f"{file}: .* resume plays it again"):
        read_played(there, "king_ru_fixed14")


def test_games_of_a_block_stand_together(tmp_path: Path) -> None:
    there, _ = played(small(BASE[1:2], blocks=5), tmp_path / "run")
    found = read_played(there, "king_ru_fixed14")
    assert [len(list(own)) for _, own in groupby(found.block.tolist())] == [8] * 5
