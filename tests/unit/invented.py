"""Runs with invented results: the tables of a real run, in no time.

Nobody plays: points, choices and doubles are drawn from a keyed generator and
put into the engine's arrays, and from there the pipeline's own functions make
the files. ``lift`` is added to every score of one entrant.
"""

from collections.abc import Collection
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import numpy as np

from engine_ext.batch import DealRecords, GameRecords
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import VariantNumbers, resolve
from pipeline.batches import put_receipts
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.derived import derived
from pipeline.files import read_parquet, table_name
from pipeline.manifest import FileReceipt, Manifest, Receipt
from pipeline.plan import Bounds, Plan, Shard
from pipeline.receipts import frame_of
from pipeline.rows import Rows
from pipeline.schema import SCHEMA_VERSION
from pipeline.seating import tables
from pipeline.store import Run, put_table
from pipeline.stores import store_at
from pipeline.summary import Summary
from pipeline.tables import Games, find_doubles
from pipeline.totals import Totals

DIGEST = "ab" * 32


def config(
    variants: tuple[str, ...],
    entrants: tuple[str, ...] = ("anna", "bert"),
    blocks: int = 12,
    design: str = "gauntlet",
) -> RunConfig:
    """A config whose entrants need not exist as strategies."""
    return RunConfig.model_validate(
        {
            "title": "Invented results",
            "seed": 7,
            "blocks": blocks,
            "design": design,
            "entrants": [Entrant(strategy=f"tests.nobody:{name}", name=name) for name in entrants],
            "variants": [NamedVariant(name=name, rules=load_variant(name)) for name in variants],
        }
    )


