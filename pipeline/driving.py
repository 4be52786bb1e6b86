"""The driver: keeps workers busy, and stops a variant where its rule says so.

It sees receipts alone. Variants take turns look by look, so that one that is decided has few
shards in flight; what still lands of it is surplus. It is a state machine over an executor, a
store and a clock: one thread, and what it decides depends on what they answered alone. Should it
be cut off between any two calls, another goes on from what lies in the store.
"""

from collections.abc import Callable

from pipeline.batches import Batches
from pipeline.clock import Clock, Wall
from pipeline.course import Course
from pipeline.derived import ended
from pipeline.executors import Executor, Lost
from pipeline.landed import Landed
from pipeline.landing import Task
from pipeline.manifest import Receipt, SetAside
from pipeline.plan import Shard
from pipeline.progress import Progress
from pipeline.signals import held_back
from pipeline.stopping import Outcome
from pipeline.store import Run
from pipeline.tries import NothingLands, Tries


class Driver:
    """Plays what is missing of a run."""

    def __init__(
        self,
        run: Run,
        landed: Landed,
        receipts: Batches,
        progress: Progress,
        clock: Clock | None = None,
    ) -> None:
        """``landed``: what is there already, of which ``receipts`` has the receipts."""
        self.run = run
        """With a manifest that says what was stopped and dropped so far."""
        self.landed = landed
        """What is there, surplus too."""
        self.receipts = receipts
        self.repeated: list[Receipt] = []
        """Of shards that were tried more than once."""
        names = [variant.name for variant in run.manifest.config.variants]
        self.courses = {name: Course(run, name, landed) for name in names}
        self.tries = Tries()
        self._clock: Clock = clock or Wall()
        self._progress = progress
        self._configs = {
            variant.name: run.manifest.config.model_copy(
                update={"variants": (variant,)}
            ).model_dump_json()
            for variant in run.manifest.config.variants
        }

    @property
    def outcomes(self) -> dict[str, tuple[int, Outcome]]:
        """By variant that has a verdict: blocks that it rests on, and what its rule said."""
        return {
            name: (course.blocks, course.outcome)
            for name, course in self.courses.items()
            if course.ended and course.outcome is not None
        }

    @property
    def before_gap(self) -> dict[str, tuple[int, Outcome]]:
        """The same of variants that did not come to their end."""
        open_ones = (course for course in self.courses.values() if not course.ended)
        found = {course.variant: course.before_gap(self.run) for course in open_ones}
        return {variant: so_far for variant, so_far in found.items() if so_far is not None}

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        """What lacks of the blocks that count."""
        found = sorted(self.tries.set_aside.values(), key=lambda one: one.shard)
        return tuple(one for one in found if not self.courses[one.variant].ended)

    def play(self, hands: Callable[[], Executor]) -> None:
        """Play until everything that counts has landed or was set aside; ``hands`` begins the
        executor, if there is anything to play.

        Raises :class:`pipeline.tries.NothingLands` where everything fails, what a worker raised
        that is a mistake of ours, and ``KeyboardInterrupt``.
        """
        self._look()
        if not self._over:
            self._carry_out(hands())

    def _carry_out(self, hands: Executor) -> None:
        whole = False
        try:
            while not self._over:
                self._step(hands)
            self._or_say_where(self.tries.check_store)
            whole = not self.tries.flying  # else they try what has landed
        finally:
            hands.close(cancel=not whole)

    @property
    def _over(self) -> bool:
        """Whether nothing is left to be begun, and nothing in the air that may count."""
        return not self.tries.pending and all(
            course.next_look() is None for course in self.courses.values()
        )

    def _step(self, hands: Executor) -> None:
        """Begin one try if there is room, else wait until something happens."""
        now, window = self._clock.now(), hands.window
        room = self.tries.flying < window
        if room and (shard := self._next(now)) is not None:
            self.tries.begun(shard, now)
            hands.submit(self._task(shard))
            return
        wait_s = self.tries.wait_s(now, idle=room and not self.tries.holding)
        if not self.tries.flying:
            assert wait_s is not None, "what is pending waits for its next try"
            self._clock.sleep(wait_s)
            return
        came = hands.completed(wait_s)
        if isinstance(came, Lost):
            self._lose(came, window)
        elif came is not None:
            self._land(came)

    def _look(self) -> None:
        """Take every look that may be taken, and write down what came of it."""
        for course in self.courses.values():
            while course.may_look:
                before = dict(course.dropped)
                course.look(self.run)
                if course.ended or course.dropped != before:
                    self._write(course)
            if course.ended:
                self.tries.end(course.variant)

    def _next(self, now: float) -> Shard | None:
        """The shard to be tried next: again, or a new one of the variant that is least far, the
        first of several; where there is none, one that flies long."""
        again = self.tries.again(now)
        if again is not None or self.tries.holding:
            return again
        due = [(course.next_look(), course) for course in self.courses.values()]
        ready = [(look, course) for look, course in due if look is not None]
        if ready:
            return min(ready, key=lambda one: one[0])[1].take()
        return self.tries.straggler(now)

    def _land(self, receipt: Receipt) -> None:
        if not self.tries.landed(receipt, self._clock.now()):
            return
        self._part()
        self.landed.take(receipt)
        self.receipts.add(receipt)
        if receipt.shard in self.tries.repeated:
            self.repeated.append(receipt)
        if self.run.counts(receipt):
            self._progress.advance(receipt.games)
        self._look()

    def _lose(self, lost: Lost, window: int) -> None:
        self._or_say_where(lambda: self.tries.lost(lost, self._clock.now(), window))
        self._part()

    def _or_say_where(self, heard: Callable[[], None]) -> None:
        try:
            heard()
        except NothingLands as error:
            where = self.run.where
            raise NothingLands(f"{where}: {error} (barbu resume {where} goes on)") from error

    def _part(self) -> None:
        """Tell each variant what was set aside of it, or no longer is."""
        for course in self.courses.values():
            aside = self.tries.set_aside.items()
            course.set_aside({number for number, one in aside if one.variant == course.variant})

    def _write(self, course: Course) -> None:
        """Where a variant stopped and what it dropped stands in the manifest before anything is
        played that depends on it, so that what lands can be read and a resume goes on."""
        manifest = self.run.manifest
        known = manifest.dropped.get(course.variant, {})
        if not course.ended and course.dropped.items() <= known.items():
            return  # a resume is on its way to where the run was
        stopped = {k: v for k, v in manifest.stopped.items() if k != course.variant}
        dropped = {k: v for k, v in manifest.dropped.items() if k != course.variant}
        if course.ended and course.blocks < manifest.config.blocks:
            stopped[course.variant] = course.blocks
        if course.dropped:
            dropped[course.variant] = course.dropped
        if (stopped, dropped) == (manifest.stopped, manifest.dropped):
            return
        with held_back():
            self.run = self.run.with_manifest(**ended(manifest, stopped, dropped))
        self._progress.begin(self.run.manifest.games, self.landed.games(self.run.manifest))

    def _task(self, shard: Shard) -> Task:
        manifest = self.run.manifest
        return Task(
            where=self.run.store.where,
            run=manifest.run,
            package=manifest.versions["barbu-sim"],
            config=self._configs[shard.variant],
            seats=manifest.seats,
            shard=shard,
        )
