"""Who carries shards out: one protocol, three ways, and nothing else differs."""

import os
from typing import Literal, Protocol

from engine_ext.errors import UserError
from pipeline.manifest import Receipt
from pipeline.play import Task

Kind = Literal["inline", "local", "ray"]
KINDS: tuple[Kind, ...] = ("inline", "local", "ray")

ATTEMPTS = 3
"""How often a shard is tried whose worker died, before the run fails."""


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


def executor(kind: str | None, workers: int | None, *, release_gil: bool) -> Executor:
    """The executor asked for; by default ``ray`` under RAY_ADDRESS, else ``local``.

    ``release_gil``: every strategy is compiled, so threads run side by side.
    """
    if workers is not None and workers < 1:
        raise UserError(f"--workers: {workers} (want 1 or more)")
    chosen = kind or ("ray" if os.environ.get("RAY_ADDRESS") else "local")
    if chosen == "inline":
        from pipeline.executors.inline import Inline

        return Inline()
    if chosen == "local":
        from pipeline.executors.local import Processes, Threads

        return (Threads if release_gil else Processes)(workers or cpus())
    if chosen == "ray":
        from pipeline.executors.ray import Cluster

        return Cluster(workers)
    raise UserError(f"--executor: {chosen!r} is none (want one of {', '.join(KINDS)})")
