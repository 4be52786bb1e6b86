"""Games played again by other workers: who does not repeat himself is caught and named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import pipeline.playing as driver
from engine_ext.seeds import run_key
from pipeline.audit import audit_again
from pipeline.config import Entrant
from pipeline.manifest import Audited
from pipeline.run import resume
from pipeline.sample import chosen
from pipeline.store import Run
from tests.runs import cut_into, entrants, paths, played, small

Barbu = Callable[..., tuple[int, str, str]]

FICKLE = '''
import os

class Fickle:
    """Draws from where nobody can look again."""

    def play(self, view):
        legal = [card for card in range(64) if view.legal >> card & 1]
        return legal[os.urandom(1)[0] % len(legal)]

    def __repr__(self):
        return "fickle.v1"

class Honest(Fickle):
    """Says so."""

    timed = True

class Steady:
    def play(self, view):
        return view.lowest()

    def __repr__(self):
        return "steady.v1"

class Hashed(Steady):
    """Goes by an order that differs from process to process."""

    def play(self, view):
        legal = [card for card in range(64) if view.legal >> card & 1]
        return max(legal, key=lambda card: hash(str(card)))
'''

RUN = """
title = "Does he repeat himself?"
seed = 3
variants = ["king_ru_fixed14"]
blocks = 40
design = "lineups"
entrants = [
    { strategy = "fickle.py:NAME", name = "he" },
    { strategy = "duck.v1", name = "duck" },
    { strategy = "random.v1", name = "random" },
]
lineups = [["he", "duck", "duck", "random"], ["duck", "random", "random", "duck"]]
"""


def run_file(folder: Path, name: str, more: str = "") -> Path:
    (folder / "fickle.py").write_text(FICKLE, "utf-8")
    path = folder / f"{name}.toml"
    path.write_text(RUN.replace("NAME", name) + more, "utf-8")
    return path


def only(out: Path) -> Audited:
    (one,) = Run.open(out).manifest.audited
    return one


def test_who_draws_from_elsewhere_is_caught_and_named(tmp_path: Path, barbu: Barbu) -> None:
    out = tmp_path / "run"
    file = run_file(tmp_path, "Fickle")
    code, told, noted = barbu("run", file, "--out", out, "--executor", "inline")
    assert code == 0
    assert "8 games of 1 block played again: NOT all came out the same" in told
    assert "WARNING: king_ru_fixed14: 4 games of 8 games played again came out otherwise" in noted
    audited = only(out)
    (block,) = chosen(run_key(3), 40, 1)
    assert audited.blocks == (block,)
    assert (audited.games, audited.elsewhere, audited.by) == (8, 0, "games")
    assert audited.differing == tuple(
        f"king_ru_fixed14: block {block}, table 0, rotation {r}: he, duck, random" for r in range(4)
    )
    # Nothing was dropped, and the run is whole: what is not repeated is told, no more.
    code, told, _ = barbu("verify", out)
    assert (code, told[:5]) == (0, "whole")


def test_verify_plays_any_share_again(tmp_path: Path, barbu: Barbu) -> None:
    out = tmp_path / "run"
    barbu("run", run_file(tmp_path, "Fickle"), "--out", out, "--executor", "inline")
    words = ("verify", out, "--load-strategies", "--executor", "inline", "--json", "--replay")
    code, told, _ = barbu(*words, "0.1")
    some = json.loads(told)
    assert (code, some["ok"], some["replayed"], len(some["differing"])) == (1, False, 32, 16)
    code, told, noted = barbu(*words, "1")
    every = json.loads(told)
    assert (code, every["replayed"], len(every["differing"])) == (1, 320, 160)
    assert every["problems"] == []
    assert set(only(out).differing) <= set(some["differing"]) <= set(every["differing"])
    assert "in all of them: he, duck, random" in noted


def test_without_rows_of_games_the_totals_of_blocks_are_compared(
    tmp_path: Path, barbu: Barbu
) -> None:
    out = tmp_path / "run"
    file = run_file(tmp_path, "Fickle")
    file.write_text("record = []\n" + file.read_text("utf-8"), "utf-8")
    barbu("run", file, "--out", out, "--executor", "inline")
    audited = only(out)
    (block,) = audited.blocks
    assert (audited.by, audited.games) == ("totals", 8)
    assert audited.differing == (f"king_ru_fixed14: block {block}, table 0: he, duck, random",)
    code, told, _ = barbu(
        "verify", out, "--load-strategies", "--replay", "1", "--json", "--executor", "inline"
    )
    assert (code, len(json.loads(told)["differing"])) == (1, 40)


def test_who_says_that_he_is_timed_is_left_out_and_stamped(tmp_path: Path, barbu: Barbu) -> None:
    out = tmp_path / "run"
    code, _, noted = barbu(
        "run", run_file(tmp_path, "Honest"), "--out", out, "--executor", "inline"
    )
    assert (code, only(out).games, only(out).differing) == (0, 4, ())
    assert only(out).left_out == ("he: not replayable: says that it is timed",)
    assert "he: not replayable: says that it is timed\n" in noted
    assert (
        barbu("verify", out, "--load-strategies", "--replay", "1", "--executor", "inline")[0] == 0
    )


def test_under_a_budget_who_is_in_python_is_left_out(tmp_path: Path, barbu: Barbu) -> None:
    out = tmp_path / "run"
    file = run_file(tmp_path, "Steady")
    file.write_text("budget_ms = 500.0\n" + file.read_text("utf-8"), "utf-8")
    barbu("run", file, "--out", out, "--executor", "inline")
    assert only(out).left_out == ("he: not replayable: in Python under budget_ms = 500",)
    assert only(out).games == 4


def test_a_second_process_orders_its_sets_otherwise(
    tmp_path: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    out = tmp_path / "run"
    barbu("run", run_file(tmp_path, "Hashed"), "--out", out, "--workers", "1")
    audited = only(out)
    assert audited.elsewhere == audited.games == 8
    assert len(audited.differing) == 4


@pytest.mark.parametrize(
    "how",
    [
        {"executor": "inline"},
        {"executor": "local", "workers": 2},
        pytest.param({"executor": "ray", "workers": 2}, marks=[pytest.mark.ray, pytest.mark.slow]),
    ],
)
@pytest.mark.parametrize("python", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_who_repeats_himself_does_so_on_any_worker(
    tmp_path: Path, how: dict[str, Any], python: bool
) -> None:
    config = small(blocks=30, entrants=entrants("duck.v1", "random.v1"))
    if python:
        (tmp_path / "fickle.py").write_text(FICKLE, "utf-8")
        steady = Entrant(strategy=f"{tmp_path / 'fickle.py'}:Steady", name="random.v1")
        config = config.model_copy(update={"entrants": (config.entrants[0], steady)})
    there, result = played(config, tmp_path / "run", **how)
    for one in there.manifest.audited:
        assert (len(one.blocks), one.games, one.differing, one.left_out) == (1, 8, (), ())
        assert one.elsewhere == (0 if how["executor"] == "inline" else 8)
    assert result.audited == there.manifest.audited
    again = audit_again(there, load_strategies=True)
    assert [one.blocks for one in again] == [one.blocks for one in there.manifest.audited]
    assert not any(one.differing for one in again)


def test_a_study_plays_units_again(tmp_path: Path, barbu: Barbu) -> None:
    config = small(
        ("barbu_52_doubling", "barbu_fr_reussite"), design="value", lineups=(), worlds=2, blocks=3
    )
    there, _ = played(config, tmp_path / "run")
    for one in there.manifest.audited:
        assert len(one.blocks) == 1
        assert one.games > 0
        assert not one.differing
    code, told, _ = barbu("verify", tmp_path / "run", "--replay", "1", "--executor", "inline")
    assert code == 0
    assert "units of 6 blocks played again: all came out the same" in told


def test_a_fickle_player_of_a_study_is_named(tmp_path: Path) -> None:
    (tmp_path / "fickle.py").write_text(FICKLE, "utf-8")
    who = (Entrant(strategy=f"{tmp_path / 'fickle.py'}:Fickle", name="he"), *entrants("duck.v1"))
    config = small(("king_ru_fixed14",), design="seats", lineups=(), entrants=who, blocks=2)
    there, _ = played(config, tmp_path / "run")
    (one,) = there.manifest.audited
    assert one.suspects == ("he",)
    assert len(one.differing) == 4
    assert "table 0, step 0: he" in one.differing[0]


def test_a_resume_audits_what_was_not_audited_and_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, out = small(("king_ru_fixed14",)), tmp_path / "run"

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    from pipeline.audit import audit as real

    monkeypatch.setattr(driver, "audit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        played(config, out)
    assert Run.open(out).manifest.status == "interrupted"
    monkeypatch.setattr(driver, "audit", real)
    result = resume(out, executor="inline")
    assert (result.played, len(result.audited)) == (0, 1)
    monkeypatch.setattr(driver, "audit", interrupted)
    again = resume(out, executor="inline")
    assert again.audited == result.audited == Run.open(out).manifest.audited


def test_a_digest_that_was_changed_in_its_row_is_a_difference(tmp_path: Path, barbu: Barbu) -> None:
    """The other way round: the run's row is not what the game comes to."""
    there, _ = played(small(("king_ru_fixed14",), blocks=1), tmp_path / "run")
    (path,) = paths(there, "games")
    table = pl.read_parquet(path)
    table = table.with_columns(digest=table["digest"].reverse())
    rows = table.select("block", "table", "rotation", "digest")
    (one,) = there.manifest.audited
    assert one.games == len(rows) == 8

    import pipeline.audit as auditing

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auditing, "rows_of", lambda *_: rows)
        (found,) = audit_again(there, load_strategies=True)
    assert len(found.differing) == 8


