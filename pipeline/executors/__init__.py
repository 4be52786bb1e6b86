"""Who plays shards: one protocol, and nothing else differs.

No executor tries anything twice: what came to nothing goes back to the driver as :class:`Lost`,
who counts tries, keeps causes and decides.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from engine_ext.batch import StopFlag
from engine_ext.errors import UserError
from pipeline.landing import Task
from pipeline.manifest import Receipt
from pipeline.plan import Shard

if TYPE_CHECKING:
    from pipeline.executors.handshake import Asked

Kind = Literal["inline", "local", "processes", "ray"]
KINDS: tuple[Kind, ...] = ("inline", "local", "processes", "ray")

TRIES = 3
"""How often a piece is tried that comes to nothing, before it is given up."""

MOST_WORKERS = 1000
"""On this machine."""
MOST_OF_CLUSTER = 100_000
"""On a Ray cluster."""


class WorkerLost(UserError):
    """Tries of the same piece came to nothing again and again."""


class Lost(NamedTuple):
    """A try that came to nothing, by no mistake in what was to be done."""

    shard: int
    """Number of the piece's shard."""
    cause: str
    """In one line, ``worker died (SIGKILL)`` say."""
    store: bool = False
    """It was the store that failed: others fare alike now, and better later."""


class Piece(Protocol):
    """What a worker is given: plain data."""

    @property
    def where(self) -> str:
        """The run's store."""

    @property
    def shard(self) -> Shard:
        """Which games; its number tells pieces apart."""


P = TypeVar("P", bound=Piece)
R = TypeVar("R")
P_contra = TypeVar("P_contra", bound=Piece, contravariant=True)
R_co = TypeVar("R_co", covariant=True)
Work: TypeAlias = Callable[[P, StopFlag], R | None]
"""What is done with a piece: a function of a module; None where the flag was set before."""


class Hands(Protocol[P_contra, R_co]):
    """Workers somewhere, who do the same work on every piece; what comes of it may come back
    in any order."""

    @property
    def window(self) -> int:
        """How many pieces they want at hand."""

    def submit(self, task: P_contra) -> None:
        """Take a piece in; it may be one that was given before, even while that is at hand."""

    def completed(self, wait_s: float | None = None) -> R_co | Lost | None:
        """Wait for the next piece that is done, at most ``wait_s`` seconds: None then.

        A worker's ``StoreError`` is a :class:`Lost` with what it says; every other exception of
        his is raised. So is ``KeyboardInterrupt``. To be asked only while pieces are at hand.
        """

    def close(self, *, cancel: bool) -> None:
        """End the workers; ``cancel`` drops what they are at, promptly."""


Executor: TypeAlias = Hands[Task, Receipt]
"""Plays shards."""


def cpus() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0))


def choose(
    kind: str | None,
    workers: int | None,
    address: str | None = None,
    ship: Sequence[str] = (),
) -> Kind:
    """The kind asked for; by default ``ray`` under RAY_ADDRESS, else ``local``.

    Raises a ``UserError`` for what there is not, before anything is begun.
    """
    wanted = kind or ("ray" if os.environ.get("RAY_ADDRESS") else "local")
    found = next((known for known in KINDS if known == wanted), None)
    if found is None:
        raise UserError(f"--executor: {wanted!r} is none (want one of {', '.join(KINDS)})")
    most = MOST_OF_CLUSTER if found == "ray" else MOST_WORKERS
    if workers is not None and not 1 <= workers <= most:
        raise UserError(f"--workers: {workers} (want 1 to {most})")
    for option, said in (("--address", address), ("--ship", ship)):
        if said and found != "ray":
            raise UserError(f"{option}: is for --executor ray, not {found}")
    return found


@dataclass(frozen=True)
class Begin:
    """How workers are had, new ones at every call; to be used in a ``with``."""

    kind: Kind
    workers: int | None
    release_gil: bool
    """Every strategy is compiled, so threads run side by side."""
    address: str | None = field(default=None, kw_only=True)
    """Of the Ray cluster; None leaves it to RAY_ADDRESS, and to one of our own without."""
    ship: tuple[str, ...] = field(default=(), kw_only=True)
    """Wheels that its nodes get."""
    asked: "Asked | None" = field(default=None, kw_only=True)
    """What its nodes must be."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the Ray cluster that was begun or joined meanwhile."""
        if self.kind == "ray":
            from pipeline.executors.joining import leave

            leave()

    def join(self) -> None:
        """Begin or join the Ray cluster now; else that is done for the first hands."""
        if self.kind == "ray":
            from pipeline.executors.joining import joined

            joined(self.address, self.workers, self.ship)

    def __call__(self) -> Executor:
        """Workers who play shards."""
        from pipeline.play import play_shard

        return self.at(play_shard)

    def at(self, work: Work[P, R]) -> Hands[P, R]:
        """Workers who do something else."""
        if self.kind == "inline":
            from pipeline.executors.inline import Inline

            return Inline(work)
        if self.kind == "local":
            from pipeline.executors.local import Threads

            if self.release_gil:
                return Threads(work, self.workers or cpus())
        if self.kind in ("local", "processes"):
            from pipeline.executors.processes import Processes

            return Processes(work, self.workers or cpus())
        from pipeline.executors.ray import Cluster

        assert self.asked is not None, "whoever plays on a cluster says what"
        return Cluster(work, self.workers, self.asked, address=self.address, ship=self.ship)
