"""Shards one after the other in this thread: for debugging and coverage."""

from collections import deque

from engine_ext.batch import StopFlag
from pipeline.landing import Task
from pipeline.manifest import Receipt
from pipeline.play import play_shard


class Inline:
    """Plays each shard when its receipt is asked for."""

    window = 1

    def __init__(self) -> None:
        self._tasks: deque[Task] = deque()

    def submit(self, task: Task) -> None:
        """Take a shard in."""
        self._tasks.append(task)

    def completed(self) -> Receipt:
        """Play the next shard."""
        receipt = play_shard(self._tasks.popleft(), StopFlag())
        assert receipt is not None, "nobody sets this flag"
        return receipt

    def close(self, *, cancel: bool) -> None:
        """Nothing runs between two calls."""
