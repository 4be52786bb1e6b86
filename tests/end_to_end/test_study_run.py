"""The three studies as runs: the same numbers whoever plays, whatever happens; what rows owe."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from engine_ext.errors import FoulPlay
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.resolve import VariantNumbers, resolve
from engine_ext.score import score_text
from pipeline.config import ConfigError, NamedVariant, RunConfig
from pipeline.plan import cut
from pipeline.run import resume
from pipeline.run_file import run_of
from pipeline.store import Run
from pipeline.studies.designs import DRAWS, KINDS, STUDIES, n_steps, why_not
from pipeline.verify import verify
from tests.houses import HOUSES, any_variant
from tests.runs import cut_into, entrants, paths, played, rows, small
from tests.samples import one_in, slowly

BARBU = [sys.executable, "-c", "import sys; from pipeline.cli import main; sys.exit(main())"]
Barbu = Callable[..., tuple[int, str, str]]
WORLDS = 2

BOTS = """
class Low:
    def __repr__(self):
        return f"{type(self).__name__.lower()}.v1"

    def play(self, view):
        return view.lowest()

class Careless(Low):
    def play(self, view):
        return 200 if view.n_tricks == 3 and view.seat == 1 else view.lowest()

class Wrong(Careless):
    def choose(self, view):
        return (99, 0) if view.deal == 2 else view.choices[-1]

    def double(self, view):
        return 0xFFF if view.deal == 1 else 0
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def study(
    design: str,
    names: tuple[str, ...] = ("barbu_52_doubling",),
    players: tuple[str, ...] = ("duck.v1", "random.v1"),
    **more: Any,
) -> RunConfig:
    """A study of two blocks."""
    variants = tuple(NamedVariant(name=name, rules=any_variant(name)) for name in names)
    said = {"design": design, "lineups": (), "entrants": entrants(*players), "blocks": 2}
    if design != "seats":
        said["worlds"] = WORLDS
    return small(variants, **said | more)


def allowing(design: str, each: int) -> tuple[str, ...]:
    """One in so many of the shipped variants that can be studied so, and of the tests' houses."""
    every = (*variant_names(), *HOUSES)
    return tuple(name for name in every if why_not(design, any_variant(name)) is None)[::each]


