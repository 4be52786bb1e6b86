"""``barbu plan``: what a run costs and can tell, held against runs that are really played."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline import stopping
from pipeline.pilot_sigma import block_sigma
from pipeline.run_file import load_run
from pipeline.stats.power import anytime_blocks, sprt_blocks, t_blocks, t_power
from pipeline.store import Run
from tests.runs import played

Barbu = Callable[..., tuple[int, str, str]]

RUN = """
title = "What would it take?"
seed = 5
variants = ["king_ru_fixed14"]
blocks = 4000
design = "gauntlet"
entrants = [{ strategy = "duck.v1" }, { strategy = "count.v1" }]
"""


def write(folder: Path, more: str = "", **changed: str) -> Path:
    path = folder / "run.toml"
    text = RUN + more
    for old, new in changed.items():
        text = text.replace(f"{old} = ", f"{old} = {new} #")
    path.write_text(text, "utf-8")
    return path


def planned_of(barbu: Barbu, *words: str | Path) -> dict[str, Any]:
    code, told, noted = barbu("plan", *words, "--json")
    assert (code, noted) == (0, "")
    found: dict[str, Any] = json.loads(told)["variants"][0]
    return found


def test_the_pilot_says_how_much_blocks_differ_and_what_follows(
    tmp_path: Path, barbu: Barbu
) -> None:
    file = write(tmp_path)
    found = planned_of(barbu, file, "--difference", "1")
    sigma = block_sigma(load_run(file), "king_ru_fixed14")
    assert found["sigma"] == sigma
    assert found["fixed_blocks"] == t_blocks(1.0, sigma, 0.9)
    assert t_power(found["fixed_blocks"], 1.0, sigma) >= 0.9
    assert found["anytime_blocks"] == anytime_blocks(1.0, sigma, stopping.planned(load_run(file)))
    # With 4,000 blocks the quantile of t is 1.96.
    assert found["half_width"] == pytest.approx(1.96 * sigma / 4000**0.5, rel=2e-3)
    assert found["anytime_half_width"] > found["half_width"]
    assert found["rule_blocks"] == {}
    # What programs have always read.
    assert {"variant", "tables", "blocks", "games", "deals", "shards", "seconds"} <= set(found)


def test_a_given_sigma_takes_the_place_of_the_pilot(
    tmp_path: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.prospects.ClaimValues", None)  # nobody asks for values
    found = planned_of(barbu, write(tmp_path), "--sigma", "12", "--difference", "2")
    assert found["sigma"] == 12.0
    assert found["fixed_blocks"] == t_blocks(2.0, 12.0, 0.9)
    more = planned_of(
        barbu, write(tmp_path), "--sigma", "12", "--difference", "2", "--power", "0.95"
    )
    assert more["fixed_blocks"] > found["fixed_blocks"]


@pytest.mark.parametrize(
    ("stop", "keys"),
    [
        ('rule = "sprt"\ndelta1 = 2.0', ["delta0", "middle", "delta1"]),
        ('rule = "width"\nwidth = 1.0', ["width"]),
        ('rule = "decided"', ["difference"]),
    ],
)
def test_the_rule_of_the_run_says_how_long_it_takes(
    tmp_path: Path, barbu: Barbu, stop: str, keys: list[str]
) -> None:
    file = write(tmp_path, f"\n[stop]\n{stop}\n")
    found = planned_of(barbu, file, "--sigma", "10", "--difference", "2")
    assert list(found["rule_blocks"]) == keys
    config = load_run(file)
    assert config.stop is not None
    if keys[0] == "delta0":
        due = sprt_blocks(stopping.test_of(config.stop, 0.05), 10.0, 64)
        assert list(found["rule_blocks"].values()) == list(due)
    else:
        half = 1.0 if keys == ["width"] else 2.0
        assert found["rule_blocks"][keys[0]] == anytime_blocks(half, 10.0, stopping.planned(config))
    code, told, _ = barbu("plan", file, "--sigma", "10", "--difference", "2")
    assert code == 0
    assert f"rule {config.stop.rule}: about " in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize(
    ("variant", "blocks"), [("king_ru_fixed14", 3_000), ("barbu_52_doubling", 400)]
)
def test_the_files_of_the_run_are_about_as_large_as_planned(
    tmp_path: Path, barbu: Barbu, variant: str, blocks: int
) -> None:
    file = write(tmp_path, variants=f'["{variant}"]', blocks=str(blocks))
    there, _ = played(load_run(file), tmp_path / "run")
    found = planned_of(barbu, file)
    real: dict[str, int] = {}
    for receipt in there.receipts().values():
        for table, landed in receipt.files.items():
            real[table] = real.get(table, 0) + landed.bytes
    assert set(found["bytes"]) == set(real)
    # The pilot's shards may be others than the run's: they are cut by time.
    assert sum(found["bytes"].values()) == pytest.approx(sum(real.values()), rel=0.35)
    assert found["core_hours"] == pytest.approx(found["seconds"] / 3600, abs=1e-4)


def test_a_study_claims_nothing_and_is_planned_as_before(tmp_path: Path, barbu: Barbu) -> None:
    file = write(tmp_path, design='"seats"', blocks="10")
    found = planned_of(barbu, file)
    assert "sigma" not in found
    code, told, _ = barbu("plan", file)
    assert (code, "blocks differ" in told) == (0, False)


def test_players_who_are_alike_have_no_spread(tmp_path: Path, barbu: Barbu) -> None:
    file = write(
        tmp_path, entrants='[{ strategy = "duck.v1" }, { strategy = "duck.v1", name = "b" }]'
    )
    assert planned_of(barbu, file)["sigma"] == 0.0
    _, told, _ = barbu("plan", file)
    assert "all 64 blocks of the pilot are alike" in told


def test_nothing_is_written_and_nothing_counts(tmp_path: Path, barbu: Barbu) -> None:
    file = write(tmp_path, blocks="20")
    planned_of(barbu, file)
    assert [path.name for path in tmp_path.iterdir()] == ["run.toml"]
    before, _ = played(load_run(file), tmp_path / "a")
    planned_of(barbu, file)
    after, _ = played(load_run(file), tmp_path / "b")
    assert Run.open(tmp_path / "a").manifest.digest == after.manifest.digest
    assert before.manifest.games == 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--difference", "0"), "--difference: 0 (want"),
        (("--difference", "-1"), "--difference: -1 (want"),
        (("--sigma", "nan"), "--sigma: nan (want"),
        (("--power", "1"), "--power: 1 (want"),
        (("--power", "0.2"), "--power: 0.2 (want"),
    ],
)
def test_what_cannot_be_planned_is_one_line(
    tmp_path: Path, barbu: Barbu, words: tuple[str, str], said: str
) -> None:
    code, told, noted = barbu("plan", write(tmp_path), *words)
    assert (code, told, noted.count("\n")) == (2, "", 1)
    assert said in noted
