"""A receipt stands somewhere whatever happens, and counts once."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest

from engine_ext.rules.facts import n_deals
from engine_ext.rules.load import load_variant
from pipeline import batches
from pipeline.batches import Batches, drop_receipts, put_receipts
from pipeline.conduct import Conduct
from pipeline.files import RECEIPTS, SHARDS, SURPLUS
from pipeline.manifest import Receipt
from pipeline.opening import new_manifest
from pipeline.receipt_table import Receipts
from pipeline.receipts import frame_of, frames
from pipeline.store import Run, put_receipt
from pipeline.stores import StoreError
from pipeline.stores.folder import Folder
from pipeline.verify import verify
from tests.dying import Dying, Killed
from tests.made_up import receipt_of
from tests.runs import BASE, cut_into, small

SIZE = 3
"""Receipts in a batch here."""
DEALS = {name: n_deals(load_variant(name)) for name in BASE[:2]}
"""Of a game."""


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run of two variants, 20 shards, that was never played."""
    monkeypatch.setattr(batches, "BATCH", SIZE)
    config = small(BASE[:2], blocks=20, record=())
    (tmp_path / "run").mkdir()
    folder = Folder(tmp_path / "run", "run")
    return Run.new(folder, new_manifest(config, cut_into(config, 2), {}))


def shuffled(there: Run, seed: int) -> list[Receipt]:
    found = [receipt_of(there.manifest.run, s, DEALS[s.variant]) for s in there.planned()]
    random.Random(seed).shuffle(found)
    return found


def singles(there: Run) -> int:
    return len([e for e in there.store.entries(RECEIPTS) if e.name.endswith(".json")])


def ends_whole(there: Run, expected: dict[int, Receipt]) -> None:
    """What another driver finds makes the table that was due, and nothing else is left."""
    put_receipts(
        there.store,
        there.manifest.run,
        Batches(there.store, there.manifest.run).frames(there.stray),
        there.counting,
    )
    drop_receipts(there.store)
    assert [entry.name for entry in there.store.entries()] == ["manifest.json", SHARDS]
    assert not (there.folder / RECEIPTS).exists()
    assert dict(there.landed()) == expected


def test_receipts_are_put_together_as_they_come(there: Run) -> None:
    came = shuffled(there, 1)
    coming = Batches(there.store, there.manifest.run)
    for n, receipt in enumerate(came, 1):
        put_receipt(there.store, receipt)
        coming.add(receipt)
        assert singles(there) == min(n, SIZE + n % SIZE)
        assert dict(there.landed()) == {r.shard: r for r in came[:n]}
        mine = Receipts.of(coming.frames(there.stray))
        assert list(mine) == sorted(r.shard for r in came[:n])
    ends_whole(there, {r.shard: r for r in came})


def test_a_driver_that_dies_at_any_call_loses_and_doubles_no_receipt(
    there: Run, tmp_path: Path
) -> None:
    """Workers go on; the next driver finds all that landed, and ends with every receipt once."""
    came = shuffled(there, 2)[:10]
    for call in range(2 * len(came)):
        folder = tmp_path / f"run {call}"
        folder.mkdir()
        run = Run.new(Folder(folder, folder.name), there.manifest)
        Dying.left = call
        died = False
        coming = Batches(Dying(folder, folder.name), run.manifest.run)
        for receipt in came:
            put_receipt(run.store, receipt)
            try:
                coming.add(receipt)
            except Killed:
                died = True
                coming = Batches(run.store, run.manifest.run)
                assert receipt.shard in run.landed()
        ends_whole(run, {r.shard: r for r in came})
        if not died:
            break
    assert call == 8, "two batches, of each three single receipts are removed"


def test_what_lands_again_counts_as_it_landed_last(there: Run) -> None:
    came = shuffled(there, 3)
    coming = Batches(there.store, there.manifest.run)
    again = came[0].model_copy(update={"ms": 1})
    for receipt in (*came, again):
        put_receipt(there.store, receipt)
        coming.add(receipt)
    assert there.landed()[again.shard].ms == 1
    ends_whole(there, {r.shard: r for r in came} | {again.shard: again})


def test_surplus_lies_apart_and_is_read_with_the_rest_by_those_who_keep_the_folder(
    there: Run,
) -> None:
    came = shuffled(there, 4)
    put_receipts(there.store, there.manifest.run, [frame_of(came)], pl.col("first_block") < 4)
    expected = {r.shard: r for r in came}
    assert len(pl.read_parquet(there.folder / SURPLUS)) == len(came) - 4
    assert dict(there.landed()) == expected
    put_receipts(there.store, there.manifest.run, frames(there.store, there.stray), there.counting)
    assert there.store.entry(SURPLUS) is None
    assert dict(there.landed()) == expected


