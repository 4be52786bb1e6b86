"""The course of a deal played from a script: what was asked, what was moved, how it ended.

:class:`Prompter` answers for all seats from the script. It knows no rules: whoever asks
says what is allowed. So engine and slow twin are led by the same script and judged apart.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine_ext.record_steps import Bet, Point, Script
from engine_ext.record_text import BACK, PASS, Line, seats_of

Answer = str | frozenset[int] | None
"""An option, a card, seats, or None for a pass."""


class Enough(Exception):
    """The script has no answer to this question: play stops here."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question put to a seat."""

    point: Point
    kind: str
    """choose, double, redouble, play or lay."""
    seat: int
    options: frozenset[str]
    """What is allowed: contracts with what is named, seats (``P2``), cards, ``pass``."""
    must: frozenset[str] = frozenset()
    """Seats that have to be doubled."""
    hand: frozenset[str] = frozenset()
    slips: frozenset[str] = frozenset()
    """Cards that are not allowed, and yet lie if they are played: a revoke."""


@dataclass(frozen=True, slots=True)
class Course:
    """What came of a script. Points in the document's sign, by seat."""

    asked: tuple[Asked, ...]
    moves: tuple[tuple[int, str], ...]
    """Who made which move: a card, ``pass`` (asked or not), ``7H!``."""
    winners: tuple[int, ...]
    """Who took each trick played from the position on."""
    ended: bool
    """Played to the end of the deal; else what follows is empty."""
    points: tuple[int, ...] = ()
    side: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    items: tuple[tuple[str, tuple[int, ...]], ...] = ()
    ranks: tuple[int, ...] = ()
    """Place of each seat by the scores, equal ones share the better."""


@dataclass(frozen=True, slots=True)
class Probe:
    """An answer to be tried at a point, allowed or not."""

    point: Point
    seat: int
    answer: Answer


