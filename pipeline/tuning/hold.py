"""What every candidate must fulfil, asked of its rules."""

import re
from collections.abc import Iterable
from itertools import pairwise

from engine_ext.rules.facts import sign
from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import (
    ChoiceSchedule,
    LayoutContract,
    TrickContract,
    Variant,
)
from engine_ext.rules.totals import totals
from pipeline.tuning.file import Hold, TuningError

SHOT = "what shooting changes in "
"""Head of the sums that are not those of totals."""


def sums_of(rules: Variant) -> dict[str, int]:
    """Return all sums that may have to be something; they are linear in points.

    The totals of :func:`engine_ext.rules.totals.totals`, and for each contract that is played
    with shooting how much more than its total all seats get when somebody does it.
    """
    sums = totals(rules)
    schedule = rules.schedule
    played = schedule.uses if isinstance(schedule, ChoiceSchedule) else schedule.sequence
    for name, contract in rules.contracts.items():
        shot = contract.shooting if isinstance(contract, TrickContract) else None
        if shot and name in played:
            all_seats = shot.taker + (rules.seats - 1) * shot.others
            sums[f"{SHOT}{name}"] = all_seats - sums[f"contracts.{name}"]
    return sums


def wanted_sums(hold: Hold, sums: Iterable[str]) -> dict[str, int]:
    """Return what must come out, by name of a sum."""
    wanted = dict(hold.totals)
    if hold.zero_sum:
        wanted |= {"game": 0} | {name: 0 for name in sums if name.startswith(SHOT)}
    return wanted


def broken_sum(hold: Hold, rules: Variant) -> str | None:
    """Return which sum is not what it must be, or None."""
    sums = sums_of(rules)
    for name, want in wanted_sums(hold, sums).items():
        found = sums.get(name)
        if found != want:
            here = "there is none" if found is None else f"{found} comes out"
            return f"{name}: {here}, and must be {want}"
    return None


def rising_payout(rules: Variant, contracts: Iterable[str]) -> str | None:
    """Return the first place of these layouts that is worth more than the one before, or None."""
    for name in contracts:
        contract = rules.contracts.get(name)
        if not isinstance(contract, LayoutContract):
            continue
        worth = [sign(rules) * points for points in contract.payout]
        for i, (before, place) in enumerate(pairwise(worth), start=1):
            if place > before:
                payout = list(contract.payout)
                return f"contracts.{name}.payout[{i}]: is better than the place before ({payout})"
    return None


def layouts_touched(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the contracts of whose payouts these keys set something, each once."""
    found = (re.match(r"contracts\.(\w+)\.payout\b", key) for key in keys)
    return tuple(dict.fromkeys(match[1] for match in found if match))


def check_hold(hold: Hold, parent: Variant) -> None:
    """Refuse what can never be held: totals that the game has not, or two at once.

    Raises ``TuningError`` (``KEY: what``).
    """
    known = [name for name in totals(parent) if not name.startswith("gross_")]
    for name in hold.totals:
        if name not in known:
            hint = nearest(name, known) or f"known: {', '.join(known)}"
            raise TuningError(f'hold.totals: no total is called "{name}" ({hint})')
    if hold.zero_sum and hold.totals.get("game", 0) != 0:
        raise TuningError(
            f"hold.totals.game: {hold.totals['game']}, but hold.zero_sum wants 0 (want one of them)"
        )
