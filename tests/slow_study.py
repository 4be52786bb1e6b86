"""Units of a study counted once more, one trial at a time: slow and plain.

Written from docs/studies.md: what a block is, which trials a unit has and what is summed. It
shares nothing with the study's own modules but the engine's single trials.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine_ext.batch import Rules, as_sets, deal_hands, play_games
from engine_ext.reference.cards import Pack
from engine_ext.reference.schedule import what_may_be_named
from engine_ext.rules.spec import ChoiceSchedule
from engine_ext.trials import ASKED, NAMED, Question, play_trials, trials
from tests.differential.numbers import Numbers

Key = tuple[Any, ...]
"""kind, contract, param, who, whom, weight, half, n_left"""


class Sums(NamedTuple):
    """What is summed in a row."""

    n: int
    points: tuple[int, ...]
    squares: int


class Step(NamedTuple):
    """A deal of a dealership, and what the entrant said."""

    deal: int
    declarer: int
    left: list[int]
    duty: list[int]
    code: int
    doubled: list[int]


class SlowUnits:
    """Units of one entrant in one variant."""

    def __init__(self, rules: Rules, player: Any, key: tuple[int, int], worlds: int) -> None:
        self.rules, self.player, self.key, self.worlds = rules, player, key, worlds
        self.variant, self.numbers = rules.variant, rules.numbers
        self.seats = self.variant.seats
        self.names = list(self.variant.contracts)
        self.sums: dict[Key, list[Any]] = {}
        self.played = self.counted = 0

    # ---- single trials

    def trial(self, question: Question = Question.PLAY, **given: Any) -> Any:
        self.played += question == Question.PLAY
        asked = trials(self.rules, 1, **given)
        return play_trials(
            self.rules, [self.player] * self.seats, asked, key=self.key, question=question
        )

    def by_role(self, points: Sequence[int], declarer: int) -> list[int]:
        return [int(points[(declarer + role) % self.seats]) for role in range(self.seats)]

    def points(self, declarer: int, **given: Any) -> tuple[int, list[int]]:
        found = self.trial(base=declarer, **given)
        return int(found.code[0]), self.by_role(found.deals.points[0].tolist(), declarer)

    def add(self, kind: str, code: int | None, points: Sequence[int], **more: Any) -> None:
        contract, param = "", -1
        if code is not None:
            contract = self.names[code >> 8]
            if code & 255 != 255 and self.nameable(contract) != [None]:
                param = code & 255
        usual = {"who": -1, "whom": -1, "weight": 0, "half": -1, "n_left": 0}
        key = (kind, contract, param, *(usual | more).values())
        row = self.sums.setdefault(key, [0, [0] * self.seats, 0])
        row[0] += 1
        row[1] = [a + b for a, b in zip(row[1], points, strict=True)]
        row[2] += points[max(0, more.get("who", -1))] ** 2

    def rows(self) -> dict[Key, Sums]:
        found = {key: Sums(n, tuple(points), sq) for key, (n, points, sq) in self.sums.items()}
        self.counted = self.played
        self.sums, self.played = {}, 0
        return found

    # ---- what there is

    def nameable(self, contract: str) -> list[str | None]:
        return what_may_be_named(self.variant, contract, Pack(self.variant.deck))

    def chosen_from(self) -> list[int]:
        schedule = self.variant.schedule
        assert isinstance(schedule, ChoiceSchedule)
        uses = schedule.uses
        return [i for i, name in enumerate(self.names) if uses.get(name, 0)]

    def dealership(self) -> list[tuple[int, int]]:
        schedule: Any = self.variant.schedule
        if schedule.kind == "fixed":
            return [(deal, deal % self.seats) for deal in range(len(schedule.sequence))]
        total = sum(schedule.uses.values())
        if schedule.uses_of == "table":
            size = schedule.dealership
            return [(deal, deal // size % self.seats) for deal in range(total)]
        own = [d for d in range(total * self.seats) if d // schedule.dealership % self.seats == 0]
        return [(deal, 0) for deal in own]

    def path(self, block: int, *, bets: bool) -> list[Step]:
        """The dealership as the entrant goes through it."""
        left = list(self.numbers.uses[: len(self.names)])
        owed = [[0] * self.seats for _ in range(self.seats)]
        steps = []
        for deal, declarer in self.dealership():
            given = {"block": block, "deal": deal, "base": declarer, "left": left}
            question = Question.BET if bets else Question.CHOOSE
            found = self.trial(question, duty=owed[declarer], **given)
            doubled = found.deals.doubled[0].tolist()
            step = Step(
                deal, declarer, list(left), list(owed[declarer]), int(found.code[0]), doubled
            )
            steps.append(step)
            left[step.code >> 8] -= 1
            for seat in range(self.seats):
                if seat != declarer:
                    owed[declarer][seat] += doubled[seat] >> declarer & 1
        return steps

    def hand(self, block: int, step: Step) -> int:
        dealt = deal_hands(
            self.rules, key=self.key, blocks=np.array([block], np.uint64), deal=step.deal
        )
        return as_sets(dealt[0])[step.declarer]

    # ---- the designs

    def value(self, block: int, step: Step) -> dict[Key, Sums]:
        declarer, place = step.declarer, {"block": block, "deal": step.deal}
        numbers = Numbers(self.variant)
        dealt = {}
        for contract in self.chosen_from():
            for what in self.nameable(self.names[contract]):
                code = contract << 8 | (numbers.named(self.names[contract], what) or 0)
                for world in range(1, self.worlds + 1):
                    given = {"world": world, "held": declarer, "code": code}
                    _, points = self.points(declarer, **place, **given)
                    self.add("worth", code, points, half=1 - world % 2)
                _, dealt[code] = self.points(declarer, code=code, **place)
                self.add("dealt", code, dealt[code])
        self.add("chosen", step.code, dealt[step.code], n_left=sum(step.left))
        return self.rows()

    def seats_turned(self, block: int, turn: int) -> dict[Key, Sums]:
        records = play_games(
            self.rules,
            [self.player],
            key=self.key,
            blocks=np.array([block], np.uint64),
            seating=np.zeros((1, self.seats), np.uint8),
            turns=np.array([turn], np.uint8),
        )
        deals = records.deals
        fixed = self.variant.schedule.kind == "fixed"
        for row in range(len(deals.contract)):
            self.played += 1
            if deals.extra is not None and deals.extra[row]:
                continue
            first = int(deals.leader[row] if fixed else deals.declarer[row])
            code = int(deals.contract[row]) << 8 | NAMED
            points = self.by_role(deals.points[row], first)
            self.add("forced" if fixed else "chosen", code, points)
            if self.variant.doubling is not None:
                self.add("side", code, self.by_role(deals.side[row], first))
        self.add("score", None, records.score[0].tolist())
        best = records.place[0].tolist()
        self.add("win", None, [2520 // best.count(1) * (place == 1) for place in best])
        if not fixed:
            for deal, declarer in self.dealership():
                for contract in self.chosen_from():
                    code = contract << 8 | NAMED
                    _, points = self.points(declarer, block=block, deal=deal, turn=turn, code=code)
                    self.add("forced", code, points)
        return self.rows()

    def doubling(self, block: int, step: Step) -> dict[Key, Sums]:
        place = {"block": block, "deal": step.deal}
        declarer, named = step.declarer, {}
        for contract in self.chosen_from():
            code, points = self.points(declarer, code=contract << 8 | NAMED, **place)
            self.add("forced", code, points)
            named[contract] = code
        self._as_chosen(place, step)
        self._aware(place, declarer, named)
        for role in range(self.seats):
            held = (declarer + role) % self.seats
            for world in range(1, self.worlds + 1):
                for contract in self.chosen_from():
                    given = {"world": world, "held": held, "code": contract << 8 | NAMED}
                    _, points = self.points(declarer, **place, **given)
                    code = contract << 8 | NAMED
                    self.add("hand", code, points, who=role, half=1 - world % 2)
        for role in range(1, self.seats):
            self._picked(place, step, role)
        self._answer(place, step)
        return self.rows()

    def _as_chosen(self, place: dict[str, Any], step: Step) -> None:
        declarer, left = step.declarer, sum(step.left)
        asked = {"code": step.code, "left": step.left, "duty": step.duty}
        _, points = self.points(declarer, **asked, **place)
        self.add("chosen", step.code, points, n_left=left)
        for a in range(self.seats):
            for b in range(a + 1, self.seats):
                one, two = ((declarer + role) % self.seats for role in (a, b))
                weight = (step.doubled[one] >> two & 1) + (step.doubled[two] >> one & 1)
                if weight:
                    bet = {"who": a, "whom": b, "weight": weight}
                    self.add("made", step.code, points, **bet, n_left=left)

    def _aware(self, place: dict[str, Any], declarer: int, named: dict[int, int]) -> None:
        rules = self.variant.doubling
        assert rules is not None
        for contract, code in named.items():
            tone = self.variant.contracts[self.names[contract]].tone
            whom = rules.in_positive if tone == "positive" else rules.in_negative
            for a in range(self.seats):
                for b in range(a + 1, self.seats):
                    if whom == "nobody" or (whom == "declarer" and a != 0):
                        continue
                    back = rules.redoubles and (a != 0 or rules.declarer != "nobody")
                    for weight in (1, 2)[: 1 + back]:
                        one, two = ((declarer + role) % self.seats for role in (a, b))
                        table = [0] * self.seats
                        table[two] |= 1 << one
                        if weight == 2:
                            table[one] |= 1 << two
                        _, points = self.points(declarer, code=code, doubled=table, **place)
                        self.add("aware", code, points, who=a, whom=b, weight=weight)

    def _picked(self, place: dict[str, Any], step: Step, role: int) -> None:
        asked = {"left": step.left, "duty": step.duty, "base": step.declarer, **place}
        held = (step.declarer + role) % self.seats
        taken: dict[int, int] = defaultdict(int)
        for world in range(1, 8 * self.worlds + 1):
            half = 1 - world % 2
            if taken[half] == self.worlds // 2:
                continue
            found = self.trial(Question.CHOOSE, code=ASKED, world=world, held=held, **asked)
            if int(found.code[0]) != step.code:
                continue
            taken[half] += 1
            found = self.trial(code=step.code, world=world, held=held, **asked)
            points = self.by_role(found.deals.points[0].tolist(), step.declarer)
            self.add("picked", step.code, points, who=role, half=half, n_left=sum(step.left))

    def _answer(self, place: dict[str, Any], step: Step) -> None:
        asked = {"left": step.left, "duty": step.duty, "base": step.declarer, **place}
        asked |= {"held": step.declarer, "code": step.code}
        for world in range(1, self.worlds + 1):
            bet = self.trial(Question.BET, world=world, **asked).deals.doubled[0].tolist()
            for role in range(1, self.seats):
                if not bet[(step.declarer + role) % self.seats] >> step.declarer & 1:
                    continue
                found = self.trial(world=world, **asked)
                points = self.by_role(found.deals.points[0].tolist(), step.declarer)
                more = {"who": 0, "whom": role, "half": 1 - world % 2, "n_left": sum(step.left)}
                self.add("answer", step.code, points, **more)
