"""Deals that the engine played, as records: the cards, everything said and played, the points."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from engine_ext.batch import GameRecords, Rules, deal_hands
from engine_ext.position import Setup
from engine_ext.record import Record
from engine_ext.record_names import Names
from engine_ext.record_play import EngineSide
from engine_ext.record_position import Phase, position_from
from engine_ext.record_steps import Bet, Check, Choice, Move, Point, Script
from engine_ext.record_text import Line
from engine_ext.rules.resolve import KIND_LAYOUT, TRUMP


def records_of_game(
    rules: Rules,
    records: GameRecords,
    game: int,
    *,
    key: tuple[int, int],
    block: int,
    variant_name: str,
    source: str = "",
) -> Iterator[Record]:
    """Yield the deals of one game, each with the scores and uses before it.

    ``records`` have logged moves, ``key`` and ``block`` are those they were played with.
    Raises ``ValueError`` for a deal whose moves were not all kept.
    """
    n, seats = rules.numbers, rules.numbers.seats
    scores, duty = np.zeros(seats, np.int64), [0] * seats
    uses = [list(n.uses) for _ in range(seats)]
    for number in range(n.n_deals):
        row = game * n.n_deals + number
        if number % n.dealership == 0:
            duty = [0] * seats
        hands = deal_hands(rules, key=key, blocks=np.array([block], np.uint64), deal=number)[0]
        setup = Setup(
            hands=tuple(map(int, hands)),
            dealer=int(records.deals.dealer[row]),
            leader=int(records.deals.leader[row]),
            declarer=int(records.deals.declarer[row]) if n.has_choice else None,
            deal=number,
            to_move=int(records.deals.leader[row]),
            duty_done=tuple(duty),
            scores=tuple(map(int, scores)),
            uses_left=tuple(map(tuple, uses)),
        )
        deal = _Deal(rules, records, row, setup)
        yield deal.record(variant_name, source)
        scores += records.deals.points[row] + records.deals.side[row]
        if setup.declarer is not None:
            uses[setup.declarer][deal.contract] -= 1
            duty = [
                done + (deal.doubled[seat] >> setup.declarer & 1) * (seat != setup.declarer)
                for seat, done in enumerate(duty)
            ]


class _Deal:
    """One row of the engine's records."""

    def __init__(self, rules: Rules, records: GameRecords, row: int, setup: Setup) -> None:
        deals = records.deals
        if deals.moves is None or deals.n_moves is None:
            raise ValueError("the moves of these deals were not logged")
        n_moves = int(deals.n_moves[row])
        if n_moves > deals.moves.shape[1]:
            raise ValueError(f"deal {row}: {n_moves} moves, {deals.moves.shape[1]} of them logged")
        self.rules, self.names, self.setup = rules, Names(rules.variant, rules), setup
        self.contract, self.param = int(deals.contract[row]), int(deals.param[row])
        self.doubled = [int(who) for who in deals.doubled[row]]
        self.moves = [int(move) for move in deals.moves[row, :n_moves]]
        sign = rules.numbers.objective
        self.points = [sign * int(points) for points in deals.points[row]]
        self.side = [sign * int(points) for points in deals.side[row]]

    def record(self, variant_name: str, source: str) -> Record:
        """Return the record; whose tricks they were is found by playing it."""
        phase, choice = self.opening()
        setup = self.setup
        if phase != "choose":
            named = None if self.param < 0 else self.param
            setup = replace(setup, contract=self.contract, param=named)
        line = Line("record", 0, "lay", None, ())
        moves = tuple(Move(None, self.names.move(move), line) for move in self.moves)
        record = Record(
            source=source,
            variant_name=variant_name,
            options=(),
            position=position_from(setup, self.rules, phase),
            script=Script(choice, tuple(self.bets()), moves),
            variant=self.rules.variant,
        )
        movers = [seat for seat, _ in EngineSide().course(record).moves]
        moves = tuple(
            replace(move, seat=movers[i]) if self.begins_line(movers, i) else move
            for i, move in enumerate(moves)
        )
        script = replace(record.script, moves=moves)
        return replace(record, script=script, checks=tuple(self.checks(script.end)))

    def begins_line(self, movers: Sequence[int], i: int) -> bool:
        """Tell whether a move begins a trick, or another round of a layout."""
        if self.rules.numbers.contracts[self.contract].kind == KIND_LAYOUT:
            return i == 0 or movers[i] < movers[i - 1]
        return i % self.rules.numbers.seats == 0

    def opening(self) -> tuple[Phase, Choice | None]:
        """Return where the record begins, and what is named."""
        n = self.rules.numbers
        contract = n.contracts[self.contract]
        asked = n.has_choice or contract.params & (contract.params - 1)
        if contract.trump_mode == TRUMP["drawn"] or not asked:
            # A drawn suit is nobody's choice: it stands with the contract.
            return "double" if n.has_doubling and n.has_choice else "play", None
        seat = self.setup.leader if self.setup.declarer is None else self.setup.declarer
        option = self.names.option(self.contract, max(self.param, 0))
        return "choose", Choice(seat, option, Line("record", 0, "choose", seat, ()))

    def bets(self) -> Iterator[Bet]:
        """Yield the doubles in the order in which they were said.

        Of two that doubled each other the earlier speaker is the doubler.
        """
        seats, declarer = self.rules.numbers.seats, self.setup.declarer
        if declarer is None:
            return
        spoken: set[int] = set()
        for step in range(1, seats + 1):
            seat = (declarer + step) % seats
            whom = {other for other in range(seats) if self.doubled[seat] >> other & 1}
            back = {other for other in whom & spoken if self.doubled[other] >> seat & 1}
            for kind, targets in (("double", whom - back), ("redouble", back)):
                if targets:
                    line = Line("record", 0, kind, seat, ())
                    yield Bet(kind, seat, frozenset(targets), line)
            spoken.add(seat)

    def checks(self, end: Point) -> Iterator[Check]:
        """Yield what came of the deal."""
        rows: list[tuple[str, Sequence[int]]] = [("over", ()), ("points", self.points)]
        if self.rules.numbers.has_doubling:
            rows.append(("side", self.side))
        for word, numbers in rows:
            rest = tuple(map(str, numbers))
            yield Check(word, None, rest, end, Line("record", 0, word, None, rest))
