"""The steps of a record as a script, and its checks, each with its place in the script."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from engine_ext.batch import Rules
from engine_ext.cards import Pack
from engine_ext.record_position import Position
from engine_ext.record_text import BACK, CHECKS, NOBODY, PASS, Line
from engine_ext.rules.messages import nearest
from engine_ext.rules.resolve import KIND_LAYOUT


class Point(NamedTuple):
    """How much of a script is done: choices, turns of doubling, moves."""

    choices: int
    bets: int
    moves: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A contract that is named."""

    seat: int | None
    """As the record says; None where it does not."""
    option: str
    """``trumps S``, ``domino 9`` or only ``queens``."""
    line: Line = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Bet:
    """A seat's turn of doubling."""

    kind: str
    """``double`` or ``redouble``."""
    seat: int
    seats: frozenset[int]
    line: Line = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Move:
    """A card played or laid, a pass, or a card taken back."""

    seat: int | None
    """Whose it is as the record says; None where it does not."""
    token: str
    """``KH``, ``pass`` or ``7H!``."""
    line: Line = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Script:
    """What is said and played from a position on."""

    choice: Choice | None = None
    bets: tuple[Bet, ...] = ()
    moves: tuple[Move, ...] = ()

    @property
    def end(self) -> Point:
        """Where everything is done."""
        return Point(int(self.choice is not None), len(self.bets), len(self.moves))

    def until(self, point: Point) -> "Script":
        """Return the script up to a point."""
        choice = self.choice if point.choices else None
        return Script(choice, self.bets[: point.bets], self.moves[: point.moves])


@dataclass(frozen=True, slots=True)
class Check:
    """Something that has to hold at a point of the script."""

    word: str
    seat: int | None
    rest: tuple[str, ...]
    point: Point
    line: Line = field(compare=False, repr=False)


def option_of(line: Line, texts: tuple[str, ...], rules: Rules, pack: Pack) -> str:
    """Return a contract with what is named with it, checked: ``trumps S``."""
    names = rules.numbers.contract_names
    if not texts or texts[0] not in names:
        said = texts[0] if texts else ""
        hint = nearest(said, names) or f"known: {', '.join(names)}"
        raise line.wrong(f'{line.word}: "{said}" is no contract of this variant ({hint})')
    name, named = texts[0], texts[1:]
    kind, things = what_is_named(name, rules, pack)
    if not things:
        if named:
            raise line.wrong(f"{line.word}: nothing is named with {name}")
        return name
    if len(named) != 1 or named[0] not in things:
        raise line.wrong(
            f"{line.word}: with {name} goes a {kind} ({' '.join(things)}), "
            f"e.g. {line.word} {name} {things[-1]}{_or_later(line, named)}"
        )
    return f"{name} {named[0]}"


def _or_later(line: Line, named: tuple[str, ...]) -> str:
    """Return what to do where the declarer has yet to name it, if that may be meant."""
    if line.word == "contract" and not named:
        return "; without this line it is still to be chosen"
    return ""


def what_is_named(name: str, rules: Rules, pack: Pack) -> tuple[str, tuple[str, ...]]:
    """Return what goes with a contract, and everything that could be said there."""
    contract = rules.numbers.contracts[rules.numbers.contract_names.index(name)]
    if contract.kind == KIND_LAYOUT:
        return "start rank", pack.ranks
    return ("trump suit", pack.suits) if contract.trump_mode else ("", ())


def read_acts(
    acts: list[Line], position: Position, rules: Rules, pack: Pack
) -> tuple[Script, tuple[Check, ...]]:
    """Return the script and the checks of a record's lines behind its setup."""
    reading = _Reading(position, rules, pack)
    for line in acts:
        if line.word in CHECKS:
            seat = None if line.speaker is None else line.by(rules.numbers.seats)
            reading.checks.append(Check(line.word, seat, line.rest, reading.point, line))
        else:
            reading.step(line)
    script = Script(reading.choice, tuple(reading.bets), tuple(reading.moves))
    return script, tuple(reading.checks)


