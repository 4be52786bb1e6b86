"""Who carries shards out: one protocol, three ways, and nothing else differs."""

import os
from typing import Literal, Protocol

from engine_ext.errors import UserError
from pipeline.landing import Task
from pipeline.manifest import Receipt

Kind = Literal["inline", "local", "ray"]
KINDS: tuple[Kind, ...] = ("inline", "local", "ray")

ATTEMPTS = 3
"""How often a shard is tried whose worker died, before the run fails."""


MOST_WORKERS = 1000
"""Asked for by number; a Ray cluster that is not limited may have more."""


class WorkerLost(UserError):
    """Workers died on the same shard again and again."""


class Executor(Protocol):
    """Plays shards somewhere; receipts come back in any order."""

    @property
    def window(self) -> int:
        """How many shards it wants at hand."""

    def submit(self, task: Task) -> None:
        """Take a shard in."""

    def completed(self) -> Receipt:
        """Wait for the next shard that has landed.

        Raises what its worker raised, :class:`WorkerLost`, or ``KeyboardInterrupt``.
        """

    def close(self, *, cancel: bool) -> None:
        """End the workers; ``cancel`` drops what they are at, promptly."""


def cpus() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0))


def choose(kind: str | None, workers: int | None) -> Kind:
    """The kind asked for; by default ``ray`` under RAY_ADDRESS, else ``local``.

    Raises a ``UserError`` for what there is not, before anything is begun.
    """
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise UserError(f"--workers: {workers} (want 1 to {MOST_WORKERS})")
    wanted = kind or ("ray" if os.environ.get("RAY_ADDRESS") else "local")
    for known in KINDS:
        if known == wanted:
            return known
    raise UserError(f"--executor: {wanted!r} is none (want one of {', '.join(KINDS)})")


def begin(kind: Kind, workers: int | None, *, release_gil: bool) -> Executor:
    """Begin the executor.

    ``release_gil``: every strategy is compiled, so threads run side by side.
    """
    if kind == "inline":
        from pipeline.executors.inline import Inline

        return Inline()
    if kind == "local":
        from pipeline.executors.local import Processes, Threads

        return (Threads if release_gil else Processes)(workers or cpus())
    from pipeline.executors.ray import Cluster

    return Cluster(workers)
