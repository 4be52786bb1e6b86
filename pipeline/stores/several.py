"""Many files of a store in order, several of them asked for at once."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from pipeline.stores import Store

A = TypeVar("A")
B = TypeVar("B")


def several(store: Store, files: Iterable[A], read: Callable[[A], B]) -> Iterator[B]:
    """What ``read`` makes of each, in order; no more than the store's ``at_once`` are held."""
    if store.at_once == 1:
        yield from map(read, files)
        return
    with ThreadPoolExecutor(store.at_once) as readers:
        flying: deque[Future[B]] = deque()
        try:
            for file in files:
                flying.append(readers.submit(read, file))
                if len(flying) == store.at_once:
                    yield flying.popleft().result()
            while flying:
                yield flying.popleft().result()
        finally:
            for future in flying:
                future.cancel()