class _Reading:
    """The steps read so far."""

    def __init__(self, position: Position, rules: Rules, pack: Pack) -> None:
        self.position, self.rules, self.pack = position, rules, pack
        self.seats = rules.numbers.seats
        self.contract = position.contract
        self.choice: Choice | None = None
        self.bets: list[Bet] = []
        self.moves: list[Move] = []
        self.checks: list[Check] = []

    @property
    def point(self) -> Point:
        return Point(int(self.choice is not None), len(self.bets), len(self.moves))

    def step(self, line: Line) -> None:
        how: dict[str, Callable[[Line], None]] = {
            "choose": self.choose, "double": self.bet, "redouble": self.bet,
            "trick": self.trick, "then": self.trick, "lay": self.lay,
        }  # fmt: skip
        how[line.word](line)

    def choose(self, line: Line) -> None:
        if self.position.phase != "choose" or self.choice or self.bets or self.moves:
            raise line.wrong("choose: the contract is named already")
        seat = None if line.speaker is None else line.by(self.seats)
        option = option_of(line, line.rest, self.rules, self.pack)
        self.choice = Choice(seat, option, line)
        self.contract = option.split()[0]

    def bet(self, line: Line) -> None:
        if not self.rules.numbers.has_doubling:
            raise line.wrong(f"{line.word}: this variant has no doubles")
        if self.position.phase == "play" or self.moves:
            raise line.wrong(f"{line.word}: doubles are said before the first card")
        self.needs_contract(line)
        rest = () if line.rest == (NOBODY,) else line.rest
        if not line.rest:
            raise line.wrong(f"{line.word}: say whom (e.g. {line.word} P1: P0, or - for nobody)")
        targets = frozenset(line.seat(text, self.seats) for text in rest)
        self.bets.append(Bet(line.word, line.by(self.seats), targets, line))

    def trick(self, line: Line) -> None:
        """Read the cards of one trick, or the rest of it."""
        self.needs_kind(line, layout=False)
        lying = len(self.moves) % self.seats
        if line.word == "trick" and lying:
            raise line.wrong("trick: the one before is not full (go on with then)")
        if line.word == "then" and not lying:
            raise line.wrong("then: no trick is begun (begin it with trick)")
        if not 1 <= len(line.rest) <= self.seats - lying:
            raise line.wrong(f"{line.word}: {len(line.rest)} cards, want 1 to {self.seats - lying}")
        self.add(line, [line.card(text, self.pack) for text in line.rest])

    def lay(self, line: Line) -> None:
        """Read turns of a layout: cards, passes, cards taken back."""
        self.needs_kind(line, layout=True)
        if not line.rest:
            raise line.wrong("lay: say what (e.g. lay 9S pass TS)")
        tokens = []
        for text in line.rest:
            if text != PASS:
                line.card(text.removesuffix(BACK), self.pack)
            tokens.append(text)
        self.add(line, tokens)

    def add(self, line: Line, tokens: list[str]) -> None:
        first = None if line.speaker is None else line.by(self.seats)
        for i, token in enumerate(tokens):
            # In a layout seats that are out are skipped, so only the first one is said.
            seat = first if i == 0 else None
            self.moves.append(Move(seat, token, line))

    def needs_contract(self, line: Line) -> str:
        if self.contract is None or (self.position.phase == "choose" and not self.choice):
            raise line.wrong(f"{line.word}: no contract yet (contract or choose comes first)")
        return self.contract

    def needs_kind(self, line: Line, *, layout: bool) -> None:
        name = self.needs_contract(line)
        numbers = self.rules.numbers
        kind = numbers.contracts[numbers.contract_names.index(name)].kind
        if (kind == KIND_LAYOUT) != layout:
            right = "trick" if layout else "lay"
            raise line.wrong(f"{line.word}: {name} is played with {right} lines")
