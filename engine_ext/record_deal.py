"""Deals that the engine played, as records: the cards, everything said and played, the points."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from engine_ext.batch import DealRecords, GameRecords, Rules, as_sets, deal_hands
from engine_ext.fixed import Hands
from engine_ext.position import Setup
from engine_ext.record import Record
from engine_ext.record_names import NO_CARD, TAKEN_BACK, Names
from engine_ext.record_play import EngineSide
from engine_ext.record_position import Phase, position_from
from engine_ext.record_steps import Bet, Check, Choice, Move, Point, Script
from engine_ext.record_text import Line, RecordError
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
    turn: int = 0,
    hands: Hands | None = None,
) -> Iterator[Record]:
    """Yield the deals of one game, each with the scores and uses before it.

    ``records`` have logged moves, ``key``, ``block``, ``turn`` and ``hands`` are those they
    were played with.
    Raises ``ValueError`` for a deal whose moves were not all kept.
    """
    n, seats = rules.numbers, rules.numbers.seats
    scores = np.zeros(seats, np.int64)
    duty = [[0] * seats for _ in range(seats)]
    uses = [list(n.uses) for _ in range(seats)]
    first = int(records.n_deals[:game].sum())
    for place in places_in_game(rules, records, game):
        number, row = place.deal, first + place.deal
        at = np.array([block], np.uint64)
        dealt = deal_hands(rules, key=key, blocks=at, deal=number, hands=hands)[0]
        setup = Setup(
            hands=as_sets(np.roll(dealt, -turn, axis=0)),
            dealer=int(records.deals.dealer[row]),
            leader=int(records.deals.leader[row]),
            declarer=int(records.deals.declarer[row]) if n.has_choice else None,
            deal=number,
            step=place.step,
            given=place.given,
            tied=place.tied,
            to_move=int(records.deals.leader[row]),
            duty_done=tuple(duty[max(0, int(records.deals.declarer[row]))]),
            scores=tuple(map(int, scores)),
            uses_left=tuple(map(tuple, uses)),
        )
        deal = PlayedDeal(rules, records.deals, row, setup)
        yield deal.record(variant_name, source)
        scores += records.deals.points[row] + records.deals.side[row]
        if setup.declarer is not None:
            for seat in range(seats):
                doubled = deal.doubled[seat] >> setup.declarer & 1
                duty[setup.declarer][seat] += doubled * (seat != setup.declarer)
                if place.given is None and (seat == setup.declarer or n.uses_of_table):
                    uses[seat][deal.contract] -= 1


class Place(NamedTuple):
    """Where a deal stands in its game."""

    deal: int
    """Deals before it."""
    step: int
    """The same without those that were played again."""
    given: int | None
    """Its contract, where nobody chose it: played again, or extra."""
    tied: int
    """Of an extra deal: set of the seats that it could make the winner."""


def places_in_game(rules: Rules, records: GameRecords, game: int) -> Iterator[Place]:
    """Yield the place of each deal of a game, from what came of those before it."""
    n, deals = rules.numbers, records.deals
    first = int(records.n_deals[:game].sum())
    everybody = (1 << n.seats) - 1
    again, among, scores = 0, everybody, np.zeros(n.seats, np.int64)
    for deal in range(int(records.n_deals[game])):
        step, row = deal - again, first + deal
        given, tied = None, 0
        # The last deal of the schedule may be played again too, an extra deal is not.
        repeats = n.revoke_replays and again < n.n_deals and 0 < step <= n.n_deals
        if repeats and _revoked(records, row - 1):
            again, step = again + 1, step - 1
            given = int(deals.contract[row - 1])
        elif step >= n.n_deals:
            best = max(score for seat, score in enumerate(scores) if among >> seat & 1)
            at_best = (1 << s for s, score in enumerate(scores) if score == best and among >> s & 1)
            among = everybody if n.extra_for_all else sum(at_best)
            given, tied = n.extra_contract, among
        yield Place(deal, step, given, tied)
        scores += deals.points[row] + deals.side[row]


def _revoked(records: GameRecords, row: int) -> bool:
    revoked = records.deals.revoked
    return revoked is not None and bool(revoked[row] >= 0)


class PlayedDeal:
    """One row of the engine's records, whose moves were logged, in the position ``setup``."""

    def __init__(self, rules: Rules, deals: DealRecords, row: int, setup: Setup) -> None:
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

    def record(self, variant_name: str, source: str, *, set_up: bool = False) -> Record:
        """Return the record; whose tricks they were is found by playing it. With ``set_up`` it
        begins behind the bets, which nobody may have been asked for."""
        phase, choice = ("play", None) if set_up else self.opening()
        setup = self.setup
        if phase != "choose":
            named = None if self.param < 0 else self.param
            setup = replace(setup, contract=self.contract, param=named)
        if set_up:
            setup = replace(setup, doubled=tuple(self.doubled))
        record = Record(
            source=source,
            variant_name=variant_name,
            options=(),
            position=position_from(setup, self.rules, phase),
            script=Script(choice, () if set_up else tuple(self.bets())),
            variant=self.rules.variant,
        )
        script = replace(record.script, moves=self.spoken(record))
        return replace(record, script=script, checks=tuple(self.checks(script.end)))

    def spoken(self, record: Record) -> tuple[Move, ...]:
        """Return the moves, each that begins a line with whose it is.

        With two packs a card after one that gives a further turn may be in two hands. The copy
        tells whose it was; of a card taken back that is not kept, so each holder is tried.
        """
        line = Line("record", 0, "lay", None, ())
        tokens = [self.names.move(move) for move in self.moves]
        for whose in product(*map(self.whose, range(len(tokens)))):
            moves = tuple(
                Move(seat, token, line) for seat, token in zip(whose, tokens, strict=True)
            )
            try:
                course = EngineSide().course(
                    replace(record, script=replace(record.script, moves=moves))
                )
            except RecordError as error:
                refused = error
                continue
            movers = [seat for seat, _ in course.moves]
            return tuple(
                replace(move, seat=movers[i] if self.begins_line(movers, i) else None)
                for i, move in enumerate(moves)
            )
        raise refused

    def whose(self, i: int) -> Sequence[int | None]:
        """Return whose a move may be: None, if that is told by the turn alone."""
        if not self.in_doubt(i):
            return (None,)
        card, hands = self.moves[i], self.setup.hands
        if card < TAKEN_BACK:
            return [seat for seat, hand in enumerate(hands) if hand >> card & 1]
        both = self.names.pack.copies_of(self.names.pack.name(card % TAKEN_BACK))
        return [None, *(seat for seat, hand in enumerate(hands) if hand & both)]

    def in_doubt(self, i: int) -> bool:
        """Tell whether a move may be two seats': cards alike, and a further turn before."""
        giving = self.rules.numbers.contracts[self.contract].replay
        after = i > 0 and self.moves[i - 1] < TAKEN_BACK and giving >> self.moves[i - 1] & 1
        return self.rules.numbers.copies == 2 and bool(after) and self.moves[i] != NO_CARD

    def begins_line(self, movers: Sequence[int], i: int) -> bool:
        """Tell whether a move begins a trick, or another round of a layout."""
        if self.rules.numbers.contracts[self.contract].kind == KIND_LAYOUT:
            return i == 0 or movers[i] < movers[i - 1] or self.in_doubt(i)
        return i % self.rules.numbers.seats == 0

    def opening(self) -> tuple[Phase, Choice | None]:
        """Return where the record begins, and what is named."""
        n = self.rules.numbers
        contract = n.contracts[self.contract]
        chosen = n.has_choice and self.setup.given is None
        asked = chosen or contract.params & (contract.params - 1)
        if contract.trump_mode == TRUMP["drawn"] or not asked:
            # A drawn suit is nobody's choice: it stands with the contract.
            bets = n.has_doubling and n.has_choice and not self.setup.tied
            return "double" if bets else "play", None
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
        if not self.moves and self.rules.numbers.targets[0]:
            # Not played since nobody has doubled: that is said by whoever speaks last.
            seat = (declarer - 1) % seats
            yield Bet("double", seat, frozenset(), Line("record", 0, "double", seat, ()))
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