def test_what_is_rarely_in_a_receipt_comes_back(there: Run) -> None:
    (first, *_) = there.planned()
    rare = receipt_of(
        there.manifest.run,
        first,
        DEALS[BASE[0]],
        fouls=2,
        first_fouls=("a: block 1", "b"),
        conduct=(Conduct(entrant="duck.v1", kind="foul", n=2, first="here"),),
    )
    put_receipts(there.store, there.manifest.run, [frame_of([rare])], there.counting)
    assert dict(there.landed()) == {0: rare}
    assert there.landed().digest == rare.digest


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"run": "f" * 16}, "run: belongs to run f"),
    ({"shard": 99}, "shard: there is no shard 99"),
    ({"variant": BASE[1]}, f"variant: {BASE[1]}, the run's shard 3 has {BASE[0]}"),
    ({"first_block": 2}, "first_block: 2, the run's shard 3 has 6"),
    ({"n_games": 7}, "n_games: 7"),
    ({"games": 7}, "games: 7"),
    ({"deals": 127}, "deals: 127, the run's shard 3 has 128"),
    ({"files": {}}, "files: summary missing"),
]


@pytest.mark.parametrize(("changes", "said"), WRONG)
@pytest.mark.parametrize("alone", [True, False])
def test_a_receipt_that_the_run_cannot_have_is_named(
    there: Run, changes: dict[str, Any], said: str, alone: bool
) -> None:
    sound = sorted(shuffled(there, 5), key=lambda receipt: receipt.shard)
    wrong = sound[3].model_copy(update=changes)
    if alone:
        put_receipt(there.store, wrong)
    else:
        rest = [*sound[:3], wrong, *sound[4:]]
        put_receipts(there.store, there.manifest.run, [frame_of(rest)], there.counting)
    with pytest.raises(StoreError, match=said) as refused:
        there.landed()
    assert str(refused.value).startswith(
        f"run/{RECEIPTS}/0000" if alone else f"run/{SHARDS}: damaged: "
    )


def damaged(column: str, values: Callable[[pl.DataFrame], pl.Series]) -> Any:
    return lambda frame: frame.with_columns(values(frame).alias(column))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (damaged("fouls", lambda f: -f["shard"]), "fouls: "),
        (damaged("digest", lambda f: f["digest"].str.to_uppercase()), "digest: "),
        (damaged("totals_sha256", lambda f: f["build"]), r"files\.totals\.sha256: "),
        (damaged("build", lambda f: pl.Series([None] * len(f), dtype=pl.String)), "build: "),
        (damaged("games", lambda f: f["games"].cast(pl.Float64)), "games: is Float64, not Int64"),
        (damaged("shard", lambda f: f["shard"].cast(pl.String)), "shard: want a whole number"),
        (lambda frame: frame.drop("games"), "games: missing"),
    ],
)
def test_a_table_of_receipts_that_was_tampered_with_is_named(
    there: Run, change: Callable[[pl.DataFrame], pl.DataFrame], said: str
) -> None:
    every = shuffled(there, 6)
    put_receipts(there.store, there.manifest.run, [frame_of(every)], there.counting)
    path = there.folder / SHARDS
    change(pl.read_parquet(path)).write_parquet(path)
    with pytest.raises(StoreError, match=rf"run/{SHARDS}: damaged: {said}"):
        there.landed()


def test_a_bit_that_turned_in_a_table_of_receipts_is_found_in_every_column(there: Run) -> None:
    put_receipts(there.store, there.manifest.run, [frame_of(shuffled(there, 8))], there.counting)
    assert batches.turned(there.store) == []
    path = there.folder / SHARDS
    whole = path.read_bytes()
    columns = pq.read_metadata(path).row_group(0).to_dict()["columns"]
    for column in columns:
        first = column["dictionary_page_offset"] or column["data_page_offset"]
        other = bytearray(whole)
        other[first + column["total_compressed_size"] - 1] ^= 1
        path.write_bytes(other)
        assert batches.turned(there.store) == [
            f"run/{SHARDS}: damaged (put back a copy that is whole)"
        ], column["path_in_schema"]
    assert batches.turned(there.store)[0] in verify(there).problems


def test_receipts_are_read_in_order_from_wherever_they_lie(
    there: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.receipts.CHUNK", 4)
    every = shuffled(there, 7)
    put_receipts(there.store, there.manifest.run, [frame_of(every[:5])], there.counting)
    coming = Batches(there.store, there.manifest.run)
    for receipt in every[5:]:
        put_receipt(there.store, receipt)
        coming.add(receipt)
    parts = list(frames(there.store, there.stray))
    assert [len(part) for part in parts] == [4] * 5
    numbers = [number for part in parts for number in part["shard"]]
    assert numbers == list(range(20))


def test_old_runs_receipts_lack_what_came_later(there: Run) -> None:
    every = {r.shard: r for r in shuffled(there, 8)}
    old = frame_of(every.values()).drop("conduct", "units_rows", "trials_sha256")
    old.write_parquet(there.folder / SHARDS)
    assert dict(there.landed()) == every
