"""How a run stands, read at any moment: while it is played, cut off, whole or damaged."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine_ext.batch import Rules
from pipeline.claim import Claim, Stop
from pipeline.config import Entrant
from pipeline.manifest import Receipt
from pipeline.receipt_table import Receipts
from pipeline.status import Watcher, read
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.verdict import sentence
from tests.runs import by_game, cut_into, entrants, paths, played, small
from tests.samples import one_in

Barbu = Callable[..., tuple[int, str, str]]
BARBU = [sys.executable, "-c", "import sys; from pipeline.cli import main; sys.exit(main())"]

SLOW = """
import time

class Slow:
    def play(self, view):
        time.sleep(0.0005)
        return view.lowest()

    def __repr__(self):
        return "slow.v1"
"""

RUN = """
title = "Slow against random and duck"
seed = 11
variants = ["king_ru_fixed14"]
blocks = BLOCKS
design = "gauntlet"
entrants = [
    { strategy = "slow.py:Slow", name = "slow" },
    { strategy = "random.v1", name = "random" },
    { strategy = "duck.v1", name = "duck" },
]
"""


def write(folder: Path, blocks: int, more: str = "") -> Path:
    (folder / "slow.py").write_text(SLOW, "utf-8")
    path = folder / "run.toml"
    path.write_text(RUN.replace("BLOCKS", str(blocks)) + more, "utf-8")
    return path


def begun(folder: Path, blocks: int, more: str = "") -> "subprocess.Popen[str]":
    """A run that another process plays, once its manifest is there."""
    words = ["run", str(write(folder, blocks, more)), "--out", str(folder / "run")]
    playing = subprocess.Popen(
        [*BARBU, *words, "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    end = time.monotonic() + 120
    while not (folder / "run" / "manifest.json").is_file():
        assert playing.poll() is None, playing.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)
    return playing


def slowly(there: Run, variant: str, blocks: int) -> dict[str, Fraction]:
    """Every entrant's points a game above the mean of his tables, from the rows of the games of
    the first so many blocks."""
    total: dict[str, Fraction] = {}
    n: dict[str, int] = {}
    seats = there.manifest.config.variant(variant).seats
    for game, _, _ in by_game(there):
        if game["variant"] != variant or game["block"] >= blocks:
            continue
        mean = Fraction(sum(game[f"score_{s}"] for s in range(seats)), seats)
        for s in range(seats):
            who = game[f"entrant_{s}"]
            total[who] = total.get(who, Fraction(0)) + game[f"score_{s}"] - mean
            n[who] = n.get(who, 0) + 1
    return {who: points / n[who] for who, points in total.items()}


def test_a_run_can_be_read_whenever_a_shard_has_landed(
    tmp_path: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.driving import Driver

    whole, seen, out = Driver._land, [], tmp_path / "run"

    def looked_at(self: Driver, receipt: Receipt) -> None:
        whole(self, receipt)
        code, told, noted = barbu("status", out, "--json")
        assert (code, noted) == (0, "")
        seen.append(json.loads(told))

    monkeypatch.setattr(Driver, "_land", looked_at)
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 2))
    said: dict[str, Any] = {"design": "gauntlet", "lineups": (), "blocks": 12}
    said["entrants"] = entrants("lowest.v1", "random.v1", "duck.v1")
    there, _ = played(small(("king_ru_fixed14",), **said), out)
    assert {one["status"] for one in seen} == {"running"}
    assert [one["games"] for one in seen] == [16 * n for n in range(1, 7)]
    check_seen(there, [one["variants"][0] for one in seen], "lowest.v1")


def check_seen(there: Run, seen: list[dict[str, Any]], first: str) -> None:
    """Figures that were told while a run was played are those of the rows of its games."""
    for one in seen:
        due = slowly(there, "king_ru_fixed14", one["blocks"])
        found = {entry["entrant"]: entry["value"] for entry in one["entrants"]}
        assert found == {who: pytest.approx(float(value)) for who, value in due.items()}
        assert one["claim"]["value"] == pytest.approx(float(due[first]))


@pytest.mark.slow
def test_a_run_that_is_being_played_can_be_read_all_the_time(tmp_path: Path, barbu: Barbu) -> None:
    # Ten seconds of play are several shards, and some hundred answers while they land.
    playing, seen = begun(tmp_path, 24), []
    out = tmp_path / "run"
    while playing.poll() is None:
        code, told, noted = barbu("status", out, "--json")
        assert (code, noted) == (0, "")
        seen.append(json.loads(told))
    _, stderr = playing.communicate()
    assert playing.returncode == 0, stderr
    code, told, _ = barbu("status", out, "--json")
    seen.append(json.loads(told))
    running = [one for one in seen if one["status"] == "running"]
    assert running
    assert (seen[-1]["status"], seen[-1]["games"]) == ("complete", 192)
    assert [one["games"] for one in seen] == sorted(one["games"] for one in seen)
    part = [one["variants"][0] for one in running if 0 < one["variants"][0]["blocks"] < 24]
    assert part, "nothing was seen half-way"
    there = Run.open(out)
    check_seen(there, [part[0], part[-1], seen[-1]["variants"][0]], "slow")
    timed = [one for one in running if one["games_per_s"]]
    assert timed
    assert all(one["seconds_left"][0] >= 0 for one in timed)
    assert seen[-1]["variants"][0]["attempt"] == 1


@pytest.mark.slow
def test_follow_ends_with_the_run(tmp_path: Path, barbu: Barbu) -> None:
    playing = begun(tmp_path, 20)
    code, told, _ = barbu("status", tmp_path / "run", "--follow", "0.3")
    assert playing.wait(60) == 0
    assert code == 0
    assert "\nrunning: " in f"\n{told}"
    assert "complete: 160 of 160 games" in told


def test_one_that_was_killed_says_how_to_go_on(tmp_path: Path, barbu: Barbu) -> None:
    playing = begun(tmp_path, 400)
    out = tmp_path / "run"
    end = time.monotonic() + 120
    while not list((out / "_receipts").glob("*.json")):
        assert time.monotonic() < end
        time.sleep(0.02)
    playing.send_signal(signal.SIGINT)
    playing.communicate()
    code, told, _ = barbu("status", out)
    assert code == 0
    assert "interrupted: " in told
    assert f"barbu resume {out} goes on" in told
    # Killed outright it says "running" for ever; that nothing lands any more is told.
    receipts = list((out / "_receipts").glob("*.json"))
    text = (out / "manifest.json").read_text("utf-8")
    (out / "manifest.json").write_text(text.replace('"interrupted"', '"running"'), "utf-8")
    long_ago = time.time() - 3_600
    for path in receipts:
        os.utime(path, (long_ago, long_ago))
    code, told, _ = barbu("status", out)
    assert code == 0
    assert "nothing has landed for 60 min" in told


@pytest.mark.parametrize("what", ["receipt", "manifest", "totals", "nothing"])
def test_a_damaged_run_is_one_line(tmp_path: Path, barbu: Barbu, what: str) -> None:
    there, _ = played(small(("king_ru_fixed14",)), tmp_path / "run")
    if what == "receipt":
        (there.folder / "shards.parquet").write_bytes(b"PAR1")
    elif what == "manifest":
        (there.folder / "manifest.json").write_text("{", "utf-8")
    elif what == "totals":
        for table in ("joint", "totals"):  # either would do
            paths(there, table)[0].unlink()
    folder = tmp_path / "none" if what == "nothing" else there.folder
    code, told, noted = barbu("status", folder)
    assert (code, told, noted.count("\n")) == (2, "", 1)
    assert str(folder) in noted


def test_papers_that_change_while_they_are_read_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, _ = played(small(("king_ru_fixed14",)), tmp_path / "run")
    landed = Run.landed
    failed: list[int] = []

    def vanishing(self: Run) -> Receipts:
        if len(failed) < 3:
            failed.append(1)
            raise StoreError(f"_receipts/{len(failed)}.json: cannot be read: no such file")
        return landed(self)

    monkeypatch.setattr(Run, "landed", vanishing)
    _, found = read(there.folder)
    assert len(found) == there.manifest.shards


def test_pairs_of_a_gauntlet_are_compared_head_to_head(tmp_path: Path) -> None:
    """The first one's own figure has all his tables in it, the others' one each."""
    config = small(
        ("king_ru_fixed14",),
        blocks=80,
        design="gauntlet",
        lineups=(),
        entrants=entrants("duck.v1", "random.v1", "count.v1"),
        claim=Claim(entrant="duck.v1", against="count.v1"),
    )
    there, _ = played(config, tmp_path / "run")
    (found,) = Watcher(there.folder).status().standings
    pairs = {frozenset((pair.ahead, pair.behind)): pair for pair in found.pairs}
    assert found.claim is not None
    own = pairs[frozenset((0, 2))]
    turned = found.claim.value if own.ahead == 0 else -found.claim.value
    assert own.difference.value == pytest.approx(turned)
    assert own.difference.n == 80 * 4
    # Each looked at on its own is sharper than as one of three.
    assert found.claim.low is not None
    assert own.difference.low is not None
    assert found.claim.value - found.claim.low < own.difference.value - own.difference.low


def test_the_same_player_twice_is_not_separable(tmp_path: Path, barbu: Barbu) -> None:
    twice = (Entrant(strategy="duck.v1"), Entrant(strategy="duck.v1", name="the same"))
    config = small(("king_ru_fixed14",), blocks=80, design="gauntlet", lineups=(), entrants=twice)
    there, _ = played(config, tmp_path / "run")
    (found,) = Watcher(there.folder).status().standings
    assert [pair.sure for pair in found.pairs] == [False]
    _, told, _ = barbu("status", there.folder)
    assert "exactly, in every block" in told


WIDE_DESIGNS: list[dict[str, Any]] = [
    {"design": "gauntlet", "lineups": (), "stop": Stop(rule="width", width=3.0, look=16)},
    {"design": "gauntlet", "lineups": (), "stop": Stop(rule="decided", look=16)},
    {
        "design": "gauntlet",
        "lineups": (),
        "stop": Stop(rule="sprt", delta1=1.0, unit="sigma", look=16),
        "blocks": 400,
    },
    {
        "design": "candidates",
        "lineups": (),
        "field": ("random.v1",),
        "entrants": entrants("duck.v1", "count.v1", "lowest.v1", "random.v1"),
        "stop": Stop(rule="race", look=16),
    },
    {
        "design": "round_robin",
        "lineups": (),
        "entrants": tuple(
            Entrant(strategy="duck.v1", name=f"duck the {i} of a house with a long name")
            for i in range(7)
        ),
    },
    {},
    {"design": "seats", "lineups": ()},
    {"record": ()},
]


@pytest.mark.parametrize("said", one_in(2, WIDE_DESIGNS))
def test_every_design_is_told_in_eighty_columns(
    tmp_path: Path, barbu: Barbu, said: dict[str, Any]
) -> None:
    config = small(("barbu_king_br", "king_ru_fixed14"), **{"blocks": 48} | said)
    there, _ = played(config, tmp_path / "run")
    code, told, noted = barbu("status", there.folder)
    assert (code, noted) == (0, "")
    assert max(map(len, told.splitlines())) <= 80
    assert "complete: " in told
    for verdict in there.manifest.decided:
        what = sentence(config, verdict).removeprefix(f"{verdict.variant}: ")
        assert f"decided: {what}" in " ".join(told.split())
    code, plain, _ = barbu("status", there.folder, "--json")
    assert code == 0
    for one in json.loads(plain)["variants"]:
        assert one["blocks"] == there.manifest.counted(one["variant"])
        rules = Rules(config.variant(one["variant"]))
        assert all(len(pair) > 3 for pair in one["pairs"])
        if config.design != "seats":
            assert one["entrants"], rules


@pytest.mark.parametrize("seconds", ["0", "-3", "nan", "1e9"])
def test_to_follow_takes_seconds(tmp_path: Path, barbu: Barbu, seconds: str) -> None:
    there, _ = played(small(("king_ru_fixed14",)), tmp_path / "run")
    code, _, noted = barbu("status", there.folder, f"--follow={seconds}")
    assert (code, noted.count("\n")) == (2, 1)
    assert "--follow" in noted


def test_a_damaged_ledger_is_one_line_and_no_half_of_an_answer(
    tmp_path: Path, barbu: Barbu
) -> None:
    there, _ = played(small(variants=("barbu_king_br",)), tmp_path / "run")
    (tmp_path / "ledger.parquet").write_bytes(b"PAR1 no more")
    for how in ([], ["--json"]):
        code, out, err = barbu("status", str(there.folder), *how)
        assert (code, out) == (2, "")
        assert "ledger.parquet" in err
        assert err.count("\n") == 1
