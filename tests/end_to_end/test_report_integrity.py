"""What a page says of its own run: replays, fouls, what counts; nothing that was not looked at."""

from pathlib import Path

import pytest

from pipeline.manifest import Audited, SetAside
from pipeline.run import run as play
from pipeline.run_file import load_run
from pipeline.store import Run
from reports.reading import opened
from reports.section import Answer, Tables
from reports.sections.integrity import Integrity
from tests.end_to_end.test_audit import run_file

VARIANT = "king_ru_fixed14"


def told(folder: Path) -> tuple[Tables, Answer]:
    with opened(folder, load_strategies=True) as run:
        tables = Integrity().compute(run, VARIANT)
        return tables, Integrity().render(tables, run.rules(VARIANT))


@pytest.fixture
def steady(tmp_path: Path) -> Path:
    out = tmp_path / "run"
    play(load_run(run_file(tmp_path, "Steady")), out, executor="inline")
    return out


def test_a_run_that_repeats_itself_is_not_called_better_than_it_was_looked_at(
    steady: Path,
) -> None:
    tables, answer = told(steady)
    at_end, again = tables["replayed"].to_dicts()
    (kept,) = Run.open(steady).manifest.audited
    assert (at_end["blocks"], at_end["games"]) == (len(kept.blocks), kept.games) == (1, 8)
    assert (at_end["differing"], again["differing"]) == (0, 0)
    # One good block in one: a share of 95 % bad ones would have passed with 5 %.
    assert at_end["bound"] == pytest.approx(0.95)
    assert answer.finding.startswith("Nothing is amiss in what was looked at.")
    assert "says little, but surely fewer than 95.0 % of all blocks" in answer.finding
    assert "Nobody fouled." in answer.finding
    assert "all 40 blocks that were planned" in answer.finding


def test_who_does_not_repeat_himself_stands_in_the_first_sentence(tmp_path: Path) -> None:
    out = tmp_path / "run"
    play(load_run(run_file(tmp_path, "Fickle")), out, executor="inline")
    tables, answer = told(out)
    assert answer.finding.startswith("Do not trust this run: of 16 games that were played again")
    assert "he, duck and random sat in all of them" in answer.finding
    assert all(row["differing"] > 0 for row in tables["replayed"].to_dicts())
    assert tables["replayed"]["bound"].to_list() == [None, None]
    assert any("came out otherwise" in one.caption for one in answer.listings)


def test_who_says_that_he_is_timed_is_left_out_by_name(tmp_path: Path) -> None:
    out = tmp_path / "run"
    play(load_run(run_file(tmp_path, "Honest")), out, executor="inline")
    _, answer = told(out)
    assert "he: not replayable: says that it is timed" in answer.finding
    assert "Do not trust" not in answer.finding


def test_a_strategy_that_is_not_here_any_more_is_left_out_without_its_path(
    steady: Path, tmp_path: Path
) -> None:
    (tmp_path / "fickle.py").unlink()
    _, answer = told(steady)
    assert "he: not replayable: cannot be had here." in answer.finding
    assert str(tmp_path) not in repr(answer)


def test_a_run_that_was_not_audited_is_not_said_to_be(steady: Path) -> None:
    Run.open(steady).with_manifest(audited=())
    tables, answer = told(steady)
    assert tables["replayed"]["when"].to_list() == ["for this page"]
    assert "was not audited at its end" in answer.finding


def test_a_run_without_any_replay_claims_nothing(
    steady: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = Audited(variant=VARIANT, blocks=(), games=0, elsewhere=0, differing=())
    monkeypatch.setattr(
        "reports.sections.integrity.audit_again", lambda _, load_strategies: (none,)
    )
    Run.open(steady).with_manifest(audited=(none,))
    _, answer = told(steady)
    assert answer.finding.startswith("No game was played again")


def test_the_page_does_not_tell_machines_or_workers(steady: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    play(load_run(tmp_path / "Steady.toml"), other, executor="local", workers=2)
    (tables, answer), (others, again) = told(steady), told(other)
    assert answer == again
    assert all(tables[name].equals(others[name]) for name in tables)
    assert "inline" not in repr(answer)


def test_fouls_are_counted_by_entrant(tmp_path: Path) -> None:
    source = "class Wrong:\n    def play(self, view):\n        return 99\n\n"
    source += '    def __repr__(self):\n        return "wrong.v1"\n'
    path = run_file(tmp_path, "Wrong")
    (tmp_path / "fickle.py").write_text(source, "utf-8")
    out = tmp_path / "run"
    play(load_run(path), out, executor="inline")
    tables, answer = told(out)
    fouls = {row["entrant"]: row for row in tables["fouls"].to_dicts()}
    manifest = Run.open(out).manifest
    assert fouls["he"]["fouls"] == manifest.fouls > 0
    assert fouls["he"]["seat_games"] == 40 * 4
    assert fouls["duck"]["fouls"] == 0
    assert "Fouls: he" in answer.finding
    assert "the default answer was played and the game counts" in answer.finding


def test_an_unfinished_run_says_what_counts(steady: Path) -> None:
    Run.open(steady).with_manifest(status="interrupted", digest=None, audited=())
    tables, answer = told(steady)
    assert tables["replayed"].is_empty()
    assert "The run is not finished: blocks 0 to 39 of 40 count" in answer.finding


def test_a_run_with_shards_set_aside_says_so(steady: Path) -> None:
    run = Run.open(steady)
    variant = run.manifest.config.variants[0].name
    aside = SetAside(
        variant=variant, shard=9, first_block=9, n_blocks=1, tries=3, causes=("x",) * 3
    )
    run.with_manifest(status="incomplete", digest=None, audited=(), set_aside=(aside,))
    assert (
        "The run is incomplete, since shards of it could not be played" in told(steady)[1].finding
    )
