"""Games of people as a run: the same tables, by the code that lands those that were played."""

import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import ValidationError

from engine_ext.batch import StopFlag
from engine_ext.rules.resolve import resolve
from pipeline import tables
from pipeline.batches import drop_receipts, put_receipts
from pipeline.config import EVENINGS, PERSON, Entrant, Evening, NamedVariant, RunConfig
from pipeline.evenings.reckoned import Game, records_of
from pipeline.evenings.told import SheetError
from pipeline.landing import Landing, Task
from pipeline.manifest import Receipt
from pipeline.mistakes import first_mistake
from pipeline.opening import new_manifest
from pipeline.plan import Bounds, Shard, not_played
from pipeline.receipts import frame_of
from pipeline.seating import tables as tables_of
from pipeline.store import Run
from pipeline.stores import store_at

MOST_BLOCKS = 1000
"""Evenings of a shard."""


class Imported(NamedTuple):
    """A run of evenings that is there."""

    run: str
    """Where it lies."""
    digest: str
    games: int
    deals: int
    evenings: int
    """Blocks: evenings, or games where the sheets tell no evenings."""
    players: int
    untold: int
    """Deals of which it is not known who took what."""


class Block(NamedTuple):
    """Games that count as one."""

    name: str | None
    games: tuple[Game, ...]


def blocks_of(games: Sequence[Game]) -> list[Block]:
    """Evenings, or single games where none are told; those with the most games first.

    Games of one evening count as one: the same people sit at the same table, mostly in the same
    seats, in the same mood, so what they made in one tells of the next. Cards alone would leave
    games independent; an interval of games would then be too narrow by all that is people.
    """
    if any(game.evening is None for game in games):
        return [Block(None, (game,)) for game in games]
    found: dict[str, list[Game]] = {}
    for game in games:
        assert game.evening is not None
        found.setdefault(game.evening, []).append(game)
    made = [Block(name, tuple(own)) for name, own in found.items()]
    return sorted(made, key=lambda block: -len(block.games))


def config_of(variant: NamedVariant, blocks: Sequence[Block], title: str) -> RunConfig:
    """The run that these games make; ``SheetError`` where a name cannot stand in tables."""
    names = dict.fromkeys(p for block in blocks for game in block.games for p in game.players)
    try:
        return RunConfig(
            title=title,
            seed=0,
            blocks=len(blocks),
            design=EVENINGS,
            variants=(variant,),
            entrants=tuple(Entrant(strategy=PERSON, name=name) for name in names),
            evenings=tuple(
                Evening(name=block.name, games=tuple(game.players for game in block.games))
                for block in blocks
            ),
        )
    except ValidationError as error:
        raise SheetError(f"sheets: {first_mistake(error, RunConfig)}") from error


def land_games(config: RunConfig, blocks: Sequence[Block], out: str | Path) -> Imported:
    """Write the run; ``StoreError`` where the place is taken or cannot be written."""
    started, place = time.monotonic(), store_at(out)
    place.check_new()
    name = config.variants[0].name
    manifest = new_manifest(
        config, {name: _bounds(config)}, {entrant.label: PERSON for entrant in config.entrants}
    )
    place.begin()
    with place.held():
        place.check_new()
        run = Run.new(place, manifest)
        receipts = [_landed(run, shard, blocks, started) for shard in run.planned()]
        put_receipts(place, manifest.run, [frame_of(receipts)], run.counting)
        made = run.receipts()
        run = run.with_manifest(
            status="complete",
            deals=made.total("deals"),
            worker_seconds=made.total("ms") / 1000,
            digest=made.digest,
        )
        drop_receipts(place)
    deals = [deal for block in blocks for game in block.games for deal in game.deals]
    return Imported(
        run=run.where,
        digest=made.digest,
        games=manifest.games,
        deals=len(deals),
        evenings=len(blocks),
        players=len(config.entrants),
        untold=sum(deal.results.taken is None and deal.results.places is None for deal in deals),
    )


def _bounds(config: RunConfig) -> Bounds:
    """Shards of evenings with as many games each."""
    ends = [block for since in not_played(config).values() for block in since.values()]
    each = min(config.blocks, MOST_BLOCKS)
    while any(end % each for end in ends):
        each -= 1
    return Bounds(blocks=each, parts=1)


def _landed(run: Run, shard: Shard, blocks: Sequence[Block], started: float) -> Receipt:
    """Write one shard's tables, and its receipt."""
    config, seats = run.manifest.config, run.manifest.seats
    rules = config.variant(shard.variant)
    numbers, labels = resolve(rules), tuple(entrant.label for entrant in config.entrants)
    task = Task(
        run.store.where,
        run.manifest.run,
        version("barbu-sim"),
        config.model_dump_json(),
        seats,
        shard,
    )
    landing = Landing(task, config, numbers, labels, tables_of(config, seats))
    own = blocks[shard.first_block : shard.first_block + shard.n_blocks]
    games = [game for block in own for game in block.games]
    records = records_of(games, rules)
    number = {label: i for i, label in enumerate(labels)}
    played = tables.Games(
        variant=shard.variant,
        rules=numbers,
        labels=labels,
        block=np.repeat(np.arange(len(own)) + shard.first_block, shard.n_games).astype(np.uint64),
        table=np.tile(np.arange(shard.n_games), len(own)).astype(np.uint16),
        rotation=np.zeros(len(games), np.uint8),
        entrant=np.array([[number[p] for p in game.players] for game in games], np.uint8),
        records=records,
        doubles=tables.find_doubles(records),
    )
    landing.add(played)
    landing.add_to_summary(played, whole_blocks=True, ends_block=True)
    receipt = landing.land(started, StopFlag())
    assert receipt is not None, "nobody sets this flag"
    return receipt
