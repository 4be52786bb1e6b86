"""A run as a database: what it holds, what it explains, and what it refuses."""

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from engine_ext.errors import UserError
from pipeline.catalog import QueryError, open_catalog
from pipeline.cli import main
from pipeline.config import Entrant
from pipeline.schema import polars_schema
from pipeline.stores import StoreError
from tests.runs import by_game, played, small
from tests.unit.invented import config, restate, write

VARIANTS = ("barbu_52_doubling", "barbu_king_br")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("catalog")
    write(folder, config(VARIANTS, blocks=3))
    return folder


def _copy(run: Path, to: Path) -> Path:
    for path in run.rglob("*"):
        if path.is_file():
            (to / path.relative_to(run)).parent.mkdir(parents=True, exist_ok=True)
            (to / path.relative_to(run)).write_bytes(path.read_bytes())
    return to


def test_views_hold_every_row_of_the_files(run: Path) -> None:
    with open_catalog(run) as catalog:
        for table in ("games", "deals", "doubles", "summary"):
            stored = sum(len(pl.read_parquet(path)) for path in (run / table).glob("*.parquet"))
            assert catalog.rows(f"SELECT count(*) FROM {table}") == [(stored,)]
        assert catalog.rows("SELECT count(*) FROM shards") == [(4,)]


def test_long_deals_are_the_wide_ones_seat_by_seat(run: Path) -> None:
    wide = pl.concat(pl.read_parquet(path) for path in sorted((run / "deals").glob("*.parquet")))
    games = pl.concat(pl.read_parquet(path) for path in sorted((run / "games").glob("*.parquet")))
    key = ["variant", "block", "table", "rotation"]
    joined = wide.join(games, on=key)
    expected = []
    for row in joined.iter_rows(named=True):
        base = row["declarer"] if row["declarer"] >= 0 else row["leader"]
        for seat in range(4):
            score = row[f"points_{seat}"] + row[f"side_{seat}"]
            place = (*(row[name] for name in key), row["deal"], seat)
            expected.append((*place, (seat - base) % 4, row[f"entrant_{seat}"], score))
    with open_catalog(run) as catalog:
        found = catalog.rows(
            'SELECT variant, block, "table", rotation, deal, seat, role, entrant, score '
            "FROM deals_long ORDER BY ALL"
        )
    assert found == sorted(expected)


def test_long_doubles_say_who_doubled_whom_in_which_role(run: Path) -> None:
    key = 'variant, block, "table", rotation, deal'
    by_hand = (
        f"SELECT {key}, b.doubler, b.doubled, a.contract, a.entrant, c.entrant, a.role, c.role "
        f"FROM doubles b JOIN deals_long a USING ({key}) JOIN deals_long c USING ({key}) "
        "WHERE a.seat = b.doubler AND c.seat = b.doubled ORDER BY ALL"
    )
    asked = (
        f"SELECT {key}, doubler, doubled, contract, entrant_doubler, entrant_doubled, "
        "role_doubler, role_doubled FROM doubles_long ORDER BY ALL"
    )
    with open_catalog(run) as catalog:
        found = catalog.rows(asked)
        assert found == catalog.rows(by_hand)
        assert catalog.rows("SELECT count(*) FROM doubles") == [(len(found),)]
    assert {row[-1] for row in found} == {0}


def test_a_bare_table_is_told_to_be_quoted(run: Path) -> None:
    with open_catalog(run) as catalog:
        with pytest.raises(QueryError, match=r'must be quoted: "table"\)$'):
            catalog.query("SELECT table, count(*) FROM games GROUP BY 1")
        with pytest.raises(QueryError) as other:
            catalog.query("SELECT selec FROM games")
        assert "quoted" not in str(other.value)
        assert catalog.query('SELECT count("table") FROM games').rows


def test_items_are_unpacked_under_their_names(run: Path) -> None:
    with open_catalog(run) as catalog:
        found = catalog.rows(
            "SELECT i.item, i.count, (d.items >> (8 * i.slot)) & 255 FROM items i "
            'JOIN deals_long d USING (variant, block, "table", rotation, deal, seat) '
            "WHERE i.contract = 'salad' OR i.slot > 0 ORDER BY ALL"
        )
    assert found
    assert all(count == byte for _, count, byte in found)
    assert {item for item, _, _ in found} >= {"queens", "hearts"}


