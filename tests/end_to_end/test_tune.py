"""``barbu tune``: found, proved, and the same whoever plays and wherever it is cut."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from engine_ext.rules.load import load_variant
from pipeline.cli import main
from pipeline.progress import Bar
from pipeline.stores import store_at
from pipeline.tuning.outcome import Outcome
from tests.s3 import BUCKET, Server, environment
from tests.tuning_files import CHOICES, MEND, SCALES, written

Barbu = Callable[..., tuple[int, str, str]]
FILES = ("tuning.json", "alike.toml", "report.html")


def files(folder: Path) -> dict[str, bytes]:
    """What a tuning leaves beside its runs."""
    return {name: (folder / name).read_bytes() for name in FILES}


def outcome(folder: Path) -> Outcome:
    return Outcome.model_validate_json((folder / "tuning.json").read_bytes())


@pytest.fixture(scope="module")
def scales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a tuning by re-scoring has been carried out, its file beside it."""
    folder = tmp_path_factory.mktemp("scales")
    file, done = written(folder), folder / "done"
    assert main(["tune", str(file), "--out", str(done), "--executor", "inline"]) == 0
    return done


def test_a_seat_that_leads_every_deal_is_found_and_mended(tmp_path: Path, barbu: Barbu) -> None:
    file, out = written(tmp_path, MEND), tmp_path / "mend"
    code, told, err = barbu("tune", file, "--out", out, "--executor", "inline")
    assert (code, err) == (0, "")
    found = outcome(out)
    assert (found.settings[0].parent, found.settings[0].winner) == (4, 1)
    (effect,) = found.effects
    assert (effect.objective, effect.verdict) == ("seat_fairness", "better")
    assert effect.parent.low is not None
    assert effect.parent.low > 2
    assert effect.winner.low is not None
    assert effect.winner.low < 1
    # Duck does not go by points, so that among those who do not adapt it is just the same.
    assert effect.gap is not None
    assert (effect.held_by, effect.gap.kind) == ("unadapted", "identical")
    assert found.by == "playing"
    assert found.why_played is not None
    assert "dealership" in found.why_played
    assert load_variant(out / "mended.toml").schedule == found.winner.schedule

    sensed = {(one.knob, one.objective): one for one in found.sensed}
    dummy = sensed[1, "seat_fairness"]
    assert (dummy.mu_star, dummy.sigma) == (0.0, 0.0)
    assert (sensed[0, "seat_fairness"].mu_star or 0) > 2
    assert [setting.frozen for setting in found.settings] == [False, True]
    assert "better" in told
    assert max(map(len, told.splitlines()[:-5])) < 80


def test_points_alone_are_held_by_re_scoring(scales: Path) -> None:
    found = outcome(scales)
    assert (found.by, found.why_played) == ("rescoring", None)
    assert [run.path for run in found.runs] == [
        "base-r0-games", "base-r1-games", "fresh-pick-games", "fresh-judge-games",
    ]  # fmt: skip
    (effect,) = found.effects
    assert effect.gap is not None
    assert (effect.held_by, effect.gap.kind) == ("rescored", "identical")
    assert effect.held == effect.effect.model_copy(
        update={key: getattr(effect.held, key) for key in ("low", "high", "kind")}
    )


