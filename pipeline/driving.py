"""The driver: keeps workers busy, and stops a variant where its rule says so.

It sees receipts alone. Variants take turns look by look, so that one that is decided has few
shards in flight; what still lands of it is surplus.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from pipeline.course import Course
from pipeline.derived import ended
from pipeline.executors import TRIES, Executor, Lost, WorkerLost
from pipeline.landing import Task
from pipeline.manifest import Receipt
from pipeline.plan import Shard
from pipeline.progress import Progress
from pipeline.stopping import Outcome
from pipeline.store import Run


class Driver:
    """Plays what is missing of a run."""

    def __init__(self, run: Run, landed: Mapping[int, Receipt], progress: Progress) -> None:
        """``landed``: what is there already, by shard."""
        self.run = run
        """With a manifest that says what was stopped and dropped so far."""
        self.landed = dict(landed)
        """Receipts by shard, surplus too."""
        names = [variant.name for variant in run.manifest.config.variants]
        self.courses = {name: Course(run, name, landed) for name in names}
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
            if course.outcome is not None
        }

    def play(self, hands: Callable[[], Executor]) -> None:
        """Play until everything that counts has landed; ``hands`` begins the executor, if there
        is anything to play."""
        self._look()
        if any(course.next_look() is not None for course in self.courses.values()):
            self._carry_out(hands())

    def _carry_out(self, hands: Executor) -> None:
        """Keep the executor's window full until nothing is left to play."""
        flying = 0
        whole = False
        shards: dict[int, Shard] = {}
        tries: Counter[int] = Counter()
        try:
            while True:
                if flying < hands.window and (shard := self._next()) is not None:
                    shards[shard.number] = shard
                    hands.submit(self._task(shard))
                    flying += 1
                    continue
                if not flying:
                    break
                came = hands.completed()
                assert came is not None, "it waits as long as it takes"
                if isinstance(came, Lost):
                    tries[came.shard] += 1
                    if tries[came.shard] >= TRIES:
                        raise WorkerLost(
                            f"{self.run.where}: shard {came.shard} came to nothing {TRIES} times: "
                            f"{came.cause}"
                        )
                    hands.submit(self._task(shards[came.shard]))
                    continue
                self._land(came)
                flying -= 1
            whole = True
        finally:
            hands.close(cancel=not whole)

    def _look(self) -> None:
        """Take every look that may be taken, and write down what came of it."""
        for course in self.courses.values():
            while course.may_look:
                before = dict(course.dropped)
                course.look(self.run)
                if course.ended or course.dropped != before:
                    self._write(course)

    def _next(self) -> Shard | None:
        """The next shard of the variant that is least far, the first of several."""
        due = [(course.next_look(), course) for course in self.courses.values()]
        ready = [(look, course) for look, course in due if look is not None]
        if not ready:
            return None
        return min(ready, key=lambda one: one[0])[1].take()

    def _land(self, receipt: Receipt) -> None:
        self.landed[receipt.shard] = receipt
        if self.run.counts(receipt):
            self._progress.advance(receipt.games)
        self.courses[receipt.variant].land(receipt)
        self._look()

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
        self.run = self.run.with_manifest(**ended(manifest, stopped, dropped))
        there = sum(receipt.games for receipt in self.landed.values() if self.run.counts(receipt))
        self._progress.begin(self.run.manifest.games, there)

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
