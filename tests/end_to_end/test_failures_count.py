"""A player who fails now and then: nothing is dropped, and all that changes is what he forfeits."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from engine_ext.batch import Rules, as_sets, deal_hands
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from pipeline.config import Entrant
from pipeline.figures import difference
from pipeline.store import Run
from pipeline.watermark import joint_of_claim
from tests.runs import cut_into, entrants, paths, played, small

VARIANT = "king_ru_fixed14"
SEATS = 4

PLAYERS = """
class Never:
    def play(self, view):
        return view.highest()

    def __repr__(self):
        return "he.v1"

class Raises(Never):
    '''In one game of a hundred, by his first hand.'''

    def play(self, view):
        if view.deal == 0 and view.n_tricks == 0 and view.hand % 101 == 0:
            raise RuntimeError("no idea")
        return view.highest()

class Obeys(Never):
    '''Plays then, by himself, what the default is.'''

    def play(self, view):
        if view.deal == 0 and view.n_tricks == 0 and view.hand % 101 == 0:
            return view.lowest()
        return view.highest()
"""


def run_of(folder: Path, who: str, blocks: int) -> Run:
    path = folder / "players.py"
    path.write_text(PLAYERS, "utf-8")
    config = small(
        (VARIANT,),
        blocks=blocks,
        design="gauntlet",
        lineups=(),
        entrants=(Entrant(strategy=f"{path}:{who}", name="he"), *entrants("duck.v1")),
    )
    there, _ = played(config, folder / who)
    return there


def rows_of(there: Run) -> list[dict[str, Any]]:
    table = pl.concat([pl.read_parquet(path) for path in paths(there, "games")])
    return table.drop("digest").to_dicts()


def estimate_of(there: Run) -> Fraction:
    joint = joint_of_claim(there, there.planned(), VARIANT, 0, there.manifest.config.blocks)
    return difference(joint, SEATS)[0]


def failing(there: Run, blocks: int) -> set[tuple[int, int]]:
    """Block and rotation of the games in which his first hand makes him fail, dealt again."""
    rules, manifest = Rules(load_variant(VARIANT)), there.manifest
    dealt = deal_hands(
        rules, key=run_key(manifest.config.seed), blocks=np.arange(blocks, dtype=np.uint64)
    )
    return {
        (block, seat)
        for block in range(blocks)
        for seat, hand in enumerate(as_sets(dealt[block]))
        if hand % 101 == 0
    }


@pytest.mark.parametrize("blocks", [300, pytest.param(3_000, marks=pytest.mark.slow)])
def test_a_player_who_raises_in_one_game_of_a_hundred(tmp_path: Path, blocks: int) -> None:
    raises, obeys, never = (run_of(tmp_path, who, blocks) for who in ("Raises", "Obeys", "Never"))
    due = failing(raises, blocks)
    games = blocks * SEATS
    assert 0.004 * games < len(due) < 0.02 * games
    # As many blocks as planned, every game there, every failure counted, none twice.
    found = rows_of(raises)
    assert len(found) == games == raises.manifest.games
    assert raises.manifest.fouls == len(due)
    told = [one for receipt in raises.receipts().values() for one in receipt.conduct]
    assert {(one.entrant, one.kind) for one in told} == {("he", "foul")}
    assert sum(one.n for one in told) == len(due)
    fouled = {(row["block"], row["rotation"]) for row in found if any(_fouls(row))}
    assert fouled == due
    # The failure is the forfeit and nothing else: he plays on as one who plays the default.
    assert [_without_fouls(row) for row in found] == rows_of(obeys)
    assert estimate_of(raises) == estimate_of(obeys)
    # And it touches no other game.
    usual = rows_of(never)
    moved = Fraction(0)
    for row, before in zip(found, usual, strict=True):
        if (row["block"], row["rotation"]) in due:
            moved += _above(row) - _above(before)
        else:
            assert row == before
    assert estimate_of(raises) - estimate_of(never) == moved / games


def test_a_forfeit_comes_out_the_same_when_it_is_played_again(tmp_path: Path) -> None:
    there = run_of(tmp_path, "Raises", 300)
    (audited,) = there.manifest.audited
    assert len(audited.blocks) == 2
    assert not audited.differing


def test_a_failure_is_counted_however_the_run_is_cut(tmp_path: Path) -> None:
    whole = run_of(tmp_path, "Raises", 60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 7))
        (tmp_path / "cut").mkdir()
        cut = run_of(tmp_path / "cut", "Raises", 60)
    assert cut.manifest.shards == 9
    assert cut.manifest.digest == whole.manifest.digest
    assert cut.manifest.fouls == whole.manifest.fouls


def _fouls(row: dict[str, Any]) -> list[int]:
    return [row[f"fouls_{s}"] for s in range(SEATS)]


def _without_fouls(row: dict[str, Any]) -> dict[str, Any]:
    return row | {f"fouls_{s}": 0 for s in range(SEATS)}


def _above(row: dict[str, Any]) -> Fraction:
    """His points above the mean of the table."""
    scores: list[int] = [row[f"score_{s}"] for s in range(SEATS)]
    own = next(score for s, score in enumerate(scores) if row[f"entrant_{s}"] == "he")
    return own - Fraction(sum(scores), SEATS)