def test_who_plays_and_where_it_was_cut_does_not_show(
    tmp_path: Path, scales: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, two, cut = scales.parent / "tuning.toml", tmp_path / "two", tmp_path / "cut"
    assert barbu("tune", file, "--out", two, "--workers", 2)[0] == 0
    assert files(two) == files(scales)

    for stage in ("search", "pick", "judge"):
        with monkeypatch.context() as patch:
            patch.setattr(Bar, "stage", partial(cut_off, at=stage))
            code, _, err = barbu("tune", file, "--out", cut, "--executor", "inline")
        assert code == 130
        assert f"barbu tune {file} --out {cut} goes on" in err
        assert not (cut / "tuning.json").exists()
    assert barbu("tune", file, "--out", cut, "--executor", "inline")[0] == 0
    assert files(cut) == files(scales)


def test_a_tuning_lies_in_a_bucket_too(scales: Path, barbu: Barbu) -> None:
    file, out = scales.parent / "tuning.toml", f"s3://{BUCKET}/clubs/scales"
    server = Server()
    try:
        with environment(server):
            server.empty()
            assert barbu("tune", file, "--out", out)[0] == 0
            there = store_at(out)
            assert {name: there.get(name) for name in FILES} == files(scales)
            assert barbu("tune", file, "--out", out)[0] == 0
    finally:
        server.end()


def cut_off(name: str, *, at: str) -> None:
    """Ctrl-C when a stage begins."""
    if name == at:
        raise KeyboardInterrupt


def test_asked_again_it_is_told_again_and_nothing_is_played(scales: Path, barbu: Barbu) -> None:
    before = {path: path.stat().st_mtime_ns for path in scales.rglob("*.parquet")}
    code, told, _ = barbu("tune", scales.parent / "tuning.toml", "--out", scales, "--json")
    assert code == 0
    said = json.loads(told)
    assert Outcome.model_validate(said["outcome"]) == outcome(scales)
    assert {path: path.stat().st_mtime_ns for path in scales.rglob("*.parquet")} == before


def test_what_somebody_took_away_or_damaged_is_made_again(
    tmp_path: Path, scales: Path, barbu: Barbu
) -> None:
    file, out, whole = scales.parent / "tuning.toml", tmp_path / "copy", files(scales)
    shutil.copytree(scales, out)
    (out / "alike.toml").unlink()
    (out / "report.html").unlink()
    assert barbu("tune", file, "--out", out)[0] == 0
    assert files(out) == whole

    told = (out / "tuning.json").read_bytes()
    (out / "tuning.json").write_bytes(told[:300])
    for words in (("tune", file, "--out", out), ("report", out)):
        code, _, err = barbu(*words)
        assert code == 2
        assert f"{out}/tuning.json: damaged: " in err
        assert "(without it barbu tune makes it anew from the runs)" in err
    (out / "tuning.json").unlink()
    code, _, err = barbu("report", out)
    assert (code, err.count("\n")) == (2, 1)
    assert f"{out}: is a tuning that is not finished (barbu tune FILE --out" in err
    assert barbu("tune", file, "--out", out, "--executor", "inline")[0] == 0
    assert files(out) == whole


def test_another_file_in_the_same_folder_is_refused(
    tmp_path: Path, scales: Path, barbu: Barbu
) -> None:
    before = files(scales)
    other = written(tmp_path, SCALES.replace("games = 60, finalists", "games = 70, finalists"))
    code, told, err = barbu("tune", other, "--out", scales)
    assert (code, told) == (2, "")
    assert err.count("\n") == 1
    assert f"{scales}: holds another tuning: fresh is not that of the tuning file" in err
    assert files(scales) == before


def test_where_only_the_parent_can_be_that_is_told(tmp_path: Path, barbu: Barbu) -> None:
    text = SCALES.replace("[41]", "[40]").replace("[-2]", "[-1]")
    file, out = written(tmp_path, text), tmp_path / "out"
    code, told, err = barbu("tune", file, "--out", out, "--executor", "inline")
    assert (code, err) == (0, "")
    assert len(outcome(out).candidates) == 1
    assert not (out / "alike.toml").exists()
    assert (out / "report.html").exists()
    assert "no variant file" in told


def test_a_date_is_no_value_of_a_rule(scales: Path, barbu: Barbu) -> None:
    ask = "contracts.first_last.terms[0].points=[1979-05-27]"
    code, _, err = barbu("tune", scales.parent / "tuning.toml", "--out", scales, "--what-if", ask)
    assert code == 2
    assert "contracts.first_last.terms[0].points: [1979-05-27] is a date or a time" in err


def test_a_question_is_answered_from_stored_games(scales: Path, barbu: Barbu) -> None:
    file, before = scales.parent / "tuning.toml", sorted(scales.glob("*/manifest.json"))
    ask = ("tune", file, "--what-if", "contracts.take_tricks.include[0].times=-2")
    code, told, _ = barbu(*ask, "--out", scales, "--json")
    assert code == 0
    (answer,) = json.loads(told)["answers"]
    # The same figures as the search had of this candidate, on the same games.
    (same,) = (one for one in outcome(scales).candidates if one.values == (40, -2))
    assert same.rounds == 1
    assert answer["candidate"] == same.figures["scale_balance"].model_dump()
    assert (answer["verdict"], answer["candidate"]["blocks"]) == ("better", 80)

    code, told, _ = barbu(*ask, "--run", scales / "base-r1-games", "--json")
    (other,) = json.loads(told)["answers"]
    assert (other["verdict"], other["candidate"]["blocks"]) == ("better", 40)
    assert sorted(scales.glob("*/manifest.json")) == before
    code, told, _ = barbu(*ask, "contracts.first_last.terms[0].points=45", "--out", scales)
    assert code == 0
    assert "scale_balance" in told


def test_a_question_before_the_tuning_plays_the_base_first(tmp_path: Path, barbu: Barbu) -> None:
    file, out = written(tmp_path), tmp_path / "out"
    ask = ("tune", file, "--what-if", "contracts.first_last.terms[0].points=20", "--out", out)
    code, _, err = barbu(*ask, "--executor", "inline")
    assert code == 0
    assert "they are played first" in err
    assert [path.name for path in out.glob("*-games")] == ["base-r0-games"]
    code, _, err = barbu(*ask)
    assert (code, err) == (0, "")


def test_choices_are_solved_anew_and_told_from_a_study(tmp_path: Path, barbu: Barbu) -> None:
    file, out = written(tmp_path, CHOICES), tmp_path / "out"
    assert barbu("tune", file, "--out", out, "--executor", "inline")[0] == 0
    found = outcome(out)
    assert found.by == "rescoring"
    assert {effect.objective: effect.held_by for effect in found.effects} == {
        "choice_entropy": "rescored",
        "scale_balance": "rescored",
    }
    for side in ("parent", "winner"):
        assert sum(found.shares[side].values()) == pytest.approx(1)

    ask = ("tune", file, "--what-if", "contracts.queens.terms[0].points=-20", "--json")
    both = json.loads(barbu(*ask, "--out", out)[1])["answers"]
    assert [one["missing"] for one in both] == [None, None]
    choice, scale = both
    _, other = json.loads(barbu(*ask, "--run", out / "base-r0-games")[1])["answers"]
    # Alone it is told with an interval of its own.
    assert other["candidate"] == scale["candidate"]
    assert other["effect"]["value"] == scale["effect"]["value"]
    study, _ = json.loads(barbu(*ask, "--run", out / "base-r0-choices")[1])["answers"]
    assert study["candidate"] == choice["candidate"]
    lacks, _ = json.loads(barbu(*ask, "--run", out / "base-r0-games")[1])["answers"]
    assert "barbu study value" in lacks["missing"]


def test_a_run_of_other_rules_is_no_answer(scales: Path, tmp_path: Path, barbu: Barbu) -> None:
    file = written(tmp_path, SCALES.replace('"barbu_king_br"', '"barbu_king_br_honour"'))
    ask = ("tune", file, "--what-if", "contracts.first_last.terms[0].points=20")
    code, _, err = barbu(*ask, "--run", scales / "base-r0-games")
    assert code == 2
    assert "holds t0000, not the rules of barbu_king_br_honour" in err


def test_a_question_that_stored_games_cannot_answer_is_refused(scales: Path, barbu: Barbu) -> None:
    file = scales.parent / "tuning.toml"
    salad = "contracts.salad.include[0].times=2"
    code, told, err = barbu("tune", file, "--out", scales, "--what-if", salad)
    assert (code, told) == (1, "")
    assert "contracts.salad" in err
    assert "barbu tune plays it" in err


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("tune",), "FILE: say which tuning"),
        (("tune", "FILE"), "--out: say where"),
        (("tune", "FILE", "a=1"), "a=1: changes go with --what-if"),
        (("tune", "FILE", "--run", "x"), "--run: goes with --what-if"),
        (("tune", "FILE", "--what-if", "a=1", "--out", "x", "--run", "y"), "--run: not with --out"),
        (("tune", "FILE", "--what-if", "a", "--out", "x"), "want KEY=VALUE"),
        (("tune", "FILE", "--what-if", "doubling.duty=all", "--out", "x"), "a word in quotes"),
        (("tune", "FILE", "--what-if", "a=1", "a=2", "--out", "x"), "a: stands twice"),
        (("tune", "FILE", "--what-if", "contracts.nono.total=1", "--out", "x"), "nono"),
        (("tune", "FILE", "--out", "FOLDER"), "is not empty"),
    ],
)
def test_mistakes_are_told_in_a_line(
    tmp_path: Path, barbu: Barbu, words: tuple[str, ...], wrong: str
) -> None:
    named = {"FILE": str(written(tmp_path)), "FOLDER": str(tmp_path)}
    code, told, err = barbu(*(named.get(word, word) for word in words))
    assert (code, told) == (2, "")
    assert wrong in err
    assert err.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_all_objectives_are_listed(barbu: Barbu) -> None:
    code, told, _ = barbu("tune", "--objectives", "--json")
    assert code == 0
    names = [one["name"] for one in json.loads(told)["objectives"]]
    code, told, _ = barbu("tune", "--objectives")
    assert code == 0
    assert "seat_fairness" in names
    assert all(name in told for name in names)
    assert max(map(len, told.splitlines())) < 80
