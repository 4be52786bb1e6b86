"""``barbu import``: games that were played, written out as a club would, come back as they were."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.revise import revised
from engine_ext.score import score_text
from pipeline.config import NamedVariant
from pipeline.evenings.importing import import_sheets
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.tuning.exact import NotExact
from pipeline.tuning.held import play_held
from pipeline.tuning.rescoring import Rescorer
from pipeline.tuning.stored import read_played
from pipeline.verify import verify
from tests.evening_sheets import as_csv, as_text, as_toml, games_of, same_rows
from tests.runs import entrants, paths, played, rows, small

Barbu = Callable[..., tuple[int, str, str]]

WITH_SLIPS = "slips.v1(of=random.v1, revoke=0.03)"
KINDS = [
    ("barbu_king_br", "random.v1"),
    ("king_ru_fixed14", "random.v1"),
    ("barbu_fr_reussite", "random.v1"),
    ("barbu_52_doubling", "random.v1"),
    ("barbu_52_split", "random.v1"),
    ("barbu_king_br_honour", WITH_SLIPS),
    ("barbu_king_br_tiebreak", "random.v1"),
]


def simulated(name: str, strategy: str, folder: Path, games: int = 1) -> Run:
    rules = load_variant(name)
    config = small(
        (name,),
        blocks=games,
        entrants=entrants(strategy),
        lineups=((entrants(strategy)[0].label,) * rules.seats,),
    )
    return played(config, folder)[0]


@pytest.fixture(scope="module")
def doubling(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Twelve games with side bets."""
    return simulated("barbu_52_doubling", "random.v1", tmp_path_factory.mktemp("d") / "run", 3)


def of_name(name: str) -> NamedVariant:
    return NamedVariant(name=name, rules=load_variant(name))


def holds(there: Run, found: Run, untold: tuple[str, ...] = ()) -> None:
    """Both runs have the same games, but for who played them and where they stand."""
    place = ("block", "table", "rotation", "digest", "entrant", *untold)
    for table in ("games", "deals", "doubles"):
        same_rows(rows(there, table), rows(found, table), lambda c: c.startswith(place))
    assert verify(found).problems == []


def sums(run: Run, measure: str) -> dict[tuple[Any, ...], tuple[int, int]]:
    """Count and total of a measure over all entrants, by cell."""
    key = ["contract", "role", "target", "n_left"]
    cells = pl.concat([pl.read_parquet(path) for path in paths(run, "summary")])
    own = cells.filter((pl.col("measure") == measure) & (pl.col("entrant") == ""))
    added = own.group_by(key).agg(pl.col("n").sum(), pl.col("x").sum())
    return {row[:4]: row[4:] for row in added.iter_rows()}


@pytest.mark.parametrize(("name", "strategy"), KINDS)
def test_games_come_back_from_their_sheet(name: str, strategy: str, tmp_path: Path) -> None:
    there = simulated(name, strategy, tmp_path / "played")
    games = list(games_of(there, load_variant(name), "items"))
    (tmp_path / "club.csv").write_text(as_csv(games), "utf-8-sig")
    import_sheets([tmp_path / "club.csv"], of_name(name), tmp_path / "run")
    found = Run.open(tmp_path / "run")
    holds(there, found)
    for measure in ("seat", "role", "earned", "earned_score", "doubled", "double_ev"):
        assert sums(there, measure) == sums(found, measure), measure
    # Else nothing is shown of deals that a revoke stopped.
    revoked = sum(row["revoked"] >= 0 for row in rows(found, "deals"))
    assert (revoked > 0) == ("honour" in name)


@pytest.mark.parametrize("name", ["king_ru_fixed14", "barbu_fr_reussite"])
def test_points_alone_leave_only_what_they_do_not_tell(name: str, tmp_path: Path) -> None:
    there = simulated(name, "random.v1", tmp_path / "played")
    games = list(games_of(there, load_variant(name), "points"))
    (tmp_path / "club.toml").write_text(as_toml(games), "utf-8")
    got = import_sheets([tmp_path / "club.toml"], of_name(name), tmp_path / "run")
    found = Run.open(tmp_path / "run")
    holds(there, found, ("items", "finish"))
    untold = 0
    for was, now in zip(rows(there, "deals"), rows(found, "deals"), strict=True):
        known = now["items_0"] is not None
        untold += not known
        if known:
            assert [now[f"items_{s}"] for s in range(4)] == [was[f"items_{s}"] for s in range(4)]
            assert now["finish_0"] == was["finish_0"]
    # A salad in which several things count, and a layout that pays two places alike.
    assert untold == got.untold == {"king_ru_fixed14": 8, "barbu_fr_reussite": 48}[name]


