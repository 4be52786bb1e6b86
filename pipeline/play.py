"""A shard is played, counted and landed: what a worker does.

A worker gets plain data, makes rules and strategies from it, and never opens
``configs/``. It writes its files itself; what comes back is a receipt.
"""

import time
from collections.abc import Iterator
from importlib.metadata import version

import numpy as np
import numpy.typing as npt

from engine_ext.batch import GameRecords, Rules, StopFlag
from engine_ext.errors import FoulPlay
from engine_ext.fixed import hands_of_text
from engine_ext.seeds import run_key
from pipeline import tables
from pipeline.conduct import conduct_of
from pipeline.config import RunConfig
from pipeline.landing import Landing, Task
from pipeline.manifest import Receipt
from pipeline.pace import Pace
from pipeline.plan import Shard
from pipeline.seating import games_of_block, rotations, seat_orders, settled_tables
from pipeline.seating import tables as tables_of
from pipeline.stores import StoreError
from pipeline.studies.designs import STUDIES
from pipeline.studies.shard import play_study_shard
from pipeline.watched import Heard, watched
from strategies.offences import Offence


class TablePlayer:
    """Plays games of one variant of a run, for one thread."""

    def __init__(
        self,
        config: RunConfig,
        variant: str,
        stop: StopFlag,
        *,
        heard: Heard | None = None,
    ) -> None:
        """``heard``: what each strategy is exchanged for, somebody who listens to it, say."""
        self.config = config
        self.variant = variant
        self.rules = Rules(config.variant(variant))
        self.labels = tuple(entrant.label for entrant in config.entrants)
        self.tables = tables_of(config, self.rules.numbers.seats)
        self.block_games = games_of_block(config, self.rules.numbers.seats)
        self.settled = settled_tables(config, self.rules.numbers.seats)
        """The tables, where the same entrants sit at each in every block."""
        self.rotations = rotations(config, self.rules.numbers.seats)
        self._watch = watched(config, self.rules, heard)
        self.hands = (
            None if config.dealt is None else hands_of_text(self.rules.numbers, config.dealt)
        )
        """By block, deal and seat, where they are given."""
        self._key = run_key(config.seed)
        self._stop = stop

    @property
    def offences(self) -> list[Offence]:
        """What strategies in Python did besides answering, so far."""
        return self._watch.offences

    def play(
        self, block: tables.Blocks, game: tables.Ints, *, log: bool = False
    ) -> tables.Games | None:
        """Play game ``table * rotations + rotation`` of each block; None if it was stopped.

        ``log``: keep the moves, so that the games can be written down.
        """
        seating = self.seating(block, game)
        replicates = game if self.config.streams == "independent" else np.zeros_like(game)
        records = self._watch.play_games(
            key=self._key,
            blocks=block,
            seating=seating,
            replicates=replicates.astype(np.uint32),
            hands=self.hands,
            stop=self._stop,
            log=log,
            stop_on_foul=self.config.foul == "stop",
        )
        if self.config.foul == "stop":
            for offence in self.offences:
                if offence.kind != "print":
                    raise FoulPlay(f"{self.variant}: {offence}")
        if len(records.score) < len(block):
            return None
        return self.played(block, game, seating, records)

    def seating(self, block: tables.Blocks, game: tables.Ints) -> npt.NDArray[np.uint8]:
        """Which entrant sits where in these games, (G, seats)."""
        seats = self.rules.numbers.seats
        table, rotation = game // self.rotations, game % self.rotations
        blocks, at = np.unique(block, return_inverse=True)
        orders = seat_orders(self.config, seats, self._key, blocks)
        member = (np.arange(seats) - rotation[:, None]) % seats
        seated: npt.NDArray[np.uint8] = orders[at[:, None], table[:, None], member]
        return seated

    def played(
        self,
        block: tables.Blocks,
        game: tables.Ints,
        seating: npt.NDArray[np.uint8],
        records: GameRecords,
    ) -> tables.Games:
        """What came of these games, with their places in the run."""
        return tables.Games(
            variant=self.variant,
            rules=self.rules.numbers,
            labels=self.labels,
            block=block,
            table=(game // self.rotations).astype(np.uint16),
            rotation=(game % self.rotations).astype(np.uint8),
            entrant=seating,
            records=records,
            doubles=tables.find_doubles(records),
        )


def play_shard(task: Task, stop: StopFlag) -> Receipt | None:
    """Play a shard and land it; None if ``stop`` was set before it was whole."""
    started = time.monotonic()
    if task.package != version("barbu-sim"):
        raise StoreError(
            f"{task.where}: a worker has barbu-sim {version('barbu-sim')}, "
            f"the run is played with {task.package}"
        )
    config = RunConfig.model_validate_json(task.config)
    if config.design in STUDIES:
        return play_study_shard(task, config, stop, started)
    player = TablePlayer(config, task.shard.variant, stop)
    landing = Landing(task, config, player.rules.numbers, player.labels, player.tables)
    for games, whole_blocks, ends_block in slices(player, task.shard):
        if games is None or stop.is_set():
            return None
        landing.add(games)
        landing.add_to_summary(games, whole_blocks, ends_block)
    landing.add_conduct(conduct_of(task.shard.variant, player.offences))
    return landing.land(started, stop)


def slices(player: TablePlayer, shard: Shard) -> Iterator[tuple[tables.Games | None, bool, bool]]:
    """Play a shard piece by piece: games, whether whole blocks, whether a block ends."""
    pace, stride, log = Pace(), shard.n_games, player.config.logs_moves
    game = shard.games(player.rotations)
    first, total = 0, shard.n_blocks * shard.n_games
    while first < total:
        left = stride - first % stride
        whole = shard.whole and left == stride and pace.games >= stride
        size = pace.games // stride * stride if whole else min(pace.games, left)
        last = min(first + size, total)
        started = time.perf_counter()
        at = np.arange(first, last)
        block = shard.first_block + at // stride
        games = player.play(block.astype(np.uint64), game[at % stride], log=log)
        pace.took(time.perf_counter() - started, last - first)
        yield games, whole, last % stride == 0
        first = last
