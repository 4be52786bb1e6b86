"""Many things in order, several of them done at once by threads."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def several(
    at_once: int, tasks: Iterable[A], do: Callable[[A], B], *, held: int | None = None
) -> Iterator[B]:
    """What ``do`` makes of each, in order; no more than ``held`` are begun and not yet taken, as
    many as threads unless given."""
    if at_once == 1:
        yield from map(do, tasks)
        return
    with ThreadPoolExecutor(at_once) as hands:
        begun: deque[Future[B]] = deque()
        try:
            for task in tasks:
                begun.append(hands.submit(do, task))
                if len(begun) == (held or at_once):
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            for future in begun:
                future.cancel()