def invented(
    run: RunConfig, name: str, first: int, blocks: int, lift: int = 0, spread: int = 9
) -> Games:
    """Games of ``blocks`` blocks from ``first`` on, of the variant ``name``."""
    rules = resolve(run.variant(name))
    n, orders = rules.seats, tables(run, rules.seats)
    per_block = len(orders) * n
    count = blocks * per_block
    game = np.arange(count)
    table = game % per_block // n
    rotation = game % n
    seat = np.arange(n)
    entrant = np.array(orders)[table[:, None], (seat - rotation[:, None]) % n].astype(np.uint8)
    rng = np.random.default_rng([run.seed, first, len(name)])
    deals = _deals(rng, rules, count, spread)
    score = (deals.points + deals.side).reshape(count, rules.n_deals, n).sum(axis=1)
    score = (score + lift * (entrant == 0)).astype(np.int32)
    place = (1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)).astype(np.uint8)
    records = GameRecords(
        score=score,
        place=place,
        n_first=(place == 1).sum(axis=1).astype(np.uint8),
        n_deals=np.full(count, rules.n_deals, np.uint16),
        fouls=np.zeros((count, n), np.uint16),
        foul_deal=np.full(count, -1, np.int16),
        foul_seat=np.full(count, -1, np.int8),
        deals=deals,
        errors=(),
    )
    return Games(
        variant=name,
        rules=rules,
        labels=tuple(entrant_.label for entrant_ in run.entrants),
        block=(first + game // per_block).astype(np.uint64),
        table=table.astype(np.uint16),
        rotation=rotation.astype(np.uint8),
        entrant=entrant,
        records=records,
        doubles=find_doubles(records),
    )


def write(
    folder: Path, run: RunConfig, shards: int = 2, lift: int = 0, lost: Collection[int] = ()
) -> Run:
    """A run in ``folder``, complete unless some are ``lost``; each variant's blocks cut into
    ``shards`` (0: none was played). ``lost``: of each variant's shards those that never landed."""
    manifest = _manifest(run, shards)
    receipts = {
        shard.number: _land(folder, manifest, shard, lift)
        for shard in (Plan(run, manifest.bounds) if shards else ())
        if shard.first_block // manifest.bounds[shard.variant].blocks not in lost
    }
    there = Run.new(store_at(folder), manifest)
    put_receipts(there.store, manifest.run, [frame_of(receipts.values())], there.counting)
    if lost:
        return there.with_manifest(status="interrupted", digest=None)
    return there.with_manifest(deals=sum(receipt.deals for receipt in receipts.values()))


def restate(folder: Path, without: str = "") -> None:
    """Make the receipts say of the files in ``folder`` what they are now; ``without`` a table."""
    there = Run.open(folder)
    receipts = dict(there.receipts())
    for number, receipt in receipts.items():
        now = {}
        for table in receipt.files:
            if table == without:
                continue
            content = there.store.get(table_name(table, number))
            rows = len(read_parquet(there.store, table_name(table, number)))
            digest = sha256(content).hexdigest()
            now[table] = FileReceipt(rows=rows, bytes=len(content), sha256=digest)
        receipts[number] = receipt.model_copy(update={"files": now})
    put_receipts(
        store_at(folder), there.manifest.run, [frame_of(receipts.values())], there.counting
    )


def _land(folder: Path, manifest: Manifest, piece: Shard, lift: int) -> Receipt:
    run, shard, seats = manifest.config, piece.number, manifest.seats
    games = invented(run, piece.variant, piece.first_block, piece.n_blocks, lift)
    orders = tables(run, games.rules.seats)
    summary = Summary(games.rules, games.labels, orders)
    summary.add_blocks(games)
    totals = Totals(games.rules.seats, len(orders), piece.first_block, piece.n_blocks)
    totals.add(games)
    rows = Rows(games.variant, games.rules, games.labels, ("games", "deals", "doubles"))
    rows.add(games, np.zeros(len(games), "V32"))
    frames = {
        **dict(rows.frames(seats)),
        "summary": summary.frame(games.variant, shard),
        "totals": totals.frame(games.variant, games.labels),
    }
    files = {
        table: put_table(store_at(folder), table, shard, frame, {})
        for table, frame in frames.items()
        if len(frame)
    }
    blocks = np.unique(games.block)
    return Receipt(
        run=manifest.run,
        shard=shard,
        variant=games.variant,
        first_block=int(blocks[0]),
        n_blocks=len(blocks),
        first_game=0,
        n_games=len(games) // len(blocks),
        games=len(games),
        deals=len(games.game_of),
        fouls=0,
        first_fouls=(),
        digest="0" * 64 if shard else DIGEST,
        files=files,
        build="none",
        ms=1,
    )


def _manifest(run: RunConfig, shards: int) -> Manifest:
    bounds = {
        v.name: Bounds(blocks=-(-run.blocks // max(1, shards)), parts=1) for v in run.variants
    }
    return Manifest(
        schema_version=SCHEMA_VERSION,
        status="complete" if shards else "interrupted",
        config=run,
        versions={"barbu-sim": version("barbu-sim")},
        build="none",
        strategies={},
        bounds=bounds,
        digest=DIGEST if shards else None,
        **derived(run, bounds, {}, {}),
    )


def _deals(rng: np.random.Generator, rules: VariantNumbers, games: int, spread: int) -> DealRecords:
    n, n_deals = rules.seats, rules.n_deals
    total = games * n_deals
    deal = np.arange(total) % n_deals
    contract, left, declarer = _schedule(rng, rules, games)
    points = rng.integers(-spread, spread + 1, (total, n), endpoint=True).astype(np.int32)
    points[:, 0] -= contract  # something for the sections to find
    doubled = np.zeros((total, n), np.uint16)
    side = np.zeros((total, n), np.int32)
    if rules.has_doubling:
        # Everybody but the declarer may double him.
        for seat in range(n):
            bets = (rng.random(total) < 0.3) & (declarer != seat)
            doubled[:, seat] = np.where(bets, 1 << declarer.astype(np.uint16), 0)
            theirs = points[np.arange(total), declarer]
            gain = np.where(bets, points[:, seat] - theirs, 0)
            side[:, seat] += gain
            np.subtract.at(side, (np.arange(total), declarer), gain)
    return DealRecords(
        contract=contract.astype(np.uint8),
        param=np.full(total, -1, np.int8),
        dealer=(deal % n).astype(np.uint8),
        declarer=declarer.astype(np.int8),
        leader=((deal + 1) % n).astype(np.uint8),
        n_left=left.astype(np.uint8),
        points=points,
        side=side,
        items=rng.integers(0, 2**64, (total, n), np.uint64),
        finish=np.zeros((total, n), np.uint8),
        doubled=doubled,
    )


def _schedule(
    rng: np.random.Generator, rules: VariantNumbers, games: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Contract, left and declarer of every deal; declarers choose at random."""
    n, n_deals = rules.seats, rules.n_deals
    deal = np.arange(n_deals)
    if not rules.has_choice:
        contract = np.tile(np.array(rules.sequence), games)
        return contract, np.zeros_like(contract), np.full_like(contract, -1)
    declarer = deal // rules.dealership % n
    pool = np.repeat(np.arange(rules.n_contracts), rules.uses)
    if rules.uses_of_table:
        contract = rng.permuted(np.tile(pool, (games, 1)), axis=1)
        return contract.reshape(-1), np.tile(n_deals - deal, games), np.tile(declarer, games)
    contract = np.empty((games, n_deals), np.int64)
    left = np.empty(n_deals, np.int64)
    for seat in range(n):
        own = np.flatnonzero(declarer == seat)
        contract[:, own] = rng.permuted(np.tile(pool, (games, 1)), axis=1)
        left[own] = len(pool) - np.arange(len(own))
    return contract.reshape(-1), np.tile(left, games), np.tile(declarer, games)
