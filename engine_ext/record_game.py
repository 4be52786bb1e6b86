"""Several deals of one game in a file: what one deal leaves is carried into the next.

A line ``---``, or ``deal N`` behind the steps and checks of the deal before, begins the next
deal; so do ``source``, ``variant`` and ``option`` there, which the first deal of another game has.
``variant`` and its options stand in the first one. Scores, contracts left and duties
follow from the deals before; where a deal says them, they have to be the same.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine_ext.record import Record, apart, of_lines
from engine_ext.record_checks import hold
from engine_ext.record_course import Course
from engine_ext.record_left import left_before
from engine_ext.record_pieces import HEAD, RULE, pieces
from engine_ext.record_play import Side
from engine_ext.record_text import NOBODY, Line, RecordError, seats_of
from engine_ext.record_write import write
from engine_ext.rules.resolve import VariantNumbers, resolve

CARRIED = ("scores", "left", "duty")
"""Lines that follow from the deals before."""


@dataclass(frozen=True, slots=True)
class Played:
    """A deal and what came of it."""

    record: Record
    course: Course


def hold_game(
    text: str, file: str = "record", folder: Path = Path(), side: Side | None = None
) -> Iterator[Played]:
    """Play the deals of a file one after the other and hold their checks.

    ``side`` is the engine if it is not said. Raises ``RecordError`` for the first line that
    cannot be read, that the rules do not allow or that does not hold.
    """
    parts = pieces(text)
    if len(parts) == 1:
        record = of_lines(parts[0].lines(file), file, folder, variant=None)
        yield Played(record, hold(record, side))
        return
    head: list[Line] = []
    game: _Game | None = None
    for part in parts:
        lines = part.lines(file)
        variant = None
        if game is None:
            head = [line for line in lines if line.word in HEAD]
            lines = [*_number(lines, 1), *lines]
        else:
            lines = game.filled(_with_head(lines, head))
            variant = game.record.variant
        record = of_lines(lines, file, folder, variant=variant)
        if game is None:
            game = _Game(record, resolve(record.variant))
        game.check(record, lines)
        course = hold(record, side)
        game.add(record, course)
        yield Played(record, course)


def write_game(records: Sequence[Record]) -> str:
    """Return the deals of a game as the text of one file; :func:`hold_game` reads them."""
    first, *others = map(write, records)
    left_out = ("source", *HEAD, *CARRIED)
    texts = [first.rstrip("\n")]
    for text in others:
        lines = text.splitlines()
        setup = lines.index("") if "" in lines else len(lines)
        kept = [line for line in lines[:setup] if line.split()[0] not in left_out]
        texts.append("\n".join([*kept, *lines[setup:]]))
    return f"\n\n{RULE}\n".join(texts) + "\n"


def _number(lines: Sequence[Line], deal: int) -> list[Line]:
    """Return the line that numbers a deal, where it has none."""
    if not lines or any(line.word == "deal" for line in lines):
        return []
    return [Line(lines[0].file, lines[0].number, "deal", None, (str(deal),))]


def _with_head(lines: list[Line], head: Sequence[Line]) -> list[Line]:
    """Return a further deal's lines under the variant and options of the first."""
    for word in HEAD:
        own = [line for line in lines if line.word == word]
        first = [line for line in head if line.word == word]
        if own and [line.text for line in own] != [line.text for line in first]:
            where = f"as line {first[0].number} does" if first else "with the first deal"
            raise own[0].wrong(f"{word}: the deals of a file are one game (say it {where})")
    return [*head, *(line for line in lines if line.word not in HEAD)]


