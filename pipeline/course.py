"""A variant of a run on its way from look to look: which shards come next, what its rule says.

Shards land in any order. A look is taken when every shard up to it is there, and looks are
taken one after the other, each of them, even where several could be taken at once: so what is
decided, and where, is the same whoever played and in whatever order.
"""

from collections.abc import Iterator

from pipeline import stopping
from pipeline.config import EVENINGS, RunConfig
from pipeline.figures import claimed, ranked, unit
from pipeline.landed import Landed
from pipeline.plan import Lane, Plan, Shard, seen_at
from pipeline.seating import changes_company, tables
from pipeline.stats.joint import Joint, add
from pipeline.stopping import Outcome
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.studies.designs import STUDIES
from pipeline.watermark import joint_of_claim, joint_of_entrants, played_by


def has_claim(config: RunConfig, seats: int) -> bool:
    """Whether a run comes to a verdict: a tournament in which those it is about sit somewhere."""
    if config.design == EVENINGS:
        return False  # nobody said before they sat down what they were to decide
    if config.design != "lineups":
        return config.design not in STUDIES
    held = {one for table in tables(config, seats) for one in table}
    return all(one is None or one in held for one in claimed(config))


class Course:
    """A variant of a run on its way."""

    def __init__(self, run: Run, variant: str, landed: Landed) -> None:
        """``landed``: what is there; the driver keeps it."""
        manifest = run.manifest
        self.variant = variant
        self.outcome: Outcome | None = None
        """What the rule said at the last look; None before it, and where nothing is claimed."""
        self.dropped: dict[int, int] = {}
        """Tables that a race no longer plays, and from which block on."""
        self.ended = False
        """Whether nothing more is to be played."""
        self._where = run.where
        self._config = manifest.config
        self._bounds = manifest.bounds
        self._seats = manifest.config.variant(variant).seats
        self._point = unit(manifest.config, self._seats)
        stop = manifest.config.stop
        self._race = stop is not None and stop.rule == "race"
        self._landed = landed
        self._seated = has_claim(manifest.config, self._seats)
        self._sums: Joint | None = None
        self._alive = tuple(range(len(ranked(manifest.config)))) if self._race else ()
        self._look = 0
        self._queued = 0
        self._aside: set[int] = set()
        self._missing: Iterator[Shard] = iter(())
        self._due: Shard | None = None

    @property
    def blocks(self) -> int:
        """Blocks 0..blocks-1 that the looks so far have seen."""
        return self._first(self._look)

    def next_look(self) -> int | None:
        """Number of the look that the next shard to be played belongs to; None where there is
        none now: all are played or in flight, or a race must first say which tables go on."""
        while self._due is None and not self.ended:
            self._due = next(self._missing, None)
            if self._due is None:
                if self._first(self._queued) >= self._config.blocks:
                    break
                if (self._race or self._held_up) and self._queued > self._look:
                    break
                own = self._shards_of(self._queued)
                self._missing = (shard for shard in own if shard.number not in self._landed)
                self._queued += 1
        return None if self._due is None or self.ended else self._queued - 1

    def take(self) -> Shard:
        """The next shard, to be played now; only where :meth:`next_look` has one."""
        shard, self._due = self._due, None
        assert shard is not None, "the next look has one"
        return shard

    def set_aside(self, shards: set[int]) -> None:
        """Which of its shards all tries came to nothing of."""
        self._aside = shards

    @property
    def _held_up(self) -> bool:
        """Whether a rule can look no further: what lies beyond the gap may never count."""
        return bool(self._aside) and self._config.stop is not None

    @property
    def may_look(self) -> bool:
        """Whether every block up to the next look is there."""
        return not self.ended and self._landed.whole(self.variant) >= self._seen

    def look(self, run: Run) -> None:
        """Take the next look; ``run`` has a manifest that knows what was dropped so far."""
        seen = self._seen
        self._check_games()
        if self._claims():
            self._sums = self._grown(run, self._first(self._look), seen)
            self._decide(run, seen)
        self._look += 1
        self.ended = seen == self._config.blocks or (self.outcome is not None and self.outcome.ends)

    def before_gap(self, run: Run) -> tuple[int, Outcome] | None:
        """Blocks before the first that has not landed, and what they say; None if nothing.

        A rule is taken at its last look. Without one the interval holds at every moment.
        """
        if self._config.stop is not None:
            return None if self.outcome is None else (self.blocks, self.outcome)
        whole = self._landed.whole(self.variant)
        if not whole or not self._seated or not self._totalled(0, whole):
            return None
        sums = joint_of_claim(run, run.planned(), self.variant, 0, whole)
        if 0 in sums.n:
            return None
        return whole, stopping.before_gap(self._config, self._point, sums)

    def _claims(self) -> bool:
        """Whether there is a verdict to come to, and the sums that it rests on."""
        if not self._seated:
            return False
        return self._totalled(self._first(self._look), self._seen)

    def _totalled(self, first: int, last: int) -> bool:
        """Not so in runs that were begun before there were totals: they have no verdict."""
        return self._landed.all_have(("totals", "joint"), self._lane().numbers(first, last))

    def _grown(self, run: Run, first: int, last: int) -> Joint:
        """The sums of all looks so far, with blocks ``first`` to ``last - 1``."""
        joint = joint_of_entrants if self._race else joint_of_claim
        found = joint(run, self._shards_of(self._look), self.variant, first, last)
        return found if self._sums is None else add(self._sums, found)

    def _decide(self, run: Run, seen: int) -> None:
        assert self._sums is not None
        config, sums = self._config, self._sums
        if 0 in sums.n:
            return  # who has not yet sat anywhere has no figure
        if self._race:
            alive, self.outcome = stopping.in_race(config, self._point, sums, self._alive)
            # Candidate i leads table i + 1; table 0 is the field alone.
            self.dropped |= {1 + i: seen for i in self._alive if i not in alive}
            self._alive = alive
            self._landed.go_on(self._lane())
        elif config.stop is not None:
            self.outcome = stopping.at_look(config, self._point, sums)
        else:
            self.outcome = stopping.at_end(config, self._point, sums)
            if changes_company(config):
                played = played_by(run, self._shards_of(self._look), self.variant, 0, seen)
                found = stopping.by_strength(config, played)
                if found is not None:
                    self.outcome = stopping.ended(config, found)

    def _first(self, look: int) -> int:
        """The first block that belongs to a look."""
        return seen_at(self._config, look - 1) if look else 0

    @property
    def _seen(self) -> int:
        """Blocks that the next look sees."""
        return seen_at(self._config, self._look)

    def _lane(self) -> Lane:
        plan = Plan(self._config, self._bounds, {self.variant: self.dropped})
        return plan.lanes[self.variant]

    def _shards_of(self, look: int) -> Iterator[Shard]:
        return self._lane().between(self._first(look), seen_at(self._config, look))

    def _check_games(self) -> None:
        """What has landed of a look must be what is due in it."""
        for shard in self._shards_of(self._look):
            if not self._landed.is_of(shard):
                raise StoreError(
                    f"{self._where}: shard {shard.number}: the race dropped others when it was "
                    "played (does a strategy not repeat itself?)"
                )
