"""Pieces that must all be done: for work that is no run of its own."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator

from pipeline.executors import TRIES, Hands, Lost, P, R, WorkerLost


def carried_out(hands: Hands[P, R], pieces: Iterable[P]) -> Iterator[R]:
    """Keep the window full until every piece is done, then end the workers.

    Raises :class:`WorkerLost` with the cause where all tries of one come to nothing.
    """
    tasks = deque(pieces)
    known = {task.shard.number: task for task in tasks}
    tries: Counter[int] = Counter()
    flying, whole = 0, False
    try:
        while tasks or flying:
            if tasks and flying < hands.window:
                hands.submit(tasks.popleft())
                flying += 1
                continue
            came = hands.completed()
            assert came is not None, "it waits as long as it takes"
            flying -= 1
            if not isinstance(came, Lost):
                yield came
                continue
            task = known[came.shard]
            tries[came.shard] += 1
            if tries[came.shard] >= TRIES:
                raise WorkerLost(
                    f"{task.where}: {task.shard.variant}, block {task.shard.first_block}: "
                    f"came to nothing {TRIES} times: {came.cause}"
                )
            tasks.appendleft(task)
        whole = True
    finally:
        hands.close(cancel=not whole)
