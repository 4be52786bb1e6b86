"""Every attempt at a question is written down, whatever became of it."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from pipeline import ledger
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.opening import new_manifest
from pipeline.plan import Bounds
from pipeline.run import resume, run
from pipeline.store import Run
from pipeline.stores import StoreError
from strategies import registry
from strategies.registry import create
from tests.runs import BASE, entrants, played, small


def asked(folder: Path) -> list[dict[str, Any]]:
    return pl.read_parquet(folder / "ledger.parquet").to_dicts()


def of(**changes: Any) -> RunConfig:
    return small(**{"variants": BASE[:1]} | changes)


MINE = """class Mine:
    def __repr__(self):
        return "mine.v1"

    def play(self, view):
        return view.{answer}()
"""


def question(config: RunConfig, variant: str = BASE[0]) -> str:
    names = {entrant.label: repr(create(entrant.strategy)) for entrant in config.entrants}
    bounds = {named.name: Bounds(blocks=1, parts=1) for named in config.variants}
    return ledger.question(new_manifest(config, bounds, names), variant)


def test_another_seed_or_more_blocks_is_another_attempt_at_the_same(tmp_path: Path) -> None:
    first, second, third = of(), of(seed=8), of(blocks=4)
    numbers = []
    for i, config in enumerate((first, second, third, first)):
        there, result = played(config, tmp_path / str(i))
        numbers.append((result.attempts[0].number, round(result.attempts[0].alpha_spent, 9)))
        assert there.manifest.decided[0].attempt == result.attempts[0].number
    assert numbers == [(1, 0.05), (2, 0.1), (3, 0.15), (1, 0.05)]
    rows = asked(tmp_path)
    assert len(rows) == 3
    assert len({row["question"] for row in rows}) == 1
    assert [(row["seed"], row["cap"], row["blocks"]) for row in rows] == [
        (7, 3, 3),
        (8, 3, 3),
        (7, 4, 4),
    ]
    assert rows[0]["words"] == f"duck.v1 against the mean of its tables, lineups, {BASE[0]}"
    assert all(row["decision"] in ("better", "open") for row in rows)


@pytest.mark.parametrize(
    "change",
    [
        {"variants": BASE[1:2]},
        {"lineups": (("duck.v1", "random.v1", "random.v1", "random.v1"),)},
        {"claim": {"entrant": "random.v1"}},
        {"claim": {"against": "random.v1"}},
        {"streams": "independent"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_other_rules_line_ups_or_claims_are_another_question(change: dict[str, Any]) -> None:
    variant = change.get("variants", BASE)[0]
    same = question(of(seed=3, blocks=100, stop={"rule": "decided"}, title="x"))
    assert question(of()) == same
    assert question(of(**change), variant) != same


def test_names_ask_nothing() -> None:
    named = of(
        entrants=({"strategy": "duck.v1", "name": "ann"}, {"strategy": "random.v1", "name": "bob"}),
        lineups=(("ann", "bob", "bob", "bob"), ("ann", "ann", "bob", "bob")),
    )
    assert question(named) == question(of())


def test_an_order_that_decides_nothing_asks_nothing() -> None:
    turned = (
        ("duck.v1", "random.v1", "random.v1", "duck.v1"),
        ("random.v1", "random.v1", "duck.v1", "random.v1"),
    )
    assert question(of(lineups=turned)) == question(of())
    apart = (turned[1], ("duck.v1", "random.v1", "duck.v1", "random.v1"))
    assert question(of(lineups=apart)) != question(of())
    four, claim = entrants("duck.v1", "random.v1", "count.v1", "lowest.v1"), {"entrant": "duck.v1"}
    for design, who in (("table", four), ("full", four), ("round_robin", (*four, extra()))):
        forwards = of(design=design, lineups=(), entrants=who, claim=claim)
        backwards = of(design=design, lineups=(), entrants=who[::-1], claim=claim)
        assert question(forwards) == question(backwards)
        other = of(design=design, lineups=(), entrants=who, claim={"entrant": "count.v1"})
        assert question(other) != question(forwards)


def extra() -> Entrant:
    return Entrant(strategy="play=duck.v1, choose=random.v1", name="blind")


def test_words_and_spelling_ask_nothing() -> None:
    default = entrants("slips.v1(of=duck.v1)", "random.v1")
    spelled = (Entrant(strategy="slips.v1(misplay=0.01, of=duck.v1)", name="slips.v1(of=duck.v1)"),)
    lineups = (("slips.v1(of=duck.v1)", *["random.v1"] * 3),)
    one = of(entrants=default, lineups=lineups)
    assert question(one) == question(of(entrants=spelled + default[1:], lineups=lineups))
    other = entrants("slips.v1(revoke=0.5)", "random.v1")
    assert question(one) != question(
        of(entrants=other, lineups=(("slips.v1(revoke=0.5)", *["random.v1"] * 3),))
    )
    rules = load_variant(BASE[0])
    words = NamedVariant(name=BASE[0], rules=rules.model_copy(update={"title": "Mine"}))
    assert question(of(variants=(words,))) == question(of())


def test_a_player_whose_file_was_edited_is_another_attempt_on_the_same_seed(
    tmp_path: Path,
) -> None:
    file, numbers = tmp_path / "mine.py", []
    mine = (Entrant(strategy=f"{file}:Mine", name="mine"), *entrants("random.v1"))
    config = of(entrants=mine, design="gauntlet", lineups=())
    for i, answer in enumerate(("lowest", "highest", "lowest", "lowest")):
        file.write_text(MINE.format(answer=answer))
        registry._FILES.clear()
        there, result = played(config, tmp_path / str(i))
        numbers.append(result.attempts[0].number)
        assert result.decided[0].attempt == numbers[-1] == there.manifest.decided[0].attempt
        assert ledger.number_of(there, BASE[0]) == numbers[-1]
    assert numbers == [1, 2, 1, 1]
    assert [row["attempt"] for row in asked(tmp_path)] == [1, 2]
    with pytest.raises(StoreError, match="is not the file that the run was begun with"):
        resume(tmp_path / "1", executor="inline")
    file.write_text(MINE.format(answer="highest"))
    registry._FILES.clear()
    assert resume(tmp_path / "1", executor="inline").attempts[0].number == 2


def test_a_run_that_was_broken_off_has_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("pipeline.driving.Driver.play", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run(of(), tmp_path / "first", executor="inline")
    (row,) = asked(tmp_path)
    assert (row["attempt"], row["blocks"], row["decision"]) == (1, None, None)
    assert played(of(seed=8), tmp_path / "second")[1].attempts[0].number == 2
    assert resume(tmp_path / "first", executor="inline").attempts[0].number == 1
    assert [row["decision"] for row in asked(tmp_path)] == ["better", "better"]


def test_a_study_and_who_sits_nowhere_ask_nothing(tmp_path: Path) -> None:
    three = entrants("count.v1", "duck.v1", "random.v1")
    _, result = played(of(entrants=three), tmp_path / "run")
    assert (result.decided, result.attempts) == ((), ())
    assert not (tmp_path / "ledger.parquet").exists()


@pytest.mark.parametrize("kind", ["damaged", "other", "folder"])
def test_a_ledger_that_cannot_be_read_ends_a_run_before_it_begins(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "ledger.parquet"
    if kind == "damaged":
        path.write_bytes(b"PAR1 no more")
    elif kind == "other":
        pl.DataFrame({"x": [1]}).write_parquet(path)
    else:
        path.mkdir()
    with pytest.raises(StoreError, match=r"ledger\.parquet.*move it away") as refused:
        run(of(), tmp_path / "run", executor="inline")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "run" / "manifest.json").exists()
    path.rmdir() if kind == "folder" else path.unlink()
    played(of(), tmp_path / "run")


def test_a_ledger_that_breaks_at_the_end_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.parquet"
    finish = ledger.complete

    def broken(there: Run) -> None:
        path.write_bytes(b"nothing")
        finish(there)

    with monkeypatch.context() as at_the_end:
        at_the_end.setattr("pipeline.ledger.complete", broken)
        with pytest.raises(StoreError, match=r"the run is whole, barbu resume .*/run writes its"):
            run(of(), tmp_path / "run", executor="inline")
    assert Run.open(tmp_path / "run").manifest.status == "complete"
    path.unlink()
    resume(tmp_path / "run", executor="inline")
    assert [row["decision"] for row in asked(tmp_path)] == ["better"]


def test_several_variants_are_several_questions(tmp_path: Path) -> None:
    _, result = played(small(BASE[:2]), tmp_path / "run")
    assert [(a.variant, a.number, a.alpha_spent) for a in result.attempts] == [
        (BASE[0], 1, 0.025),
        (BASE[1], 1, 0.025),
    ]
    assert {row["question"] for row in asked(tmp_path)} == {
        question(small(BASE[:2]), name) for name in BASE[:2]
    }
