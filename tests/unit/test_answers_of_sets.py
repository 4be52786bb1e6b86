"""An answer of several cards, or of a second copy where there is one pack, is a foul: only a
compiled strategy can give it, so one is compiled here."""

import ctypes
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine_ext
from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key

SOURCE = """
#include "policy.h"
static uint64_t lowest(uint64_t cards) { return cards & (0 - cards); }
static cardset_t whole_hand(void *state, const view_t *view, stream_t *stream) {
    return view->hand;
}
static cardset_t with_second_copy(uint64_t card) {
    cardset_t cards = {{card, 1}};
    return cards;
}
static cardset_t legal_and_second(void *state, const view_t *view, stream_t *stream) {
    return with_second_copy(lowest(view->legal.w[0]));
}
static cardset_t other_and_second(void *state, const view_t *view, stream_t *stream) {
    return with_second_copy(lowest(view->hand.w[0] & ~view->legal.w[0]));
}
static int32_t choose(void *state, const view_t *view, stream_t *stream) { return -1; }
static uint32_t as_few(void *state, const view_t *view, stream_t *stream) {
    return view->must_double;
}
static uint32_t nobody(void *state, const view_t *view, stream_t *stream) { return 0; }
#define ANSWERING(f) policy_t policy_##f = { \\
    .abi = BARBU_POLICY_ABI, .choose = choose, .make_doubles = as_few, \\
    .make_redoubles = nobody, .play = f, .lay = f }
ANSWERING(whole_hand);
ANSWERING(legal_and_second);
ANSWERING(other_and_second);
"""
ANSWERS = ["whole_hand", "legal_and_second", "other_and_second"]
NAME = b"engine_ext.policy"  # a capsule keeps the address only


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "answers.c").write_text(SOURCE)
    compiler = shlex.split(sysconfig.get_config_var("CC"))
    headers = str(Path(engine_ext.__file__).parent)
    command = [*compiler, "-shared", "-fPIC", "-I", headers, "answers.c", "-o", "answers.so"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "answers.so"))


class Compiled:
    """One of the strategies above."""

    def __init__(self, library: ctypes.CDLL, answer: str) -> None:
        policy = ctypes.c_char.in_dll(library, f"policy_{answer}")
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule: object = make(ctypes.addressof(policy), NAME, None)


class Fouling:
    """Answers with a card that is in no pack, but for the last of its hand if ``but_last``."""

    def __init__(self, but_last: bool) -> None:
        self._but_last = but_last

    def choose(self, view: Any) -> tuple[int, int]:
        return 31, 0

    def play(self, view: Any) -> int:
        last = self._but_last and view.hand & (view.hand - 1) == 0
        return int(view.hand).bit_length() - 1 if last else 63

    lay = play


def played(variant: str, strategy: object) -> GameRecords:
    return play_games(
        Rules(load_variant(variant)),
        [strategy],
        key=run_key(1),
        blocks=np.arange(2, dtype=np.uint64),
        seating=np.zeros((2, 4), np.uint8),
        log=True,
    )


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("variant", ["barbu_52_doubling", "barbu_king_br", "barbu_king_br_honour"])
def test_no_answer_of_two_bits_is_a_card(library: ctypes.CDLL, variant: str, answer: str) -> None:
    sets = played(variant, Compiled(library, answer))
    fouls = played(variant, Fouling(answer == "whole_hand"))
    assert sets.fouls.min() > 50
    assert np.array_equal(sets.fouls, fouls.fouls)
    assert np.array_equal(sets.score, fouls.score)
    assert sets.deals.moves is not None
    assert fouls.deals.moves is not None
    assert np.array_equal(sets.deals.moves, fouls.deals.moves)
