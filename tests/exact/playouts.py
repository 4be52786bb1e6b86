"""What a strategy that searches said of its answers, and what they are worth in truth.

A game is played twice: once by those who play it, every answer noted; then by somebody who
gives the same answers and looks at each view. Each world of a question is played on from
the first card by the engine's own table: what was played, the answer, and then what the
rules of ``duck.v1`` in words (:mod:`tests.unit.duck_model`) say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import pstdev
from typing import Any

import numpy as np

import strategies
from engine_ext.batch import Rules, play_games
from engine_ext.build import load
from engine_ext.position import PLAY, Setup
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from strategies.alternatives import Alternative
from strategies.parts import parts_of
from tests.unit.duck_model import DuckModel

PASS, TAKEN_BACK = 255, 128
ONE_PACK = (1 << 64) - 1


@dataclass(frozen=True)
class Answer:
    """One answer of somebody at the table."""

    question: str
    seat: int
    said: Any
    alternatives: tuple[Alternative, ...]


class Heard:
    """Listens to everybody at a table."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []

    def listen(self, strategy: Any) -> Any:
        plays = parts_of(strategy).get("play", strategy)

        def heard(question: str, deal: int, seat: int, said: object) -> None:
            told: list[Alternative] = getattr(plays, "alternatives", list)()
            self.answers.append(Answer(question, seat, said, tuple(told)))

        return load("strategies.explaining").Explaining(strategy, heard)


@dataclass(frozen=True)
class Weighed:
    """A question at which something was weighed."""

    start: Setup
    """The deal before its first card, without hands."""
    seat: int
    moves: tuple[tuple[int, int], ...]
    said: int | None
    alternatives: tuple[Alternative, ...]
    n_worlds: float
    hands: frozenset[tuple[int, ...]]
    """Of all worlds, if those are few; as they were before the first card."""


class Follower:
    """Gives the answers that were heard and notes what its views show."""

    def __init__(self, answers: list[Answer], most: int, key: tuple[int, int], block: int) -> None:
        self.answers = iter(answers)
        self.most, self.key, self.block = most, key, block
        self.weighed: list[Weighed] = []

    def next(self, view: Any) -> Any:
        answer = next(self.answers)
        assert answer.seat == view.seat
        if answer.alternatives and answer.question in ("play", "lay"):
            self.note(view, answer)
        return answer.said

    choose = double = redouble = play = lay = next

    def note(self, view: Any, answer: Answer) -> None:
        n = view.n_worlds()
        if not 0 < n <= self.most:
            return
        gone = [sum(1 << m for s, m in view.moves if s == seat and m < TAKEN_BACK)
                for seat in range(view.rules.seats)]  # fmt: skip
        hands: set[tuple[int, ...]] = set()
        tried = 20
        while len(hands) < n:
            tried *= 2
            rows = view.worlds(tried).reshape(tried, view.rules.seats, -1)
            whole = [[sum(int(w) << 64 * i for i, w in enumerate(hand)) for hand in row]
                     for row in rows]  # fmt: skip
            hands = {tuple(h | g for h, g in zip(row, gone, strict=True)) for row in whole}
            assert tried < 1_000_000
        start = Setup(
            hands=(),
            dealer=view.dealer,
            leader=view.leader,
            declarer=view.declarer,
            deal=view.deal,
            contract=view.contract.id,
            param=view.trump if view.start_rank is None else view.start_rank,
            to_move=view.leader,
            doubled=tuple(view.doubled),
            key=self.key,
            block=self.block,
        )
        found = Weighed(start, view.seat, tuple(view.moves), answer.said, answer.alternatives, n,
                        frozenset(hands))  # fmt: skip
        self.weighed.append(found)


class Continued:
    """Plays what was played, one answer, and then on by the rules of the yardstick."""

    def __init__(self, weighed: Weighed, answer: object) -> None:
        self.moves, self.seat, self.answer = weighed.moves, weighed.seat, answer
        self.model: Any = DuckModel()
        self.answered = False

    def play(self, view: Any) -> int:
        at = len(view.moves)
        if at < len(self.moves):
            assert self.moves[at][0] == view.seat
            return self.moves[at][1]
        if at == len(self.moves):
            assert view.seat == self.seat
            assert isinstance(self.answer, int)
            return self.answer
        return int(self.model.play(merged(view)))

    def lay(self, view: Any) -> int | None:
        at = len(view.moves)
        if at < len(self.moves):
            seat, move = self.moves[at]
            if seat != view.seat or move == PASS:  # a further turn that was declined; a pass
                return None
            return move & 63 if move >= TAKEN_BACK else move
        if not self.answered:
            if view.seat != self.seat:
                return None
            self.answered = True
            assert self.answer is None or isinstance(self.answer, int)
            return self.answer
        found: int | None = self.model.lay(merged(view))
        return found


def merged(view: Any) -> Any:
    """The view of one pack where both copies are one card, which is how the yardstick looks."""
    return view if view.rules.copies == 1 else Merged(view)


class Merged:
    """A view with sets of one pack."""

    def __init__(self, view: Any) -> None:
        self.view = view

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.view, name)
        if name in ("hand", "legal", "trick", "best", "led", "played"):
            return (value | value >> 64) & ONE_PACK
        return value


def worth(rules: Rules, weighed: Weighed, hands: tuple[int, ...], answer: object) -> float:
    """How far the seat comes out ahead of the others' mean, side bets included."""
    table = rules.kernel.Tabletop(rules.packed)
    start = weighed.start
    table.set_up(Setup(**{n: getattr(start, n) for n in start.__slots__} | {"hands": hands})
                 .filled(rules))  # fmt: skip
    player = rules.asking.PyPolicy(Continued(weighed, answer), rules.numbers)
    assert table.play_on([player.capsule] * len(hands), PLAY)
    assert not player.errors, player.errors
    outcome = table.outcome()
    assert not any(outcome["fouls"]), outcome
    points = [p + s for p, s in zip(outcome["points"], outcome["side"], strict=True)]
    own = points.pop(weighed.seat)
    return float(own - sum(points) / len(points))


def game(
    variant: Variant, players: Sequence[str], block: int, most: int, **how: Any
) -> tuple[Rules, list[Weighed]]:
    """Play a game, each player in the seat of his number; the questions with few worlds."""
    rules, key = Rules(variant), run_key(23)
    heard = Heard()
    common: dict[str, Any] = {
        "key": key,
        "blocks": np.array([block], np.uint64),
        "log": True,
    }
    whole = np.arange(variant.seats, dtype=np.uint8)[None, :]
    listened = [heard.listen(strategies.create(name)) for name in players]
    first = play_games(rules, listened, seating=whole, **common)
    assert not first.fouls.any()
    follower: Any = Follower(heard.answers, most, key, block)
    second = play_games(rules, [follower], seating=np.zeros_like(whole), **common)
    assert not second.errors, second.errors
    assert (first.score == second.score).all()
    weighed: list[Weighed] = follower.weighed
    return rules, weighed


def check(rules: Rules, weighed: Weighed) -> int:
    """Hold every value against the mean over all worlds; how many were compared."""
    for one in weighed.alternatives:
        values = [worth(rules, weighed, hands, one.answer) for hands in weighed.hands]
        mean, spread = sum(values) / len(values), pstdev(values)
        # What is given up is given up while it looks bad: a little more room.
        room = 5 * spread / one.worlds**0.5 * (1 if one.worlds > 1000 else 1.4)
        assert abs(one.value - mean) <= room + 1e-9, (weighed, one, mean, spread)
    return len(weighed.alternatives)
