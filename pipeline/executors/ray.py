"""Shards on a Ray cluster: tasks, a bounded number in flight, none retried by Ray.

Workers write into the run's store themselves, so every node must see it and must have this
package, installed or shipped. Each node says so before the first shard, and each worker process
before its own first: a node that joined later with something else is left out.
"""

import pickle
import sys
import time
from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any, Generic

from engine_ext.errors import UserError
from pipeline.executors import Lost, P, R, Work
from pipeline.executors.handshake import Asked, say
from pipeline.executors.joining import joined
from pipeline.executors.remote import Refusal, carry_out
from pipeline.stores import StoreError

PER_CPU = 3
"""Shards in flight for each processor: enough that an autoscaler sees demand."""
AGAIN_S = 2.0
"""How long the size of the cluster is believed."""
ANSWER_S = 180.0
"""How long a node may take to say what it is: it may have to unpack and import everything."""
GROW_S = 900.0
"""How long a cluster without a processor may take to get one: an autoscaler starts machines."""
MOST_CANCELLED = 1000
"""Tasks that are told to stop: those that still matter are second tries, and few."""
MOST_TOLD = 5
"""Nodes that are named where many have something else."""


class Cluster(Generic[P, R]):
    """Workers of a Ray cluster: new processes for each that is made."""

    def __init__(
        self,
        work: Work[P, R],
        workers: int | None,
        asked: Asked,
        *,
        address: str | None = None,
        ship: Sequence[str] = (),
    ) -> None:
        """``asked``: what the nodes must be; ``workers``: the most, of an own cluster the
        number. Raises a ``UserError`` where no cluster can be had or its nodes differ."""
        session = joined(address, workers, ship)
        session.n_hands += 1
        self._ray = session.ray
        self._limit = None if session.own else workers
        self._work = work
        self._running: dict[Any, P] = {}
        self._done: deque[Any] = deque()
        self._window, self._asked_at = 0, -AGAIN_S
        self._avoided: dict[str, Refusal] = {}
        # Another environment is another process: who plays again did not play before.
        fresh = {"env_vars": {"BARBU_HANDS": str(session.n_hands)}}
        self._task: Any = self._ray.remote(max_retries=0, num_cpus=1, runtime_env=fresh)(carry_out)
        here = say(asked, "driver")
        self._terms = self._ray.put(pickle.dumps((asked, here)))
        if session.n_hands == 1:
            self._meet()

    @property
    def window(self) -> int:
        """Three shards a processor, asked again now and then since clusters grow."""
        if self._limit is not None:
            return self._limit
        now = time.monotonic()
        if now - self._asked_at >= AGAIN_S:
            self._window = PER_CPU * max(1, self._cpus())
            self._asked_at = now
        return self._window

    def submit(self, task: P) -> None:
        """Take a piece in."""
        sealed = pickle.dumps((self._work, task))
        self._running[self._somewhere().remote(self._terms, sealed)] = task

    def completed(self, wait_s: float | None = None) -> R | Lost | None:
        """Wait for a piece; what a node refused goes to another, since nobody has tried it."""
        until = None if wait_s is None else time.monotonic() + wait_s
        while self._arrived(until):
            task = self._running.pop(ref := self._done.popleft())
            try:
                refusal, found = self._ray.get(ref)
            except self._ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, StoreError):
                    return Lost(task.shard.number, str(error.cause), store=True)
                raise error.cause from None  # what the work raised, as other executors do
            except self._ray.exceptions.RayError as error:
                return Lost(task.shard.number, cause_of(error))
            if refusal is None:
                done: R = found
                return done
            self._avoid(refusal)
            self.submit(task)
        return None

    def close(self, *, cancel: bool) -> None:
        """Let go of what is at hand; what does not hear of it ends with the session."""
        if cancel:
            for ref in islice(self._running, MOST_CANCELLED):
                # Not by force: that now and then aborts the driver (a failed check in Ray 2.60).
                self._ray.cancel(ref, force=False)
        self._running.clear()
        self._done.clear()

    def _arrived(self, until: float | None) -> bool:
        """Wait until something is done, at most ``until``; all that is done is taken at once,
        since each look costs in proportion to what is in flight."""
        if not self._done:
            wait_s = None if until is None else max(0.0, until - time.monotonic())
            flying = list(self._running)
            first, _ = self._ray.wait(flying, num_returns=1, timeout=wait_s)
            if first:
                done, _ = self._ray.wait(flying, num_returns=len(flying), timeout=0)
                self._done.extend(done or first)
        return bool(self._done)

    def _somewhere(self) -> Any:
        """The task, for any node that has not refused."""
        if not self._avoided:
            return self._task
        return self._task.options(
            label_selector={"ray.io/node-id": f"!in({','.join(self._avoided)})"}
        )

    def _cpus(self) -> int:
        return sum(int(node["Resources"].get("CPU", 0)) for node in self._nodes())

    def _nodes(self) -> list[dict[str, Any]]:
        """Nodes that may play."""
        return [
            node
            for node in self._ray.nodes()
            if node["Alive"]
            and node["Resources"].get("CPU", 0) >= 1
            and node["NodeID"] not in self._avoided
        ]

    def _meet(self) -> None:
        """Ask every node what it is; refuse the cluster where one has something else."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        if not self._nodes():
            self._await_node()
        asked = {}
        for node in self._nodes():
            # Without a processor, or it would wait until others' work is done.
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            task = self._task.options(num_cpus=0, scheduling_strategy=there)
            asked[task.remote(self._terms, None)] = node
        done, silent = self._ray.wait(list(asked), num_returns=len(asked), timeout=ANSWER_S)
        refusals = [found for ref in done if (found := self._answer(ref, asked[ref])) is not None]
        if refusals:
            raise UserError(_told(refusals))
        for ref in silent:
            node = asked[ref]
            why = [f"has not answered in {ANSWER_S:.0f} s"]
            self._avoid((node["NodeID"], node["NodeManagerHostname"], why))

    def _answer(self, ref: Any, node: dict[str, Any]) -> Refusal | None:
        """Why a node may not play; None if it may, or its worker died: the next is asked too."""
        errors = self._ray.exceptions
        try:
            refusal, _ = self._ray.get(ref)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.RuntimeEnvSetupError as error:
            raise UserError(f"--ship: {node['NodeManagerHostname']}: {cause_of(error)}") from error
        except errors.RayError:
            return None
        found: Refusal | None = refusal
        return found

    def _await_node(self) -> None:
        """Wait for the first processor, asking for one so that an autoscaler sees it."""
        _say(f"no CPU in the cluster yet; waiting up to {GROW_S:.0f} s for one")
        ref = self._task.remote(self._terms, None)
        self._ray.wait([ref], num_returns=1, timeout=GROW_S)
        if not self._nodes():
            raise UserError(f"the Ray cluster has no CPU (waited {GROW_S:.0f} s for one)")

    def _avoid(self, refusal: Refusal) -> None:
        """Play nothing more on a node, and say why."""
        if refusal[0] in self._avoided:
            return
        self._avoided[refusal[0]] = refusal
        _say(f"left out: {_node_line(refusal)}")
        if not self._nodes():
            raise UserError(_told(list(self._avoided.values())))


def cause_of(error: Exception) -> str:
    """Why a try came to nothing, of one of Ray's exceptions, in one line."""
    return CAUSES.get(type(error).__name__) or " ".join(str(error).split())[:200]


CAUSES = {
    "WorkerCrashedError": "worker died",
    "OutOfMemoryError": "out of memory",
    "NodeDiedError": "node lost",
    "TaskCancelledError": "task cancelled",
    "TaskUnschedulableError": "node lost before it began",
}


def _told(refusals: list[Refusal]) -> str:
    """All that nodes have otherwise, on one line."""
    lines = [_node_line(refusal) for refusal in refusals[:MOST_TOLD]]
    more = len(refusals) - len(lines)
    return "; ".join((*lines, *([f"and {more} more nodes"] if more else [])))


def _node_line(refusal: Refusal) -> str:
    node, name, lines = refusal
    return f"node {name} ({node[:8]}): {', '.join(lines)}"


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
