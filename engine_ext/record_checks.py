"""The checks of a record held against the course that the rules give it."""

from collections import Counter
from collections.abc import Callable

from engine_ext.batch import Rules
from engine_ext.cards import Pack
from engine_ext.record import Record
from engine_ext.record_course import Answer, Asked, Course, Probe
from engine_ext.record_play import EngineSide, Side
from engine_ext.record_steps import Check, Point, option_of
from engine_ext.record_text import BACK, NOBODY, PASS, RecordError, seats_of


def hold(record: Record, side: Side | None = None) -> Course:
    """Play a record and hold its checks; ``side`` is the engine if it is not said.

    Raises ``RecordError`` for the first step that the rules do not allow and for the first
    check that does not hold.
    """
    player = EngineSide() if side is None else side
    course = player.course(record)
    checker = Checker(record, player, course)
    for check in record.checks:
        checker.hold(check)
    return course


class Checker:
    """Holds checks against one course."""

    def __init__(self, record: Record, side: Side, course: Course) -> None:
        self.record, self.side, self.course = record, side, course
        self.rules, self.pack = Rules(record.variant), Pack(record.variant.deck)
        self.seats = record.variant.seats

    def hold(self, check: Check) -> None:
        """Hold one check; raises ``RecordError`` where it fails."""
        how: dict[str, Callable[[Check], None]] = {
            "legal": self.legal, "must": self.must, "refused": self.refused, "next": self.next,
            "winner": self.winner, "over": self.over, "points": self.by_seat,
            "side": self.by_seat, "scores": self.by_seat, "total": self.total,
            "items": self.items, "first": self.first,
        }  # fmt: skip
        how[check.word](check)

    def fail(self, check: Check, what: str) -> RecordError:
        """Return the error of a check that does not hold."""
        return check.line.wrong(f"{check.word}: {what}")

    def pending(self, point: Point) -> list[Asked]:
        """Return what is asked at a point; more than one if a seat may decline it.

        A seat of a layout that can only pass is not asked, but it is its turn all the same.
        """
        found = [asked for asked in self.course.asked if asked.point == point]
        if point.moves < len(self.course.moves):
            seat, token = self.course.moves[point.moves]
            if token == PASS and seat not in {asked.seat for asked in found}:
                found.append(Asked(point, "unasked", seat, frozenset({PASS})))
        return found

    def question(self, check: Check) -> Asked:
        """Return the question that a check is about."""
        found = self.pending(check.point)
        if not found:
            raise self.fail(check, "the deal is over here")
        if check.seat is None:
            return found[0]
        for asked in found:
            if asked.seat == check.seat:
                return asked
        raise self.fail(check, f"it is P{found[0].seat}'s turn, not P{check.seat}'s")

    def legal(self, check: Check) -> None:
        """What is allowed, all of it and nothing else."""
        asked = self.question(check)
        said, allowed = set(check.rest), set(asked.options)
        if asked.kind == "choose":
            for text in said:
                if text not in self.rules.numbers.contract_names:
                    option_of(check.line, (text,), self.rules, self.pack)
            allowed = {option.split()[0] for option in allowed}
        elif asked.kind in ("double", "redouble"):
            said -= {NOBODY}
        else:
            for text in said - {PASS}:
                self.held(check, asked, text)
        if said != allowed:
            # In the order of the pack, as they would be read out.
            texts = " ".join(sorted(allowed, key=self.order)) or NOBODY
            raise self.fail(check, f"by the rules P{asked.seat} may: {texts}")

    def order(self, text: str) -> tuple[int, str]:
        """Sort cards as in the pack, everything else behind."""
        try:
            return self.pack.number(text), text
        except ValueError:
            return 1000, text

    def held(self, check: Check, asked: Asked, text: str) -> None:
        """See that a card is one of the seat's, or else the check would show nothing."""
        card = check.line.card(text, self.pack)
        hand = asked.hand or self.hand_at(asked)
        if card not in hand:
            raise self.fail(check, f"P{asked.seat} does not hold {card}")

    def hand_at(self, asked: Asked) -> set[str]:
        """Return what a seat that is not asked holds."""
        made = self.course.moves[: asked.point.moves]
        gone = Counter(token for seat, token in made if seat == asked.seat)
        return set(Counter(self.record.position.hands[asked.seat]) - gone)

    def must(self, check: Check) -> None:
        """Whom the seat has to double."""
        asked = self.question(check)
        if set(check.rest) - {NOBODY} != asked.must:
            right = " ".join(sorted(asked.must)) or NOBODY
            raise self.fail(check, f"by the rules P{asked.seat} has to double: {right}")

    def refused(self, check: Check) -> None:
        """Answers that are not taken, each by itself."""
        asked = self.question(check)
        if asked.kind == "choose":
            answers: list[Answer] = [option_of(check.line, check.rest, self.rules, self.pack)]
        else:
            answers = [self.answer(check, asked, text) for text in check.rest]
        if not check.rest:
            raise self.fail(check, "say what must not be accepted")
        for text, answer in zip(check.rest, answers, strict=False):
            if asked.kind == "unasked":
                # Nobody asks: whatever is shown, the turn passes on.
                verdict = "accepted" if answer is None else "passed over"
            else:
                probe = Probe(check.point, asked.seat, answer)
                verdict = self.side.verdict(self.record, probe)
            if verdict == "accepted":
                raise self.fail(check, f"by the rules P{asked.seat} may: {text}")

    def answer(self, check: Check, asked: Asked, text: str) -> Answer:
        """Return an answer that is to be tried."""
        if asked.kind in ("double", "redouble"):
            if text == NOBODY:
                return frozenset()
            return frozenset({check.line.seat(text, self.seats)})
        if text == PASS:
            return None
        self.held(check, asked, text.removesuffix(BACK))
        return text.removesuffix(BACK)

    def next(self, check: Check) -> None:
        """Who is to speak, play or lay."""
        seat = check.line.seat(check.line.one("P1"), self.seats)
        found = self.pending(check.point)
        if not found:
            raise self.fail(check, "the deal is over here")
        if found[0].seat != seat:
            raise self.fail(check, f"it is P{found[0].seat}'s turn")

    def winner(self, check: Check) -> None:
        """Who took the last trick."""
        seat = check.line.seat(check.line.one("P1"), self.seats)
        done, rest = divmod(check.point.moves, self.seats)
        if rest or not done or not self.course.winners:
            raise self.fail(check, "stands behind a whole trick")
        if self.course.winners[done - 1] != seat:
            raise self.fail(check, f"P{self.course.winners[done - 1]} takes the trick")

    def over(self, check: Check) -> None:
        """The deal has ended here."""
        found = self.pending(check.point)
        if found or not self.course.ended or check.point.moves < len(self.course.moves):
            whose = f"; it is P{found[0].seat}'s turn" if found else ""
            raise self.fail(check, f"the deal is not over{whose}")

    def ended(self, check: Check) -> None:
        """See that there is a result to speak of."""
        if not self.course.ended:
            seat = self.pending(self.record.script.end)[0].seat
            raise self.fail(check, f"the deal is not over; it is P{seat}'s turn")

    def by_seat(self, check: Check) -> None:
        """Points, side bets or scores of the whole deal."""
        self.ended(check)
        right = {
            "points": self.course.points, "side": self.course.side, "scores": self.course.scores
        }[check.word]  # fmt: skip
        if check.line.numbers(self.seats) != right:
            raise self.fail(check, f"by the rules {' '.join(map(str, right))}")

    def total(self, check: Check) -> None:
        """Points of the whole table."""
        self.ended(check)
        right = sum(self.course.points)
        if check.line.integer(check.line.one("-26")) != right:
            raise self.fail(check, f"by the rules {right}")

    def items(self, check: Check) -> None:
        """What was counted: ``items queens 1 0 2 1``; a layout counts the ``place``."""
        self.ended(check)
        names = [name for name, _ in self.course.items]
        if not check.rest or check.rest[0] not in names:
            raise self.fail(check, f"what is counted here: {', '.join(names)}")
        counted = [by_seat for name, by_seat in self.course.items if name == check.rest[0]]
        right = tuple(map(sum, zip(*counted, strict=True)))
        if check.line.numbers(self.seats, check.rest[1:]) != right:
            raise self.fail(check, f"by the rules {' '.join(map(str, right))}")

    def first(self, check: Check) -> None:
        """Who is first in the game by the scores, shared or not."""
        self.ended(check)
        said = {check.line.seat(text, self.seats) for text in check.rest}
        right = {seat for seat, rank in enumerate(self.course.ranks) if rank == 1}
        if said != right:
            raise self.fail(check, f"by the scores {seats_of(right)}")
