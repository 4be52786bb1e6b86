"""Counts and totals of every measure, block by block: what the summary adds up.

A compiled tally counts the games (``engine_ext/tally.pyx``); here stands what it counts, over
which axes, and which of it makes each measure.
"""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.build import load
from engine_ext.rules.resolve import VariantNumbers
from pipeline.seating import Table
from pipeline.tables import Games
from pipeline.tally_plan import OF_ALL, OF_ENTRANTS, OF_MEMBERS, Keep, Layout

if TYPE_CHECKING:
    from engine_ext.tally import Tally
else:
    Tally = load("engine_ext.tally").Tally

MEASURES: dict[str, str] = {
    "advantage": "n seat-games, x = S * score - total of the table; by table and entrant",
    "win": "n seat-games, x = win share in 1/2520 (2520 / seats tied for first); likewise",
    "place": "n seat-games, x = twice the mean rank of those tied, 2 is best; likewise",
    "fouls": "n seat-games, x = illegal or failed answers; likewise",
    "seat": "n games, x = S * score - total of the table; role is the seat",
    "points": "n seat-deals, x = S * points - total of the deal; by entrant and contract",
    "role": "n seat-deals, x = S * points - total of the deal; by role as well",
    "choice": "n choices with `n_left` contracts left where this one was, x = times chosen",
    "choice_all": "n choices with `n_left` contracts left, x = times this one was chosen",
    "earned": "n deals declared, x = the declarer's points; by contract and `n_left`",
    "earned_score": "n deals declared, x = the declarer's points with side bets",
    "doubled": "n deals in which the seat might double the target, x = doubles made",
    "double_ev": "n doubles made, x = settlement to the doubler",
    "redouble": "n deals in which the seat might answer the target's double, x = answers",
    "redouble_ev": "n redoubles made, x = settlement to the redoubler",
}
"""Every measure: what n counts and what x is. Points are inside points."""

WIN = 2520
"""Least common multiple of 1..10: a share of any win is a whole number of these."""

Ints = npt.NDArray[np.int64]


class Axis(NamedTuple):
    """One direction of a table of cells."""

    fields: tuple[str, ...]
    """Columns of the summary it fills."""
    values: Ints
    """(length, fields): their values by index; entrants and contracts by number, from 1."""


class Cells(NamedTuple):
    """A measure's counts and totals."""

    measure: str
    axes: tuple[Axis, ...]
    keep: tuple[Keep, ...]
    """Which sets of axes reports want; the others are summed over."""
    n: Ints
    """(blocks, *axes)"""
    x: Ints


class Measure(NamedTuple):
    """What makes a measure."""

    name: str
    axes: tuple[Axis, ...]
    keep: tuple[Keep, ...]
    """Which sets of axes reports want; the others are summed over."""
    n: int
    """The number that is its count."""
    x: int
    """The one that is its total."""


NUMBERS = (
    *("member games", "member advantage", "member win", "member place", "member fouls"),
    *("games", "advantage", "win", "place", "fouls"),
    *("seat games", "seat advantage"),
    *("deals", "points", "deals with bets"),
    *("last use", "could choose", "chosen", "choices", "earned", "earned score"),
    *("answered", "could double", "doubled", "gain"),
    *("could redouble", "redoubled", "redouble gain"),
)
"""What is counted in a block, as ``tally.pyx`` has it."""
_BETS = NUMBERS[NUMBERS.index("answered") :]
_CHOICES = NUMBERS[NUMBERS.index("last use") : NUMBERS.index("answered")]

_PAIR_VIEWS = tuple(
    (*entrant, *contract, *roles)
    for entrant, contract, roles in product(((0,), ()), ((1,), ()), ((2, 3), (2,), ()))
)
"""Of entrant, contract, role, target."""
_OF_GAMES = ("advantage", "win", "place", "fouls")


