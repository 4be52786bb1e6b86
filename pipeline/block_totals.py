"""Counts and totals of every measure, block by block: what the summary adds up.

Seat-deals are sorted into cells by one number each (block, entrant, contract, ...) and
counted with ``bincount``, whose sums are exact: they stay far below 2^53.
"""

from collections.abc import Generator, Iterator
from functools import reduce
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.rules.resolve import VariantNumbers
from pipeline.seating import Table
from pipeline.tables import Games

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
AnyInts = npt.NDArray[np.integer[Any]]


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
    keep: tuple[tuple[int, ...], ...]
    """Which sets of axes reports want; the others are summed over."""
    n: Ints
    """(blocks, *axes)"""
    x: Ints


_PAIR_VIEWS = tuple(
    (*entrant, *contract, *roles)
    for entrant, contract, roles in product(((0,), ()), ((1,), ()), ((2, 3), (2,), ()))
)
"""Of entrant, contract, role, target."""


class BlockTotals:
    """Makes the cells of some games; the axes are those of the whole run."""

    def __init__(self, rules: VariantNumbers, labels: tuple[str, ...], tables: list[Table]) -> None:
        n = rules.seats
        self.rules = rules
        self.labels = labels
        # None where the company at a table differs from block to block.
        members = [(t, e) for t, order in enumerate(tables) for e in sorted(set(order))]
        self._member = np.zeros((len(tables), len(labels)), np.int64)
        for i, (t, e) in enumerate(members):
            self._member[t, e] = i
        pairs = np.array([(t, e + 1) for t, e in members], np.int64).reshape(-1, 2)
        self.member = Axis(("table", "entrant"), pairs)
        self.entrant = _axis("entrant", 1, len(labels))
        self.contract = _axis("contract", 1, rules.n_contracts)
        self.role = _axis("role", 0, n)
        self.target = _axis("target", 0, n)
        self.left = _axis("n_left", 0, sum(rules.uses) + 1)
        self._seats = np.arange(n)
        # By contract * n + base seat: contract * n + role of every seat.
        contract, base = np.divmod(np.arange(rules.n_contracts * n)[:, None], n)
        self._contract_role = contract * n + (self._seats - base) % n
        self._role = ((self._seats - self._seats[:, None]) % n).reshape(-1)  # base * n + seat
        self._may_double = _may_double(rules)

    def of(self, games: Games) -> Iterator[Cells]:
        """The cells of every measure that the variant has."""
        first = games.block[0]
        block = (games.block - first).astype(np.int64)
        blocks = int(block[-1]) + 1
        yield from self._game_cells(games, block, blocks)
        seat_deals = yield from self._deal_cells(games, block, blocks)
        if self.rules.has_choice:
            yield from self._choice_cells(games, block, blocks)
        if self.rules.has_doubling:
            yield from self._double_cells(games, block, blocks, seat_deals)

    def _game_cells(self, games: Games, block: Ints, blocks: int) -> Iterator[Cells]:
        records, n = games.records, self.rules.seats
        place = records.place.astype(np.int64)
        tied = (place[:, :, None] == place[:, None, :]).sum(axis=2)
        advantage = _less_total(records.score)
        totals = {
            "advantage": advantage,
            "win": np.where(place == 1, WIN // records.n_first[:, None].astype(np.int64), 0),
            "place": 2 * place + tied - 1,
            "fouls": records.fouls,
        }
        entrant = self._entrant_code(games, block)
        axes_of = [(self.entrant, entrant)]
        if len(self.member.values):
            member = block[:, None] * len(self.member.values)
            member = member + self._member[games.table[:, None], games.entrant]
            axes_of.insert(0, (self.member, member))
        for axis, code in axes_of:
            count = _count(code, blocks, (axis,))
            for measure, x in totals.items():
                yield Cells(measure, (axis,), ((0,),), count, _total(code, x, blocks, (axis,)))
        seat = np.broadcast_to(block[:, None] * n + self._seats, advantage.shape)
        axes = (self.role,)
        count, total = _count(seat, blocks, axes), _total(seat, advantage, blocks, axes)
        yield Cells("seat", axes, ((0,),), count, total)

    def _deal_cells(self, games: Games, block: Ints, blocks: int) -> Generator[Cells, None, Ints]:
        """Own points against the table's; returns the count of seat-deals that may have side
        bets by block, entrant, contract and role."""
        deals, n, n_contracts = games.records.deals, self.rules.seats, self.rules.n_contracts
        held = self._entrant_code(games, block)  # (games, seats)
        held = held[games.game_of] * (n_contracts * n)
        code = held + self._contract_role[deals.contract.astype(np.int64) * n + _base(games)]
        axes = (self.entrant, self.contract, self.role)
        count = _count(code, blocks, axes)
        total = _total(code, _less_total(deals.points), blocks, axes)
        yield Cells("points", axes, ((0, 1), (0,)), count, total)
        yield Cells("role", axes, ((0, 1, 2), (0, 2), (1, 2), (2,)), count, total)
        if deals.extra is not None and deals.extra.any():
            return _count(code[deals.extra == 0], blocks, axes)
        return count

    def _choice_cells(self, games: Games, block: Ints, blocks: int) -> Iterator[Cells]:
        """What declarers chose, and what it earned them; of deals whose contract was given
        (played again, or extra) nothing."""
        deals = games.records.deals
        row = np.flatnonzero(deals.n_left)
        declarer = deals.declarer[row].astype(np.int64)
        held = self._entrant_code(games, block)[games.game_of[row], declarer]
        chosen = self._choice_code(held, deals.contract[row], deals.n_left[row])
        axes = (self.entrant, self.contract, self.left)
        views = ((0, 1, 2), (1, 2))
        taken = _count(chosen, blocks, axes)
        yield Cells("choice", axes, views, self._chances(games, block, blocks), taken)
        every = np.broadcast_to(taken.sum(axis=2, keepdims=True), taken.shape)
        yield Cells("choice_all", axes, views, every, taken)
        points = deals.points[row, declarer]
        for measure, x in (
            ("earned", points),
            ("earned_score", points + deals.side[row, declarer]),
        ):
            total = _total(chosen, x, blocks, axes)
            yield Cells(measure, axes, ((0, 1, 2), (0, 1), (1, 2), (1,)), taken, total)

    def _choice_code(self, held: Ints, contract: AnyInts, left: AnyInts) -> Ints:
        code = (held * self.rules.n_contracts + contract) * len(self.left.values) + left
        return np.asarray(code, np.int64)

    def _chances(self, games: Games, block: Ints, blocks: int) -> Ints:
        """How often each contract could be chosen, by entrant, contract and left.

        A declarer plays all uses, one at each number left. So a contract was there at
        ``left`` if its last use was at that number or a smaller one.
        """
        n_deals, n_contracts, seats = self.rules.n_deals, self.rules.n_contracts, self._seats
        deals = games.records.deals
        row = np.flatnonzero(deals.n_left)  # as many in each game as its schedule has
        contract, declarer, left = (
            column[row].reshape(-1, n_deals)
            for column in (deals.contract, deals.declarer, deals.n_left)
        )
        game = np.arange(len(games))
        last = np.zeros((len(games), len(seats), n_contracts), np.int64)
        for d in range(n_deals):  # later uses overwrite earlier ones
            last[game, declarer[:, d], contract[:, d]] = left[:, d]
        held = self._entrant_code(games, block)[:, :, None]
        played = np.flatnonzero(np.array(self.rules.uses))
        code = self._choice_code(held, played, last[:, :, played])
        axes = (self.entrant, self.contract, self.left)
        return np.cumsum(_count(code, blocks, axes), axis=3)

    def _double_cells(
        self, games: Games, block: Ints, blocks: int, seat_deals: Ints
    ) -> Iterator[Cells]:
        """Side bets by the roles of the two; ``seat_deals`` from :meth:`_deal_cells`."""
        pairs, n = games.doubles, self.rules.seats
        axes = (self.entrant, self.contract, self.role, self.target)
        row = games.first_row[pairs.game] + pairs.deal
        base = _base(games)[row] * n
        by, to = self._role[base + pairs.doubler], self._role[base + pairs.doubled]
        contract = games.records.deals.contract[row].astype(np.int64)
        held = self._entrant_code(games, block)
        code = self._pair_code(held[pairs.game, pairs.doubler], contract, by, to)
        made = _count(code, blocks, axes)

        # The first of the two to speak doubled: the other can only answer.
        may = self._may_double
        # (Roles speak in the order 1, 2, ..., 0.)
        open_to = may.reshape(-1)[(contract * n + to) * n + by] & (by > 0) & ((by < to) | (to == 0))
        answer = self._pair_code(held[pairs.game, pairs.doubled], contract, to, by)
        closed = _count(answer[open_to], blocks, axes)
        chances = seat_deals[..., None] * may - closed
        yield Cells("doubled", axes, _PAIR_VIEWS, chances, made)
        gain = _total(code, pairs.settlement, blocks, axes)
        yield Cells("double_ev", axes, _PAIR_VIEWS, made, gain)

        may_answer = open_to | ((to == 0) & bool(self.rules.declarer_redoubles))
        answers = _count(answer[may_answer], blocks, axes)
        redoubled = _count(answer[pairs.redoubled], blocks, axes)
        yield Cells("redouble", axes, _PAIR_VIEWS, answers, redoubled)
        gain = _total(answer[pairs.redoubled], -pairs.settlement[pairs.redoubled], blocks, axes)
        yield Cells("redouble_ev", axes, _PAIR_VIEWS, redoubled, gain)

    def _pair_code(self, held: Ints, contract: Ints, role: Ints, target: Ints) -> Ints:
        n = self.rules.seats
        return ((held * self.rules.n_contracts + contract) * n + role) * n + target

    def _entrant_code(self, games: Games, block: Ints) -> Ints:
        return block[:, None] * len(self.entrant.values) + games.entrant


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


def _base(games: Games) -> Ints:
    """The seat of role 0 in each deal: the declarer, else the first leader."""
    deals = games.records.deals
    return np.where(deals.declarer >= 0, deals.declarer, deals.leader).astype(np.int64)


def _less_total(points: npt.NDArray[np.int32]) -> Ints:
    """S times each seat's points less those of the table."""
    # Seat by seat, since numpy's sum over so short an axis takes far longer.
    total = reduce(np.add, points.T)
    return np.asarray(points * np.int64(points.shape[1]) - total[:, None], np.int64)


def _count(code: Ints, blocks: int, axes: tuple[Axis, ...]) -> Ints:
    shape = (blocks, *(len(axis.values) for axis in axes))
    return np.bincount(code.reshape(-1), minlength=prod(shape)).reshape(shape)


def _total(code: Ints, x: AnyInts, blocks: int, axes: tuple[Axis, ...]) -> Ints:
    shape = (blocks, *(len(axis.values) for axis in axes))
    sums = np.bincount(code.reshape(-1), weights=x.reshape(-1), minlength=prod(shape))
    return sums.astype(np.int64).reshape(shape)
