"""What declarers have left to choose, held against the schedule and what is played.

A line may tell it from before the contract was named or from after: the contract played stands
among those left, or it is gone. One that is given (played again) has been gone since it was named.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine_ext.record_given import Given
from engine_ext.record_text import NOBODY, Line
from engine_ext.rules.resolve import VariantNumbers

Uses = tuple[tuple[str, int], ...]
"""Contracts and how often each, in the file's order."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Which deal of its game a record is, as far as it is said."""

    deal: int | None
    """Its number from 1."""
    replays: int
    extra: bool
    declarer: int | None
    contract: str | None
    """None while nothing is named."""

    def steps(self, n: VariantNumbers) -> list[int]:
        """Return the places in the schedule, from 1, that it can have."""
        if self.deal is not None:
            return [self.deal - self.replays]
        if self.extra:
            return [n.n_deals + 1]
        return [step for step in range(1, n.n_deals + 1) if _declares(n, step) == self.declarer]


def left_of(given: Given, turn: Turn) -> tuple[Uses, ...]:
    """Return what each declarer may still choose; all of it where nothing is said."""
    n = given.numbers
    full = tuple((name, k) for name, k in zip(n.contract_names, n.uses, strict=True) if k)
    found: list[Uses | None] = [None] * given.seats
    said: list[tuple[Line, int]] = []
    for line in given.lines.get("left", []):
        counted = _counted(line, given)
        whose = _whose(line, given)
        said.append((line, whose[0]))
        for seat in whose:
            if found[seat] is not None:
                raise line.wrong(f"left: {_who(n, seat)} has a line already")
            found[seat] = tuple((name, counted[name]) for name, _ in full if counted[name])
    if turn.declarer is not None:
        left = [dict(full if uses is None else uses) for uses in found]
        if turn.contract is None and turn.deal and found[turn.declarer] is None:
            # Who is to choose has to know among what.
            said.append((given.lines["deal"][-1], turn.declarer))
        _hold(given, turn, [(line, seat, left[seat]) for line, seat in said])
    return tuple(full if uses is None else uses for uses in found)


def _who(n: VariantNumbers, seat: int) -> str:
    return "the table" if n.uses_of_table else f"P{seat}"


def _counted(line: Line, given: Given) -> Counter[str]:
    """Return the contracts of a line: none more often than it can be chosen."""
    n = given.numbers
    counted = Counter(() if line.rest == (NOBODY,) else line.rest)
    most = dict(zip(n.contract_names, n.uses, strict=True))
    for name, uses in counted.items():
        if uses > most.get(name, 0):
            who = "the table" if n.uses_of_table else "a declarer"
            raise line.wrong(
                f"left: {name} stands here {uses} x, {who} has it {most.get(name, 0)} x"
            )
    return counted


def _whose(line: Line, given: Given) -> Sequence[int]:
    """Return the seats that a line is about: one, or all where they share."""
    if not given.numbers.uses_of_table:
        return [line.by(given.seats)]
    if line.speaker is not None:
        raise line.wrong(
            "left: the contracts are the table's, nobody has his own (want left NAME ...)"
        )
    return range(given.seats)


def _declares(n: VariantNumbers, step: int) -> int:
    return (step - 1) // n.dealership % n.seats


def left_before(n: VariantNumbers, step: int, seat: int) -> int:
    """Return how many contracts a seat, or the table, has left before a deal, counted from 1."""
    gone = range(1, min(step - 1, n.n_deals) + 1)
    named = sum(bool(n.uses_of_table) or _declares(n, earlier) == seat for earlier in gone)
    return sum(n.uses) - named


def _hold(given: Given, turn: Turn, said: Sequence[tuple[Line, int, dict[str, int]]]) -> None:
    """See that all lines together are true of a deal; raises ``RecordError``."""
    n = given.numbers
    steps = turn.steps(n)
    for number, (line, seat, left) in enumerate(said):
        wrong = {step: next(_misfits(n, turn, step, seat, left), None) for step in steps}
        steps = [step for step in steps if wrong[step] is None]
        if steps:
            continue
        if turn.deal is None:
            beside = " where the lines before hold" if number else ""
            raise line.wrong(
                f"left: in no deal that P{turn.declarer} declares{beside} {_who(n, seat)} has "
                f"{sum(left.values())} of {sum(n.uses)} contracts left"
            )
        (found,) = wrong.values()
        assert found is not None
        word, what = found
        # What is left may follow from deals before: then only the contract stands in the file.
        where = line if word == "left" else given.lines["contract"][0]
        raise where.wrong(f"{word}: {what}")


def _misfits(
    n: VariantNumbers, turn: Turn, step: int, seat: int, left: dict[str, int]
) -> Iterator[tuple[str, str]]:
    """Yield what speaks against what a seat has left in a deal, with the line it is about."""
    named = turn.contract if n.uses_of_table or seat == turn.declarer else None
    if turn.extra:
        named = None  # which takes nothing from what is left
    who, here = _who(n, seat), sum(left.values())
    want = left_before(n, step, seat)
    if here not in ((want,) if named is None else (want, want - 1)):
        how = "left" if n.uses_of_table else f"left P{seat}:"
        then = "" if named is None else f", {want - 1} once {named} is named"
        yield (
            "left",
            f"before deal {turn.deal} {who} has {want} of {sum(n.uses)} contracts left{then}, "
            f"not {here} ({how} names them)",
        )
    elif named is not None and here == want and not left.get(named, 0):
        yield "contract", f"{who} has no {named} left, of {want} before deal {turn.deal}"
    elif named is not None and here < want and left.get(named, 0) == _uses(n, named):
        yield (
            "left",
            f"once {named} is named {who} has it {_uses(n, named) - 1} x, not {left[named]} x "
            f"(or {want} contracts, from before it)",
        )


def _uses(n: VariantNumbers, name: str) -> int:
    return n.uses[n.contract_names.index(name)]
