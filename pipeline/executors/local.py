"""Workers on this machine: threads where strategies are compiled, else processes."""

import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Generic

from engine_ext.batch import StopFlag
from pipeline.executors import ATTEMPTS, P, R, Work, WorkerLost

LOOK_S = 0.1
"""How long a wait lasts before the driver looks for Ctrl-C."""
PATIENCE_S = 0.5
"""How long a worker process may take to stop by itself."""

_stop = StopFlag()
"""Of a worker process: set when the run stops."""


class Threads(Generic[P, R]):
    """A pool of threads: the engine holds no GIL while it plays."""

    def __init__(self, work: Work[P, R], workers: int) -> None:
        self.window = workers + 1
        self._work = work
        self._stop = StopFlag()
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="barbu")
        self._running: set[Future[R | None]] = set()

    def submit(self, task: P) -> None:
        """Take a piece in."""
        self._running.add(self._pool.submit(self._work, task, self._stop))

    def completed(self) -> R:
        """Wait for a piece."""
        future = _first_done(self._running)
        self._running.remove(future)
        done = future.result()
        assert done is not None, "only close() stops play"
        return done

    def close(self, *, cancel: bool) -> None:
        """End the threads; the engine looks at the flag at every decision."""
        if cancel:
            self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=cancel)


class Processes(Generic[P, R]):
    """A pool of processes, filled again when one dies."""

    def __init__(self, work: Work[P, R], workers: int) -> None:
        self.window = workers + 1
        self._work = work
        self._workers = workers
        # Not fork: a forked child inherits Polars' locked thread pool and hangs.
        self._context = multiprocessing.get_context("spawn")
        # Not an Event: setting one waits for ever if a process that watched it was killed.
        self._watched, self._held = self._context.Pipe(duplex=False)
        self._running: dict[Future[R | None], P] = {}
        self._attempts: Counter[int] = Counter()
        self._children: set[BaseProcess] = set()
        self._threads = os.environ.get("POLARS_MAX_THREADS")
        os.environ["POLARS_MAX_THREADS"] = "1"  # for the children; read at their import
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, self._context, initializer=_begin_worker, initargs=(self._watched,)
        )

    def submit(self, task: P) -> None:
        """Take a piece in."""
        others = set(multiprocessing.active_children())
        # A child inherits what is blocked: Ctrl-C is the driver's, from its first moment.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._running[self._pool.submit(_do, self._work, task)] = task
        except BrokenProcessPool:
            self._refill([task])
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        self._children |= set(multiprocessing.active_children()) - others

    def completed(self) -> R:
        """Wait for a piece; those of a worker that died are tried again."""
        while True:
            future = _first_done(self._running)
            try:
                done = future.result()
            except BrokenProcessPool:
                self._refill([])
                continue
            del self._running[future]
            assert done is not None, "only close() stops play"
            return done

    def _refill(self, more: list[P]) -> None:
        """Start a new pool for the pieces of the broken one, which fails them all."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        landed = {f: t for f, t in self._running.items() if _has_landed(f)}
        lost = [task for future, task in self._running.items() if future not in landed]
        for task in lost:
            shard = task.shard
            self._attempts[shard.number] += 1
            if self._attempts[shard.number] >= ATTEMPTS:
                raise WorkerLost(
                    f"{task.where}: a worker died {ATTEMPTS} times with shard {shard.number} "
                    f"({shard.variant}, block {shard.first_block}) at hand"
                )
        self._pool = self._new_pool()
        self._running = landed
        for task in (*lost, *more):
            self.submit(task)

    def close(self, *, cancel: bool) -> None:
        """End the processes; those that do not hear in time are ended by force."""
        if cancel:
            self._held.close()
            self._pool.shutdown(wait=False, cancel_futures=True)
            wait(self._running, timeout=PATIENCE_S)
            for child in self._children:
                if child.is_alive():
                    child.kill()
        self._pool.shutdown(wait=True)
        self._held.close()
        self._watched.close()
        if self._threads is None:
            del os.environ["POLARS_MAX_THREADS"]
        else:
            os.environ["POLARS_MAX_THREADS"] = self._threads


def _first_done(running: Iterable[Future[R | None]]) -> Future[R | None]:
    """Wait for one of them.

    In short waits, since a signal that comes just before a long one starts is not
    noticed until it ends (seen once in eight interrupts).
    """
    while True:
        done, _ = wait(running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
        if done:
            return done.pop()


def _has_landed(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _begin_worker(held: Connection) -> None:
    """Watch the pipe that the driver holds the other end of."""
    threading.Thread(target=_watch, args=(held,), daemon=True).start()


def _watch(held: Connection) -> None:
    """Wait for the driver to let go: to stop the run, or since it was killed."""
    connection.wait([held])
    _stop.set()
    parent = multiprocessing.parent_process()
    assert parent is not None
    if connection.wait([parent.sentinel], timeout=PATIENCE_S):
        os._exit(1)  # nobody is left to hear of a piece


def _do(work: Work[P, R], task: P) -> R | None:
    return work(task, _stop)
