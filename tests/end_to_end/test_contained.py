"""A strategy that misbehaves spoils neither the run nor the answer of the command, and is named."""

import json
import random
import signal
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest

from pipeline.cli import main
from pipeline.config import RunConfig
from pipeline.plan import Bounds
from pipeline.replay import Replayer
from pipeline.run import RunResult
from pipeline.run_file import load_run
from pipeline.store import Run
from pipeline.verify import verify
from strategies import registry
from tests.runs import cut_into, played, rows
from tests.samples import slowly

HEAD = '''
import os, random, sys, time
import numpy as np
from engine_ext import sets
from strategies import register

@register("rude.v1")
class Rude:
    """Misbehaves in the fourth trick of its third deal, in seat 1."""

    def play(self, view):
        if view.deal == 2 and view.n_tricks == 3 and view.seat == 1:
            {rude}
        return view.lowest()
'''
BATCHED = '''
import random
from engine_ext import sets
from strategies import register

@register("rude.v1")
class Rude:
    """Draws from everybody's numbers at every table."""

    batched = True

    def play(self, views):
        first = views.n_tricks == 3
        pick = [sets.lowest, sets.highest][random.random() < 0.5]
        return pick(views.legal)
'''
RUN = """
title = "x"
variants = ["barbu_king_br"]
seed = 1
blocks = 4
design = "lineups"
lineups = [["rude", "duck", "rude", "duck"]]
entrants = [{{ strategy = "rude.py:Rude", name = "rude" }}, {{ strategy = "duck.v1", name = "duck" }}]
{more}
"""
SEATED = 2 * 4
"""Games of the four blocks in which rude sits in seat 1: two of the four rotations."""


def run_file(folder: Path, rude: str, more: str = "") -> Path:
    text = rude if "class" in rude else HEAD.format(rude=rude)
    registry._MAKERS.pop("rude.v1", None)  # one of each test, all in this process
    folder = Path(mkdtemp(dir=folder))
    (folder / "rude.py").write_text(text, "utf-8")
    file = folder / "run.toml"
    file.write_text(RUN.format(more=more), "utf-8")
    return file


def config_of(folder: Path, rude: str, more: str = "") -> RunConfig:
    return load_run(run_file(folder, rude, more))


def conduct(result: RunResult) -> dict[str, tuple[str, int]]:
    return {one.kind: (one.entrant, one.n) for one in result.conduct}


def digest_of(folder: Path, config: RunConfig, **how: Any) -> str:
    return played(config, folder, **how)[1].digest


def test_whoever_prints_is_told_by_name_and_stdout_stays_the_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    quiet = digest_of(tmp_path / "quiet", config_of(tmp_path, "pass"))
    file = run_file(tmp_path, "print('{', view.deal); print('x', file=sys.stderr)")
    for executor in ("inline", "local"):
        out = tmp_path / executor
        words = ["run", str(file), "--out", str(out), "--json", "--executor", executor]
        assert main([*words, "--workers", "1"]) == 0
        told = capfd.readouterr()
        answer = json.loads(told.out)
        assert answer["fouls"] == 0
        assert answer["digest"] == quiet
        (one,) = answer["conduct"]
        assert (one["entrant"], one["kind"], one["n"]) == ("rude", "print", SEATED)
        assert one["first"] == r"barbu_king_br, deal 2, seat 1, play: '{ 2\nx\n'"
        assert told.err == f"rude printed {SEATED} times, first: {one['first']}\n"