class Prompter:
    """Reads the script to whoever is asked."""

    def __init__(
        self,
        script: Script,
        *,
        further: Collection[str] = (),
        begins: int | None = None,
        lose_turn: bool = False,
        probe: Probe | None = None,
    ) -> None:
        """``further``: cards that give another turn; ``begins``: who has one at the start;
        ``lose_turn``: a card that does not fit
        may be shown."""
        self.script = script
        self.further = further
        self.begins = begins
        self.lose_turn = lose_turn
        self.probe = probe
        self.probed = False
        self.asked: list[Asked] = []
        self.moves: tuple[tuple[int, str], ...] = ()
        """As they were when somebody was last asked."""
        self.bets_done = 0
        self.chosen = 0
        self.wrong: tuple[Line, str] | None = None
        """The script's first mistake."""

    def ask(
        self,
        kind: str,
        seat: int,
        options: Collection[str],
        *,
        must: Collection[str] = (),
        hand: Collection[str] = (),
        slips: Collection[str] = (),
        moves: Sequence[tuple[int, str]] = (),
    ) -> Answer:
        """Return the seat's answer; raises :class:`Enough` where the script has none."""
        self.moves = tuple(moves)
        if self.probed or self.wrong:
            raise Enough
        point = Point(self.chosen, self.bets_done, len(moves))
        asked = Asked(
            point, kind, seat, frozenset(options), frozenset(must), frozenset(hand),
            frozenset(slips),
        )  # fmt: skip
        again = self._is_further(asked)
        self.asked.append(asked)
        if self.probe and (self.probe.point, self.probe.seat) == (point, seat):
            self.probed = True
            return self.probe.answer
        if kind == "choose":
            return self._choose(asked)
        if kind in ("double", "redouble"):
            return self._bet(asked)
        return self._move(asked, again)

    def _is_further(self, asked: Asked) -> bool:
        """Tell whether this is the further turn that the card before gives."""
        if asked.kind != "lay" or any(
            (a.point, a.seat) == (asked.point, asked.seat) for a in self.asked
        ):
            return False
        if not self.moves:
            return asked.seat == self.begins
        seat, token = self.moves[-1]
        return seat == asked.seat and token in self.further

    def fail(self, line: Line, what: str) -> Enough:
        """Note what is wrong with a line of the script; nothing more is answered."""
        self.wrong = (line, f"{line.word}: {what}")
        return Enough()

    def _choose(self, asked: Asked) -> Answer:
        choice = self.script.choice
        if choice is None:
            raise Enough
        if choice.seat not in (None, asked.seat):
            raise self.fail(choice.line, f"P{asked.seat} names the contract, not P{choice.seat}")
        if choice.option not in asked.options:
            raise self.fail(choice.line, f"P{asked.seat} may not choose {choice.option}")
        self.chosen = 1
        return choice.option

    def _bet(self, asked: Asked) -> Answer:
        """Return whom the seat doubles; a seat that the script leaves out doubles nobody."""
        later: tuple[Bet, ...] = self.script.bets[self.bets_done :]
        if not later and not self.script.moves:
            raise Enough
        if later and (later[0].kind, later[0].seat) == (asked.kind, asked.seat):
            bet = later[0]
            named = frozenset(f"P{seat}" for seat in bet.seats)
            if not asked.must <= named:
                raise self.fail(bet.line, f"P{asked.seat} has to double {' '.join(asked.must)}")
            if not named <= asked.options:
                raise self.fail(
                    bet.line,
                    f"P{asked.seat} may not {asked.kind} {' '.join(named - asked.options)}",
                )
            self.bets_done += 1
            return bet.seats
        if asked.must:
            line = later[0].line if later else self.script.moves[0].line
            raise self.fail(line, f"P{asked.seat} has to double {' '.join(asked.must)} first")
        return frozenset()

    def _move(self, asked: Asked, again: bool) -> Answer:
        seat, at = asked.seat, asked.point.moves
        self._bets_are_said()
        if at >= len(self.script.moves):
            if again:
                return None  # nothing is written of a further turn that is not taken
            raise Enough
        move = self.script.moves[at]
        card = move.token.removesuffix(BACK)
        elsewhere = move.seat not in (None, seat)
        if again and (elsewhere or move.token == PASS or card not in asked.hand):
            return None
        if elsewhere:
            raise self.fail(move.line, f"it is P{seat}'s turn, not P{move.seat}'s")
        allowed = " ".join(sorted(asked.options))
        if move.token == PASS:
            if PASS not in asked.options:
                raise self.fail(move.line, f"P{seat} may not pass (allowed: {allowed})")
            return None
        if card not in asked.hand:
            raise self.fail(move.line, f"P{seat}, whose turn it is, does not hold {card}")
        back = move.token != card
        if back and not self.lose_turn:
            raise self.fail(move.line, f"{move.token}: here a card that does not fit is no move")
        if back and card in asked.options:
            raise self.fail(move.line, f"{card} fits, so it is not taken back")
        if not back and card not in asked.options | asked.slips:
            hint = f"; {card}! if it was shown and taken back" if self.lose_turn else ""
            raise self.fail(move.line, f"P{seat} may not play {card} (allowed: {allowed}{hint})")
        return card

    def _bets_are_said(self) -> None:
        """See that every double of the script was asked for."""
        if self.bets_done < len(self.script.bets):
            bet = self.script.bets[self.bets_done]
            raise self.fail(
                bet.line,
                f"P{bet.seat} is not asked here: not the seat's turn, or nobody to {bet.kind}"
                f" (was to {bet.kind} {seats_of(bet.seats)})",
            )

    def check_moves(self, moves: Sequence[tuple[int, str]], ended: bool) -> None:
        """Hold the moves that were made against the script, passes that nobody asked for too."""
        for move, (seat, token) in zip(self.script.moves, moves, strict=False):
            if self.wrong is None and move.seat not in (None, seat):
                self.fail(move.line, f"it is P{seat}'s turn, not P{move.seat}'s")
            elif self.wrong is None and move.token != token:
                self.fail(move.line, f"{move.token}: P{seat} has no card that fits (write pass)")
        if self.wrong is None and ended and len(moves) < len(self.script.moves):
            move = self.script.moves[len(moves)]
            self.fail(move.line, f"the deal is over before {move.token}")
        if self.wrong is None and ended:
            self._unsaid()

    def _unsaid(self) -> None:
        try:
            self._bets_are_said()
        except Enough:
            return