@pytest.fixture(
    scope="module",
    params=[*((design, 4) for design in STUDIES), *(slowly((design, 1)) for design in STUDIES)],
    ids=lambda param: f"{param[0]}, one in {param[1]}",
)
def there(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A study of many variants that allow it."""
    design, each = request.param
    folder = tmp_path_factory.mktemp("study") / design
    config = study(design, allowing(design, each), blocks=1)
    return played(config, folder, executor="local", workers=2)[0]


@pytest.fixture(scope="module")
def doubling(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A small study of doubles."""
    return played(study("doubling"), tmp_path_factory.mktemp("doubling") / "run")[0]


def contents(folder: Path) -> dict[str, bytes]:
    """Every table file's bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*.parquet"))
        if path.name != "shards.parquet"
    }


# ---- all variants


def test_it_is_whole_and_has_every_unit_once(there: Run) -> None:
    verdict = verify(there)
    assert (verdict.ok, verdict.problems) == (True, [])
    config = there.manifest.config
    expected = [
        (variant.name, 0, table, step)
        for variant in config.variants
        for table in range(2)
        for step in range(n_steps(config.design, resolve(variant.rules)))
    ]
    units = rows(there, "units")
    assert [(u["variant"], u["block"], u["table"], u["step"]) for u in units] == expected
    labels = [entrant.label for entrant in config.entrants]
    assert all(u["entrant"] == labels[u["table"]] for u in units)
    trials = rows(there, "trials")
    counts = dict.fromkeys(expected, 0)
    for row in trials:
        counts[row["variant"], row["block"], row["table"], row["step"]] += 1
    assert list(counts.values()) == [unit["n_rows"] for unit in units]
    places = [(t["variant"], t["block"], t["table"], t["step"]) for t in trials]
    order = {key: i for i, key in enumerate(expected)}
    assert [order[place] for place in places] == sorted(order[place] for place in places)


READ: dict[tuple[Path, str], dict[str, list[dict[str, Any]]]] = {}


def by_variant(there: Run, table: str) -> dict[str, list[dict[str, Any]]]:
    """Rows of a table that nobody changes, read once."""
    place = (there.folder, table)
    if place not in READ:
        READ[place] = {}
        for row in rows(there, table):
            READ[place].setdefault(row["variant"], []).append(row)
    return READ[place]


class Rows:
    """Rows of trials of one variant, with their unit."""

    def __init__(self, there: Run, name: str) -> None:
        self.name, self.rules = name, there.manifest.config.variant(name)
        self.numbers = resolve(self.rules)
        self.seats = self.rules.seats
        units = by_variant(there, "units")[name]
        self.units = {(u["block"], u["table"], u["step"]): u for u in units}
        self.trials = by_variant(there, "trials")[name]

    def points(self, row: dict[str, Any]) -> list[int]:
        return [row[f"points_{k}"] for k in range(self.seats)]

    def unit(self, row: dict[str, Any]) -> tuple[int, int, int]:
        return row["block"], row["table"], row["step"]

    def of(self, *kinds: str) -> list[dict[str, Any]]:
        return [row for row in self.trials if row["kind"] in kinds]

    def total(self, contract: str) -> int:
        return self.numbers.contracts[self.numbers.contract_names.index(contract)].total


def variants_of(there: Run) -> Iterator[Rows]:
    for variant in there.manifest.config.variants:
        yield Rows(there, variant.name)


def is_even(numbers: VariantNumbers, contract: str) -> bool:
    """Whether all deals of a contract come to the same total."""
    return not numbers.contracts[numbers.contract_names.index(contract)].shoot_cards


def test_points_come_to_the_total_of_the_contract(there: Run) -> None:
    for found in variants_of(there):
        honour = found.numbers.honour
        for row in found.trials:
            if row["kind"] in ("score", "win", "side") or honour:
                continue
            if is_even(found.numbers, row["contract"]):
                expected = row["n"] * found.total(row["contract"])
                assert sum(found.points(row)) == expected, (found.name, row)


def test_rows_are_headed_as_their_kind_says(there: Run) -> None:
    worlds = {"worth", "hand", "picked", "answer"}
    pairs = {"aware", "made", "answer"}
    for found in variants_of(there):
        for row in found.trials:
            kind = row["kind"]
            assert kind in KINDS
            assert row["n"] > 0
            assert (row["half"] in (0, 1)) == (kind in worlds)
            assert (row["whom"] >= 0) == (kind in pairs)
            assert (row["who"] >= 0) == (kind in pairs | {"hand", "picked"})
            assert (row["weight"] > 0) == (kind in {"aware", "made"})
            assert (row["contract"] == "") == (kind in {"score", "win"})
            chosen = kind in {"picked", "answer", "made"} or (
                kind == "chosen" and there.manifest.config.design != "seats"
            )
            assert row["n_left"] == (found.units[found.unit(row)]["n_left"] if chosen else 0)
            role = found.points(row)[max(row["who"], 0)]
            assert row["n"] * row["squares"] >= role**2
            assert all(row.get(f"points_{k}") is None for k in range(found.seats, 6))
            numbers, contract = found.numbers, row["contract"]
            if row["param"] >= 0:
                one = numbers.contracts[numbers.contract_names.index(contract)]
                assert one.params >> row["param"] & 1


def test_what_is_left_is_what_was_not_chosen_before(there: Run) -> None:
    if there.manifest.config.design == "seats":
        assert all(unit["left"] == unit["hand"] == "" for unit in rows(there, "units"))
        return
    for found in variants_of(there):
        chosen = {found.unit(row): row["contract"] for row in found.of("chosen")}
        uses = dict(zip(found.numbers.contract_names, found.numbers.uses, strict=False))
        stock = [name for name, n in uses.items() for _ in range(n)]
        left: dict[int, list[str]] = {}
        for (_, table, step), unit in sorted(found.units.items()):
            if step == 0:
                left[table] = list(stock)
            assert unit["left"].split() == left[table]
            assert unit["n_left"] == len(left[table])
            assert len(unit["hand"].split()) == found.numbers.hand_size
            left[table].remove(chosen[0, table, step])
        assert all(remains == [] for remains in left.values())


def test_both_entrants_see_the_same_hands(there: Run) -> None:
    for found in variants_of(there):
        for (block, table, step), unit in found.units.items():
            assert unit["hand"] == found.units[block, 1 - table, step]["hand"]


def test_value_has_every_contract_in_both_halves_and_as_dealt(tmp_path: Path) -> None:
    there, _ = played(study("value", worlds=6), tmp_path / "run")
    found = Rows(there, "barbu_52_doubling")
    per_unit = 5 + 4 + 13
    for unit in found.units.values():
        assert unit["n_trials"] == per_unit * 7
        assert unit["n_rows"] == per_unit * 3 + 1
    assert {(row["half"], row["n"]) for row in found.of("worth")} == {(0, 3), (1, 3)}
    assert {row["n"] for row in found.of("dealt", "chosen")} == {1}
    dealt = {(*found.unit(r), r["contract"], r["param"]): r for r in found.of("dealt")}
    names = [*(f"points_{k}" for k in range(4)), "squares"]
    for row in found.of("chosen"):
        same = dealt[(*found.unit(row), row["contract"], row["param"])]
        assert [row[name] for name in names] == [same[name] for name in names]
        assert row["contract"] in found.units[found.unit(row)]["left"].split()


def test_seats_sum_up_whole_games(tmp_path: Path) -> None:
    names = ("barbu_52_doubling", "barbu_king_br", "king_ru_choice", "barbu_3_leaver")
    there, _ = played(study("seats", names), tmp_path / "run")
    for found in variants_of(there):
        numbers = found.numbers
        fixed = not numbers.has_choice
        for place in found.units:
            mine = [row for row in found.trials if found.unit(row) == place]
            by_kind: dict[str, list[dict[str, Any]]] = {}
            for row in mine:
                by_kind.setdefault(row["kind"], []).append(row)
            games = by_kind["forced" if fixed else "chosen"]
            assert sum(row["n"] for row in games) == numbers.n_deals
            for row in by_kind.get("side", []):
                assert sum(found.points(row)) == 0
            (score,), (win,) = by_kind["score"], by_kind["win"]
            points = sum(sum(found.points(row)) for row in games)
            assert sum(found.points(score)) == points
            assert sum(found.points(win)) == 2520
            best = max(found.points(score))
            first = [share > 0 for share in found.points(win)]
            assert first == [total == best for total in found.points(score)]
            if not fixed:
                declared = numbers.n_deals // (1 if numbers.uses_of_table else numbers.seats)
                for row in by_kind["forced"]:
                    assert row["n"] == declared
                assert {row["contract"] for row in by_kind["forced"]} == {
                    name for name, n in zip(numbers.contract_names, numbers.uses, strict=False) if n
                }


def test_the_same_hands_are_forced_in_every_turn_where_seats_are_alike(tmp_path: Path) -> None:
    """Four turns of a fixed game are four games; the first two differ."""
    there, _ = played(study("seats", ("barbu_king_br",), blocks=1), tmp_path / "run")
    found = Rows(there, "barbu_king_br")
    scores = {tuple(found.points(row)) for row in found.of("score") if row["table"] == 0}
    assert len(scores) == 4


def test_doubling_has_the_bets_that_the_rules_allow_and_no_others(there: Run) -> None:
    if there.manifest.config.design != "doubling":
        return
    for found in variants_of(there):
        rules = found.rules.doubling
        assert rules is not None
        for row in found.of("aware", "made"):
            assert 0 <= row["who"] < row["whom"] < found.seats
            assert row["weight"] in (1, 2)
            tone = found.rules.contracts[row["contract"]].tone
            whom = rules.in_positive if tone == "positive" else rules.in_negative
            assert whom == "anyone" or (whom == "declarer" and row["who"] == 0)
            if row["weight"] == 2:
                assert rules.redoubles
                assert row["who"] > 0 or rules.declarer != "nobody"
        for row in found.of("picked", "answer"):
            assert row["n"] <= WORLDS // 2
            assert row["who"] > 0 or row["kind"] == "answer"
        for row in found.of("hand"):
            assert row["n"] == WORLDS // 2
        chosen = {found.unit(row): row for row in found.of("chosen")}
        for row in found.of("made"):
            assert found.points(row) == found.points(chosen[found.unit(row)])
        kinds = {row["kind"] for row in found.trials}
        assert kinds >= {"forced", "chosen", "aware", "hand", "picked"}


# ---- the same whoever plays


@pytest.mark.parametrize("design", one_in(3, STUDIES))
def test_threads_and_shards_of_any_size_change_nothing(
    design: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = study(
        design, ("barbu_52_doubling", "barbu_3_leaver")[: 1 + (design != "doubling")], blocks=3
    )
    one, result = played(config, tmp_path / "one")
    table = {name: pl.concat(map(pl.read_parquet, paths(one, name))) for name in KEPT}
    assert result.games == len(table["units"])
    assert result.deals == table["units"]["n_trials"].sum()
    ways: list[tuple[dict[str, Any], int, int]] = [
        ({"executor": "local", "workers": 1}, 1, 1),
        ({"executor": "local", "workers": 2}, 2, 1),
        ({"executor": "local", "workers": 2}, 1, 3),
        ({"executor": "inline"}, 1, 5),
    ]
    for number, (how, blocks, parts) in enumerate(ways):
        monkeypatch.setattr(
            "pipeline.run.cut", lambda said, _, b=blocks, p=parts: cut_into(said, b, p)
        )
        there, other = played(config, tmp_path / str(number), **how)
        assert other.digest == result.digest
        assert verify(there).ok
        for name, expected in table.items():
            found = pl.concat(map(pl.read_parquet, paths(there, name)))
            assert found.equals(expected), name


KEPT = ("units", "trials")


@pytest.mark.parametrize("design", STUDIES)
def test_a_block_that_takes_long_is_cut_into_parts(
    design: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = study(design)
    _, result = played(config, tmp_path / "whole")
    monkeypatch.setattr("pipeline.plan.LONGEST_S", 1e-9)
    monkeypatch.setattr("pipeline.plan.TARGET_S", 1e-9)
    assert cut(config, {"barbu_52_doubling": 1.0})["barbu_52_doubling"].parts > 1
    there, other = played(config, tmp_path / "parts")
    (bounds,) = there.manifest.bounds.values()
    assert bounds.parts > 1
    assert other.digest == result.digest
    assert verify(there).ok


def test_a_slice_of_any_size_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = study("doubling")
    _, result = played(config, tmp_path / "one")
    monkeypatch.setattr("pipeline.studies.shard.STUDY_S", 1e-9)
    assert played(config, tmp_path / "two")[1].digest == result.digest


@pytest.mark.parametrize("design", one_in(3, STUDIES))
def test_processes_change_nothing(
    design: str, tmp_path: Path, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))
    config = study(design, players=(f"{bots}:Low",))
    one, result = played(config, tmp_path / "one")
    two, other = played(config, tmp_path / "two", executor="local", workers=2)
    assert other.digest == result.digest
    assert contents(two.folder) == contents(one.folder)


@pytest.mark.parametrize("design", STUDIES)
def test_batched_and_python_strategies_play_as_their_compiled_twin(
    design: str, tmp_path: Path, bots: Path
) -> None:
    digests: list[str] = []
    for name in ("lowest.v1", "lowest_batch.v1"):
        config = study(design, players=(name,))
        only = config.entrants[0].model_copy(update={"name": "low"})
        config = config.model_copy(update={"entrants": (only,)})
        digests.append(played(config, tmp_path / str(len(digests)))[1].digest)
    assert len(set(digests)) == 1


@pytest.mark.ray
@pytest.mark.slow  # every day: a tournament, in test_run
def test_ray_changes_nothing(tmp_path: Path) -> None:
    config = study("doubling")
    _, result = played(config, tmp_path / "one")
    there, other = played(config, tmp_path / "ray", executor="ray", workers=2)
    assert other.digest == result.digest
    assert verify(there).ok


RUN = """
title = "written"
seed = 7
variants = ["barbu_52_doubling"]
blocks = {blocks}
design = "{design}"
entrants = [{{ strategy = "{strategy}", name = "other" }}]
{more}
"""


def write(tmp_path: Path, design: str, strategy: str = "random.v1", **more: Any) -> Path:
    blocks = more.pop("blocks", 2)
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in more.items())
    path = tmp_path / "run.toml"
    path.write_text(RUN.format(blocks=blocks, design=design, strategy=strategy, more=lines))
    return path


# Each half has a quick test: an interrupt in test_run.py, filling up a study below.
@pytest.mark.slow
def test_a_study_that_was_interrupted_ends_the_same_after_resume(
    tmp_path: Path, bots: Path
) -> None:
    blocks = 1600  # sixteen shards at least, however fast the machine
    path = write(tmp_path, "value", f"{bots}:Low", worlds=2, blocks=blocks)
    out = tmp_path / "run"
    process = subprocess.Popen(
        [*BARBU, "run", str(path), "--out", str(out), "--workers", "2"],
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    for _ in range(1200):
        if len(list((out / "_receipts").glob("*.json"))) >= 1:
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=280)
    assert process.returncode == 130, err
    there = Run.open(out)
    assert there.manifest.status == "interrupted"
    landed = len(there.receipts())
    assert 0 < landed < there.manifest.shards
    result = resume(out, executor="inline")
    assert verify(Run.open(out)).ok
    assert result.games == blocks * 7
    assert result.played < result.games
    config = Run.open(out).manifest.config
    assert played(config, tmp_path / "again")[1].digest == result.digest


# ---- damage


@pytest.mark.parametrize("table", KEPT)
@pytest.mark.parametrize("how", ["byte", "gone", "row"])
def test_a_damaged_file_is_found_and_played_again(
    table: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 1))
    there, result = played(study("doubling"), tmp_path / "run")
    before = contents(there.folder)
    file = paths(there, table)[1]
    if how == "gone":
        file.unlink()
    elif how == "byte":
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(bytes(content))
    else:
        pl.read_parquet(file)[:-1].write_parquet(file)
    verdict = verify(there)
    assert not verdict.ok
    assert any(file.name in problem for problem in verdict.problems)
    again = resume(there.folder, executor="inline")
    assert again.digest == result.digest
    assert again.played == 14
    assert verify(Run.open(there.folder)).ok
    assert contents(there.folder) == before


@pytest.mark.parametrize("column", ["points_1", "squares", "n", "half"])
def test_a_number_that_was_changed_with_its_receipt_is_found(column: str, tmp_path: Path) -> None:
    """Not by the file's sum, but by the digest."""
    from tests.unit.invented import restate

    there, _ = played(study("value"), tmp_path / "run")
    file = paths(there, "trials")[0]
    frame = pl.read_parquet(file)
    changed = frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 5).then(pl.col(column) ^ 1).otherwise(pl.col(column))
        .cast(frame.schema[column]).alias(column)
    )  # fmt: skip
    assert not changed.equals(frame)
    changed.write_parquet(file)
    restate(there.folder)
    verdict = verify(Run.open(there.folder))
    assert not verdict.ok
    assert "digest" in " ".join(verdict.problems)


