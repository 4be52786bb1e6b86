"""Units of the design ``doubling``: a deal with a bet and without, seen from every hand."""

from typing import Any

import numpy as np

from engine_ext.trials import ASKED, NAMED, Outcomes, Question
from pipeline.studies.designs import DECLARER, DRAWS, NOBODY, targets
from pipeline.studies.player import AT_ONCE, Path, Player, by_role
from pipeline.studies.rows import Collector, Ints
from pipeline.studies.units import Batch


def collect(player: Player, batch: Batch, path: Path, rows: Collector) -> None:
    """Add the rows of some units."""
    numbers = player.numbers
    per_unit = numbers.n_contracts * numbers.seats * (player.worlds + numbers.seats)
    step = max(1, AT_ONCE // per_unit)
    for first in range(0, len(batch), step):
        some = np.arange(first, min(first + step, len(batch)))
        Bets(player, batch, path, some, rows).collect()


class Bets:
    """Some units, and the contracts that their declarers chose."""

    def __init__(
        self, player: Player, batch: Batch, path: Path, some: Ints, rows: Collector
    ) -> None:
        self.player, self.batch, self.some, self.rows = player, batch, some, rows
        at = batch.at_path(some)
        self.code = path.code[at].astype(np.int64)
        self.left, self.duty, self.doubled = path.left[at], path.duty[at], path.doubled[at]
        self.n_left = self.left.sum(axis=1, dtype=np.int64)
        self.declarer = batch.declarer[some]
        self.seats = player.numbers.seats
        self.worlds = np.arange(1, player.worlds + 1)
        self.contracts = np.flatnonzero(np.array(player.numbers.uses[: player.numbers.n_contracts]))

    def collect(self) -> None:
        """Add the rows of every kind."""
        named = self._forced()
        for weight in (1, 2):
            self._aware(named, weight)
        for role in range(self.seats):
            self._hand(role)
            if role:
                self._picked(role)
        self._answer()

    def _ask(self, i: Ints, question: Question = Question.PLAY, **given: Any) -> Outcomes:
        """Trials of units number ``i`` among these."""
        unit = self.some[i]
        return self.player.ask(unit, question, **self.batch.places(unit) | given)

    def _roles(self, found: Outcomes, i: Ints) -> Ints:
        return by_role(found.deals.points, self.declarer[i])

    def _chosen(self, i: Ints) -> dict[str, Any]:
        """What a trial of the chosen contract is given."""
        return {"code": self.code[i], "left": self.left[i], "duty": self.duty[i]}

    def _keys(self, i: Ints) -> dict[str, Ints]:
        """How its rows are headed."""
        return {
            "contract": self.code[i] >> 8,
            "param": self.player.param_of(self.code[i]),
            "n_left": self.n_left[i],
        }

    def _forced(self) -> Ints:
        """As dealt, nobody doubles: each contract imposed, and the one that was chosen. Returns
        (units, contracts) what was named in each."""
        shape = (len(self.some), len(self.contracts))
        i = np.repeat(np.arange(shape[0]), shape[1])
        found = self._ask(i, code=np.tile(self.contracts, shape[0]) << 8 | NAMED)
        points = self._roles(found, i)
        code = found.code.astype(np.int64)
        self.rows.add(
            "forced",
            1,
            points,
            points[:, 0] ** 2,
            self.some[i],
            contract=code >> 8,
            param=self.player.param_of(code),
        )
        each = np.arange(shape[0])
        found = self._ask(each, **self._chosen(each))
        self.points = self._roles(found, each)
        self.rows.add(
            "chosen", 1, self.points, self.points[:, 0] ** 2, self.some, **self._keys(each)
        )
        self._made()
        return code.reshape(shape)

    def _made(self) -> None:
        """Bets that the entrants made in the chosen contract."""
        for a, b in self._pairs():
            first, second = ((self.declarer + role) % self.seats for role in (a, b))
            each = np.arange(len(self.some))
            weight = (self.doubled[each, first] >> second & 1).astype(np.int64)
            weight += self.doubled[each, second] >> first & 1
            i = np.flatnonzero(weight)
            self.rows.add(
                "made",
                1,
                self.points[i],
                self.points[i, a] ** 2,
                self.some[i],
                who=a,
                whom=b,
                weight=weight[i],
                **self._keys(i),
            )

    def _pairs(self) -> list[tuple[int, int]]:
        return [(a, b) for a in range(self.seats) for b in range(a + 1, self.seats)]

    def _aware(self, named: Ints, weight: int) -> None:
        """The deals played again with each bet on the table that the rules allow: one role has
        doubled another, who doubled back where ``weight`` is 2."""
        bets = np.array(
            [
                (at, a, b)
                for at, contract in enumerate(self.contracts)
                for a, b in self._pairs()
                if self._allowed(int(contract), a, weight)
            ],
            np.int64,
        ).reshape(-1, 3)
        i, bet = (one.reshape(-1) for one in np.indices((len(self.some), len(bets))))
        at, a, b = bets[bet].T
        code, each = named[i, at], np.arange(len(i))
        first, second = ((self.declarer[i] + role) % self.seats for role in (a, b))
        table = np.zeros((len(i), self.seats), np.uint16)
        table[each, second] = 1 << first
        if weight == 2:
            table[each, first] = 1 << second
        if not len(i):
            return
        points = self._roles(self._ask(i, code=code, doubled=table), i)
        self.rows.add(
            "aware",
            1,
            points,
            points[each, a] ** 2,
            self.some[i],
            contract=code >> 8,
            param=self.player.param_of(code),
            who=a,
            whom=b,
            weight=weight,
        )

    def _allowed(self, contract: int, a: int, weight: int) -> bool:
        """Whether anybody may double role ``a`` in a contract; with 2 whether it may answer."""
        numbers = self.player.numbers
        allowed = targets(numbers, numbers.contract_names[contract])
        if allowed == NOBODY or (allowed == DECLARER and a):
            return False
        return weight == 1 or bool(numbers.redoubles and (numbers.declarer_redoubles or a))

    def _hand(self, role: int) -> None:
        """Each contract in worlds that agree with the hand of a role."""
        shape = (len(self.some), len(self.worlds), len(self.contracts))
        i = np.repeat(np.arange(shape[0]), shape[1] * shape[2])
        found = self._ask(
            i,
            world=np.tile(np.repeat(self.worlds, shape[2]), shape[0]),
            held=(self.declarer[i] + role) % self.seats,
            code=np.tile(self.contracts, shape[0] * shape[1]) << 8 | NAMED,
        )
        points = self._roles(found, i).reshape(shape[0], -1, 2, shape[2], self.seats)
        self.rows.add(
            "hand",
            len(self.worlds) // 2,
            points.sum(axis=1),
            (points[..., role] ** 2).sum(axis=1),
            self.some[:, None, None],
            contract=self.contracts,
            who=role,
            half=np.arange(2)[:, None],
        )

    def _picked(self, role: int) -> None:
        """The chosen contract in worlds in which the declarer would choose it."""
        most = len(self.worlds) // 2
        shape = (len(self.some), DRAWS * len(self.worlds))
        i = np.repeat(np.arange(shape[0]), shape[1])
        world = np.tile(np.arange(1, shape[1] + 1), shape[0])
        held = (self.declarer[i] + role) % self.seats
        asked = self._chosen(i) | {"code": ASKED, "world": world, "held": held}
        found = self._ask(i, Question.CHOOSE, **asked)
        same = (found.code == self.code[i]).reshape(shape[0], -1, 2)
        kept = (same & (np.cumsum(same, axis=1) <= most)).reshape(-1)
        self._add_worlds("picked", role, -1, i[kept], world[kept])

    def _answer(self) -> None:
        """The chosen contract in worlds in which a role would double the declarer."""
        shape = (len(self.some), len(self.worlds))
        i = np.repeat(np.arange(shape[0]), shape[1])
        world = np.tile(self.worlds, shape[0])
        asked = self._chosen(i) | {"world": world, "held": self.declarer[i]}
        found = self._ask(i, Question.BET, **asked)
        each = np.arange(len(i))
        for role in range(1, self.seats):
            doubler = (self.declarer[i] + role) % self.seats
            kept = found.deals.doubled[each, doubler] >> self.declarer[i] & 1 == 1
            self._add_worlds("answer", 0, role, i[kept], world[kept])

    def _add_worlds(self, kind: str, who: int, whom: int, i: Ints, world: Ints) -> None:
        """Play the chosen contract in these worlds and add them up by half."""
        if not len(i):
            return
        found = self._ask(
            i, world=world, held=(self.declarer[i] + who) % self.seats, **self._chosen(i)
        )
        points = self._roles(found, i)
        size = 2 * len(self.some)
        cell = 2 * i + (world - 1) % 2
        sums, squares = np.zeros((size, self.seats), np.int64), np.zeros(size, np.int64)
        np.add.at(sums, cell, points)
        np.add.at(squares, cell, points[:, who] ** 2)
        each = np.repeat(np.arange(len(self.some)), 2)
        self.rows.add(
            kind,
            np.bincount(cell, minlength=size),
            sums,
            squares,
            self.some[each],
            who=who,
            whom=whom,
            half=np.arange(size) % 2,
            **self._keys(each),
        )