def test_a_run_without_doubles_has_an_empty_table_of_them(tmp_path: Path) -> None:
    write(tmp_path, config(("barbu_king_br",), blocks=1), shards=1)
    with open_catalog(tmp_path) as catalog:
        result = catalog.query("SELECT * FROM doubles")
    assert result.rows == []
    assert list(result.columns) == list(polars_schema("doubles", 4))


def test_every_column_of_every_view_says_what_it_means(run: Path) -> None:
    with open_catalog(run) as catalog:
        bare = catalog.rows(
            "SELECT table_name, column_name FROM duckdb_columns() "
            "WHERE comment IS NULL AND table_name <> 'shards' AND NOT internal"
        )
        views = catalog.rows(
            "SELECT view_name FROM duckdb_views() WHERE comment IS NULL AND NOT internal"
        )
    assert bare == []
    assert views == []


def test_older_files_with_fewer_columns_still_open(run: Path, tmp_path: Path) -> None:
    _copy(run, tmp_path)
    path = tmp_path / "games" / "games-000000.parquet"
    pl.read_parquet(path).drop("n_first").write_parquet(path)
    restate(tmp_path)
    with open_catalog(tmp_path) as catalog:
        found = catalog.rows("SELECT count(*), count(n_first) FROM games")[0]
    assert found[1] < found[0]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM '/etc/hostname'",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('{run}/parts/*.parquet')",
        "SELECT * FROM read_csv('{run}/manifest.json')",
        "SET threads = 1",
        "SET enable_external_access = true",
        "COPY games TO '{run}/copy.csv'",
        "ATTACH '{run}/x.db'",
        "CREATE TABLE x AS SELECT 1",
        "INSERT INTO variants VALUES ('a', 'b', 4, 'highest')",
        "DROP VIEW games",
        "INSTALL httpfs",
        "SELECT 1; DROP VIEW games",
        "PRAGMA database_list",
        "",
    ],
)
def test_a_query_only_reads_and_only_the_run(run: Path, query: str) -> None:
    before = sorted(run.rglob("*"))
    with open_catalog(run) as catalog:
        with pytest.raises(QueryError) as refused:
            catalog.query(query.format(run=run))
        assert catalog.rows("SELECT count(*) > 0 FROM games") == [(True,)]
    assert "\n" not in str(refused.value)
    assert sorted(run.rglob("*")) == before


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("SELEC 1", "syntax error"),
        ("SELECT scoer FROM deals_long", "score"),
        ("SELECT * FROM gmaes", "games"),
        ("SELECT sum(entrant_0) FROM games", "sum"),
    ],
)
def test_a_wrong_query_is_told_what_would_be_right(run: Path, query: str, says: str) -> None:
    with open_catalog(run) as catalog, pytest.raises(QueryError) as wrong:
        catalog.query(query)
    assert says in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_not_even_our_own_queries_change_the_locked_settings(run: Path) -> None:
    with open_catalog(run) as catalog, pytest.raises(QueryError, match="locked"):
        catalog.rows("SET memory_limit = '1GB'")


def test_python_variables_are_no_tables(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = pl.DataFrame({"a": [1]})
    monkeypatch.setattr("pipeline.catalog.secret", secret, raising=False)
    with open_catalog(run) as catalog, pytest.raises(QueryError, match="secret"):
        catalog.query("SELECT * FROM secret")


@pytest.mark.parametrize("keep", [0, 10, 1000])
def test_a_cut_off_file_is_named(run: Path, tmp_path: Path, keep: int) -> None:
    _copy(run, tmp_path)
    path = tmp_path / "deals" / "deals-000001.parquet"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(StoreError, match=rf"deals-000001\.parquet: {keep} bytes, its receipt says"):
        open_catalog(tmp_path)


def test_a_file_that_is_gone_is_named(run: Path, tmp_path: Path) -> None:
    _copy(run, tmp_path)
    (tmp_path / "games" / "games-000000.parquet").unlink()
    with pytest.raises(StoreError, match=r"games-000000\.parquet: missing"):
        open_catalog(tmp_path)


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=tmp_path.name):
        open_catalog(tmp_path)


def test_nothing_is_left_in_the_temporary_folder(run: Path) -> None:
    with open_catalog(run) as catalog:
        scratch = Path(str(catalog.rows("SELECT current_setting('temp_directory')")[0][0]))
    assert not scratch.exists()


