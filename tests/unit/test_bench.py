"""The bench: distinct deals, one yardstick, honest blanks where there is none."""

import json
import shutil
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from engine_ext.batch import Rules, deal_hands
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from pipeline.bench import as_json, as_table, endings, measure, peers, sections, stages, work
from pipeline.bench.bare import NoBareLoop, Timed, compile_bare_loop, run_bare_loop
from pipeline.bench.details import numbers
from pipeline.bench.measure import Figures
from pipeline.cli import main
from pipeline.landing import Landing
from pipeline.manifest import Receipt
from tests.runs import BASE

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


def test_every_contract_and_base_variant_is_played_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, ...]] = []

    def played(rules: object, seats: object, *, contracts: list[int], **_: object) -> None:
        asked.append(tuple(contracts))

    monkeypatch.setattr(work, "play_deals", played)
    numbers = Rules(load_variant("barbu_52_doubling")).numbers
    found = work.kinds()
    names = [f"contracts/{name}" for name in numbers.contract_names]
    assert [one.name for one in found] == names + [f"variants/{name}" for name in BASE]
    for one in found[:7]:
        one.play(0, 10)
    assert asked == [(number,) for number in range(7)]
    for one, name in zip(found[7:], BASE, strict=True):
        assert one.least * Rules(load_variant(name)).numbers.n_deals >= 100_000


def test_of_a_work_that_times_its_parts_only_these_count(without_gcc: None) -> None:
    half = {"stages/a": Timed(4, 2.0), "stages/b": Timed(4, 1.0)}
    figures = measure([work.Work("stages/land", 1, lambda first, n: half)], 1e-6, rounds=2)
    assert figures.works == {"stages/a": [2.0, 2.0], "stages/b": [4.0, 4.0]}
    assert figures.group("stages") == {"a": "stages/a", "b": "stages/b"}


def test_every_stage_is_timed_and_landing_lands_what_was_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    landed = []
    real = Landing.land

    def land(self: Landing, *how: Any) -> Receipt | None:
        landed.append(real(self, *how))
        return landed[-1]

    monkeypatch.setattr(Landing, "land", land)
    found: dict[str, Timed] = {}
    for one in stages.stages():
        found |= work.timed(one, 3, 2)[1]
    games = {name.removeprefix("stages/"): done.n for name, done in found.items()}
    landing = [stage for stage in stages.STAGES if stage.startswith("land_")]
    assert len(landing) == 3
    assert games == {"deal": 2, "play_random": 2, "record": 2, "play_duck": 8} | dict.fromkeys(
        landing, 8
    )
    assert landed[0] is not None
    assert (landed[0].first_block, landed[0].games, landed[0].deals) == (3, 8, 224)
    assert set(landed[0].files) == {"games", "deals", "doubles", "summary", "totals", "joint"}


def test_endings_are_the_last_cards_of_deals_that_no_other_round_has() -> None:
    rules = Rules(load_variant("yardstick"))
    trumps = rules.numbers.contract_names.index("trumps")
    every, late = (endings.duck_endings(rules, trumps, 4, n, at) for n, at in ((40, 0), (16, 24)))
    dealt = deal_hands(rules, key=run_key(work.SEED), blocks=np.arange(40, dtype=np.uint64))
    assert (np.bitwise_count(every.hands) == 4).all()
    assert (every.hands & ~dealt == 0).all()
    assert (every.hands[24:] == late.hands).all()
    assert (every.leaders[24:] == late.leaders).all()


def test_units_of_the_details() -> None:
    # One round at half the reference: times double, and convert back.
    figures = Figures(
        [1.7e6],
        [1.0],
        None,
        {
            "variants/barbu_52_doubling": [1000.0],
            "stages/deal": [1e5],
            "stages/land_digest": [1e5],
            "stages/land_parquet": [5e4],
            "stages/land_summary": [2e5],
            "endings/4/all/mean": [2e5],
            "endings/4/all/median": [2.5e5],
            "contracts/tricks": [8.5e5],
        },
    )
    answer = numbers(figures, None)
    assert answer["contracts"] == {"tricks": {"deals_per_s": 8.5e5, "ratio": 0.5}}
    assert answer["variants"] == {
        "barbu_52_doubling": {"games_per_s": 1000, "deals_per_s": 28_000, "ratio": 0.00058824}
    }
    assert answer["stages"] == {
        "deal": {"us_a_game": 10, "ns_a_deal": 357.14},
        "land_digest": {"us_a_game": 10, "ns_a_deal": 357.14},
        "land_summary": {"us_a_game": 5, "ns_a_deal": 178.57},
        "land_parquet": {"us_a_game": 20, "ns_a_deal": 714.29},
    }
    # 30 us for the 28 deals of a game, and 1 / 1.7e6 s for a bare one.
    assert answer["costs"] == {
        "landing": {"ns_a_deal": 1071.4, "ratio": 1.8214, "most": 2.0},
        "summary": {"ns_a_deal": 178.57, "ratio": 0.30357, "most": 0.5},
    }
    assert answer["endings"] == {
        "4": {
            "all": {
                "mean_us": 5,
                "mean_us_at_reference": 2.5,
                "median_us": 4,
                "median_us_at_reference": 2,
            }
        },
        "5": {},
    }
    assert answer["peers"] is None


def test_a_peer_that_is_not_there_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    there = peers.Peer("json", "json-package", lambda: (small("peers/json", []),))
    gone = peers.Peer("no_such_module", "no-such-package", lambda: (small("peers/gone", []),))
    monkeypatch.setattr(peers, "PEERS", (there, gone))
    assert [one.name for one in peers.installed()] == ["peers/json"]
    figures = Figures([100.0], [1.0], None, {"peers/json": [10.0]})
    assert numbers(figures, peers.missing())["peers"] == {
        "json": {"per_s": 10, "ratio": 0.1},
        "no_such_module": {"not_installed": "pip install no-such-package"},
    }
    (section,) = sections(figures, peers.missing())
    assert section.rows[0] == ["json", "10.0", "0.1000000"]
    assert "pip install no-such-package" in section.rows[1][0]
    assert max(len(row[0]) for row in section.rows) <= 60


def test_bench_prints_one_object_with_what_was_promised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module, name, least in (
        (work, "works", 60),
        (work, "kinds", 4),
        (stages, "stages", 1),
        (endings, "endings", 40),
    ):
        few = tuple(one._replace(least=least, share=0.0) for one in getattr(module, name)())
        monkeypatch.setattr(module, name, lambda few=few: few)
    monkeypatch.setattr(peers, "PEERS", (peers.Peer("no_such_module", "no-such-package", tuple),))
    assert main(["bench", "--json", "--seconds", "0.01"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(PROMISED) <= set(answer)
    for name in PROMISED[1:5]:
        assert answer[name] > 0
    assert set(answer["ratios"]) == set(answer["bars"])
    assert len(answer["contracts"]) == 7
    assert list(answer["variants"]) == list(BASE)
    assert list(answer["stages"]) == list(stages.STAGES)
    assert list(answer["costs"]) == ["landing", "summary"]
    assert list(answer["endings"]["5"]) == [*endings.CONTRACTS, "all"]
    assert answer["peers"] is None
    assert answer["build"]["kernel"] in ("baseline", "v3")
    assert main(["bench", "--peers", "--seconds", "0.01"]) == 0
    told = capsys.readouterr().out
    assert "no_such_module: not installed (pip install no-such-package)" in told
    assert max(map(len, told.splitlines())) <= 80
