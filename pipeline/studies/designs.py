"""What the three studies are: blocks, units, kinds of trials. Pure.

A block is one dealership: the deals in which seat 0 declares, with the cards of these deals in
a game of that block; where the table shares its contracts, all deals of the game with their
declarers. In ``seats`` it is one game, played once for each turn of the four hands.

A unit is the smallest piece that is played, hashed and replayed: one deal of a dealership
(``step`` is its place), or one turn of a game, with one entrant in every seat.
"""

from typing import NamedTuple

from engine_ext.rules.resolve import VariantNumbers, resolve
from engine_ext.rules.spec import Variant

STUDIES = ("value", "seats", "doubling")
"""Designs of run files that are studies."""
WITH_WORLDS = ("value", "doubling")
"""Those that deal hidden hands anew."""
WORLDS = 32
"""For each hand, unless the run file says how many."""
DRAWS = 8
"""Times as many worlds are looked at for those in which a declarer would choose as he did."""

KINDS: dict[str, str] = {
    "worth": "value: a contract with all that may be named, worlds of one half, the declarer's "
    "hand kept",
    "dealt": "value: the same on the deal as dealt",
    "chosen": "what the entrant chose, on the deal as dealt, nobody doubles; in seats: as its "
    "games went, before side bets",
    "forced": "seats, doubling: a contract imposed, nobody doubles, trump suit or start rank "
    "named by the entrant; seats: seat 0's deals, all deals where the order is fixed",
    "side": "seats: side bets of the games' deals",
    "score": "seats: totals of the games, by seat",
    "win": "seats: win shares of the games in 1/2520, by seat",
    "hand": "doubling: a contract imposed, worlds of one half, the hand of `who` kept",
    "picked": "doubling: the chosen contract, worlds in which the declarer would choose it, the "
    "hand of `who` kept",
    "aware": "doubling: as dealt, a bet of weight `weight` between `who` and `whom` on the table",
    "answer": "doubling: the chosen contract, the declarer's hand kept, worlds in which `whom` "
    "would double him",
    "made": "doubling: the chosen contract, a bet that the entrants made",
}
"""Every kind of trial: what is summed in its rows. Points are inside points, by role."""


NOBODY, DECLARER, ANYONE = 0, 1, 2
"""Whom the rules let the others double, as ``VariantNumbers.targets`` says."""


class Declared(NamedTuple):
    """A deal of a block."""

    deal: int
    """Its number in the game."""
    declarer: int
    """Seat."""


def declared(numbers: VariantNumbers) -> list[Declared]:
    """The deals of a block of ``value`` or ``doubling``; where nobody declares, all deals with
    the base of the schedule."""
    own = not numbers.uses_of_table and numbers.has_choice
    every = (
        Declared(deal, deal // numbers.dealership % numbers.seats)
        for deal in range(numbers.n_deals)
    )
    return [one for one in every if one.declarer == 0 or not own]


def n_steps(design: str, numbers: VariantNumbers) -> int:
    """Units of a block for one entrant."""
    return numbers.seats if design == "seats" else len(declared(numbers))


def n_worlds(worlds: int | None) -> int:
    """Worlds of a hand: as given, or the usual."""
    return WORLDS if worlds is None else worlds


def options(numbers: VariantNumbers) -> list[tuple[int, int]]:
    """Contracts that may be chosen with each trump suit or start rank that may be named."""
    return [
        (number, param)
        for number, contract in enumerate(numbers.contracts)
        if numbers.uses[number]
        for param in range(32)
        if contract.params >> param & 1
    ]


def targets(numbers: VariantNumbers, contract: str) -> int:
    """Whom the others may double in a contract."""
    if not numbers.has_doubling:
        return NOBODY
    number = numbers.contract_names.index(contract)
    return numbers.targets[numbers.contracts[number].tone + 1]


def pairs(numbers: VariantNumbers, contract: str) -> list[tuple[int, int]]:
    """Who may begin to double whom, by role; the declarer may only answer."""
    allowed = targets(numbers, contract)
    every = range(numbers.seats)
    return [
        (i, j)
        for i in every[1:]
        for j in every
        if i != j and (allowed == ANYONE or (allowed == DECLARER and j == 0))
    ]


def n_trials(design: str, numbers: VariantNumbers, worlds: int | None) -> int:
    """Deals that a unit plays, about."""
    of_hand, contracts = n_worlds(worlds), numbers.n_contracts
    if design == "value":
        return (of_hand + 1) * len(options(numbers))
    if design == "seats":
        return numbers.n_deals + contracts * len(declared(numbers)) * numbers.has_choice
    pairs = numbers.seats * (numbers.seats - 1)
    return contracts * (1 + pairs + numbers.seats * of_hand) + (1 + DRAWS) * numbers.seats * of_hand


def why_not(design: str, rules: Variant) -> str | None:
    """Why a variant cannot be studied so, or None."""
    numbers = resolve(rules)
    if design == "value" and not numbers.has_choice:
        return "the contracts come in a fixed order, so nobody chooses (want a variant with choice)"
    if design == "doubling" and not (numbers.has_doubling and numbers.has_choice):
        return "nobody doubles here (want a variant with doubling and a declarer)"
    return None
