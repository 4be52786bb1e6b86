"""Tries of shards: what is in the air, what came to nothing and why, what is tried again when.

Nothing here waits, plays or reads: things happen to it at times that it is told. A *try* is one
attempt of one worker at a shard. One that came to nothing is followed by another until there
were :data:`pipeline.executors.TRIES`; then the shard is *set aside* and the run goes on.
"""

import heapq
from collections import Counter

from engine_ext.errors import UserError
from pipeline.executors import TRIES, Lost
from pipeline.manifest import Receipt, SetAside
from pipeline.plan import Shard

FIRST_WAIT_S = 1.0
"""From a try that the store failed to the next; the store itself has tried again before."""
GROWTH = 4.0
"""How much longer the wait is each time."""
LONGEST_WAIT_S = 60.0

SLOW = 8.0
"""A straggler takes that many times what its games take elsewhere in its variant,"""
SLOW_S = 10.0
"""and at least so many seconds, of which it may have spent some in a queue."""
GLANCE_S = 1.0
"""From one search for stragglers to the next."""


class NothingLands(UserError):
    """So many tries in a row came to nothing that it is no single shard's fault."""


class Tries:
    """The tries of a run, from when it is begun or resumed."""

    def __init__(self) -> None:
        self.flying = 0
        """Tries in the air, those of shards that have landed meanwhile too."""
        self.set_aside: dict[int, SetAside] = {}
        """By shard."""
        self.repeated: set[int] = set()
        """Shards that were tried more than once."""
        self._shards: dict[int, Shard] = {}
        self._air: dict[int, list[float]] = {}
        """By shard that is to land: when those of its tries began that are in the air."""
        self._waiting: list[tuple[float, int]] = []
        """A heap of shards to be tried again, and from when on."""
        self._causes: dict[int, list[str]] = {}
        self._left: dict[int, int] = {}
        """Tries that shards have left of which one came to nothing."""
        self._barren = 0
        """Tries in a row that came to nothing, with none landed between."""
        self._by_store = False
        """Whether the store failed the last try that was heard of."""
        self._unlucky: set[int] = set()
        """Set aside in this row, by the store alone."""
        self._last = ""
        """Cause of the last try that came to nothing."""
        self._strict: set[int] = set()
        """Who gets no tries back: they did before, or it was not the store alone."""
        self._ended: set[str] = set()
        """Variants of which nothing counts any more that is yet to land."""
        self._widest = 0
        self._ms: Counter[str] = Counter()
        self._games: Counter[str] = Counter()
        self._glanced = 0.0

    @property
    def pending(self) -> bool:
        """Whether a shard is in the air or to be tried again."""
        return bool(self._air)

    @property
    def holding(self) -> bool:
        """Whether no new shard should begin: the store fails, and some are there to try it."""
        return self._by_store and self.pending

    def begun(self, shard: Shard, now: float) -> None:
        """A try begins."""
        number = shard.number
        self.flying += 1
        if number in self._shards:
            self.repeated.add(number)
        self._shards[number] = shard
        self._air.setdefault(number, []).append(now)

    def landed(self, receipt: Receipt, now: float) -> bool:
        """A try has landed; False if another of its shard had before, so that it counts for
        nothing."""
        self.flying -= 1
        if receipt.shard not in self._air:
            return False
        del self._air[receipt.shard], self._shards[receipt.shard]
        self._ms[receipt.variant] += receipt.ms
        self._games[receipt.variant] += receipt.games
        self._barren, self._by_store = 0, False
        self._forgive(now)
        return True

    def lost(self, lost: Lost, now: float, window: int) -> None:
        """A try came to nothing; its shard is tried again, or set aside.

        Raises :class:`NothingLands` after more tries in a row than ``window`` shards can have.
        """
        self.flying -= 1
        number = lost.shard
        if number not in self._air:
            return
        self._barren += 1
        self._by_store, self._last = lost.store, lost.cause
        self._causes.setdefault(number, []).append(lost.cause)
        self._widest = max(self._widest, window)
        if self._barren > TRIES * self._widest:
            raise self._nothing_lands()
        if not lost.store:
            self._strict.add(number)
        self._left[number] = self._left.get(number, TRIES) - 1
        self._air[number].pop(0)
        if self._air[number]:
            return  # another try of it is under way
        if self._shards[number].variant in self._ended:
            del self._air[number], self._shards[number]
        elif self._left[number] > 0:
            heapq.heappush(self._waiting, (now + self._wait(lost, number), number))
        else:
            self._put_aside(number)

    def check_store(self) -> None:
        """Nothing is left to be tried: raises :class:`NothingLands` where the store failed to the
        last, so that it, and no shard, is what must be mended."""
        if self._unlucky:
            raise self._nothing_lands()

    def _nothing_lands(self) -> NothingLands:
        return NothingLands(
            f"{self._barren} tries in a row came to nothing, the last: {self._last}"
        )

    def end(self, variant: str) -> None:
        """Nothing of a variant is to be tried again: its rule has stopped it."""
        self._ended.add(variant)
        for _, number in self._waiting:
            if self._shards[number].variant == variant:
                del self._air[number], self._shards[number]
        self._waiting = [one for one in self._waiting if one[1] in self._shards]
        heapq.heapify(self._waiting)

    def again(self, now: float) -> Shard | None:
        """A shard that is to be tried again now; :meth:`begun` must follow."""
        if not self._waiting or self._waiting[0][0] > now:
            return None
        return self._shards[heapq.heappop(self._waiting)[1]]

    def straggler(self, now: float) -> Shard | None:
        """A shard that flies much longer than its like, to be tried once more beside; looked for
        now and then only. :meth:`begun` must follow."""
        if now < self._glanced + GLANCE_S:
            return None
        for number, began in self._air.items():
            shard = self._shards[number]
            if len(began) != 1 or number in self.repeated or shard.variant in self._ended:
                continue
            if now - began[0] > self._slow_s(shard):
                return shard
        self._glanced = now
        return None

    def wait_s(self, now: float, *, idle: bool) -> float | None:
        """Seconds until :meth:`again` or, where hands are ``idle``, :meth:`straggler` may have
        something; None where nothing but a try in the air can bring news."""
        waits = [self._waiting[0][0] - now] if self._waiting else []
        if idle and self._air:
            waits.append(self._glanced + GLANCE_S - now)
        return max(0.0, min(waits)) if waits else None

    def _wait(self, lost: Lost, number: int) -> float:
        if not lost.store:
            return 0.0
        before = TRIES - self._left[number] - 1
        return min(LONGEST_WAIT_S, FIRST_WAIT_S * GROWTH**before)

    def _put_aside(self, number: int) -> None:
        shard = self._shards[number]
        del self._air[number]
        if number not in self._strict:
            self._unlucky.add(number)
        causes = tuple(self._causes[number])
        self.set_aside[number] = SetAside(
            variant=shard.variant,
            shard=number,
            first_block=shard.first_block,
            n_blocks=shard.n_blocks,
            tries=len(causes),
            causes=causes,
        )

    def _forgive(self, now: float) -> None:
        """The store works again: what it alone failed meanwhile has its tries back, once."""
        for number in sorted(self._unlucky):
            del self.set_aside[number]
            self._strict.add(number)
            self._left[number] = TRIES
            self._air[number] = []
            heapq.heappush(self._waiting, (now, number))
        self._unlucky.clear()

    def _slow_s(self, shard: Shard) -> float:
        """From when on it is a straggler; never where nothing like it has landed."""
        games = self._games[shard.variant]
        if not games:
            return float("inf")
        each = self._ms[shard.variant] / games / 1000
        return max(SLOW_S, SLOW * each * shard.n_blocks * shard.n_games)