# ---- replay


def place_of(unit: dict[str, Any]) -> list[str]:
    return [f"--{key}={unit[key]}" for key in ("variant", "block", "table", "step")]


def test_units_are_replayed_as_they_went(there: Run, barbu: Barbu) -> None:
    draw = np.random.default_rng(4)
    units = rows(there, "units")
    for i in draw.choice(len(units), 8, replace=False):
        code, out, err = barbu("replay", there.folder, *place_of(units[i]), "--json")
        assert (code, err) == (0, "")
        said = json.loads(out)
        assert said["ok"] is True
        assert said["digest"] == said["kept"] == units[i]["digest"].hex()
        found = Rows(there, units[i]["variant"])
        kept = [row for row in found.trials if found.unit(row) == found.unit(units[i])]
        assert len(said["trials"]) == len(kept) == units[i]["n_rows"]
        assert [row["points_0"] for row in said["trials"]] == [row["points_0"] for row in kept]


def test_records_of_units_hold(there: Run, barbu: Barbu, tmp_path: Path) -> None:
    """With and without worlds; their points are those of the rows."""
    draw, design = np.random.default_rng(5), there.manifest.config.design
    units = [unit for unit in rows(there, "units") if unit["variant"] not in HOUSES]
    for i in draw.choice(len(units), 6, replace=False):
        more = [] if design == "seats" else [f"--world={i % 3}"]
        if design == "doubling":
            more.append(f"--who={i % 3}")
        code, out, err = barbu("replay", there.folder, *place_of(units[i]), *more)
        assert (code, err) == (0, "")
        score = score_text(out)
        assert score.problem is None
        file = tmp_path / "unit.txt"
        file.write_text(out)
        assert barbu("score", file)[0] == 0
        if design != "seats" and i % 3 == 0:
            found = Rows(there, units[i]["variant"])
            (chosen,) = [
                row for row in found.of("chosen")
                if found.unit(row) == found.unit(units[i])
            ]  # fmt: skip
            sign = found.numbers.objective
            assert sorted(score.points) == sorted(sign * p for p in found.points(chosen))


