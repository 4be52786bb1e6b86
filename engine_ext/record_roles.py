"""Which deal of a game a record is: who deals, declares and leads, what is played, what is next.

What is said has to agree with the schedule; what is not said follows from it.
"""

import re

from engine_ext.record_given import Given
from engine_ext.record_position import Cards, Phase
from engine_ext.record_steps import option_of, what_is_named
from engine_ext.record_text import Line, RecordError
from engine_ext.rules.resolve import TRUMP

IN_PLAY = (
    "owners", "taken", "laid", "out", "passes", "further", "passed", "voids", "lifted", "revokes",
    "doubles", "turn",
)  # fmt: skip
"""Words that say that play has begun."""
OPEN = "open"
"""Behind ``doubles``: nobody has spoken yet."""


def roles_of(
    given: Given, deal: int | None, hands: tuple[Cards, ...]
) -> tuple[int, int | None, int]:
    """Return dealer, declarer, leader; those that are said have to agree."""
    n, seats = given.numbers, given.seats
    offsets = {"declarer": 0, "dealer": n.dealer_offset, "leader": n.leader_offset}
    if n.leader_card:
        del offsets["leader"]  # the cards say it, not the schedule
    base, because = 0, ""
    if deal is not None:
        base, because = (deal - 1) // n.dealership % seats, f"deal {deal}"
    for word, offset in offsets.items():
        line = given.line(word)
        if line is None:
            continue
        if word == "declarer" and not n.has_choice:
            raise line.wrong("declarer: the schedule is fixed, nobody declares")
        said = line.seat(line.one("P0"), seats)
        if because and said != (base + offset) % seats:
            right = (base + offset) % seats
            raise line.wrong(f"{word}: with {because} it is P{right} by the schedule")
        base, because = (said - offset) % seats, because or f"{word} P{said}"
    dealer, leader = (base + n.dealer_offset) % seats, (base + n.leader_offset) % seats
    if n.leader_card:
        leader = holder_of(given, hands)
    return dealer, base if n.has_choice else None, leader


def holder_of(given: Given, hands: tuple[Cards, ...]) -> int:
    """Return who was dealt the card whose holder leads: its holder now, or who is said."""
    (card,) = given.pack.names(given.numbers.leader_card).split()
    line = given.line("leader")
    holders = [seat for seat, hand in enumerate(hands) if card in hand]
    if line is None:
        if not holders:
            raise RecordError(f"{given.file}: say who was dealt {card} (e.g. leader P0)")
        return holders[0]
    said = line.seat(line.one("P0"), given.seats)
    if holders and said != holders[0]:
        raise line.wrong(f"leader: P{holders[0]} holds {card}, so P{holders[0]} leads")
    return said


def tied_of(given: Given) -> tuple[int, ...]:
    """Return who can win by an extra deal; nobody in a deal of the schedule."""
    line, n = given.line("tied"), given.numbers
    if line is None:
        return ()
    if n.extra_contract < 0:
        raise line.wrong("tied: in this variant a tie is not played out")
    seats = {line.seat(text, n.seats) for text in line.rest}
    if len(seats) < (n.seats if n.extra_for_all else 2):
        raise line.wrong("tied: say all seats" if n.extra_for_all else "tied: say two or more")
    return tuple(sorted(seats))


def replays_of(given: Given) -> int:
    """Return how many deals of the game were played again, this one included."""
    line, n = given.line("replays"), given.numbers
    if line is None:
        return 0
    number = line.integer(line.one("1"))
    most = n.n_deals if n.honour and n.revoke_replays else 0
    if not 0 <= number <= most:
        raise line.wrong(f"replays: {number}, a game of this variant has at most {most}")
    return number


def deal_of(given: Given, extra: bool, replays: int) -> int | None:
    """Return the deal's number from 1, None for a deal by itself."""
    line, n = given.line("deal"), given.numbers
    if line is None:
        return None
    number = line.integer(line.one("3"))
    first, last = 1 + replays, n.n_deals + replays
    if extra:
        first, last = last + 1, last + n.max_extra
    if not first <= number <= last:
        what = "extra deals" if extra else "deals"
        behind = f" with {replays} played again" if replays else ""
        raise line.wrong(f"deal: {number}, the game has {what} {first} to {last}{behind}")
    return number


def contract_of(
    given: Given, turn: int | None, extra: bool, replays: int
) -> tuple[str | None, str | None]:
    """Return the contract and what is named with it, None for what is still to come.

    ``turn``: place in the schedule from 1. A deal of a choice whose contract is said, but not
    what goes with it, has it given: it is played again, or plays out a tie.
    """
    line, n = given.line("contract"), given.numbers
    by_schedule = None
    if extra:
        by_schedule = n.contract_names[n.extra_contract]
    elif turn is not None and not n.has_choice:
        by_schedule = n.contract_names[n.sequence[turn - 1]]
    if line is None:
        if by_schedule is None and not n.has_choice:
            raise RecordError(
                f"{given.file}: say which contract is played (e.g. contract "
                f"{n.contract_names[0]}), or which deal it is"
            )
        return by_schedule, only_thing(given, by_schedule) if by_schedule else None
    is_given = not n.has_choice or extra or replays
    if is_given and len(line.rest) == 1 and line.rest[0] in n.contract_names:
        name, named = line.rest[0], only_thing(given, line.rest[0])
    else:
        name, _, text = option_of(line, line.rest, given.rules, given.pack).partition(" ")
        named = text or None
    if by_schedule not in (None, name):
        what = "an extra deal" if extra else f"deal {turn}"
        raise line.wrong(f"contract: {what} is {by_schedule} by the schedule")
    things = what_is_named(name, given.rules, given.pack)[1]
    if named is not None and given.of(name).trump_mode != TRUMP["drawn"]:
        open_to = given.of(name).params >> things.index(named) & 1
        if not open_to:
            raise line.wrong(f"contract: {named} may not be named with {name}")
    return name, named


def only_thing(given: Given, name: str) -> str | None:
    """Return what is named with a contract where there is no choice."""
    things, params = what_is_named(name, given.rules, given.pack)[1], given.of(name).params
    one = bool(things) and params & (params - 1) == 0
    return things[params.bit_length() - 1] if one else None


def phase_of(given: Given, contract: str | None, named: str | None) -> Phase:
    """Return what comes next."""
    if contract is None or (named is None and what_is_named(contract, given.rules, given.pack)[1]):
        for word in IN_PLAY:
            if word in given.lines:
                raise given.lines[word][0].wrong(f"{word}: no contract is named yet")
        return "choose"
    doubles = given.line("doubles")
    if doubles is not None and doubles.rest == (OPEN,):
        return "double"
    bets = given.numbers.has_doubling and "tied" not in given.lines
    if not bets or any(word in given.lines for word in IN_PLAY):
        return "play"
    return "double" if given.acts and _about_doubles(given.acts[0]) else "play"


def chosen(given: Given) -> str | None:
    """Return the contract that a step names."""
    for line in given.acts:
        if line.word == "choose" and line.rest and line.rest[0] in given.numbers.contract_names:
            return line.rest[0]
    return None


def chosen_rank(given: Given) -> str | None:
    """Return what is named with it."""
    for line in given.acts:
        if line.word == "choose":
            return line.rest[-1]
    return None


def _about_doubles(line: Line) -> bool:
    """Tell whether a step or check is about the doubles."""
    if line.word in ("double", "redouble", "must"):
        return True
    seats = bool(line.rest) and all(re.fullmatch(r"P[0-9]|-", text) for text in line.rest)
    return line.word in ("legal", "refused") and seats
