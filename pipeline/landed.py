"""What has landed of a run, in a few bytes a shard: what a driver must know while it goes on.

Receipts themselves lie in the store. Of a million shards this holds some ten megabytes, and every
question is answered at once or by one look over an array.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pipeline.files import FOLDERS
from pipeline.manifest import Landed as Brought
from pipeline.manifest import Manifest, Receipt
from pipeline.plan import Lane, Plan, Shard
from pipeline.receipt_table import Receipts

Numbers = npt.NDArray[np.int64]


class Landed:
    """The shards of a run that are there, surplus too."""

    def __init__(self, plan: Plan) -> None:
        self._lanes = dict(plan.lanes)
        self._there = np.zeros(plan.numbers, np.bool_)
        self._games = np.zeros(plan.numbers, np.uint32)
        self._tables = np.zeros(plan.numbers, np.uint16)
        self._n = 0
        # By variant, the first number that may be missing.
        self._next = {variant: lane.first for variant, lane in plan.lanes.items()}

    def take(self, receipt: Receipt) -> None:
        """A shard has landed; once more changes nothing but what it brought."""
        n = receipt.shard
        self._n += not self._there[n]
        self._there[n] = True
        self._games[n] = receipt.games
        self._tables[n] = sum(1 << FOLDERS.index(table) for table in receipt.files)

    @classmethod
    def of(cls, plan: Plan, receipts: Receipts) -> "Landed":
        """What is there by these receipts."""
        found, frame = cls(plan), receipts.frame
        n = frame["shard"].to_numpy()
        found._n = len(n)
        found._there[n] = True
        found._games[n] = frame["games"].to_numpy()
        for bit, table in enumerate(FOLDERS):
            if receipts.has(table):
                there = frame[f"{table}_rows"].is_not_null().to_numpy()
                found._tables[n[there]] |= np.uint16(1 << bit)
        return found

    def go_on(self, lane: Lane) -> None:
        """The shards of a variant are others from some block on, since a race dropped tables."""
        self._lanes[lane.variant] = lane

    def __len__(self) -> int:
        return self._n

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and bool(self._there[number])

    def numbers(self) -> Numbers:
        """Numbers of those that are there, ascending."""
        return np.flatnonzero(self._there).astype(np.int64)

    def is_of(self, shard: Shard) -> bool:
        """Whether what landed under its number are its games: a race may have planned others."""
        return int(self._games[shard.number]) == shard.n_blocks * shard.n_games

    def all_have(self, tables: Iterable[Brought], numbers: range) -> bool:
        """Whether all of these shards that are there brought one of these tables."""
        bits = sum(1 << FOLDERS.index(table) for table in tables)
        part = slice(numbers.start, numbers.stop)
        return bool(((self._tables[part] & bits > 0) | ~self._there[part]).all())

    def games(self, manifest: Manifest) -> int:
        """Games that are there and count."""
        found = 0
        for variant, lane in self._lanes.items():
            end = lane.numbers(0, manifest.counted(variant)).stop
            found += int(self._games[lane.first : end].sum(dtype=np.int64))
        return found

    def whole(self, variant: str) -> int:
        """Blocks of a variant from 0 on of which every shard is there.

        A race leaves numbers to which no shard belongs: they are nobody's to wait for.
        """
        lane, n = self._lanes[variant], self._next[variant]
        while n < lane.end and (self._there[n] or lane.shard(n) is None):
            n += 1
        self._next[variant] = n
        return min(lane.blocks, (n - lane.first) // lane.bounds.parts * lane.bounds.blocks)