def test_a_deal_that_was_asked_for_is_the_one(doubling: Run, barbu: Barbu) -> None:
    """Each contract, by its name, in a world: half 0 of two worlds is world 1 alone."""
    found = Rows(doubling, "barbu_52_doubling")
    unit = found.units[1, 1, 3]
    for who in range(4):
        for contract in ("hearts", "trumps S", "domino 7"):
            words = [*place_of(unit), "--contract", contract, "--world=1", f"--who={who}"]
            code, out, err = barbu("replay", doubling.folder, *words)
            assert (code, err) == (0, "")
            score = score_text(out)
            assert score.problem is None
            assert f"\ncontract {contract}\n" in out
            (row,) = [
                row for row in found.of("hand")
                if found.unit(row) == (1, 1, 3) and row["half"] == 0 and row["who"] == who
                and row["contract"] == contract.split()[0]
            ]  # fmt: skip
            if contract == "hearts":
                assert list(score.points) == found.points(row)  # seat 0 declares
    assert barbu("replay", doubling.folder, *place_of(unit), "--show")[0] == 0


def test_the_declarers_hand_of_a_unit_is_in_its_record(doubling: Run, barbu: Barbu) -> None:
    unit = Rows(doubling, "barbu_52_doubling").units[0, 0, 2]
    for world in (0, 1, 2 * DRAWS):
        _, out, _ = barbu("replay", doubling.folder, *place_of(unit), f"--world={world}")
        assert f"# hand: {unit['hand']}\n" in out
        assert unit["hand"] in out.split("# hand:")[1].split("\n", 1)[1]
    _, out, _ = barbu("replay", doubling.folder, *place_of(unit), "--world=1", "--who=1")
    assert unit["hand"] not in out.split("# hand:")[1].split("\n", 1)[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--block=2"], "--block: 2 (this study has 0 to 1)"),
        (["--table=2"], "--table: 2 (this study has 0 to 1)"),
        (["--step=7"], "--step: 7 (this study has 0 to 6)"),
        (["--world=17"], "--world: 17 (this study has 0 to 16)"),
        (["--who=4"], "--who: 4 (this study has 0 to 3)"),
        (["--contract=hops"], "--contract: no 'hops' here"),
        (["--contract=trumps"], "say trump suit or start rank"),
        (["--deal=1"], "--deal: 1 (this unit has 0 to 0)"),
    ],
)
def test_a_unit_that_is_not_there_is_one_line(
    words: list[str], said: str, doubling: Run, barbu: Barbu
) -> None:
    code, out, err = barbu("replay", doubling.folder, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_row_that_tells_otherwise_is_told_by_replay(tmp_path: Path, barbu: Barbu) -> None:
    from tests.unit.invented import restate

    there, _ = played(study("value", blocks=1), tmp_path / "run")
    file = paths(there, "units")[0]
    frame = pl.read_parquet(file)
    frame.with_columns(digest=pl.lit(b"\0" * 32)).write_parquet(file)
    restate(there.folder)
    code, _, err = barbu("replay", there.folder)
    assert code == 1
    assert "is not that of the run's row" in err


# ---- fouls


@pytest.mark.parametrize("design", STUDIES)
def test_fouls_are_counted_and_named(design: str, tmp_path: Path, bots: Path) -> None:
    config = study(design, players=(f"{bots}:Wrong", "duck.v1"), blocks=1)
    there, result = played(config, tmp_path / "run")
    units = rows(there, "units")
    assert result.fouls == sum(unit["fouls"] for unit in units) > 0
    assert all(unit["fouls"] == 0 for unit in units if unit["table"] == 1)
    assert all(unit["fouls"] > 0 for unit in units if unit["table"] == 0)
    assert result.first_fouls[0].startswith("barbu_52_doubling: block 0, table 0, step 0")
    (conduct,) = result.conduct
    assert (conduct.kind, conduct.n) == ("foul", result.fouls)
    assert "Wrong" in conduct.entrant
    assert verify(there).ok


def test_a_foul_at_a_choice_counts_in_its_own_step(tmp_path: Path, bots: Path) -> None:
    """Once, and not in the steps that come after it, which ask for it again."""

    def fouls(name: str) -> list[int]:
        config = study("value", players=(f"{bots}:{name}",), blocks=1)
        there, _ = played(config, tmp_path / name)
        return [unit["fouls"] for unit in rows(there, "units")]

    wrong, careless = fouls("Wrong"), fouls("Careless")
    assert [a - b for a, b in zip(wrong, careless, strict=True)] == [0, 0, 1, 0, 0, 0, 0]
    assert min(careless) > 0
    assert fouls("Low") == [0] * 7


@pytest.mark.parametrize("design", STUDIES)
def test_a_study_that_stops_at_fouls_says_so(
    design: str, tmp_path: Path, bots: Path, barbu: Barbu
) -> None:
    config = study(design, players=(f"{bots}:Wrong",), foul="stop")
    with pytest.raises(FoulPlay):
        played(config, tmp_path / "run")
    more = {} if design == "seats" else {"worlds": 2}
    path = write(tmp_path, design, f"{bots}:Wrong", foul="stop", **more)
    code, _, err = barbu("run", path, "--out", tmp_path / "other")
    assert (code, err.count("\n")) == (1, 1)
    assert err.startswith("error: stopped at a foul: ")


# ---- mistakes


@pytest.mark.parametrize(
    ("design", "more", "said"),
    [
        ("value", {"worlds": 3}, "worlds"),
        ("value", {"worlds": 0}, "worlds"),
        ("value", {"worlds": "many"}, "worlds"),
        ("doubling", {"worlds": 100_002}, "worlds"),
        ("seats", {"worlds": 2}, "worlds: only for the designs value and doubling, not 'seats'"),
        ("gauntlet", {"worlds": 2}, "entrants: a gauntlet needs at least 2"),
        ("value", {"streams": "independent"}, "streams: a study compares on common streams"),
        ("seats", {"record": ["games"]}, "record: a study keeps its units and trials"),
        ("value", {"lineups": [["other"] * 4]}, "lineups: only for design 'lineups'"),
        ("value", {"variants": ["king_ru_fixed14"]}, "design: king_ru_fixed14: the contracts come"),
        ("doubling", {"variants": ["king_ru_choice"]}, "design: king_ru_choice: nobody doubles"),
        ("doubling", {"variants": ["hearts"]}, "design: hearts: nobody doubles here"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(
    design: str, more: dict[str, Any], said: str, tmp_path: Path, barbu: Barbu
) -> None:
    text = write(tmp_path, design, **{k: v for k, v in more.items() if k != "variants"}).read_text()
    if "variants" in more:
        text = text.replace('["barbu_52_doubling"]', json.dumps(more["variants"]))
    path = tmp_path / "run.toml"
    path.write_text(text)
    code, out, err = barbu("run", path, "--out", tmp_path / "out")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", variant_names())
def test_a_variant_is_studied_or_it_is_said_why_not(name: str) -> None:
    rules = load_variant(name)
    choice = rules.schedule.kind == "choice"
    assert why_not("seats", rules) is None
    assert (why_not("value", rules) is None) == choice
    assert (why_not("doubling", rules) is None) == (choice and rules.doubling is not None)
    for design in STUDIES:
        said = {
            "title": "t", "seed": 1, "variants": [name], "blocks": 1, "design": design,
            "entrants": [{"strategy": "duck.v1"}],
        }  # fmt: skip
        why = why_not(design, rules)
        if why is None:
            assert run_of(said, "a file", Path()).design == design
        else:
            with pytest.raises(ConfigError, match=re.escape(f"design: {name}: {why}")):
                run_of(said, "a file", Path())


# ---- tables


def test_sql_sees_units_and_trials_and_says_what_columns_mean(doubling: Run, barbu: Barbu) -> None:
    query = "select kind, count(*) as rows, sum(n) as n from trials group by kind order by kind"
    code, out, err = barbu("sql", doubling.folder, query, "--json")
    assert (code, err) == (0, "")
    found = Rows(doubling, "barbu_52_doubling")
    kinds = sorted({row["kind"] for row in found.trials})
    assert [row["kind"] for row in json.loads(out)] == kinds
    assert sum(row["rows"] for row in json.loads(out)) == len(found.trials)
    joined = (
        "select count(*) as n from units u join trials t on u.variant = t.variant and "
        'u.block = t.block and u."table" = t."table" and u.step = t.step'
    )
    assert json.loads(barbu("sql", doubling.folder, joined, "--json")[1]) == [
        {"n": len(found.trials)}
    ]
    comments = (
        "select table_name, column_name, comment from duckdb_columns() "
        "where table_name in ('units', 'trials')"
    )
    said = json.loads(barbu("sql", doubling.folder, comments, "--json", "--limit", "999")[1])
    assert {row["table_name"] for row in said} == {"units", "trials"}
    assert all(row["comment"] for row in said)


def test_tables_of_tournaments_are_there_and_empty(doubling: Run, barbu: Barbu) -> None:
    empty = ("games", "deals", "doubles", "summary", "deals_long", "doubles_long", "items")
    counts = dict.fromkeys(empty, 0) | {"variants": 1, "contracts": 7, "shards": 1}
    for table, n in counts.items():
        query = f"select count(*) as n from {table}"
        code, out, _ = barbu("sql", doubling.folder, query, "--json")
        assert (code, json.loads(out)) == (0, [{"n": n}])


def test_plan_counts_units(tmp_path: Path, barbu: Barbu) -> None:
    code, out, _ = barbu("plan", write(tmp_path, "value", blocks=100, worlds=4), "--json")
    assert code == 0
    (variant,) = json.loads(out)["variants"]
    assert variant["games"] == 700
    assert variant["deals"] == 700 * 22 * 5
