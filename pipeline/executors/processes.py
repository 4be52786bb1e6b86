"""Worker processes on this machine: for strategies that hold the GIL, or that may crash.

Each worker has a pipe of its own and one piece at hand, so that it is known whose death lost
which piece: the executors of the standard library fail all that are at hand when one dies.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Generic

from engine_ext.batch import StopFlag
from pipeline.executors import Lost, P, R, Work
from pipeline.executors.local import LOOK_S
from pipeline.stores import StoreError

PATIENCE_S = 0.5
"""How long a worker process may take to stop by itself."""


@dataclass
class _Worker(Generic[P]):
    process: SpawnProcess
    pipe: Connection
    task: P | None = None
    """At hand."""


class Processes(Generic[P, R]):
    """As many processes as there is work for; one that dies makes way for another."""

    def __init__(self, work: Work[P, R], workers: int) -> None:
        self.window = workers + 1
        self._work = work
        self._most = workers
        # Not fork: a forked child inherits Polars' locked thread pool and hangs.
        self._context = multiprocessing.get_context("spawn")
        # Not an Event: setting one waits for ever if a process that watched it was killed.
        self._watched, self._held = self._context.Pipe(duplex=False)
        self._tasks: deque[P] = deque()
        self._workers: list[_Worker[P]] = []

    def submit(self, task: P) -> None:
        """Take a piece in."""
        self._tasks.append(task)
        self._hand_out()

    def completed(self, wait_s: float | None = None) -> R | Lost | None:
        """Wait for a piece, or for the death of a worker who had one at hand."""
        end = None if wait_s is None else time.monotonic() + wait_s
        while True:
            self._hand_out()
            left = LOOK_S if end is None else min(LOOK_S, max(0.0, end - time.monotonic()))
            busy = [worker for worker in self._workers if worker.task is not None]
            ready = connection.wait(
                [*(one.pipe for one in busy), *(one.process.sentinel for one in busy)], left
            )
            for one in busy:
                if one.pipe in ready or one.process.sentinel in ready:
                    return self._came_of(one)
            if end is not None and time.monotonic() >= end:
                return None

    def _hand_out(self) -> None:
        """Give what is waiting to those who have nothing at hand, and to new workers."""
        while self._tasks:
            idle = next((one for one in self._workers if one.task is None), None)
            if idle is None:
                if len(self._workers) == self._most:
                    return
                idle = self._new_worker()
            try:
                idle.pipe.send(self._tasks[0])
            except (BrokenPipeError, ConnectionResetError):
                self._bury(idle)  # he died with nothing at hand
                continue
            idle.task = self._tasks.popleft()

    def _new_worker(self) -> _Worker[P]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(self._work, theirs, self._watched))
        with _for_children():
            process.start()
        theirs.close()  # else his death is no end of the pipe
        self._workers.append(_Worker(process, ours))
        return self._workers[-1]

    def _came_of(self, worker: _Worker[P]) -> R | Lost:
        task, worker.task = worker.task, None
        assert task is not None, "he has one at hand"
        try:
            done, error = _received(worker.pipe)
        except (EOFError, ConnectionResetError):
            self._bury(worker)
            return Lost(task.shard.number, _how(worker.process.exitcode))
        if isinstance(error, StoreError):
            return Lost(task.shard.number, str(error), store=True)
        if error is not None:
            raise error
        assert done is not None, "only close() stops play"
        found: R = done
        return found

    def _bury(self, worker: _Worker[P]) -> None:
        worker.pipe.close()
        worker.process.join(PATIENCE_S)
        if worker.process.exitcode is None:  # his pipe ended, he did not
            worker.process.kill()
            worker.process.join()
        self._workers.remove(worker)

    def close(self, *, cancel: bool) -> None:
        """End the processes; those that do not hear in time are ended by force."""
        if cancel:
            self._held.close()
        for worker in self._workers:
            worker.pipe.close()
        end = time.monotonic() + PATIENCE_S
        for worker in self._workers:
            worker.process.join(max(0.0, end - time.monotonic()))
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
        self._held.close()
        self._watched.close()


def _received(pipe: Connection) -> tuple[Any, BaseException | None]:
    """What a worker sent; ``EOFError`` where he died before it was whole."""
    if not pipe.poll():
        raise EOFError
    found: tuple[Any, BaseException | None] = pipe.recv()
    return found


def _how(exitcode: int | None) -> str:
    """What a worker died of."""
    assert exitcode is not None, "he is dead"
    if exitcode >= 0:
        return f"worker ended (exit code {exitcode})"
    return f"worker died ({signal.Signals(-exitcode).name})"


@contextlib.contextmanager
def _for_children() -> Iterator[None]:
    """What a child inherits from its first moment: Ctrl-C is the driver's to hear, and Polars,
    which reads it at its import, has one thread."""
    before = os.environ.get("POLARS_MAX_THREADS")
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.environ["POLARS_MAX_THREADS"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["POLARS_MAX_THREADS"]
        else:
            os.environ["POLARS_MAX_THREADS"] = before
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _serve(work: Work[P, R], pipe: Connection, held: Connection) -> None:
    """Do one piece after the other until the driver closes the pipe."""
    stop = StopFlag()
    threading.Thread(target=_watch, args=(held, stop), daemon=True).start()
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        done, error = None, None
        try:
            done = work(task, stop)
        except Exception as raised:  # the driver's to hear, whatever it is
            raised.add_note(f"in a worker process:\n{traceback.format_exc()}")
            error = raised
        if stop.is_set():
            return
        try:
            pipe.send((done, error))
        except (BrokenPipeError, ConnectionResetError):
            return  # nobody is left to hear of it


def _watch(held: Connection, stop: StopFlag) -> None:
    """Wait for the driver to let go: to stop the run, or since it was killed."""
    connection.wait([held])
    stop.set()
    parent = multiprocessing.parent_process()
    assert parent is not None
    if connection.wait([parent.sentinel], timeout=PATIENCE_S):
        os._exit(1)  # nobody is left to hear of a piece
