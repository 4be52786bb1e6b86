"""Worker threads on this machine, where every strategy is compiled."""

import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Generic

from engine_ext.batch import StopFlag
from pipeline.executors import Lost, P, R, Work
from pipeline.stores import StoreError

LOOK_S = 0.1
"""How long a wait lasts before the driver looks for Ctrl-C: a signal that comes just before a
long one starts is not noticed until it ends (seen once in eight interrupts)."""


class Threads(Generic[P, R]):
    """A pool of threads: the engine holds no GIL while it plays."""

    def __init__(self, work: Work[P, R], workers: int) -> None:
        self.window = workers + 1
        self._work = work
        self._stop = StopFlag()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="barbu")
        self._running: dict[Future[R | None], P] = {}

    def submit(self, task: P) -> None:
        """Take a piece in."""
        self._running[self._pool.submit(self._work, task, self._stop)] = task

    def completed(self, wait_s: float | None = None) -> R | Lost | None:
        """Wait for a piece."""
        end = None if wait_s is None else time.monotonic() + wait_s
        while True:
            left = LOOK_S if end is None else min(LOOK_S, max(0.0, end - time.monotonic()))
            ready, _ = wait(self._running, timeout=left, return_when=FIRST_COMPLETED)
            if ready:
                return self._came_of(ready.pop())
            if end is not None and time.monotonic() >= end:
                return None

    def _came_of(self, future: Future[R | None]) -> R | Lost:
        task = self._running.pop(future)
        try:
            done = future.result()
        except StoreError as error:
            return Lost(task.shard.number, str(error), store=True)
        assert done is not None, "only close() stops play"
        return done

    def close(self, *, cancel: bool) -> None:
        """End the threads; the engine looks at the flag at every decision."""
        if cancel:
            self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=cancel)
