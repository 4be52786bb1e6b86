"""Runs whose games have different numbers of deals: revokes, deals played again, ties played out."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Variant
from pipeline import digest
from pipeline.catalog import open_catalog
from pipeline.config import Entrant, NamedVariant
from pipeline.schema import polars_schema
from pipeline.store import Run
from pipeline.tables import read_games
from pipeline.verify import verify
from tests.differential.scripted import changed
from tests.runs import by_game, cut_into, played, small

SLIPS = "slips.v1(of=random.v1, revoke=0.05, misplay=0.05)"


def unequal() -> Variant:
    """Two deals, in which somebody often revokes and three are often level."""

    def rules(table: dict[str, Any]) -> None:
        table["schedule"]["sequence"] = ("king", "hearts")
        table["ties"] = {"contract": "take_tricks", "at_most": 3}
        table["legality"]["then"] = "replay_deal"

    return changed(load_variant("barbu_king_br_honour"), rules)


def run_of(out: Path, blocks: int, parts: int = 1) -> Run:
    """Play twelve blocks, so many a shard, or each in so many parts."""
    config = small(
        ("barbu_king_br_honour",),
        blocks=12,
        entrants=(Entrant(strategy=SLIPS, name="slips"), Entrant(strategy="random.v1")),
        lineups=(("slips", "random.v1", "random.v1", "random.v1"),),
    )
    variant = NamedVariant(name="unequal", rules=unequal())
    config = config.model_copy(update={"variants": (variant,)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, blocks, parts))
        return played(config, out)[0]


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_of(tmp_path_factory.mktemp("unequal") / "run", blocks=4)


def test_every_game_has_the_deals_that_it_needs(there: Run) -> None:
    lengths = set()
    for game, deals, _ in by_game(there):
        lengths.add(len(deals))
        assert [deal["deal"] for deal in deals] == list(range(len(deals)))
        again = [deal for deal in deals if deal["revoked"] >= 0 and not deal["extra"]]
        extra = [deal for deal in deals if deal["extra"]]
        assert len(deals) == 2 + min(len(again), 2) + len(extra)
        for seat in range(4):
            assert game[f"score_{seat}"] == sum(deal[f"points_{seat}"] for deal in deals)
        best = max(game[f"score_{seat}"] for seat in range(4))
        first = [seat for seat in range(4) if game[f"place_{seat}"] == 1]
        assert len(first) == game["n_first"]
        # Who is first without an extra deal has the best total; with one it may be a third's.
        assert extra or all(game[f"score_{seat}"] == best for seat in first)
    assert len(lengths) > 2


def test_the_receipts_count_deals_as_they_stand(there: Run) -> None:
    stored = sum(len(deals) for _, deals, _ in by_game(there))
    assert there.manifest.deals == stored
    assert verify(there).ok


def test_the_digest_does_not_know_how_the_run_was_cut(there: Run, tmp_path: Path) -> None:
    parts = run_of(tmp_path / "parts", blocks=1, parts=2)
    assert parts.manifest.digest == there.manifest.digest
    assert verify(parts).ok


def test_sql_tells_what_slips_cost(there: Run) -> None:
    page = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")
    lines = page.split("### Games of unequal length")[1].split("\n")
    asked = [line.split('"')[1] for line in lines if line.startswith("    barbu sql RUN")]
    with open_catalog(there.folder) as catalog:
        who, where = (catalog.query(sql).rows for sql in asked)
    revokes = {name: n for name, n, _ in who}
    assert revokes["random.v1"] == 0
    assert revokes["slips"] == sum(n for _, n, _ in where) > 10
    for contract, _, points in where:
        total = {"king": 80, "hearts": 65, "take_tricks": 65}[contract]
        assert points == -total


def test_a_revoke_that_is_not_told_is_found_out(there: Run) -> None:
    """``revoked`` is in the digest where there are revokes, ``extra`` where ties are played out."""
    frames = {name: there.read(name, 0) for name in ("games", "deals")}
    frames["doubles"] = pl.DataFrame(schema=polars_schema("doubles", 4))
    deals = frames["deals"]

    def hashes(changed: pl.DataFrame) -> Any:
        rules = resolve(unequal())
        games = read_games("unequal", rules, ("slips", "random.v1"), frames | {"deals": changed})
        return digest.game_hashes(games)

    right = hashes(deals)
    nobody = deals.with_columns(revoked=pl.lit(-1, pl.Int8))
    assert (hashes(nobody) != right).any()
    assert (hashes(deals.with_columns(extra=~pl.col("extra"))) != right).all()
    assert (hashes(deals) == right).all()
