"""Where the time of a run goes: dealing, playing, writing a deal down, landing.

All stages are of whole games of one variant. Landing is what ``barbu run`` makes of the
games of a shard, by its own objects: four entrants of ``duck.v1`` at one table, a block
of four games. Its seconds are those of all threads, since Polars writes with its own.
"""

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version

import numpy as np

from engine_ext.batch import Rules, StopFlag, deal_hands, play_games
from engine_ext.record_deal import records_of_game
from engine_ext.record_write import write
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from pipeline.bench.bare import Timed
from pipeline.bench.work import CHUNK, SEED, VARIANT, Play, Work, games, games_of
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.landing import Landing, Task
from pipeline.plan import MAX_DEALS, Shard
from pipeline.play import TablePlayer, slices
from strategies.registry import create

STAGES = {
    "deal": "deal the cards",
    "play_random": "play, random.v1",
    "play_duck": "play, duck.v1, choosing and doubling",
    "record": "write the deals as text",
    "land_digest": "land: hash of every game, rows collected",
    "land_summary": "land: sums over blocks",
    "land_parquet": "land: tables as Parquet, receipt",
}
"""In the order in which they come."""
RECORDED = 10
"""Games of a measurement whose deals are written as text: too slow for 100,000 deals."""


def stages() -> tuple[Work, ...]:
    """The works that time them, in games of the variant."""
    rules = Rules(load_variant(VARIANT))
    least, seats = games_of(rules), rules.numbers.seats
    # As long as `barbu run` cuts shards of which all rows are kept: small ones land dearer.
    shard = MAX_DEALS // (seats * rules.numbers.n_deals)
    return (
        Work("stages/deal", least, _dealing(rules), 0.1),
        Work("stages/play_random", least, games(rules, "random.v1"), 0.2),
        Work("stages/record", RECORDED, _recording(rules), 0.2),
        Work("stages/land", shard, _landing(_config(seats)), 0.4),
    )


class Clock:
    """Adds up the seconds of stages."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        """Count what is done inside for the stage."""
        start = time.process_time()
        yield
        spent = time.process_time() - start
        self.seconds[stage] = self.seconds.get(stage, 0.0) + spent

    def timed(self, n: int) -> Mapping[str, Timed]:
        """The stages of ``n`` games, by the names of their figures."""
        return {f"stages/{stage}": Timed(n, s) for stage, s in self.seconds.items()}


def _dealing(rules: Rules) -> Play:
    key, n_deals = run_key(SEED), rules.numbers.n_deals

    def play(first: int, n: int) -> None:
        for at in range(first, first + n, CHUNK):
            blocks = np.arange(at, min(at + CHUNK, first + n), dtype=np.uint64)
            for deal in range(n_deals):
                deal_hands(rules, key=key, blocks=blocks, deal=deal)

    return play


def _recording(rules: Rules) -> Play:
    key, seats = run_key(SEED), rules.numbers.seats
    ducks = [create("duck.v1") for _ in range(seats)]

    def play(first: int, n: int) -> Mapping[str, Timed]:
        blocks = np.arange(first, first + n, dtype=np.uint64)
        seating = np.tile(np.arange(seats, dtype=np.uint8), (n, 1))
        played = play_games(rules, ducks, key=key, blocks=blocks, seating=seating, log=True)
        clock = Clock()
        with clock.of("record"):
            for game, block in enumerate(blocks.tolist()):
                for record in records_of_game(
                    rules, played, game, key=key, block=block, variant_name=VARIANT
                ):
                    write(record)
        return clock.timed(n)

    return play


def _config(seats: int) -> RunConfig:
    """Entrants that differ in name alone, all tables on disk."""
    return RunConfig(
        title="bench",
        seed=SEED,
        blocks=1,
        design="table",
        entrants=tuple(Entrant(strategy="duck.v1", name=f"duck {i}") for i in range(seats)),
        variants=(NamedVariant(name=VARIANT, rules=load_variant(VARIANT)),),
    )


def _landing(config: RunConfig) -> Play:
    """Blocks ``first`` to ``first + n - 1`` as one shard, from its cards to its receipt."""
    player = TablePlayer(config, VARIANT, StopFlag())
    numbers, per_block = player.rules.numbers, player.block_games
    said = config.model_dump_json()

    def play(first: int, n: int) -> Mapping[str, Timed]:
        shard = Shard(0, VARIANT, first, n, 0, per_block, True)
        clock, started = Clock(), time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            task = Task(folder, "bench", version("barbu-sim"), said, numbers.seats, shard)
            landing = Landing(task, config, numbers, player.labels, player.tables)
            cut = slices(player, shard)
            while True:
                with clock.of("play_duck"):
                    games, whole, ends_block = next(cut, (None, False, False))
                if games is None:
                    break
                with clock.of("land_digest"):
                    landing.add(games)
                with clock.of("land_summary"):
                    landing.add_to_summary(games, whole, ends_block)
            with clock.of("land_parquet"):
                landing.land(started, StopFlag())
        return clock.timed(per_block * n)

    return play
