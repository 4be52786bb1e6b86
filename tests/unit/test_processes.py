"""Worker processes: whose death loses which piece."""

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from engine_ext.batch import StopFlag
from pipeline.executors import Lost, WorkerLost
from pipeline.executors.carrying import carried_out
from pipeline.executors.processes import Processes
from pipeline.plan import Shard
from pipeline.stores import StoreError


class Piece(NamedTuple):
    shard: Shard
    what: str
    where: str = "somewhere"


def piece(number: int, what: str) -> Piece:
    return Piece(Shard(number, "v", number, 1, 0, 1, whole=True), what)


def work(task: Piece, stop: StopFlag) -> int | None:
    """Does what it is told."""
    match task.what:
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            os._exit(3)
        case "full":
            raise StoreError("x: cannot be written: no space left on device")
        case "wrong":
            raise ZeroDivisionError("ours")
        case "slow":
            time.sleep(1)
        case "long":
            while not stop.is_set():
                time.sleep(0.01)
            return None
    return task.shard.number


@pytest.fixture
def hands() -> Iterator[Processes[Piece, int]]:
    made = Processes(work, 2)
    yield made
    made.close(cancel=True)


def test_a_death_loses_the_piece_at_hand_and_no_other(hands: Processes[Piece, int]) -> None:
    for number, what in enumerate(("slow", "kill", "exit", "full", "well")):
        hands.submit(piece(number, what))
    came = Counter(hands.completed() for _ in range(5))
    assert came == {
        0: 1,
        Lost(1, "worker died (SIGKILL)"): 1,
        Lost(2, "worker ended (exit code 3)"): 1,
        Lost(3, "x: cannot be written: no space left on device", store=True): 1,
        4: 1,
    }


def test_a_mistake_of_ours_is_raised_with_its_place(hands: Processes[Piece, int]) -> None:
    hands.submit(piece(0, "wrong"))
    with pytest.raises(ZeroDivisionError, match="ours") as raised:
        hands.completed()
    assert "in work" in raised.value.__notes__[0]


def test_a_wait_ends_and_a_stop_is_prompt() -> None:
    hands = Processes(work, 1)
    hands.submit(piece(0, "long"))
    assert hands.completed(0.05) is None
    worker = hands._workers[0].process
    hands.close(cancel=True)
    assert not worker.is_alive()


def test_a_piece_that_comes_to_nothing_again_and_again_is_given_up() -> None:
    tasks = [piece(0, "well"), piece(1, "kill")]
    with pytest.raises(WorkerLost, match=r"v, block 1: came to nothing 3 times: .*SIGKILL"):
        list(carried_out(Processes(work, 1), tasks))
