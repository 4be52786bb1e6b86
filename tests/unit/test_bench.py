"""The bench: distinct deals, one yardstick, honest blanks where there is none."""

import json
import shutil
from pathlib import Path
from typing import Literal

import pytest

from pipeline.bench import as_json, as_table, measure, work
from pipeline.bench.bare import NoBareLoop, compile_bare_loop, run_bare_loop
from pipeline.bench.measure import Figures
from pipeline.cli import main

PROMISED = (
    "bare_loop_deals_per_s",
    "trick_deals_random_per_s",
    "games_greedy_per_s",
    "python_deals_per_s",
    "batched_deals_per_s",
    "build",
)


@pytest.fixture
def without_gcc(monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "gcc" else real(name))


def small(name: str, calls: list[tuple[int, int]]) -> work.Work:
    return work.Work(name, 40, lambda first, n: calls.append((first, n)))


def test_the_bare_loop_plays_a_whole_contract_on_every_deal(tmp_path: Path) -> None:
    program = compile_bare_loop(tmp_path)
    modes: tuple[Literal["deal", "play"], ...] = ("deal", "play")
    for mode in modes:
        done = run_bare_loop(program, mode, 1000, 5)
        assert done.n == 1000
        assert done.seconds > 0


def test_no_round_repeats_a_deal(without_gcc: None) -> None:
    calls: list[tuple[int, int]] = []
    measure([small("trick_deals_random", calls)], seconds=1e-6, rounds=3)
    played = [unit for first, n in calls for unit in range(first, first + n)]
    assert len(calls) == 4  # a trial to find the size, then the rounds
    assert len(played) == len(set(played))
    assert all(n >= 40 for _, n in calls[1:])


def test_without_gcc_there_are_rates_but_no_ratios(without_gcc: None, tmp_path: Path) -> None:
    with pytest.raises(NoBareLoop, match="gcc is not installed"):
        compile_bare_loop(tmp_path)
    figures = measure([small("games_greedy", [])], seconds=1e-6, rounds=2)
    answer = as_json(figures, {"kernel": "v3"}, {"cores": 2})
    assert answer["bare_loop_deals_per_s"] is None
    assert answer["ratios"] == {"games_greedy": None}
    assert answer["no_bare_loop"] == "gcc is not installed"
    assert answer["games_greedy_per_s"]


def test_a_ratio_is_taken_within_its_round() -> None:
    # The machine slows down by half in the second round: the ratio stays.
    figures = Figures(
        [100.0, 50.0, 40.0], [1.0, 1.0, 1.0], None, {"python_deals": [10.0, 5.0, 4.0]}
    )
    assert figures.ratio("python_deals") == 0.1
    head, rows = as_table(figures)
    assert rows[-1] == ["Python strategy, deals", "5", "4", "10", "0.1000", "0.01"]
    assert len(head) == len(rows[0])


def test_bench_prints_one_object_with_what_was_promised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tuple(one._replace(least=60) for one in work.works())
    monkeypatch.setattr(work, "works", lambda: few)
    assert main(["bench", "--json", "--seconds", "0.01"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(PROMISED) <= set(answer)
    for name in PROMISED[1:5]:
        assert answer[name] > 0
    assert answer["build"]["kernel"] in ("baseline", "v3")
    assert main(["bench", "--seconds", "0.01"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
