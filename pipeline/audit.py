"""Played again elsewhere, a game must come out the same: what the driver does about it.

A strategy that does not repeat itself, or a machine that miscounts, shows in no digest: the run
would be whole and wrong. So some blocks, drawn by the run key, are played once more by workers
that did not play them, and held against what the run kept. Nothing is ever dropped for it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

import numpy as np

from engine_ext.errors import UserError
from engine_ext.seeds import run_key
from pipeline.again import Again, Blocks, Came, Sample, games_of_table, places, play_again
from pipeline.config import RunConfig
from pipeline.derived import PACKAGE
from pipeline.executors import Begin, cpus
from pipeline.executors.carrying import carried_out
from pipeline.kept import (
    Differing,
    differing_games,
    differing_shards,
    differing_totals,
    drawn_shards,
    kept_table,
    rows_of,
)
from pipeline.manifest import Audited, Receipt
from pipeline.plan import Shard, units_of_block
from pipeline.receipt_table import Receipts
from pipeline.replayable import not_replayable, somebody_searches
from pipeline.sample import audit_size, chosen, share_size
from pipeline.seating import seat_orders
from pipeline.store import Run
from pipeline.strategy_files import without
from pipeline.studies.designs import STUDIES
from pipeline.totals import Ints

PIECE_S = 1.0
"""Seconds of work in a piece, about."""
AGAIN_BLOCKS = 64
"""Blocks that are played again for a report, at most, all variants together."""
AGAIN_GAMES = 256
"""The same of games: whole blocks up to here, of a larger one its first games."""
SEARCHING_GAMES = 16
"""The same where somebody searches, who may need seconds for a game."""


@dataclass
class Replay:
    """A sample of a variant on its way: played again, then compared."""

    variant: str
    sample: Sample
    table: str | None
    """Where what it is held against stands."""
    left_out: tuple[str, ...]
    block: Blocks
    game: Ints
    """Games to be played again, with their blocks."""
    shards: list[Receipt]
    """Where no single block was kept: the whole shards of the sample."""
    came: list[Came] = field(default_factory=list)


def audit(run: Run, receipts: Receipts, hands: Begin) -> tuple[Audited, ...]:
    """Play the audit's sample of a run again by new workers, when all its games are there."""
    config = run.manifest.config
    sizes = {}
    for variant in config.variants:
        blocks = run.manifest.counted(variant.name)
        sizes[variant.name] = audit_size(blocks, units_of_block(config, variant.rules))
    # Whoever plays a run has loaded its strategies already.
    return replayed(run, receipts, hands, sizes, load_strategies=True)


def replay_share(
    run: Run, share: Fraction, hands: Begin, *, load_strategies: bool
) -> tuple[Audited, ...]:
    """The same with a share of all blocks, above 0 and up to 1; those of the audit among them.

    ``load_strategies``: also of entrants whose code lies in files or modules, which is run then.
    """
    config = run.manifest.config
    sizes = {}
    for variant in config.variants:
        blocks = run.manifest.counted(variant.name)
        sizes[variant.name] = share_size(share, blocks, units_of_block(config, variant.rules))
    receipts = run.receipts()
    for variant in config.variants:
        if kept_table(run, receipts, variant.name) is None:
            raise UserError(
                f"{run.where}: nothing of {variant.name} has landed that could be replayed"
            )
    return replayed(run, receipts, hands, sizes, load_strategies=load_strategies)