def test_what_is_printed_past_python_lies_on_stderr(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = run_file(tmp_path, "os.write(1, b'{broken')")
    for executor in ("inline", "local"):
        words = ["run", str(file), "--out", str(tmp_path / executor), "--json"]
        assert main([*words, "--executor", executor, "--workers", "1"]) == 0
        told = capfd.readouterr()
        assert json.loads(told.out)["fouls"] == 0
        assert "{broken" in told.err


DRAWS = (
    "random.seed(4); return random.choice(view.cards)",
    # Draws from both, so that a process of its own is asked for both.
    "np.random.shuffle([1, 2, 3]); return view.cards[int(random.gauss(0, 9)) % len(view.cards)]",
    "return random.choice(view.cards)",
    "return view.cards[np.random.randint(len(view.cards))]",
)
CUTS: tuple[dict[str, Bounds] | None, ...] = (
    None,
    {"barbu_king_br": Bounds(blocks=1, parts=2)},
    {"barbu_king_br": Bounds(blocks=1, parts=1)},
    {"barbu_king_br": Bounds(blocks=4, parts=1)},
)


@pytest.mark.parametrize(
    ("draws", "cuts"),
    [*((draws, CUTS[:2]) for draws in DRAWS[:2]), *(slowly(draws, CUTS) for draws in DRAWS)],
)
def test_everybodys_random_numbers_give_the_same_run_however_it_is_cut(
    tmp_path: Path,
    draws: str,
    cuts: tuple[dict[str, Bounds] | None, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = config_of(tmp_path, draws)
    before = random.getstate(), np.random.get_state()[1].tobytes()  # type: ignore[index]
    digests = set()
    for n, bounds in enumerate(cuts):
        if bounds is not None:
            monkeypatch.setattr("pipeline.run.cut", lambda config, pace, b=bounds: b)
        random.seed(n)  # what others did to it before is nothing to a run
        there, result = played(config, tmp_path / str(n))
        assert conduct(result) == {"random": ("rude", SEATED)}
        assert "barbu_king_br, deal 2, seat 1, play" in str(result.conduct[0])
        assert result.fouls == 0
        digests.add(result.digest)
        assert verify(there).ok
        replayed = Replayer(there, None, load_strategies=True).play(block=2, table=0, rotation=1)
        assert replayed.kept is not None
        assert replayed.same
    random.setstate(before[0])
    assert len(digests) == 1
    if "gauss" in draws:
        how: dict[str, Any] = {"executor": "local", "workers": len(cuts) // 2}
        assert digests == {digest_of(tmp_path / "spawned", config, **how)}
    assert before[1] == np.random.get_state()[1].tobytes()  # type: ignore[index]


def test_a_batch_that_draws_from_everybodys_numbers_does_not_depend_on_the_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of(tmp_path, BATCHED)
    digests = set()
    for blocks in (1, 4):
        monkeypatch.setattr("pipeline.run.cut", lambda config, pace, b=blocks: cut_into(config, b))
        _, result = played(config, tmp_path / str(blocks))
        assert list(conduct(result)) == ["random"]
        digests.add(result.digest)
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("rude", "why"),
    [
        ("object.__setattr__(view.rules, 'seats', 7)", "Changed: the rules of a view"),
        ("object.__setattr__(view.rules.contracts[2], 'total', 7)", "Changed: the rules of a view"),
        ("view.legal = 0", "AttributeError: "),
        ("view.contract.total = 0", "FrozenInstanceError: "),
        ("raise ValueError('lost')", "ValueError: lost"),
        ("sys.exit(3)", "SystemExit: 3"),
        ("raise GeneratorExit", "GeneratorExit"),
    ],
)
def test_what_fails_or_changes_its_view_is_a_foul_of_its_own(
    tmp_path: Path, rude: str, why: str
) -> None:
    result = played(config_of(tmp_path, rude), tmp_path / "out")[1]
    assert result.fouls == SEATED
    assert conduct(result)["foul"] == ("rude", SEATED)
    assert why in result.first_fouls[0]
    assert "rude.v1 play in deal 2, seat 1" in result.first_fouls[0]
    assert ("rules" in conduct(result)) == why.startswith("Changed")
    # The default is what it would have played: nothing else came of it.
    quiet, there = (
        played(config_of(tmp_path, "pass"), tmp_path / "none")[0],
        Run.open(tmp_path / "out"),
    )
    keys = [f"score_{seat}" for seat in range(4)]
    one, other = ([[row[key] for key in keys] for row in rows(r, "games")] for r in (quiet, there))
    assert one == other


@pytest.mark.parametrize("endless", ["while True: pass", "time.sleep(60)", "time.sleep(.05)"])
def test_a_decision_beyond_its_budget_is_a_foul(tmp_path: Path, endless: str) -> None:
    timer = signal.getitimer(signal.ITIMER_REAL), signal.getsignal(signal.SIGALRM)
    config = config_of(tmp_path, endless, "budget_ms = 20")
    executors = ("inline", "local") if "True" in endless else ("inline",)
    for executor in executors:
        result = played(config, tmp_path / executor, executor=executor, workers=1)[1]
        assert conduct(result) == {"foul": ("rude", SEATED), "late": ("rude", SEATED)}
        assert "want at most 20" in result.first_fouls[0]
    assert signal.getsignal(signal.SIGALRM) == timer[1]
    quick = config_of(tmp_path, "pass", "budget_ms = 5000")
    assert played(quick, tmp_path / "quick")[1].conduct == ()


def test_a_strategy_that_catches_everything_is_late_all_the_same(tmp_path: Path) -> None:
    stubborn = "\n            ".join(
        ("until = time.monotonic() + 0.06", "while time.monotonic() < until:",
         "    try: time.sleep(0.06)", "    except BaseException: pass")
    )  # fmt: skip
    result = played(config_of(tmp_path, stubborn, "budget_ms = 20"), tmp_path / "out")[1]
    assert conduct(result) == {"foul": ("rude", SEATED), "late": ("rude", SEATED)}


@pytest.mark.parametrize("budget", ["0", "-1", "true", '"fast"', "nan"])
def test_a_budget_that_is_none_is_refused(
    tmp_path: Path, budget: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = run_file(tmp_path, "pass", f"budget_ms = {budget}")
    assert main(["plan", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {file}: budget_ms: ")


@pytest.mark.parametrize(
    ("rude", "why"),
    [
        ("return random.choice(view.cards)", "rude drew from everybody's random numbers"),
        ("object.__setattr__(view.rules, 'seats', 7)", "rude.v1 play in deal 2, seat 1: Changed"),
        ("time.sleep(60)", "rude.v1 play in deal 2, seat 1: Late"),
    ],
)
def test_a_run_that_stops_at_fouls_stops_there_by_name(
    tmp_path: Path, rude: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = run_file(tmp_path, rude, 'foul = "stop"\nbudget_ms = 30')
    assert main(["run", str(file), "--out", str(tmp_path / "out"), "--executor", "inline"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: stopped at a foul: ")
    assert why in told
    assert told.count("\n") == 1


def test_while_one_writes_a_strategy_its_prints_are_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = run_file(tmp_path, "print('here I am')", 'foul = "stop"')
    out = tmp_path / "out"
    assert main(["run", str(file), "--out", str(out), "--json", "--executor", "inline"]) == 0
    told = capfd.readouterr()
    assert json.loads(told.out)["conduct"][0]["n"] == SEATED
    # Those of the pilot, and each of the run once.
    assert told.err.count("here I am\n") >= SEATED
    assert sys.stdout is not None


def test_a_report_names_who_did_what(tmp_path: Path) -> None:
    from reports.commands import write

    played(config_of(tmp_path, "print(1); return 63"), tmp_path / "out")
    page = write(tmp_path / "out", tmp_path / "page.html").read_text("utf-8")
    assert f"rude fouled (an illegal or failed answer) {SEATED} times, first: barbu_king_br" in page
    assert f"rude printed {SEATED} times" in page


def test_a_run_of_an_earlier_version_has_no_conduct_and_opens(tmp_path: Path) -> None:
    import polars as pl

    there, result = played(config_of(tmp_path, "print(1)"), tmp_path / "out")
    shards = pl.read_parquet(there.folder / "shards.parquet")
    assert {one["entrant"] for told in shards["conduct"].to_list() for one in told} == {"rude"}
    assert sum(one.n for r in there.receipts().values() for one in r.conduct) == SEATED
    assert conduct(result) == {"print": ("rude", SEATED)}
    shards.drop("conduct").write_parquet(there.folder / "shards.parquet")
    assert all(receipt.conduct == () for receipt in there.receipts().values())
    assert verify(there).ok
