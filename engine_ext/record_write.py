"""A record as text again: the setup, then steps and checks in their order."""

from collections.abc import Iterator, Sequence

from engine_ext.batch import Rules
from engine_ext.record import Record
from engine_ext.record_position import Position
from engine_ext.record_roles import OPEN
from engine_ext.record_steps import Check, Move, Point
from engine_ext.record_text import NOBODY, seats_of
from engine_ext.rules.resolve import KIND_LAYOUT


def write(record: Record) -> str:
    """Return the text of a record; reading it gives an equal record."""
    rules = Rules(record.variant)
    lines = [f"source {record.source}"] if record.source else []
    lines.append(f"variant {record.variant_name}")
    lines += [f"option {option}" for option in record.options]
    lines += setup_lines(record.position, rules)
    acts = list(_acts(record, rules))
    return "\n".join([*lines, *([""] if acts else []), *acts]) + "\n"


def setup_lines(place: Position, rules: Rules) -> Iterator[str]:
    """Yield the lines of a position; what follows from the others is left out."""
    n = rules.numbers
    if place.deal is not None:
        yield f"deal {place.deal}"
    if place.replays:
        yield f"replays {place.replays}"
    if place.tied:
        yield f"tied {seats_of(place.tied)}"
    yield f"dealer P{place.dealer}" if place.declarer is None else f"declarer P{place.declarer}"
    yield f"leader P{place.leader}"
    if place.contract is not None:
        yield " ".join(["contract", place.contract, *([place.named] if place.named else [])])
    full = tuple((name, k) for name, k in zip(n.contract_names, n.uses, strict=True) if k)
    for seat, left in enumerate(place.left[: 1 if n.uses_of_table else None]):
        if left != full:
            names = [name for name, uses in left for _ in range(uses)]
            yield " ".join(
                ["left", *([] if n.uses_of_table else [f"P{seat}:"]), *(names or NOBODY)]
            )
    if any(place.scores):
        yield f"scores {_row(place.scores)}"
    if any(place.duty):
        yield f"duty {_row(place.duty)}"
    if n.has_doubling and place.phase != "choose" and not place.tied:
        yield f"doubles {_doubles(place)}"
    yield from _in_play(place)
    yield f"hands {' | '.join(' '.join(hand) or NOBODY for hand in place.hands)}"


def _doubles(place: Position) -> str:
    if place.phase == "double":
        return OPEN
    pairs = [f"P{seat}>P{other}" for seat, who in enumerate(place.doubles) for other in sorted(who)]
    return " ".join(pairs) or NOBODY


def _in_play(place: Position) -> Iterator[str]:
    """Yield what has been played so far."""
    known = place.leader
    if any(owner is not None for owner in place.owners):
        yield "owners " + " ".join(NOBODY if o is None else f"P{o}" for o in place.owners)
        known = place.leader if place.owners[-1] is None else place.owners[-1]
    if place.turn != known:
        yield f"turn P{place.turn}"
    for seat, cards in enumerate(place.taken):
        if cards:
            yield f"taken P{seat}: {' '.join(cards)}"
    for seat, suits in enumerate(place.voids):
        if suits:
            yield f"voids P{seat}: {' '.join(suits)}"
    if place.lifted:
        yield "lifted"
    for seat, suits in place.revokes:
        yield f"revokes P{seat}: {' '.join(suits) or NOBODY}"
    if place.laid:
        yield f"laid {' '.join(place.laid)}"
    if place.out:
        yield "out " + " ".join(f"P{seat}" for seat in place.out)
    if place.passes:
        yield f"passes {place.passes}"
    if place.further:
        yield "further"
    if any(place.passed):
        yield f"passed {_row(place.passed)}"


def _row(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _acts(record: Record, rules: Rules) -> Iterator[str]:
    """Yield steps and checks; a check stands where its point is reached."""
    script = record.script
    waiting = list(record.checks)

    def due(point: Point) -> Iterator[str]:
        while waiting and waiting[0].point == point:
            yield _check(waiting.pop(0))

    point = Point(0, 0, 0)
    yield from due(point)
    if script.choice:
        yield _by("choose", script.choice.seat, script.choice.option)
        point = Point(1, 0, 0)
        yield from due(point)
    for bet in script.bets:
        yield _by(bet.kind, bet.seat, seats_of(bet.seats))
        point = point._replace(bets=point.bets + 1)
        yield from due(point)
    stops = {check.point.moves for check in waiting}
    for word, start, moves in _move_lines(record, rules, stops):
        yield _by(word, moves[0].seat, " ".join(move.token for move in moves))
        yield from due(point._replace(moves=start + len(moves)))


def _move_lines(
    record: Record, rules: Rules, stops: set[int]
) -> Iterator[tuple[str, int, tuple[Move, ...]]]:
    """Yield the moves line by line: keyword, number of the first move, moves."""
    script, seats = record.script, rules.numbers.seats
    name = script.choice.option.split()[0] if script.choice else record.position.contract
    names = rules.numbers.contract_names
    layout = name is not None and rules.numbers.contracts[names.index(name)].kind == KIND_LAYOUT
    start = 0
    while start < len(script.moves):
        end = start + 1
        while end < len(script.moves) and end not in stops and script.moves[end].seat is None:
            if not layout and end % seats == 0:
                break
            end += 1
        word = "lay" if layout else "trick" if start % seats == 0 else "then"
        yield word, start, script.moves[start:end]
        start = end


def _check(check: Check) -> str:
    return _by(check.word, check.seat, " ".join(check.rest))


def _by(word: str, seat: int | None, what: str) -> str:
    return " ".join([word, *([] if seat is None else [f"P{seat}:"]), *([what] if what else [])])