def test_a_run_of_an_old_make_is_compared_by_whole_shards(tmp_path: Path, barbu: Barbu) -> None:
    """It kept neither games nor totals; its receipts have digests."""
    there, _ = played(small(("king_ru_fixed14",), record=()), tmp_path / "run")
    there = there.with_manifest(decided=())  # such runs had no verdicts either
    receipts = pl.read_parquet(there.folder / "shards.parquet")
    receipts.drop("totals_rows", "totals_bytes", "totals_sha256").write_parquet(
        there.folder / "shards.parquet", metadata={"barbu_run": there.manifest.run}
    )
    code, told, _ = barbu("verify", there.folder, "--replay", "1")
    assert code == 0
    assert "24 games of" in told
    (one,) = audit_again(Run.open(there.folder), load_strategies=True)
    assert (one.by, one.left_out, one.differing) == ("shards", (), ())
    assert one.games in (8, 16, 24)


def test_without_blocks_whole_shards_are_compared(
    tmp_path: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 20))
    told = {}
    for name in ("Fickle", "Steady", "Honest"):
        out = tmp_path / name
        file = run_file(tmp_path, name)
        file.write_text('record = "summary"\n' + file.read_text("utf-8"), "utf-8")
        _, told[name], noted = barbu("run", file, "--out", out, "--executor", "inline")
        if name == "Fickle":
            assert "WARNING: king_ru_fixed14: 1 shard of 160 games played again came" in noted
    assert "160 games of 1 shard played again: NOT all came out the same" in told["Fickle"]
    assert "160 games of 1 shard played again: all came out the same" in told["Steady"]
    found = only(tmp_path / "Fickle")
    (block,) = chosen(run_key(3), 40, 1)
    first = block // 20 * 20
    assert (found.by, found.blocks) == ("shards", (first,))
    line = f"king_ru_fixed14: blocks {first} to {first + 19}: he, duck, random"
    assert found.differing == (line,)
    honest = only(tmp_path / "Honest")
    assert honest.games == 0
    assert honest.left_out[-1] == "everybody: a shard's digest is that of all its games"
    # A page has no time for more than 256 games, and a shard may have more.
    (short,) = audit_again(Run.open(tmp_path / "Steady"), load_strategies=True)
    assert (short.games, short.differing) == (160, ())
    monkeypatch.setattr("pipeline.audit.AGAIN_GAMES", 100)
    (short,) = audit_again(Run.open(tmp_path / "Steady"), load_strategies=True)
    assert short.left_out == ("everybody: a shard has 160 games, none was kept alone",)


def test_a_strategy_that_is_gone_is_left_out_and_said(tmp_path: Path, barbu: Barbu) -> None:
    out = tmp_path / "run"
    barbu("run", run_file(tmp_path, "Steady"), "--out", out, "--executor", "inline")
    (tmp_path / "fickle.py").unlink()
    (one,) = audit_again(Run.open(out), load_strategies=True)
    assert one.games == 4
    assert one.left_out[0].startswith("he: not replayable: cannot be had here (")


@pytest.mark.parametrize("share", ["0", "-1", "1.01", "nan"])
def test_a_share_that_is_none_is_one_line(tmp_path: Path, barbu: Barbu, share: str) -> None:
    there, _ = played(small(("king_ru_fixed14",)), tmp_path / "run")
    code, _, noted = barbu("verify", there.folder, f"--replay={share}")
    assert (code, noted.count("\n")) == (2, 1)
    assert "--replay" in noted