def test_kinds_of_sheet_are_one(doubling: Run, tmp_path: Path) -> None:
    name = "barbu_52_doubling"
    games = list(games_of(doubling, load_variant(name), "items"))
    (tmp_path / "a.csv").write_text(as_csv(games, ",").replace("\n", "\r\n"), "utf-8")
    (tmp_path / "a.toml").write_text(as_toml(games), "utf-8")
    texts = []
    for i, game in enumerate(games):
        text = as_text(name, game)
        assert score_text(text).problem is None
        (tmp_path / f"{i:02}.txt").write_text(text, "utf-8")
        texts.append(tmp_path / f"{i:02}.txt")
    digests = {
        import_sheets(sheets, of_name(name), tmp_path / f"run{i}").digest
        for i, sheets in enumerate([[tmp_path / "a.csv"], [tmp_path / "a.toml"], texts])
    }
    assert len(digests) == 1


def with_evenings(text: str, names: list[str]) -> str:
    """The same sheet with a column for the evening of each game."""
    head, *lines = text.splitlines()
    return "\n".join(
        [f"evening;{head}", *(f"{names[int(line.split(';')[0]) - 1]};{line}" for line in lines)]
    )


def test_the_games_of_an_evening_count_as_one(doubling: Run, tmp_path: Path, barbu: Barbu) -> None:
    name = "barbu_52_doubling"
    games = list(games_of(doubling, load_variant(name), "items"))
    assert len(games) == 12
    names = [f"evening {i}" for i in (1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6)]
    sheet, out = tmp_path / "club.csv", tmp_path / "run"
    sheet.write_text(with_evenings(as_csv(games), names), "utf-8")
    code, told, _ = barbu("import", sheet, "--variant", name, "--out", out, "--json")
    assert (code, json.loads(told)["evenings"]) == (0, 6)
    found = Run.open(out)
    assert verify(found).problems == []
    assert [len(one.games) for one in found.manifest.config.evenings] == [3, 2, 2, 2, 2, 1]
    assert found.manifest.dropped == {name: {1: 5, 2: 1}}
    # The sums over evenings, by hand: games of the first seat less the mean of the table.
    by_evening: dict[str, list[int]] = {}
    for game, evening in zip(rows(doubling, "games"), names, strict=True):
        scores = [game[f"score_{s}"] for s in range(4)]
        by_evening.setdefault(evening, []).append(4 * scores[0] - sum(scores))
    cells = pl.concat([pl.read_parquet(path) for path in paths(found, "summary")])
    own = cells.filter((pl.col("measure") == "seat") & (pl.col("role") == 0))
    assert own["blocks"].sum() == 6
    assert own["nn"].sum() == 9 + 4 * 4 + 1
    assert own["xx"].sum() == sum(sum(one) ** 2 for one in by_evening.values())
    code, _, err = barbu("report", out, "--format", "md", "--out", tmp_path / "page")
    assert (code, err) == (0, "")
    assert "12 games" in barbu("status", out)[1]


def test_a_report_says_who_played_and_claims_no_more(
    doubling: Run, tmp_path: Path, barbu: Barbu
) -> None:
    name, sheet, out = "barbu_52_doubling", tmp_path / "club.csv", tmp_path / "run"
    sheet.write_text(as_csv(list(games_of(doubling, load_variant(name), "points"))), "utf-8")
    assert barbu("import", sheet, "--variant", name, "--out", out)[0] == 0
    page = tmp_path / "page.html"
    assert barbu("report", out, "--out", page)[0] == 0
    text = page.read_text("utf-8")
    assert "12 games that people played, each counted by itself" in text
    assert "Who plays better is not told by it" in text
    for gone in ("Pairs of entrants", "Luck of the cards", "Verdict"):
        assert f"\N{LEFT DOUBLE QUOTATION MARK}{gone}" in text
    for never in ("same deals in all seatings", "barbu replay", "surely better"):
        assert never not in text
    for section in ("Seat advantage", "What the choice earned", "Doubling"):
        assert f">{section}<" in text
    both = tmp_path / "both.html"
    assert barbu("report", out, doubling.folder, "--out", both)[0] == 0
    assert "barbu import SHEET-1 --variant NAME --out RUN-1" in both.read_text("utf-8")
    # What nobody told is no item of anybody.
    found = barbu("sql", out, "select count(*) n from items where item = 'ace'", "--json")[1]
    assert json.loads(found) == [{"n": 0}]
    for words in (
        ("resume", out),
        ("replay", out),
        ("export", out),
        ("verify", out, "--replay", 1),
    ):
        code, _, err = barbu(*words)
        assert (code, "people played its games" in err) == (2, True), words


