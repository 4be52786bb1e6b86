"""What a run kept of some of its blocks, to hold games against that were played again."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from pipeline import digest
from pipeline.again import Blocks, Came
from pipeline.manifest import Receipt
from pipeline.receipt_table import Receipts
from pipeline.sample import AUDIT
from pipeline.store import Run, check_files
from pipeline.stores import StoreError
from pipeline.studies.designs import STUDIES
from pipeline.totals import SUMS, Ints

LEAST_SHARDS = 8
"""Shards that are audited in a long run at least: who miscounts may do so in a whole shard."""


class Differing(NamedTuple):
    """A game, a table of a block, or a whole shard, that came out otherwise."""

    block: int
    """The first block of a shard."""
    table: int | None
    """None of a shard."""
    rotation: int | None
    """Of a study the step; None of a table's totals and of a shard."""
    last: int | None = None
    """The last block of a shard."""


def kept_table(run: Run, receipts: Receipts, variant: str) -> str | None:
    """Where the digests of a variant's games stand, or what else there is to compare: of
    ``shards`` there is always a digest."""
    study = run.manifest.config.design in STUDIES
    wanted = ("units",) if study else ("games", "totals")
    own, sampled = receipts.of_variant(variant), run.manifest.config.sampled
    if not len(own):
        return None
    # Of some blocks only is no use.
    whole = (table for table in wanted if table not in sampled and own.all_have(table))
    return next(whole, "shards")


COLUMNS = {
    "games": ("block", "table", "rotation", "digest"),
    "units": ("block", "table", "step", "digest"),
    "totals": ("block", "table", "member", *SUMS),
}
"""What is compared."""


def drawn_shards(run: Run, receipts: Receipts, variant: str, drawn: list[int]) -> list[Receipt]:
    """Whole shards in place of the blocks that were drawn, in the order of the draw: about as
    many blocks, but half a per cent of the shards up to :data:`LEAST_SHARDS` at least."""
    lane, each = run.planned().lanes[variant], run.manifest.bounds[variant].blocks
    numbers = dict.fromkeys(lane.first + block // each for block in drawn)
    shards = -(-run.manifest.counted(variant) // each)
    n = max(-(-len(drawn) // each), min(-(-shards // AUDIT), LEAST_SHARDS))
    return [receipts[number] for number in list(numbers)[:n]]


def differing_shards(shards: list[Receipt], block: Blocks, came: list[Came]) -> list[Differing]:
    """Shards whose games do not add up to the digest of their receipt; ``block`` says of which
    block each game is that was played again, all of them of these shards."""
    found = b"".join(one.hashes for one in sorted(came, key=lambda one: one.first))
    hashes = np.frombuffer(found, "V32")
    assert len(hashes) == len(block), "every game of the sample comes once"
    out = []
    for shard in sorted(shards, key=lambda one: one.first_block):
        end = shard.first_block + shard.n_blocks
        own = hashes[(block >= shard.first_block) & (block < end)]
        if digest.text(digest.total(own) % digest.SIZE) != shard.digest:
            out.append(Differing(shard.first_block, None, None, end - 1))
    return out


def rows_of(
    run: Run, receipts: Receipts, variant: str, blocks: tuple[int, ...], table: str
) -> pl.DataFrame:
    """The rows of these blocks, which ascend."""
    found = [
        _rows(run, receipt, wanted, table) for receipt, wanted in _with(receipts, variant, blocks)
    ]
    if not found:
        raise StoreError(f"{run.where}: {variant}: none of the blocks to be replayed is there")
    return pl.concat(found)


def _with(
    receipts: Receipts, variant: str, blocks: tuple[int, ...]
) -> Iterator[tuple[Receipt, list[int]]]:
    """Receipts whose shards hold any of the blocks, and which."""
    listed = np.array(blocks, np.int64)
    first, n = pl.col("first_block"), pl.col("n_blocks")
    around = (first <= max(blocks, default=-1)) & (first + n > min(blocks, default=0))
    for receipt in receipts.of_variant(variant).only(around).values():
        ends = (receipt.first_block, receipt.first_block + receipt.n_blocks)
        low, high = np.searchsorted(listed, ends)
        if high > low:
            yield receipt, listed[low:high].tolist()


def _rows(run: Run, receipt: Receipt, blocks: list[int], table: str) -> pl.DataFrame:
    name = next(known for known in receipt.files if known == table)
    check_files(run, [receipt.model_copy(update={"files": {name: receipt.files[name]}})])
    frame = run.read(table, receipt.shard, COLUMNS[table])
    return frame.filter(pl.col("block").is_in(blocks))


def differing_games(
    rows: pl.DataFrame, block: Blocks, game: Ints, each: int, came: list[Came]
) -> list[Differing]:
    """Games whose digest is not that of their row.

    ``rows`` has block, table, rotation (of a study: step), of which there are ``each``, and
    digest; ``block`` and ``game`` say what was played again.
    """
    names = rows.columns
    number = rows[names[1]].to_numpy().astype(np.int64) * each + rows[names[2]].to_numpy()
    where = zip(rows["block"].to_list(), number.tolist(), strict=True)
    kept = dict(zip(where, rows["digest"].to_list(), strict=True))
    found = b"".join(one.hashes for one in sorted(came, key=lambda one: one.first))
    assert len(found) == 32 * len(block), "every game of the sample comes once"
    out = []
    for i, (at, number_there) in enumerate(zip(block.tolist(), game.tolist(), strict=True)):
        if (at, number_there) not in kept:
            raise StoreError(f"games: block {at}, game {number_there} of it: the row is lost")
        if kept[at, number_there] != found[32 * i : 32 * i + 32]:
            out.append(Differing(at, *divmod(number_there, each)))
    return out


def differing_totals(
    rows: pl.DataFrame, block: Blocks, game: Ints, each: int, came: list[Came]
) -> list[Differing]:
    """Tables of blocks in which a member made something else, from rows of ``totals``.

    ``block`` and ``game`` are all games of these tables.
    """
    blocks = np.unique(block)
    sums = {name: sum(one.sums[name] for one in came) for name in SUMS}
    kept = {name: np.zeros_like(sums[name]) for name in SUMS}
    row = np.searchsorted(blocks, rows["block"].to_numpy())
    at = (row, rows["table"].to_numpy(), rows["member"].to_numpy())
    for name in SUMS:
        np.add.at(kept[name], at, rows[name].to_numpy().astype(np.int64))
    other = np.any([(kept[name] != sums[name]).any(axis=2) for name in SUMS], axis=0)
    played = {*zip(np.searchsorted(blocks, block).tolist(), (game // each).tolist(), strict=True)}
    return [
        Differing(int(blocks[i]), table, None)
        for i, table in np.argwhere(other).tolist()
        if (i, table) in played
    ]