@dataclass
class _Game:
    """What the deals so far leave."""

    record: Record
    """The last one."""
    numbers: VariantNumbers
    over: bool = True
    scores: tuple[int, ...] = ()
    left: list[Counter[str]] = field(default_factory=list)
    told: list[bool] = field(default_factory=list)
    """By seat: whether that is all it has left. In a file that begins in the middle of a game
    it may not be said, and is then known to be no more than this."""
    duty: list[list[int]] = field(default_factory=list)
    """By declarer and seat: doubles of the declarer."""
    among: frozenset[int] = frozenset()
    """Who can still win."""

    def __post_init__(self) -> None:
        place, seats = self.record.position, self.numbers.seats
        self.scores = place.scores
        self.left = [Counter(dict(left)) for left in place.left]
        self.told = [self.whole(self.record, seat) for seat in range(seats)]
        self.duty = [[0] * seats for _ in range(seats)]
        self.among = frozenset(place.tied) or frozenset(range(seats))
        if place.declarer is not None:
            self.duty[place.declarer] = list(place.duty)

    def whole(self, record: Record, seat: int, again: bool = False) -> bool:
        """Tell whether a deal says all that a seat has left, by its number in the game."""
        place, n = record.position, self.numbers
        want = left_before(n, (place.deal or 1) - place.replays, seat)
        mine = n.uses_of_table or seat == place.declarer
        return sum(dict(place.left[seat]).values()) == want - bool(again and mine)

    def filled(self, lines: list[Line]) -> list[Line]:
        """Return a further deal's lines with those that follow from the deals before."""
        setup, _ = apart(lines)
        body = [line for line in lines if line.word not in HEAD]
        if not self.over:
            raise body[0].wrong("the deal before is not over")
        deal = (self.record.position.deal or 0) + 1
        found = _number(body, deal)
        said = setup["deal"][0] if "deal" in setup else found[0]
        if said.one("2") != str(deal):
            raise said.wrong(f"deal: {said.text} follows deal {deal - 1} (want deal {deal})")

        def add(word: str, speaker: int | None, rest: Sequence[object]) -> None:
            text = tuple(map(str, rest)) or (NOBODY,)
            found.append(Line(body[0].file, body[0].number, word, speaker, text))

        replays = self.record.position.replays
        if "replays" in setup:
            replays = setup["replays"][0].integer(setup["replays"][0].one("1"))
        elif replays:
            add("replays", None, [replays])
        if "scores" not in setup:
            add("scores", None, self.scores)
        if self.numbers.has_choice:
            said_of = {line.speaker for line in setup.get("left", [])}
            whose = [None] if self.numbers.uses_of_table else range(self.numbers.seats)
            for seat in whose:
                if seat not in said_of and self.told[seat or 0]:
                    add("left", seat, list(self.left[seat or 0].elements()))
        declarer = (deal - 1 - replays) // self.numbers.dealership % self.numbers.seats
        if "duty" not in setup and self.numbers.has_doubling:
            add("duty", None, self.duty[declarer])
        return [*found, *lines]

    def check(self, record: Record, lines: Sequence[Line]) -> None:
        """Hold what a deal says of the game so far against the deals before."""
        place = record.position
        left = [Counter(dict(uses)) for uses in place.left]
        duty = list(place.duty)
        declarer = place.declarer

        def refuse(word: str, right: str) -> RecordError:
            line = next(line for line in lines if line.word == word)
            return line.wrong(f"{word}: after the deals before it is {right}")

        if place.scores != self.scores:
            raise refuse("scores", " ".join(map(str, self.scores)))
        again = place.replays > self.record.position.replays
        for seat, uses in enumerate(left):
            here = [x for x in lines if x.word == "left" and x.speaker in (seat, None)]
            if not self.told[seat] and uses <= self.left[seat]:
                self.left[seat], self.told[seat] = uses, self.whole(record, seat, again)
            elif here and uses != +self.left[seat]:
                names = " ".join((+self.left[seat]).elements()) or NOBODY
                whose = "" if self.numbers.uses_of_table else f" P{seat}:"
                raise here[0].wrong(f"left: after the deals before it is left{whose} {names}")
        if declarer is not None and duty != self.duty[declarer]:
            raise refuse("duty", " ".join(map(str, self.duty[declarer])))
        if not 0 <= place.replays - self.record.position.replays <= 1:
            raise refuse("replays", f"{self.record.position.replays}, or one more")
        if place.tied:
            first = self.first()
            everybody = range(self.numbers.seats)
            self.among = frozenset(everybody if self.numbers.extra_for_all else first)
            if set(place.tied) != self.among or len(first) == 1:
                raise refuse("tied", f"first {seats_of(first)}")
        given = bool(place.tied) or again
        said = None if record.script.choice or given else place.contract
        if declarer is not None and said and not self.left[declarer][said]:
            line = next(line for line in lines if line.word == "contract")
            raise line.wrong(f"contract: P{declarer} has no {said} left")

    def first(self) -> list[int]:
        """Return who is first by the scores, of those who can still win."""
        among = range(self.numbers.seats) if self.numbers.extra_for_all else self.among
        inside = {seat: self.numbers.objective * self.scores[seat] for seat in among}
        return [seat for seat in sorted(inside) if inside[seat] == max(inside.values())]

    def add(self, record: Record, course: Course) -> None:
        """Count a deal that was played."""
        again = record.position.replays > self.record.position.replays
        self.record, self.over = record, course.ended
        if not course.ended:
            return
        self.scores = course.scores
        place = record.position
        if place.declarer is None:
            return
        name = record.script.choice.option.split()[0] if record.script.choice else place.contract
        assert name is not None
        doubled = [set(who) for who in place.doubles]
        for bet in record.script.bets:
            doubled[bet.seat] |= bet.seats
        for seat in range(self.numbers.seats):
            mine = seat == place.declarer or self.numbers.uses_of_table
            if mine and not again and not place.tied:
                self.left[seat][name] -= 1
            self.duty[place.declarer][seat] += place.declarer in doubled[seat] - {seat}
