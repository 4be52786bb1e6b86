"""Shards on a Ray cluster, or on a local one that lives as long as the run.

Ray is imported here alone, since it takes seconds and memory. Its settings must
stand in the environment before the import. Workers write into the run's folder
themselves, so every node must see it, and must have this package installed.
"""

import fcntl
import logging
import os
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Generic

from engine_ext.errors import UserError
from pipeline.executors import Lost, P, R, Work
from pipeline.stores import StoreError

SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    # 3.5 kB a task would stay in the head's memory.
    "RAY_task_events_report_interval_ms": "0",
    # Ray's memory monitor would retry for ever.
    "RAY_task_oom_retries": "2",
}
WORKER_ENV = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
STORE_BYTES = 100 * 2**20
"""Of the object store; a receipt is below 1 kB."""
SCRATCH, PREFIX = Path("/tmp"), "barbu-ray-"
"""Where Ray's sessions lie."""
PER_CPU = 3
"""Shards in flight for each processor: enough that an autoscaler sees demand."""


class Cluster(Generic[P, R]):
    """Ray tasks, a bounded number in flight."""

    def __init__(self, work: Work[P, R], workers: int | None) -> None:
        address = os.environ.get("RAY_ADDRESS") or "local"
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        self._scratch: Scratch | None = None
        self._stdout = _stdout_to_stderr()
        try:
            options: dict[str, Any] = {}
            if address == "local":
                self._scratch = Scratch()
                options = {
                    "num_cpus": workers,
                    "include_dashboard": False,
                    "object_store_memory": STORE_BYTES,
                    "_temp_dir": str(self._scratch.folder),
                }
                if not ({"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & set(os.environ)):
                    # Else Ray writes one into the user's home and leaves it there.
                    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
            import ray

            self._ray = ray
            try:
                ray.init(
                    address=address,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    runtime_env={"env_vars": WORKER_ENV},
                    **options,
                )
            except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
                why = str(error).strip().partition("\n")[0]
                raise UserError(f"RAY_ADDRESS: {address}: Ray cannot begin: {why}") from error
        except BaseException:
            self._restore()
            raise
        self._limit = None if address == "local" else workers
        self._work = work
        self._task: Any = ray.remote(max_retries=0, num_cpus=1)(_do)
        self._running: dict[Any, P] = {}

    @property
    def window(self) -> int:
        """Three shards a processor, asked again since clusters grow."""
        if self._limit is not None:
            return self._limit
        there: dict[str, float] = self._ray.cluster_resources()  # type: ignore[no-untyped-call]
        return PER_CPU * max(1, int(there.get("CPU", 1)))

    def submit(self, task: P) -> None:
        """Take a piece in."""
        self._running[self._task.remote(self._work, task)] = task

    def completed(self, wait_s: float | None = None) -> R | Lost | None:
        """Wait for a piece."""
        done, _ = self._ray.wait(list(self._running), num_returns=1, timeout=wait_s)
        if not done:
            return None
        number = self._running.pop(done[0]).shard.number
        try:
            found: R = self._ray.get(done[0])
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, StoreError):
                return Lost(number, str(error.cause), store=True)
            raise error.cause from None  # what play_shard raised, as other executors do
        except self._ray.exceptions.RayError as error:
            return Lost(number, str(error).splitlines()[0])
        return found

    def close(self, *, cancel: bool) -> None:
        """Leave the cluster, and end it if it is ours.

        What still runs is of no use then and ends with the driver's job. Cancelling it
        by force instead now and then aborts the driver (a failed check in Ray 2.60).
        """
        try:
            self._ray.shutdown()
        finally:
            self._restore()

    def _restore(self) -> None:
        sys.stdout.flush()
        os.dup2(self._stdout, 1)
        os.close(self._stdout)
        if self._scratch is not None:
            self._scratch.remove()


class Scratch:
    """A folder for Ray's session, which Ray itself never removes.

    It is locked as long as this process lives; one whose lock is free was left behind
    by a driver that was killed, and goes with the next that comes.
    """

    def __init__(self) -> None:
        for left in SCRATCH.glob(f"{PREFIX}*"):
            lock = _lock(left)
            if lock is not None:
                shutil.rmtree(left, ignore_errors=True)
                os.close(lock)
        # Locked before it has a name by which others would find and remove it.
        made = Path(tempfile.mkdtemp(prefix="barbu-new-", dir=SCRATCH))
        self._held = _lock(made)
        # Short, since the paths of sockets must be.
        self.folder = made.rename(SCRATCH / made.name.replace("barbu-new-", PREFIX))

    def remove(self) -> None:
        """Remove it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._held is not None:
            os.close(self._held)


def _lock(folder: Path) -> int | None:
    """Lock a folder of our own; None if another holds it, or it is not ours."""
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if os.fstat(held).st_uid == os.getuid():
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return held
    except BlockingIOError:
        pass
    os.close(held)
    return None


def _stdout_to_stderr() -> int:
    """Send file descriptor 1 to stderr, where Ray's own words belong; the old one."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    return kept


def _do(work: Work[P, R], task: P) -> R:
    from engine_ext.batch import StopFlag

    done = work(task, StopFlag())
    assert done is not None, "nobody sets this flag"
    return done