class BlockTotals:
    """What is counted of the games of one variant; the axes are those of the whole run.

    The attributes up to ``n_products`` are the plan of a ``Tally``.
    """

    win = WIN

    def __init__(self, rules: VariantNumbers, labels: tuple[str, ...], tables: list[Table]) -> None:
        n = rules.seats
        self.rules = rules
        self.labels = labels
        # None where the company at a table differs from block to block.
        members = [(t, e) for t, order in enumerate(tables) for e in sorted(set(order))]
        self.member = np.zeros((len(tables), len(labels)), np.int64)
        for i, (t, e) in enumerate(members):
            self.member[t, e] = i
        pairs = np.array([(t, e + 1) for t, e in members], np.int64).reshape(-1, 2)
        self._axes = {
            "member": Axis(("table", "entrant"), pairs),
            "entrant": _axis("entrant", 1, len(labels)),
            "contract": _axis("contract", 1, rules.n_contracts),
            "role": _axis("role", 0, n),
            "target": _axis("target", 0, n),
            "left": _axis("n_left", 0, sum(rules.uses) + 1),
        }
        self.seats, self.contracts, self.lefts = n, rules.n_contracts, sum(rules.uses) + 1
        self.owners = (1, max(1, len(members)), len(labels))
        self.uses = np.array(rules.uses, np.int64)
        may = _may_double(rules)
        answers = may & _speaks_later(n)
        may_answer = answers.copy()
        may_answer[:, 0, :] |= bool(rules.declarer_redoubles)
        self.may, self.answers, self.may_answer = (
            one.astype(np.uint8) for one in (may, answers, may_answer)
        )
        self.layout = Layout()
        self._number = {name: self._lay_out(name) for name in NUMBERS if self._has(name)}
        self.at = [
            self.layout.at(self._number[name]).start if name in self._number else -1
            for name in NUMBERS
        ]
        self.measures = tuple(self._measures())
        for measure in self.measures:
            for keep in measure.keep:
                self.layout.power(measure.n, keep)
                self.layout.power(measure.x, keep)
                self.layout.product(measure.n, measure.x, keep)
        self.counted = self.layout.rows("numbers")
        self.steps = self.layout.rows("steps")
        self.powers = self.layout.rows("powers")
        self.products = self.layout.rows("products")
        self.size = self.layout.size
        self.n_powers = self.layout.n_powers
        self.n_products = self.layout.n_products

    def tally(self) -> Tally:
        """One that has counted nothing yet."""
        return Tally(self)

    def of(self, games: Games) -> Iterator[Cells]:
        """The cells of every measure that the variant has, of games of whole blocks."""
        blocks = len(np.unique(games.block))
        each = np.zeros((blocks, self.size), np.int64)
        self.tally().add(games, True, each)
        for measure in self.measures:
            shape = (blocks, *(len(axis.values) for axis in measure.axes))
            n, x = (
                each[:, self.layout.at(number)].reshape(shape) for number in (measure.n, measure.x)
            )
            yield Cells(measure.name, measure.axes, measure.keep, n, x)

    def _has(self, number: str) -> bool:
        if number.startswith("member"):
            return bool(len(self._axes["member"].values))
        if number in _CHOICES:
            return bool(self.rules.has_choice)
        return bool(self.rules.has_doubling) or number not in ("deals with bets", *_BETS)

    def _axes_of(self, number: str) -> tuple[Axis, ...]:
        if number in _BETS:
            names = ["entrant", "contract", "role", "target"]
        elif number in _CHOICES:
            names = ["entrant", "contract", "left"]
        elif number in ("deals", "points", "deals with bets"):
            names = ["entrant", "contract", "role"]
        elif number.startswith("seat"):
            names = ["role"]
        else:
            names = ["member" if number.startswith("member") else "entrant"]
        return tuple(self._axes[name] for name in names)

    def _lay_out(self, number: str) -> int:
        axes = self._axes_of(number)
        owners = {"member": OF_MEMBERS, "entrant": OF_ENTRANTS}
        first = next(name for name, axis in self._axes.items() if axis is axes[0])
        shape = tuple(len(axis.values) for axis in axes)
        return self.layout.number(shape, owners.get(first, OF_ALL))

    def _measure(self, name: str, n: str, x: str, keep: tuple[Keep, ...]) -> Measure:
        return Measure(name, self._axes_of(n), keep, self._number[n], self._number[x])

    def _measures(self) -> Iterator[Measure]:
        """In the order of the summary's rows."""
        if "member games" in self._number:
            for name in _OF_GAMES:
                yield self._measure(name, "member games", f"member {name}", ((0,),))
        for name in _OF_GAMES:
            yield self._measure(name, "games", name, ((0,),))
        yield self._measure("seat", "seat games", "seat advantage", ((0,),))
        yield self._measure("points", "deals", "points", ((0, 1), (0,)))
        yield self._measure("role", "deals", "points", ((0, 1, 2), (0, 2), (1, 2), (2,)))
        if self.rules.has_choice:
            views = ((0, 1, 2), (1, 2))
            yield self._measure("choice", "could choose", "chosen", views)
            yield self._measure("choice_all", "choices", "chosen", views)
            views_earned = ((0, 1, 2), (0, 1), (1, 2), (1,))
            yield self._measure("earned", "chosen", "earned", views_earned)
            yield self._measure("earned_score", "chosen", "earned score", views_earned)
        if self.rules.has_doubling:
            yield self._measure("doubled", "could double", "doubled", _PAIR_VIEWS)
            yield self._measure("double_ev", "doubled", "gain", _PAIR_VIEWS)
            yield self._measure("redouble", "could redouble", "redoubled", _PAIR_VIEWS)
            yield self._measure("redouble_ev", "redoubled", "redouble gain", _PAIR_VIEWS)


def _axis(field: str, first: int, length: int) -> Axis:
    return Axis((field,), np.arange(first, first + length)[:, None])


def _may_double(rules: VariantNumbers) -> npt.NDArray[np.bool_]:
    """(contracts, roles, roles): who may double whom, if not doubled by him before."""
    n = rules.seats
    may = np.zeros((rules.n_contracts, n, n), bool)
    for c, contract in enumerate(rules.contracts):
        whom = rules.targets[contract.tone + 1]
        may[c, 1:, 0] = whom >= 1
        may[c, 1:, 1:] = whom == 2
    may[:, range(n), range(n)] = False
    return may


def _speaks_later(n: int) -> npt.NDArray[np.bool_]:
    """(roles, roles): the one can only answer a double of the other, the first of the two to
    speak. Roles speak in the order 1, 2, ..., 0."""
    role, other = np.indices((n, n))
    later: npt.NDArray[np.bool_] = (other > 0) & ((other < role) | (role == 0))
    return later