def test_a_large_sort_spills_to_the_scratch_folder_and_passes(run: Path) -> None:
    from pipeline.catalog import Catalog, contents
    from pipeline.store import Run

    with Catalog(contents(Run.open(run)), memory_limit="60MB") as catalog:
        rows = catalog.query(
            "SELECT count(*) FROM (SELECT random() AS r FROM range(3000000) ORDER BY r)"
        ).rows
    assert rows == [(3_000_000,)]


def test_the_command_prints_tables_csv_and_json(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "SELECT variant, count(*) AS n, sum(score_0) AS s FROM games GROUP BY 1 ORDER BY 1"
    assert main(["sql", str(run), query]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0].split() == ["variant", "n", "s"]
    assert lines[2].split()[:2] == ["barbu_52_doubling", "12"]
    assert "2 rows" in shown.err

    monkeypatch.setattr("sys.stdin", io.StringIO(query))
    assert main(["sql", str(run), "-", "--json"]) == 0
    as_json = json.loads(capsys.readouterr().out)
    assert [row["n"] for row in as_json] == [12, 12]
    assert isinstance(as_json[0]["s"], int)

    assert main(["sql", str(run), query, "--csv"]) == 0
    as_csv = capsys.readouterr().out.splitlines()
    assert as_csv[0] == "variant,n,s"
    assert len(as_csv) == 3


def test_wide_rows_are_shown_value_by_value_within_80_columns(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["sql", str(run), "SELECT * FROM games ORDER BY ALL", "--limit", "2"]) == 0
    shown = capsys.readouterr()
    assert max(map(len, shown.out.splitlines())) <= 80
    assert shown.out.count("-- row") == 2
    assert "and more" in shown.err


@pytest.mark.parametrize(
    "words",
    [
        ("{run}", "SELECT nothing"),
        ("{run}/no", "SELECT 1"),
        ("{run}", "SELECT 1", "--json", "--csv"),
    ],
)
def test_the_users_mistakes_end_with_2_and_one_line(
    run: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sql", *(word.format(run=run) for word in words)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1


def test_query_errors_are_the_users() -> None:
    assert issubclass(QueryError, UserError)


def labelled(number: int) -> tuple[Entrant, ...]:
    """Entrants of the quickest strategy, told apart by their names."""
    return tuple(Entrant(strategy="random.v1", name=f"e{i}") for i in range(number))


DESIGNS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (VARIANTS, {"design": "gauntlet", "lineups": ()}),
    (("barbu_king_br_3", "barbu_king_br_6", "barbu_king_br"), {"design": "mix", "lineups": ()}),
    (("barbu_king_br_5",), {"design": "gauntlet", "lineups": (), "invasions": "both"}),
    (("barbu_king_br",), {"design": "table", "lineups": (), "entrants": labelled(4)}),
    (("barbu_king_br_3",), {"design": "full", "lineups": (), "entrants": labelled(3)}),
    (("barbu_king_br_3",), {"design": "round_robin", "lineups": (), "entrants": labelled(7)}),
    *(
        (
            ("barbu_king_br",),
            {
                "design": "candidates",
                "lineups": (),
                "entrants": labelled(3),
                "field": ("e0",),
                "rotations": rotations,
            },
        )
        for rotations in ("all", "one")
    ),
    (("barbu_king_br",), {"rotations": "one"}),
)


@pytest.mark.parametrize(("variants", "said"), DESIGNS)
def test_long_deals_name_who_sat_there_in_every_design(
    variants: tuple[str, ...], said: dict[str, Any], tmp_path: Path
) -> None:
    there, _ = played(small(variants, **said | {"blocks": 2}), tmp_path / "run")
    expected = []
    for game, deals, _ in by_game(there):
        place = tuple(game[name] for name in ("variant", "block", "table", "rotation"))
        seats = sum(name is not None for s in range(6) if (name := game.get(f"entrant_{s}")))
        for deal in deals:
            base = deal["declarer"] if deal["declarer"] >= 0 else deal["leader"]
            for s in range(seats):
                points, side = deal[f"points_{s}"], deal[f"side_{s}"]
                made = (points, side, points + side, deal[f"items_{s}"], deal[f"finish_{s}"])
                who = ((s - base) % seats, game[f"entrant_{s}"])
                expected.append((*place, deal["deal"], s, *who, *made))
    with open_catalog(there.folder) as catalog:
        found = catalog.rows(
            'SELECT variant, block, "table", rotation, deal, seat, role, entrant, points, side, '
            "score, items, finish FROM deals_long ORDER BY ALL"
        )
    assert found == sorted(expected)
