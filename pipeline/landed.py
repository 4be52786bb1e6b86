"""What has landed of a run, in a few bytes a shard: what a driver must know while it goes on.

Receipts themselves lie in the store. Of a million shards this holds some ten megabytes, and every
question is answered at once or by one look over an array.
"""

import numpy as np
import numpy.typing as npt

from pipeline.files import FOLDERS
from pipeline.manifest import Manifest, Receipt
from pipeline.plan import Plan, Shard

Bools = npt.NDArray[np.bool_]


class Landed:
    """The shards of a run that are there, surplus too."""

    def __init__(self, plan: Plan) -> None:
        self._lanes = plan.lanes
        self._there = np.zeros(plan.numbers, np.bool_)
        self._games = np.zeros(plan.numbers, np.uint32)
        self._ms = np.zeros(plan.numbers, np.uint32)
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
        self._ms[n] = min(receipt.ms, np.iinfo(np.uint32).max)
        self._tables[n] = sum(1 << FOLDERS.index(table) for table in receipt.files)

    def go_on(self, plan: Plan) -> None:
        """The same run goes on by another plan, since a race dropped tables."""
        self._lanes = plan.lanes

    def __len__(self) -> int:
        return self._n

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and bool(self._there[number])

    def numbers(self) -> npt.NDArray[np.int64]:
        """Numbers of those that are there, ascending."""
        return np.flatnonzero(self._there).astype(np.int64)

    def is_of(self, shard: Shard) -> bool:
        """Whether what landed under its number are its games: a race may have planned others."""
        return int(self._games[shard.number]) == shard.n_blocks * shard.n_games

    def all_have(self, table: str, numbers: range) -> bool:
        """Whether all of these that are there brought a table."""
        bit = 1 << [str(one) for one in FOLDERS].index(table)
        part = slice(numbers.start, numbers.stop)
        return bool(((self._tables[part] & bit > 0) | ~self._there[part]).all())

    def games(self, manifest: Manifest) -> int:
        """Games that are there and count."""
        found = 0
        for variant, lane in self._lanes.items():
            end = lane.numbers(0, manifest.counted(variant)).stop
            found += int(self._games[lane.first : end].sum(dtype=np.int64))
        return found

    def ms(self, variant: str) -> npt.NDArray[np.uint32]:
        """How long those of a variant took that are there, by number."""
        own = slice(self._lanes[variant].first, self._lanes[variant].end)
        return self._ms[own][self._there[own]]

    def whole(self, variant: str) -> int:
        """Blocks of a variant from 0 on of which every shard is there.

        A race leaves numbers to which no shard belongs: they are nobody's to wait for.
        """
        lane, n = self._lanes[variant], self._next[variant]
        while n < lane.end and (self._there[n] or lane.shard(n) is None):
            n += 1
        self._next[variant] = n
        return min(lane.blocks, (n - lane.first) // lane.bounds.parts * lane.bounds.blocks)
