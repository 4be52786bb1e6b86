"""Single deals in which everything is given: what a study asks of the engine.

A trial says which cards (as dealt, seats turned, or dealt anew but for one hand), who declares,
what contracts are left to him, which contract is played and which bets lie on the table. It is
played to its end, or only the contract is asked for, or the doubles. docs/seeds.md defines how
hands are dealt anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.batch import TABLES, Rules, StopFlag, Strategy, errors_of, is_batched, policies_of
from engine_ext.played import DealRecords, deal_records, empty_rows

NAMED = 255
"""Parameter of a contract code: whoever names trump suit or start rank is asked."""
ASKED = -1
"""In place of a contract code: the declarer is asked to choose from what is left."""
MOST_WORLDS = 1 << 23
"""Numbers of worlds lie below this: they share the field of the replicate."""


class Question(IntEnum):
    """How far a trial goes."""

    PLAY = 0
    """To the points of the deal, with the bets that are given."""
    CHOOSE = 1
    """The contract is named, nothing is played."""
    BET = 2
    """Everybody is asked for doubles, nothing is played."""


@dataclass(frozen=True, slots=True)
class Trials:
    """N trials, an array for each thing that is given; :func:`trials` fills in the usual."""

    block: npt.NDArray[np.uint64]
    """(N,) with ``deal`` it fixes the cards."""
    deal: npt.NDArray[np.uint16]
    """(N,) number of the deal in its game."""
    world: npt.NDArray[np.uint32]
    """(N,) 0 as dealt; from 1 on: which dealing anew of all hands but that of ``held``. The
    draws of the players differ from world to world too."""
    held: npt.NDArray[np.uint8]
    """(N,) seat whose hand stays."""
    turn: npt.NDArray[np.uint8]
    """(N,) seat s holds the hand dealt to seat (s + turn) mod S."""
    base: npt.NDArray[np.uint8]
    """(N,) seat that declares, or the base of a fixed schedule."""
    code: npt.NDArray[np.int32]
    """(N,) contract * 256 + trump suit or start rank (0 where nobody names one), ``NAMED`` there,
    or ``ASKED`` alone."""
    left: npt.NDArray[np.uint8]
    """(N, C) uses of each contract left to the declarer, the one at hand included."""
    duty: npt.NDArray[np.uint8]
    """(N, S) doubles of this declarer that each seat has made before."""
    doubled: npt.NDArray[np.uint16]
    """(N, S) bets on the table: set of seats that each seat has doubled or redoubled."""

    def __len__(self) -> int:
        return len(self.block)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All of them by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Outcomes(NamedTuple):
    """What came of trials; fewer than were asked for where ``stop`` was set."""

    code: npt.NDArray[np.int32]
    """(N,) contract * 256 + trump suit or start rank that was named, 0 where nobody names one
    (a drawn suit stands in ``deals.param``)."""
    fouls: npt.NDArray[np.uint16]
    """(N, S) illegal or failed answers."""
    deals: DealRecords
    """A row a trial: ``points`` by seat, ``doubled``, moves if logged."""
    errors: tuple[str, ...]
    """First exceptions of strategies written in Python."""


def trials(rules: Rules, n: int, **given: Any) -> Trials:
    """``n`` trials: block and deal 0, as dealt, seat 0 declares with everything left to him, is
    asked what he plays, and nobody has doubled; but for what is given, arrays or single values."""
    seats, numbers = rules.numbers.seats, rules.numbers
    usual: dict[str, tuple[Any, Any, tuple[int, ...]]] = {
        "block": (0, np.uint64, ()),
        "deal": (0, np.uint16, ()),
        "world": (0, np.uint32, ()),
        "held": (0, np.uint8, ()),
        "turn": (0, np.uint8, ()),
        "base": (0, np.uint8, ()),
        "code": (ASKED, np.int32, ()),
        "left": (numbers.uses[: numbers.n_contracts], np.uint8, (numbers.n_contracts,)),
        "duty": (0, np.uint8, (seats,)),
        "doubled": (0, np.uint16, (seats,)),
    }
    unknown = set(given) - set(usual)
    if unknown:
        raise TypeError(f"trials() has no {', '.join(sorted(unknown))}")
    arrays = {
        name: np.ascontiguousarray(
            np.broadcast_to(_fitting(name, given.get(name, value), dtype), (n, *shape))
        )
        for name, (value, dtype, shape) in usual.items()
    }
    return Trials(**arrays)


def _fitting(name: str, value: Any, dtype: Any) -> npt.NDArray[Any]:
    """``value`` in the type of its array, unless that would make other numbers of it."""
    array = np.asarray(value)
    if array.size and not np.can_cast(array.dtype, dtype):
        kinds, bounds = array.dtype.kind in "iu", np.iinfo(dtype)
        if not kinds or int(array.min()) < bounds.min or int(array.max()) > bounds.max:
            raise ValueError(f"{name}: want integers {bounds.min}..{bounds.max}")
    return array.astype(dtype)


def _check(rules: Rules, asked: Trials, question: Question = Question.PLAY) -> None:
    """Raise ``ValueError`` for what no table has; the kernel looks no more."""
    numbers, n = rules.numbers, len(asked)
    seats, contracts = numbers.seats, numbers.n_contracts
    shapes = {"left": (n, contracts), "duty": (n, seats), "doubled": (n, seats)}
    for name, array in asked.arrays().items():
        want = shapes.get(name, (n,))
        if array.shape != want:
            raise ValueError(f"{name} {array.shape} must be {want}")
    if question == Question.BET and not (numbers.has_doubling and numbers.has_choice):
        raise ValueError("question: nobody doubles in this variant")
    if not n:
        return
    bounds = {"held": seats, "turn": seats, "base": seats, "world": MOST_WORLDS, "duty": 255}
    for name, below in bounds.items():
        if int(getattr(asked, name).max()) >= below:
            raise ValueError(f"{name}: want numbers below {below}")
    if int(asked.doubled.max()) >= 1 << seats:
        raise ValueError(f"doubled: want sets of seats below {seats}")
    if (asked.doubled >> np.arange(seats, dtype=np.uint16) & 1).any():
        raise ValueError("doubled: nobody doubles himself")
    if asked.doubled.any() and not numbers.has_doubling:
        raise ValueError("doubled: nobody doubles in this variant")
    if numbers.has_choice and (asked.left > np.array(numbers.uses[:contracts])).any():
        raise ValueError("left: more than the rules give")
    if numbers.has_choice and not asked.left.any(axis=1).all():
        raise ValueError("left: a declarer must have a contract left")
    if not numbers.has_choice and (asked.code < 0).any():
        raise ValueError("code: nobody chooses in a fixed schedule, so the contract must be given")
    given = asked.code[asked.code >= 0]
    at = np.flatnonzero(asked.code >= 0)
    contract, param = given >> 8, given & 255
    if (contract >= contracts).any():
        raise ValueError(f"code: want contracts below {contracts}")
    if numbers.has_choice and not asked.left[at, contract].all():
        raise ValueError("code: a contract that is not left to the declarer")
    params = np.array([one.params for one in numbers.contracts], np.int64)[contract]
    if ((param != NAMED) & ((param > 31) | ((params >> np.minimum(param, 31)) & 1 == 0))).any():
        raise ValueError("code: a trump suit or start rank that may not be named")


def play_trials(
    rules: Rules,
    strategies: Sequence[Strategy],
    asked: Trials,
    *,
    key: tuple[int, int],
    question: Question = Question.PLAY,
    stop: StopFlag | None = None,
    log: bool = False,
    tables: int = TABLES,
) -> Outcomes:
    """Carry out trials, one strategy for each seat.

    Everything is as in a game: streams belong to (key, block, deal, seat, decision, world), a
    contract that nobody doubles is played all the same where the rules would split it.
    Raises ``ValueError`` for what does not fit the rules.
    """
    _check(rules, asked, question)
    seats, n = rules.numbers.seats, len(asked)
    if len(strategies) != seats:
        raise ValueError(f"{len(strategies)} strategies, the table has {seats} seats")
    if tables < 1:
        raise ValueError(f"tables {tables}: want at least 1")
    rows = empty_rows(n, rules.numbers, log=log)
    given: dict[str, Any] = asked.arrays()
    given |= {"taken": np.zeros(n, np.int32), "fouls": np.zeros((n, seats), np.uint16)}
    policies = policies_of(rules, strategies)
    rest = (n, rows, (StopFlag() if stop is None else stop).word)
    if any(map(is_batched, strategies)):
        done: int = rules.kernel.play_trials_in_step(
            rules.packed, policies, key, given, int(question), *rest, tables
        )
    else:
        capsules = [policy.capsule for policy in policies]
        done = rules.kernel.play_trials(rules.packed, capsules, key, given, int(question), *rest)
    return Outcomes(
        given["taken"][:done],
        given["fouls"][:done],
        deal_records(rows, slice(done), seats),
        errors_of(rules, policies),
    )


def hands_of(rules: Rules, asked: Trials, *, key: tuple[int, int]) -> npt.NDArray[np.uint64]:
    """The hands of trials by seat, (N, S) as card sets; (N, S, 2) with two packs."""
    _check(rules, asked)
    copies = rules.numbers.copies
    hands = np.zeros((len(asked), rules.numbers.seats, copies), np.uint64)
    given = {name: getattr(asked, name) for name in ("block", "deal", "world", "held", "turn")}
    if len(asked):
        rules.kernel.deal_trials(rules.packed, key, given, hands)
    return hands if copies == 2 else hands[:, :, 0]