def audit_again(run: Run, *, load_strategies: bool) -> tuple[Audited, ...]:
    """Play the first blocks of the audit again in this process, one answer a variant.

    At most 64 blocks and 256 games in all, 16 where somebody searches, but one of each variant:
    what it does depends on the run alone. Where strategies cannot be had here ``left_out`` says
    why; it never raises for that.
    """
    config, receipts = run.manifest.config, run.receipts()
    slow = somebody_searches(run.manifest, load_strategies=load_strategies)
    games = SEARCHING_GAMES if slow else AGAIN_GAMES
    sizes, most = {}, max(1, games // len(config.variants))
    for variant in config.variants:
        each = units_of_block(config, variant.rules)
        whole = max(1, min(AGAIN_BLOCKS // len(config.variants), most // each))
        size = audit_size(run.manifest.counted(variant.name), each)
        sizes[variant.name] = min(size, whole)
    alone = Begin("inline", None, release_gil=False)
    return replayed(run, receipts, alone, sizes, most, load_strategies=load_strategies)


def replayed(
    run: Run,
    receipts: Receipts,
    hands: Begin,
    sizes: dict[str, int],
    most: int | None = None,
    *,
    load_strategies: bool,
) -> tuple[Audited, ...]:
    """Play so many blocks of each variant again, at most ``most`` games of each, and compare."""
    left_out = not_replayable(run, load_strategies=load_strategies)
    replays = {
        name: _replay(run, receipts, name, size, most, *left_out) for name, size in sizes.items()
    }
    tasks = list(_tasks(run, receipts, replays))
    if tasks:
        seconds = sum((t.last - t.first) * _game_s(receipts, t.shard.variant) for t in tasks)
        few = replace(hands, workers=min(hands.workers or cpus(), math.ceil(seconds / PIECE_S)))
        for came in carried_out(few.at(play_again), tasks):
            replays[came.variant].came.append(came)
    elsewhere = hands.kind != "inline"
    return tuple(_audited(run, receipts, one, elsewhere) for one in replays.values())


def _replay(
    run: Run,
    receipts: Receipts,
    variant: str,
    size: int,
    most: int | None,
    left_out: frozenset[int],
    why: tuple[str, ...],
) -> Replay:
    config = run.manifest.config
    table = kept_table(run, receipts, variant)
    dropped = tuple(run.manifest.dropped.get(variant, {}).items())
    drawn = chosen(run_key(config.seed), run.manifest.counted(variant), size)
    shards = drawn_shards(run, receipts, variant, drawn) if table == "shards" else []
    if shards:
        parts = (range(one.first_block, one.first_block + one.n_blocks) for one in shards)
        drawn = [block for part in parts for block in part]
    sample = Sample(tuple(sorted(drawn)), left_out, dropped)
    block, game = places(config, variant, sample)
    sample = sample._replace(blocks=tuple(np.unique(block).tolist()))
    if shards and len(block) < sum(one.games for one in shards):
        most, why = 0, (*why, "everybody: a shard's digest is that of all its games")
    elif table in ("totals", "shards") and most is not None and most < len(block):
        kept = "shard" if shards else "block"
        most, why = 0, (*why, f"everybody: a {kept} has {len(block):,} games, none was kept alone")
    return Replay(variant, sample, table, why, block[:most], game[:most], shards)


def _tasks(run: Run, receipts: Receipts, replays: dict[str, Replay]) -> Iterator[Again]:
    """Cut every sample into pieces of about the same time."""
    manifest, number = run.manifest, 0
    for variant in manifest.config.variants:
        replay = replays[variant.name]
        # Of those who are left out, and may be gone, the names alone.
        seated = without(manifest.config, replay.sample.without)
        config = seated.model_copy(update={"variants": (variant,)}).model_dump_json()
        total = len(replay.block)
        size = max(1, int(PIECE_S / _game_s(receipts, variant.name)))
        for first in range(0, total, size):
            last = min(first + size, total)
            at = Shard(number, variant.name, int(replay.block[first]), 1, 0, last - first, False)
            number += 1
            yield Again(
                run.store.where,
                manifest.versions[PACKAGE],
                config,
                manifest.seats,
                replay.sample,
                at,
                first,
                last,
                replay.table == "totals",
            )


def _game_s(receipts: Receipts, variant: str) -> float:
    """Seconds of work that a game took the first time."""
    own = receipts.of_variant(variant)
    return max(1, own.total("ms")) / 1000 / own.total("games")


def _audited(run: Run, receipts: Receipts, replay: Replay, elsewhere: bool) -> Audited:
    """Compare what came with what was kept."""
    config, variant = run.manifest.config, replay.variant
    blocks = tuple(np.unique(replay.block).tolist())
    differing: list[Differing] = []
    if blocks:
        differing = _differing(run, receipts, replay, blocks)
    who = [_at_table(config, variant, one) for one in differing]
    common = set(who[0]).intersection(*who[1:]) if who else set()
    if replay.table == "shards":
        blocks = tuple(sorted(one.first_block for one in replay.shards if blocks))
    return Audited(
        variant=variant,
        blocks=blocks,
        games=len(replay.block),
        elsewhere=len(replay.block) if elsewhere else 0,
        by=replay.table if replay.table in ("totals", "shards") else "games",
        differing=tuple(map(partial(_line, config, variant), differing, who)),
        suspects=tuple(one.label for one in config.entrants if one.label in common),
        left_out=replay.left_out,
    )


def _differing(
    run: Run, receipts: Receipts, replay: Replay, blocks: tuple[int, ...]
) -> list[Differing]:
    assert replay.table is not None, "what cannot be compared is not played"
    if replay.table == "shards":
        return differing_shards(replay.shards, replay.block, replay.came)
    rows = rows_of(run, receipts, replay.variant, blocks, replay.table)
    compare = differing_totals if replay.table == "totals" else differing_games
    each = games_of_table(run.manifest.config, replay.variant)
    return compare(rows, replay.block, replay.game, each, replay.came)


def _at_table(config: RunConfig, variant: str, at: Differing) -> list[str]:
    """Who played there, in playing order from the table's first on; of a shard everybody."""
    if at.table is None:
        return [one.label for one in config.entrants]
    seats = config.variant(variant).seats
    blocks = np.array([at.block], np.uint64)
    order = seat_orders(config, seats, run_key(config.seed), blocks)[0, at.table]
    return [config.entrants[i].label for i in order]


def _line(config: RunConfig, variant: str, at: Differing, who: list[str]) -> str:
    if at.table is None:
        return f"{variant}: blocks {at.block} to {at.last}: {', '.join(who)}"
    where = f"{variant}: block {at.block}, table {at.table}"
    if at.rotation is not None:
        where += f", {'step' if config.design in STUDIES else 'rotation'} {at.rotation}"
    return f"{where}: {', '.join(dict.fromkeys(who))}"
