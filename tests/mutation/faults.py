"""Faults that somebody could make, planted one at a time: which kinds of test catch each?

A fault is a line of a source and what stands there instead, which must be found exactly once.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

from tests.mutation.change import CONDITIONS, Change, Mutant, parts
from tests.mutation.source import Line, Word, logical_lines, played_lines

ROOT = Path(__file__).resolve().parents[2]
FIRST_NUMBER = 100_000
"""Beyond the numbers of all mutants."""


@dataclass(frozen=True)
class Fault:
    """A fault in words, and where it is planted."""

    what: str
    file: str
    right: str
    wrong: str


FAULTS = (
    # Rules
    Fault("a lead ban is ignored", "tricks.pxd", "return ANY_OF(hand, ~ban)", "return hand"),
    Fault("a forced card is ignored", "tricks.pxd",
          "cdef pack_t out = hand & forced", "cdef pack_t out = 0"),
    Fault("a forced card goes before following suit", "tricks.pxd",
          "return PICK(suited, suited, PICK(out, out, ANY_OF(hand, ruff)))",
          "return PICK(out, out, PICK(suited, suited, ANY_OF(hand, ruff)))"),
    Fault("the duty to ruff is ignored", "tricks.pxd",
          "d.ruff = d.trump if contract.void_duty == VOID_MUST_RUFF else 0", "d.ruff = 0"),
    Fault("a trump does not win", "tricks.pxd",
          "power = PICK((trick.best | card) & d.trump, d.trump, power)", "power = trick.led"),
    Fault("a deal ends at the first of its last cards", "tricks.pxd",
          "return (end & ~cards_of(v.played)) == 0", "return (end & cards_of(v.played)) != 0"),
    Fault("a void that nobody showed is seen", "tricks.pxd",
          "v.voids[seat] |= <uint8_t>((legal & trick.led) == 0) << v.led_suit",
          "v.voids[seat] |= <uint8_t>((hand[0] & ~card & trick.led) == 0) << v.led_suit"),
    Fault("a broken ban holds on", "any_tricks.pxd",
          "if c.ban_until == BAN_BROKEN and cards_of(v.played) & cards_of(c.ban_broken_by):",
          "if MUTANT < 0:"),
    Fault("overruffing is no duty", "any_tricks.pxd",
          "over = legal & (stronger(v) if best & trump else trump)", "over = legal & trump"),
    Fault("a layout that stands still forces a card one pass late", "layout.pxd",
          "at.forced = c.stall_forces and t.passes >= t.seats - at.n_out",
          "at.forced = c.stall_forces and t.passes > t.seats - at.n_out"),
    Fault("no further turn after an ace", "layout.pxd",
          "elif card & cards_of(v.contract.replay):", "elif MUTANT < 0:"),
    Fault("a revoke is never proved", "revokes.pxd", "return t.revoked >= 0", "return False"),
    Fault("a declarer may redouble nobody", "doubling.pxd",
          "return doubled_by(v, seat, t.seats) if r.declarer_redoubles else 0", "return 0"),
    Fault("a tie is never played out", "game.pxd",
          "return r.extra_contract != NO_CONTRACT and plays_out_tie(t)", "return False"),
    Fault("everybody declares once, then the next", "game.pxd",
          "cdef int base = (number // r.dealership) % t.seats", "cdef int base = number % t.seats"),
    Fault("the rules' duty when void never reaches the engine", "packing.pxi",
          "c.void_duty = n.void_duty", "c.void_duty = 0"),
    # Counting
    Fault("a trick is booked to its leader", "tricks.pxd",
          "t.captured[winner] |= cards_of(v.trick)",
          "t.captured[v.trick_leader] |= cards_of(v.trick)"),
    Fault("tricks that count by number are those before", "score_tricks.pxd",
          "items[t.view.leaders[lowest_number(tricks) + 1]] += 1",
          "items[t.view.leaders[lowest_number(tricks)]] += 1"),
    Fault("places 3 and 4 are paid the wrong way round", "layout.pxd",
          "t.points[seat] = t.view.contract.payout[t.view.places[seat] - 1]",
          "t.points[seat] = t.view.contract.payout[(t.view.places[seat] - 1) ^ "
          "(t.view.places[seat] > 2)]"),
    Fault("a redouble is paid once", "doubling.pxd",
          "bets = ((v.doubled[i] >> j) & 1) + ((v.doubled[j] >> i) & 1)",
          "bets = ((v.doubled[i] >> j) & 1) | ((v.doubled[j] >> i) & 1)"),
    Fault("bets move the points that further bets are paid by", "doubling.pxd",
          "t.side[i] += payment", "t.points[i] += payment"),
    Fault("side bets are no part of the score", "game.pxd",
          "t.view.scores[s] += t.points[s] + t.side[s]", "t.view.scores[s] += t.points[s]"),
    Fault("a contract is never used up", "game.pxd",
          "t.view.uses_left[t.view.declarer][t.view.contract.id] -= 1", "pass"),
    Fault("equal totals get the worse place", "game.pxd",
          "better += scores[o] > scores[s] and not (first >> o) & 1",
          "better += scores[o] >= scores[s] and o != s and not (first >> o) & 1"),
    Fault("a revoke is paid by who revoked last", "revokes.pxd",
          "if t.first_revoker < 0:", "if MUTANT >= 0:"),
    Fault("the mean of a cell counts each block alike", "pipeline/stats/estimate.py",
          "value = scale * Fraction(sums.x, sums.n)", "value = scale * Fraction(sums.x, sums.blocks)"),
    Fault("blocks that never saw a cell count for its error", "pipeline/stats/estimate.py",
          "b += n_b > 0", "b += 1"),
    # Streams
    Fault("every deal of a game has the same cards", "deal.pxd",
          "cdef uint64_t c2 = stream_c2(deal, 0, 0, 0)",
          "cdef uint64_t c2 = stream_c2(0, 0, 0, 0)"),
    Fault("every game has the same cards", "deal.pxd",
          "philox(key, 1, block, c2, DOMAIN_DEAL, words)",
          "philox(key, 1, 0, c2, DOMAIN_DEAL, words)"),
    Fault("the last card left is never drawn", "deal.pxd",
          "x = mulhilo(x, <uint64_t>left, &position)",
          "x = mulhilo(x, <uint64_t>(left - 1), &position)"),
    Fault("a refused word is used", "deal.pxd",
          "return low < product and low < (0 - product) % product", "return False"),
    Fault("all seats draw the same numbers", "table.pxd",
          "t.streams[s].seat = <uint32_t>s", "t.streams[s].seat = 0"),
    Fault("a card moves the next seat's stream", "trick_loop.pxd",
          "chair.stream.decision += 1", "chair.next.stream.decision += 1"),
    Fault("a draw moves the stream to the next decision", "stream.h",
          "s->sliced = s->decision + 1;", "s->sliced = ++s->decision;"),
    Fault("further words of a decision repeat", "stream.h",
          "return s->extra[s->extra_used++ & 3u];", "return s->extra[s->extra_used++ & 1u];"),
    Fault("a round of the cipher forgets its key", "stream.h",
          "k1 += 0xBB67AE8584CAA73Bull;", "k1 = 0;"),
    Fault("replays of a game have the same streams", "table.pxd",
          "t.streams[s].replicate = replicate", "t.streams[s].replicate = 0"),
)  # fmt: skip


def is_python(fault: Fault) -> bool:
    """Whether a fault is planted in Python, when the fork begins."""
    return fault.file.endswith(".py")


PYTHON_FAULTS = {
    number: fault for number, fault in enumerate(FAULTS, FIRST_NUMBER) if is_python(fault)
}


def planted() -> list[Mutant]:
    """Return the compiled faults as mutants."""
    return [
        as_mutant(number, fault)
        for number, fault in enumerate(FAULTS, FIRST_NUMBER)
        if not is_python(fault)
    ]


def as_mutant(number: int, fault: Fault) -> Mutant:
    """Return a compiled fault as a change of its line."""
    file = f"engine_ext/{fault.file}"
    lines = played_lines(file, (ROOT / file).read_text("utf-8"))
    found = [line for line in lines if line.text == fault.right]
    if len(found) != 1:
        raise ValueError(f"{file} has {len(found)} lines {fault.right!r} (want 1)")
    line = found[0]
    return Mutant(number, line, Change(fault.what, *replaced(line, fault.wrong)))


def replaced(line: Line, wrong: str) -> tuple[int, int, tuple[Word, ...]]:
    """Return the part of a line that another text replaces, and its words."""
    if line.file.endswith(".h"):
        return 0, len(line.words), (Word("", wrong),)
    (other,) = logical_lines(line.file, wrong + "\n")
    if line.words[0].text in (*CONDITIONS, "cdef"):
        ((start, end),) = parts(line)
        ((first, last),) = parts(other)
        return start, end, other.words[first:last]
    return 0, len(line.words), other.words


def patch(number: int) -> None:
    """Plant a fault of Python code in the running process: every function of the module gets
    the code that the changed text gives it, wherever it was imported."""
    if number not in PYTHON_FAULTS:
        return
    fault = PYTHON_FAULTS[number]
    module = import_module(fault.file.removesuffix(".py").replace("/", "."))
    text = inspect.getsource(module)
    if text.count(fault.right) != 1:
        raise ValueError(f"{fault.file} has not one {fault.right!r}")
    other = ModuleType(module.__name__)
    exec(compile(text.replace(fault.right, fault.wrong), fault.file, "exec"), other.__dict__)
    for name, new in vars(other).items():
        old = vars(module).get(name)
        if isinstance(new, FunctionType) and isinstance(old, FunctionType):
            old.__code__ = new.__code__


def table(caught: Mapping[int, Sequence[str]]) -> str:
    """Return the table of docs/checks.md: each fault, and the kinds of test that caught it."""
    rows = [
        f"| {fault.what} | {', '.join(caught[number]) or 'nobody'} |"
        for number, fault in enumerate(FAULTS, FIRST_NUMBER)
    ]
    return "\n".join(["| fault | caught by |", "|---|---|", *rows])
