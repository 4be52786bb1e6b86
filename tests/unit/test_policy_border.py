"""A compiled strategy comes in by a capsule with the right name and version, or not at all."""

import ctypes

import numpy as np
import pytest

from engine_ext.batch import Rules, play_games
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key

NAME = b"engine_ext.policy"


class Foreign:
    """A strategy compiled elsewhere: a policy_t of nothing but its ABI number."""

    def __init__(self, abi: int, name: bytes) -> None:
        self._policy = ctypes.create_string_buffer(abi.to_bytes(4, "little"), 256)
        self._name = name  # the capsule keeps the address only
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule: object = make(ctypes.addressof(self._policy), self._name, None)


def seat(strategy: object) -> None:
    play_games(
        Rules(load_variant("yardstick")),
        [strategy],
        key=run_key(1),
        blocks=np.zeros(1, np.uint64),
        seating=np.zeros((1, 4), np.uint8),
    )


def test_a_strategy_built_for_another_border_is_refused() -> None:
    with pytest.raises(ValueError, match=r"built for policy ABI 99, this engine has 2; rebuild"):
        seat(Foreign(99, NAME))


def test_a_capsule_of_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="incorrect name"):
        seat(Foreign(1, b"numpy.bitgen"))