def test_totals_alone_make_games_without_deals(tmp_path: Path, barbu: Barbu) -> None:
    sheet = tmp_path / "totals.csv"
    sheet.write_text(
        "game,contract,North,East,South,West\n1,totals,30,-10,-20,0\n2,totals,10,20,-35,5\n"
    )
    out = tmp_path / "run"
    assert barbu("import", sheet, "--variant", "barbu_52_doubling", "--out", out)[0] == 0
    found = Run.open(out)
    assert verify(found).problems == []
    assert (found.manifest.games, found.manifest.deals) == (2, 0)
    games = rows(found, "games")
    assert [games[1][f"place_{s}"] for s in range(4)] == [2, 1, 4, 3]
    assert barbu("report", out, "--format", "md", "--out", tmp_path / "page")[0] == 0
    # Whole, until somebody turns a number.
    path = paths(found, "games")[0]
    turned = pl.read_parquet(path).with_columns(score_0=pl.col("score_0") + 1)
    turned.write_parquet(path)
    assert not verify(found).ok


def test_different_people_from_game_to_game(tmp_path: Path, barbu: Barbu) -> None:
    sheet = tmp_path / "club.csv"
    sheet.write_text(
        "game;seats;contract;Ann;Bob;Cid;Dot;Eve\n"
        "1;;totals;30;-10;-20;0;\n"
        "2;Eve Dot Bob Ann;totals;5;-20;;5;10\n"
    )
    out = tmp_path / "run"
    assert barbu("import", sheet, "--variant", "barbu_52_doubling", "--out", out)[0] == 0
    asked = "select entrant, seat, score from (select entrant_0 entrant, 0 seat, score_0 score from games where block = 1)"
    assert json.loads(barbu("sql", out, asked, "--json")[1]) == [
        {"entrant": "Eve", "seat": 0, "score": 10}
    ]
    assert barbu("report", out, "--format", "md", "--out", tmp_path / "page")[0] == 0


@pytest.mark.parametrize("kind", ["csv", "toml"])
@pytest.mark.parametrize("name", ["king_ru_fixed14", "barbu_52_doubling", "barbu_king_br_honour"])
def test_a_template_is_a_sheet_to_be_filled(
    name: str, kind: str, tmp_path: Path, barbu: Barbu
) -> None:
    code, text, _ = barbu("import", "--template", kind, "--variant", name)
    assert code == 0
    sheet = tmp_path / f"sheet.{kind}"
    sheet.write_text(text)
    code, _, err = barbu("import", sheet, "--variant", name, "--out", tmp_path / "run")
    # Nothing is filled in, so the first deal lacks something; the table itself is read.
    assert (code, err.count("\n")) == (2, 1)
    assert any(
        word in err for word in ("say who took what", "say the contract", "3 names", "0 names")
    )
    assert not (tmp_path / "run").exists()


def test_shipped_sheets_are_imported(tmp_path: Path, barbu: Barbu) -> None:
    folder = Path(__file__).parents[2] / "configs" / "sheets"
    found = [
        json.loads(
            barbu(
                *("import", folder / f"thursday.{kind}", "--variant", "king_ru_fixed14"),
                *("--out", tmp_path / kind, "--json"),
            )[1]
        )
        for kind in ("csv", "toml")
    ]
    assert found[0]["digest"] == found[1]["digest"]
    assert (found[0]["games"], found[0]["untold"]) == (2, 1)


def test_peoples_deals_are_scored_by_other_points(doubling: Run, tmp_path: Path) -> None:
    name = "barbu_52_doubling"
    rules = load_variant(name)
    texts = {level: as_csv(list(games_of(doubling, rules, level))) for level in ("items", "points")}
    # A game more of which only the totals are known has no part in it.
    head, *_ = texts["items"].splitlines()
    lines = texts["points"] + "13;;;totals;;;1;2;3;-6;;;\n"
    assert len(lines.splitlines()[-1].split(";")) == len(head.split(";"))
    (tmp_path / "items.csv").write_text(texts["items"])
    (tmp_path / "points.csv").write_text(lines)
    was = Rescorer(read_played(doubling, name))
    # Tricks are the one thing that counts there; of hearts and the last two the points are told.
    other = revised(rules, {"contracts.tricks.terms[0].points": -3})
    for level, untold in (("items", 0), ("points", 12 * 4 * 2)):
        import_sheets([tmp_path / f"{level}.csv"], of_name(name), tmp_path / level)
        read = read_played(Run.open(tmp_path / level), name)
        assert int((~read.counted).sum()) >= untold
        assert read.counted.all() == (level == "items")
        now = Rescorer(read)
        assert (now.rescored(other).score == was.rescored(other).score).all()
        assert (now.rescored(other).score != read.score).any()
    # What several things made of points alone cannot be told apart again.
    ace = revised(rules, {"contracts.hearts.terms[1].points": -9})
    assert was.rescored(ace, exact=False).score.shape == (12, 4)
    with pytest.raises(NotExact, match="some deals tell points alone"):
        now.rescored(ace, exact=False)
    with pytest.raises(StoreError, match="people played its games"):
        play_held(Run.open(tmp_path / "items"), name, other)
