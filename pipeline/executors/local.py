"""Workers on this machine: threads where strategies are compiled, else processes."""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event

from engine_ext.batch import StopFlag
from pipeline.executors import ATTEMPTS, WorkerLost
from pipeline.manifest import Receipt
from pipeline.play import Task, play_shard

WATCH_S = 0.1
"""How often a worker process looks whether it shall stop."""

_stop = StopFlag()
"""Of a worker process: set when the run stops."""


class Threads:
    """A pool of threads: the engine holds no GIL while it plays."""

    def __init__(self, workers: int) -> None:
        self.window = workers + 1
        self._stop = StopFlag()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="barbu")
        self._running: set[Future[Receipt | None]] = set()

    def submit(self, task: Task) -> None:
        """Take a shard in."""
        self._running.add(self._pool.submit(play_shard, task, self._stop))

    def completed(self) -> Receipt:
        """Wait for a shard."""
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        future = done.pop()
        self._running.remove(future)
        receipt = future.result()
        assert receipt is not None, "only close() stops play"
        return receipt

    def close(self, *, cancel: bool) -> None:
        """End the threads; the engine looks at the flag at every decision."""
        if cancel:
            self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=cancel)


class Processes:
    """A pool of processes, filled again when one dies."""

    def __init__(self, workers: int) -> None:
        self.window = workers + 1
        self._workers = workers
        # Not fork: a forked child inherits Polars' locked thread pool and hangs.
        self._context = multiprocessing.get_context("spawn")
        self._halt = self._context.Event()
        self._running: dict[Future[Receipt | None], Task] = {}
        self._attempts: dict[int, int] = {}
        self._threads = os.environ.get("POLARS_MAX_THREADS")
        os.environ["POLARS_MAX_THREADS"] = "1"  # for the children; read at their import
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, self._context, initializer=_begin_worker, initargs=(self._halt,)
        )

    def submit(self, task: Task) -> None:
        """Take a shard in."""
        try:
            self._running[self._pool.submit(_play, task)] = task
        except BrokenProcessPool:
            self._refill([task])

    def completed(self) -> Receipt:
        """Wait for a shard; those of a worker that died are tried again."""
        while True:
            done, _ = wait(self._running, return_when=FIRST_COMPLETED)
            future = done.pop()
            try:
                receipt = future.result()
            except BrokenProcessPool:
                self._refill([])
                continue
            del self._running[future]
            assert receipt is not None, "only close() stops play"
            return receipt

    def _refill(self, more: list[Task]) -> None:
        """Start a new pool for the shards of the broken one, which fails them all."""
        landed = {f: t for f, t in self._running.items() if f.done() and f.exception() is None}
        lost = [task for future, task in self._running.items() if future not in landed]
        for task in lost:
            tried = self._attempts[task.shard.number] = self._attempts.get(task.shard.number, 0) + 1
            if tried >= ATTEMPTS:
                raise WorkerLost(
                    f"{task.folder}: a worker died {tried} times with shard {task.shard.number} "
                    f"({task.shard.variant}, block {task.shard.first_block}) at hand"
                )
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._new_pool()
        self._running = landed
        for task in (*lost, *more):
            self.submit(task)

    def close(self, *, cancel: bool) -> None:
        """End the processes; they look for the event ten times a second."""
        if cancel:
            self._halt.set()
        self._pool.shutdown(wait=True, cancel_futures=cancel)
        if self._threads is None:
            del os.environ["POLARS_MAX_THREADS"]
        else:
            os.environ["POLARS_MAX_THREADS"] = self._threads


def _begin_worker(halt: Event) -> None:
    """Leave Ctrl-C to the driver, and watch for its word and its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(halt,), daemon=True).start()


def _watch(halt: Event) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    while not halt.wait(WATCH_S):
        if not parent.is_alive():
            os._exit(1)  # a driver that was killed cannot call its workers off
    _stop.set()


def _play(task: Task) -> Receipt | None:
    return play_shard(task, _stop)
