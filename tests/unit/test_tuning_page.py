"""The page of a tuning says what the outcome holds: no more, in words, the same every time."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from pydantic import JsonValue

from engine_ext.errors import UserError
from pipeline.cli import main
from pipeline.stores import store_at
from pipeline.tuning import objectives
from pipeline.tuning.file import Wanted
from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives import Objective
from pipeline.tuning.outcome import Outcome, write_outcome
from reports.columns import meaning
from reports.frames import estimates
from reports.tuning.brings import Brings
from reports.tuning.change import Change
from reports.tuning.chosen import Chosen
from reports.tuning.course import Course
from reports.tuning.front import Front
from reports.tuning.matters import Matters
from reports.tuning.page import tuning_page
from reports.tuning.told import sources, told
from reports.tuning.topics import TOPICS
from reports.tuning.trust import Trust
from reports.tuning.wording import Aimed, aims, said
from tests.outcomes import KNOBS, OBJECTIVES, outcome

MINUS = "\N{MINUS SIGN}"


def title(name: str) -> str:
    """What the page calls an objective."""
    return aims(outcome())[name].title


SEATS, SCALES, CHOICES = map(title, OBJECTIVES)


@pytest.fixture(scope="module")
def found() -> Outcome:
    return outcome()


@pytest.fixture(scope="module")
def kept() -> Outcome:
    return outcome(better=False)


def finding(topic: Any, one: Outcome) -> str:
    return str(topic.render(topic.compute(one), one).finding)


def cells(topic: Any, one: Outcome, caption: str) -> tuple[tuple[str, ...], ...]:
    listings = topic.render(topic.compute(one), one).listings
    (rows,) = (each.rows for each in listings if each.caption.startswith(caption))
    return tuple(rows)


def words(page: str) -> str:
    """The page without drawings and tags."""
    body = page[page.index("<body>") :]
    return re.sub(r"<[^>]+>", " ", re.sub(r"<script.*?</script>", "", body, flags=re.DOTALL))


def test_a_page_read_from_the_store_has_the_same_bytes(found: Outcome) -> None:
    page = tuning_page(found)
    assert tuning_page(Outcome.model_validate_json(found.model_dump_json())) == page
    for topic in TOPICS:
        assert f'id="{topic.name}" tabindex' in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert "/tmp" not in words(page)


def test_every_column_is_described(found: Outcome) -> None:
    for source in sources(told(found)):
        assert source.tables
        for name, table in source.tables.items():
            assert len(table)
            for column in table.columns:
                assert meaning(column), f"{source.name}/{name}: {column}"


def test_what_changes_is_told_and_nothing_else(found: Outcome) -> None:
    titles = [title for title, _ in KNOBS.values()]
    said_ = finding(Change(), found)
    assert f"{titles[0]}, from 0 to 20; {titles[1]}, from {MINUS}15 to {MINUS}25" in said_
    assert said_.startswith("2 of 5 knobs are turned. ")
    assert titles[2] not in said_
    # By hand: a declarer's queens cost 40 more, twice (All together), two layouts bring 20 more.
    assert f"add up to {MINUS}640 (before: {MINUS}480)" in said_
    assert "multiples of 5, at most 3 changes" in said_
    sums = {row[0]: row[1:] for row in cells(Change(), found, "What the points")}
    assert sums["No queens"] == (f"{MINUS}60", f"{MINUS}100")
    assert sums["all deals of one declarer"] == (f"{MINUS}120", f"{MINUS}160")
    assert "No tricks" not in sums
    rules = {row[0]: row[1:] for row in cells(Change(), found, "The rules in words")}
    (was, becomes) = next(told for part, told in rules.items() if part.startswith("No queens"))
    assert was.startswith(f"{MINUS}15 for each queen")
    assert becomes.startswith(f"{MINUS}25 for each queen")
    every = cells(Change(), found, "All that might")
    assert [row[2] for row in every] == ["20", f"{MINUS}25", "stays", "stays", "stays"]
    assert [row[3] for row in every] == ["no"] * 4 + ["yes"]


def test_where_nothing_is_better_the_rules_stay(kept: Outcome) -> None:
    page = words(tuning_page(kept))
    assert "Keep Barbu with r\N{LATIN SMALL LETTER E WITH ACUTE}ussite (France) as it is" in page
    assert "barbu rules check" not in page
    assert f"candidate {kept.judged_number} (" in page
    assert "Surely better:" not in page
    broken = kept.candidates[0].model_copy(update={"fulfils": False})
    other = kept.model_copy(update={"candidates": (broken, *kept.candidates[1:])})
    assert "do not fulfil what had to hold" in tuning_page(other)
    assert "do not fulfil what had to hold" not in page


def test_an_effect_within_its_gap_is_no_conclusion(found: Outcome) -> None:
    lines = finding(Brings(), found).splitlines()
    assert lines[0].startswith(f"Surely better: {SEATS} (from 4.20 to ")
    assert lines[1].startswith("No conclusion, since players who adapt")
    assert SCALES in lines[1]
    assert lines[2].startswith(f"Not decided: {CHOICES}")
    verdicts = [row[-1] for row in cells(Brings(), found, "What it brings")]
    assert verdicts == ["surely better", "no conclusion", "not decided"]
    assert "surely better in 1 of 3 objectives" in tuning_page(found)


def test_rules_that_had_to_change_are_told_from_rules_that_are_better(found: Outcome) -> None:
    assert "weighed together, on deals" not in tuning_page(found)
    loss = found.judged_loss
    assert loss is not None
    open_ = loss.model_copy(update={"high": 0.2})
    parent = found.candidates[0].model_copy(update={"fulfils": False})
    other = found.model_copy(
        update={"judged_loss": open_, "candidates": (parent, *found.candidates[1:])}
    )
    page = words(tuning_page(other))
    assert "not surely better in all of them weighed together, on deals" in page
    assert "The rules as they are do not fulfil what had to hold." in page


def test_knobs_of_one_title_are_told_apart(found: Outcome) -> None:
    alike = tuple(one.model_copy(update={"title": "Points"}) for one in found.settings)
    other = found.model_copy(update={"settings": alike})
    assert (
        cells(Front(), other, "Parent, what was judged")[0][1] == f"Points: 20; Points: {MINUS}25"
    )
    moves = Matters().render(Matters().compute(other), other).figures[0].drawing
    assert [len(set(trace.x)) for trace in moves.data] == [5, 4, 4]


def test_first_choices_are_those_of_the_rules_that_were_judged(
    found: Outcome, kept: Outcome
) -> None:
    rows = {row[0]: row[1:] for row in cells(Chosen(), found, "First choices")}
    assert rows["No queens"] == ("35 %", "20 %")
    assert "nobody chooses All together" in finding(Chosen(), found).splitlines()[0]
    lines = finding(Chosen(), kept).splitlines()
    assert lines[1].startswith(f"By candidate {kept.judged_number}: ")


def test_what_is_nothing_in_every_block_is_told_so(kept: Outcome) -> None:
    nothing = kept.effects[2].effect
    assert nothing.kind == "identical"
    effect = kept.effects[1].model_copy(update={"gap": nothing})
    other = kept.model_copy(update={"effects": (kept.effects[0], effect, kept.effects[2])})
    rows = cells(Brings(), other, "What it brings")
    assert [row[5] for row in rows[:2]] == ["not measured", "0, exactly"]
    assert rows[2][4] == "0, exactly"


def test_what_the_search_believed_stands_beside_what_came_out(found: Outcome) -> None:
    (judged,) = (one for one in found.candidates if one.number == found.judged_number)
    assert found.judged_loss is not None
    assert judged.loss < found.judged_loss.value < 0
    text = finding(Brings(), found)
    assert f"believed it {-judged.loss:.2f} steps better" in text
    assert f"it is +{-found.judged_loss.value:.2f} (" in text
    rows = cells(Course(), found, "Finalists")
    assert len(rows) == 4
    assert [row[4] for row in rows] == ["picked", "", "", ""]


def test_effects_come_out_of_their_columns_as_they_were(found: Outcome) -> None:
    table = Brings().compute(found)["effects"]
    for name in ("parent", "winner", "effect"):
        figures = [getattr(one, name) for one in found.effects]
        assert [(e.value, e.low, e.high) for e in estimates(table, name)] == [
            (one.value, one.low, one.high) for one in figures
        ]
    assert table["gap_value"].null_count() == 1


def aimed(aim: Any) -> Aimed:
    return Aimed("a", "A", "", "", aim, 0.5, 1.0)


def test_steps_go_where_it_is_wanted() -> None:
    assert aimed("more").steps(1.0, 3.0) == 2.0
    assert aimed("less").steps(1.0, 3.0) == -2.0
    assert aimed(4.0).steps(1.0, 3.0) == 2.0
    assert aimed(2.0).steps(1.0, 3.0) == -2.0
    assert aimed(4.0).lacks(3.0) == aimed(4.0).lacks(5.0) == 2.0
    assert aimed("more").lacks(3.0) < aimed("more").lacks(2.0)
    assert aimed("less").lacks(2.0) < aimed("less").lacks(3.0)


def test_the_registry_names_objectives_and_the_file_overrules_it(
    found: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = Measured(np.zeros(2), 2)
    entry = Objective(
        "seat_fairness", "Unfair seats", "How.", "points", "less", 2.0, "games", lambda _: figure
    )
    monkeypatch.setattr(objectives, "OBJECTIVES", (entry,))
    known = aims(found)
    assert known["seat_fairness"][1:6] == ("Unfair seats", "points", "How.", "less", 1.0)
    assert known["scale_balance"].title == "Scale balance"  # as a file says it
    bare = found.file.model_copy(update={"objectives": (Wanted(name="seat_fairness"),)})
    assert aims(found.model_copy(update={"file": bare}))["seat_fairness"].step == 2.0
    gone = found.file.model_copy(update={"objectives": (Wanted(name="scale_balance", step=1.0),)})
    with pytest.raises(UserError, match="scale_balance: this version has no such objective"):
        aims(found.model_copy(update={"file": gone}))


def test_objectives_that_pull_against_each_other_are_found(found: Outcome) -> None:
    flipped = [
        one.model_copy(
            update={
                "figures": one.figures
                | {
                    "choice_entropy": one.figures["seat_fairness"],
                    "scale_balance": one.figures["seat_fairness"],
                }
            }
        )
        for one in found.candidates
    ]
    table = Front().compute(found.model_copy(update={"candidates": tuple(flipped)}))["pulls"]
    # Less unfair is less entropy, of which more was wanted; and as much of what less was wanted.
    assert [round(value, 6) for value in table["agreement"]] == [1.0, -1.0, -1.0]
    still = [one.model_copy(update={"figures": found.candidates[0].figures}) for one in flipped]
    table = Front().compute(found.model_copy(update={"candidates": tuple(still)}))["pulls"]
    assert table["agreement"].null_count() == 3


def test_of_many_pairs_those_that_pull_most_are_drawn(found: Outcome) -> None:
    names = [*OBJECTIVES, "drama", "dead_deals"]
    extra = {"drama": "seat_fairness", "dead_deals": "scale_balance"}
    more = [
        one.model_copy(
            update={"figures": one.figures | {n: one.figures[of] for n, of in extra.items()}}
        )
        for one in found.candidates
    ]
    wanted = tuple(
        Wanted(name=name, aim="more" if name in extra else one.aim, step=one.step)
        for name, one in zip(names, (*found.file.objectives, *found.file.objectives), strict=False)
    )
    file = found.file.model_copy(update={"objectives": wanted})
    many = found.model_copy(update={"file": file, "candidates": tuple(more)})
    drawn = Front().render(Front().compute(many), many).figures
    assert len(drawn) == 6
    captions = [one.caption for one in drawn]
    assert any(f"{SEATS} and {aims(many)['drama'].title}" in caption for caption in captions)
    assert any(f"{SCALES} and {aims(many)['dead_deals'].title}" in one for one in captions)


def test_each_candidate_is_drawn_once(found: Outcome, kept: Outcome) -> None:
    drawing = Front().render(Front().compute(found), found).figures[0].drawing
    assert [trace.name for trace in drawing.data] == ["candidates", "front", "parent", "winner"]
    assert sum(len(trace.x) for trace in drawing.data) == len(found.candidates)
    winner = next(one for one in found.candidates if one.number == found.winner_number)
    assert drawing.data[3].x[0] == winner.figures["seat_fairness"].value
    assert drawing.data[3].y[0] == winner.figures["scale_balance"].value
    names = [
        trace.name for trace in Front().render(Front().compute(kept), kept).figures[0].drawing.data
    ]
    assert names == ["candidates", "front", "parent", "judged"]
    rows = cells(Front(), found, "Parent, what was judged")
    assert rows[0][0] == f"{found.winner_number}, winner"
    assert rows[1][:2] == ("0, parent", "as it is")


def test_the_best_so_far_never_rises_and_passes_by_what_does_not_hold(found: Outcome) -> None:
    best = min(found.candidates, key=lambda one: one.loss)
    table = Course().compute(found)["course"]
    assert table["best_loss"].to_list() == table["loss"].cum_min().to_list()
    others = [
        one.model_copy(update={"fulfils": one.number not in (0, best.number)})
        for one in found.candidates
    ]
    table = Course().compute(found.model_copy(update={"candidates": tuple(others)}))["course"]
    assert table["best_loss"][0] is None
    assert table["best_loss"][-1] == sorted(one.loss for one in found.candidates)[1]


def test_the_knob_that_matters_most_is_named_and_frozen_ones_are(found: Outcome) -> None:
    text = finding(Matters(), found)
    first, queens = (title for title, _ in list(KNOBS.values())[:2])
    assert f"{SEATS} hangs most on {first} (1.8 steps" in text
    assert f"{SCALES} hangs most on {queens} (2.0 steps" in text
    assert "1 knob moves no objective" in text
    assert "When a deal of hearts ends." in text


def test_how_it_ended_and_why_it_was_played(found: Outcome) -> None:
    assert "when the 35 candidates of the file were spent" in finding(Course(), found)
    further = sum(one.rounds > 0 for one in found.candidates)
    more = tuple(one.model_copy(update={"rounds": max(1, one.rounds)}) for one in found.candidates)
    assert f"{further} candidates that were not surely worse" in finding(Course(), found)
    every = found.model_copy(update={"candidates": more})
    assert "35 candidates that were not surely worse" in finding(Course(), every)
    assert "stand in one line." in finding(Course(), found)
    other = found.model_copy(update={"by": "rescoring", "why_played": None, "stopped": "every"})
    assert "No candidate had to be played" in finding(Course(), other)
    assert "every candidate had been looked at" in finding(Course(), other)


def test_what_was_not_asked_is_left_out_with_the_reason(found: Outcome) -> None:
    one = found.file.model_copy(update={"objectives": found.file.objectives[:1]})
    bare = found.model_copy(update={"file": one, "sensed": (), "shares": {}, "effects": ()})
    page = words(tuning_page(bare))
    for why in (
        "no objective is about choices",
        "the tuning file asks for no sensitivity",
        "there is one objective",
        "nothing was found that was worth measuring anew",
    ):
        assert why in page
    for topic in (Chosen, Matters, Front, Brings):
        with pytest.raises(UserError, match=f"--section: {topic.name}: "):
            tuning_page(bare, only=topic.name)


def test_names_are_shown_letter_for_letter(found: Outcome) -> None:
    nasty = '<b>"&amp;'
    settings = tuple(one.model_copy(update={"title": nasty}) for one in found.settings)
    page = tuning_page(found.model_copy(update={"settings": settings}))
    assert "<b>" not in page
    assert "&lt;b&gt;&quot;&amp;amp;" in page


def test_settings_in_words() -> None:
    assert said(-10) == f"{MINUS}10"
    assert said(0.5) == "0.50"
    assert said("must_play") == "must play"
    assert said([100, 50, 0]) == "100, 50, 0"
    assert said({"cards": {"cards": ["KH"]}}) == "the king of hearts"
    hearts: JsonValue = {"suits": ["H"], "but": ["AH"]}
    assert said({"cards": hearts, "until": "broken"}) == "hearts but the ace, until broken"
    assert said({"king_r": 2, "hearts": 1}) == "king r 2, hearts 1"
    assert (said(True), said(None)) == ("yes", "none")


def test_the_page_says_what_its_words_mean(found: Outcome) -> None:
    page = tuning_page(found)
    listed = re.findall(r"<dt>([^<]+)</dt><dd>", page[page.index('class="words"') :])
    for word in ("parent", "knob", "step", "adaptation gap", "front", "interval", "digest"):
        assert word in listed
    # Of the runs' glossary only what means the same here.
    assert "roles" not in listed
    assert len(listed) == len(set(listed))


def test_a_players_file_stands_without_its_folder(found: Outcome) -> None:
    full = "play=/home/anna/mine.py:Hers, choose=dp.v1(worlds=16)"
    players = found.file.players.model_copy(update={"full": full})
    file = found.file.model_copy(update={"players": players})
    page = tuning_page(found.model_copy(update={"file": file}))
    assert "play=mine.py:Hers, choose=dp.v1(worlds=16)" in page
    assert "/home" not in words(page)


def test_runs_stand_with_their_digests(found: Outcome) -> None:
    rows = cells(Trust(), found, "Runs in")
    assert [row[0] for row in rows] == [one.path for one in found.runs]
    assert all(
        one.digest.startswith(row[2][:16]) for row, one in zip(rows, found.runs, strict=True)
    )
    assert "barbu verify FOLDER/base-games" in tuning_page(found)


@pytest.fixture
def folder(found: Outcome, tmp_path: Path) -> Path:
    write_outcome(store_at(str(tmp_path)), found)
    return tmp_path


def report(*words_: object) -> int:
    return main(["report", *map(str, words_)])


def test_a_tunings_folder_is_reported(folder: Path, found: Outcome) -> None:
    assert report(folder) == 0
    assert (folder / "report.html").read_text() == tuning_page(found)
    assert report(folder, "--language", "fr", "--section", "first", "--out", folder / "f.html") == 0
    page = words((folder / "f.html").read_text())
    assert "barbu report FOLDER --language fr --section first" in page
    assert "Pas de dames" in page or "Les dames" in page or "Dames" in page
    assert "Can it be trusted" not in page


@pytest.mark.parametrize("form", ["csv", "parquet", "md"])
def test_tables_of_a_tuning(folder: Path, found: Outcome, form: str) -> None:
    assert report(folder, "--format", form, "--out", folder / "tables") == 0
    names = {
        f"{source.name}-{name}.{form}" for source in sources(told(found)) for name in source.tables
    }
    legend = set() if form == "md" else {"columns.md"}
    assert {path.name for path in (folder / "tables").iterdir()} == names | legend
    if form == "parquet":
        table = pl.read_parquet(folder / "tables" / "brings-effects.parquet")
        assert table["effect_value"].to_list() == [one.effect.value for one in found.effects]
        assert table["variant"].unique().to_list() == [found.file.name]


def test_a_document_of_a_tuning(folder: Path, found: Outcome) -> None:
    assert report(folder, "--format", "json") == 0
    document = json.loads((folder / "report.json").read_text())
    assert document["tuning"]["winner"] == found.winner_number
    assert [one["section"] for one in document["sections"]] == [topic.name for topic in TOPICS]
    assert document["missing"] == []
    rows = document["sections"][0]["tables"]["knobs"]
    assert [json.loads(row["was"]) for row in rows] == [one.parent for one in found.settings]
    assert (
        report(folder, "--format", "csv", "--section", "trust/runs", "--out", folder / "r.csv") == 0
    )
    table = pl.read_csv(folder / "r.csv", infer_schema=False)
    assert table["digest"].to_list() == [one.digest for one in found.runs]


def test_mistakes_are_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told_of(*words_: object) -> str:
        assert report(*words_) == 2
        (line,) = capsys.readouterr().err.splitlines()
        return line

    assert "no such section (want change, brings" in told_of(folder, "--section", "leauge")
    assert "has a page of its own" in told_of(folder, tmp_path / "b", "--out", tmp_path / "c.html")
    (folder / "tuning.json").write_text("{}")
    assert "tuning.json: damaged" in told_of(folder)
    assert not (folder / "report.html").exists()
