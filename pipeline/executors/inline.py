"""Shards one after the other in this thread: for debugging and coverage."""

from collections import deque
from typing import Generic

from engine_ext.batch import StopFlag
from pipeline.executors import Lost, P, R, Work
from pipeline.stores import StoreError


class Inline(Generic[P, R]):
    """Does each piece when it is asked for what came of it."""

    window = 1

    def __init__(self, work: Work[P, R]) -> None:
        self._work = work
        self._tasks: deque[P] = deque()

    def submit(self, task: P) -> None:
        """Take a piece in."""
        self._tasks.append(task)

    def completed(self, wait_s: float | None = None) -> R | Lost | None:
        """Do the next piece, however long it takes."""
        task = self._tasks.popleft()
        try:
            done = self._work(task, StopFlag())
        except StoreError as error:
            return Lost(task.shard.number, str(error), store=True)
        assert done is not None, "nobody sets this flag"
        return done

    def close(self, *, cancel: bool) -> None:
        """Nothing runs between two calls."""
