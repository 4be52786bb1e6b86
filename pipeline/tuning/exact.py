"""Whether stored play tells what a candidate is worth: its points an affine image of the parent's.

Card play of a deal is a choice between sums of points. If these are multiplied by one positive
number, or the same is added for every seat, no choice changes (who plays on means), so that
stored play is the candidate's play too. Where one thing is weighed against another, as in a
salad, other factors for one of them make other choices.

What is held fixed besides is which contracts were chosen and who doubled whom: these choices
compare contracts, and have to be made anew under the candidate's points.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from engine_ext.errors import UserError
from engine_ext.rules.facts import unplayed
from engine_ext.rules.house import differences
from engine_ext.rules.numbers import (
    KIND_LAYOUT,
    SLOT_SHOT,
    ContractNumbers,
    VariantNumbers,
    without_points,
)
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Variant
from engine_ext.sheet_bets import split

Affine = tuple[Fraction, Fraction]
"""(a, b): points' = a * points + b for every seat of a deal."""
POINTS = re.compile(
    r"contracts\.\w+\.(terms\[\d+\]\.points|payout|total|shooting\.(taker|others)"
    r"|include\[\d+\]\.times)|doubling\.duty_penalty"
)
"""Keys that say what something is worth, and nothing of how it is played."""


class NotExact(UserError):
    """Stored play does not tell what other rules would bring."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)
        """A sentence each, with the key."""


def why_not(parent: Variant, candidate: Variant) -> tuple[str, ...]:
    """Why stored play of the parent is not the candidate's, contract sequence and doubles held.

    A sentence for each key; empty where re-scoring is exact.
    """
    return reasons_of(parent, candidate, resolve(parent), resolve(candidate))


def reasons_of(
    parent: Variant, candidate: Variant, there: VariantNumbers, here: VariantNumbers
) -> tuple[str, ...]:
    """The same with the numbers of both at hand."""
    found, reasons = images(parent, candidate, there, here)
    if reasons:
        return tuple(reasons)
    return tuple(_ties(there, here, found))


def affine(parent: Variant, candidate: Variant) -> dict[str, Affine]:
    """By contract (a, b), a above 0, with points' = a * points + b for every seat.

    Of the contracts that deals of a game play; b is 0 but in layouts. It holds of every deal
    that is played; one that is split because nobody doubled rounds anew. Raises
    :class:`NotExact` where there is none.
    """
    found, reasons = images(parent, candidate, resolve(parent), resolve(candidate))
    if reasons:
        raise NotExact(reasons)
    return found


def not_points(
    parent: Variant, candidate: Variant, there: VariantNumbers, here: VariantNumbers
) -> tuple[str, ...]:
    """Why stored play of the parent cannot even be counted by the candidate's points: rules of
    play that are not the same, a sentence each."""
    if without_points(there) == without_points(here):
        return ()
    changed = [line for line in differences(candidate, parent) if not POINTS.match(line)]
    told = changed or ["the rules of play"]
    return tuple(f"{line}: not points, so other deals would be played" for line in told)


def images(
    parent: Variant, candidate: Variant, there: VariantNumbers, here: VariantNumbers
) -> tuple[dict[str, Affine], list[str]]:
    """(a, b) of each contract that is played and has one; sentences for those that have none.

    ``there``, ``here``: the numbers of parent and candidate.
    """
    rules = not_points(parent, candidate, there, here)
    if rules:
        return {}, list(rules)
    never = unplayed(parent)
    found: dict[str, Affine] = {}
    reasons = []
    for name, old, new in zip(there.contract_names, there.contracts, here.contracts, strict=True):
        if name in never:
            continue
        image = _layout(old, new) if old.kind == KIND_LAYOUT else _tricks(old, new)
        if isinstance(image, str):
            reasons.append(f"contracts.{name}: {image}")
        else:
            found[name] = image
    return found, reasons


def _tricks(old: ContractNumbers, new: ContractNumbers) -> Affine | str:
    """One factor for all that counts in a trick contract, or why there is none."""
    slots = zip(old.slot_names, old.slot_kind, old.slot_points, new.slot_points, strict=True)
    worth = [(name, before, after) for name, kind, before, after in slots if kind != SLOT_SHOT]
    if old.shoot_cards:
        shot = old.slot_names[-1]
        worth.append((f"{shot} for its taker", old.shoot_taker, new.shoot_taker))
        worth.append((f"{shot} for others", old.shoot_others, new.shoot_others))
    factor = _factor(worth, "what they were")
    return factor if isinstance(factor, str) else (factor, Fraction(0))


def _layout(old: ContractNumbers, new: ContractNumbers) -> Affine | str:
    """The same for the places of a layout, where it is the steps between them that count."""
    before, after = pairwise(old.payout), pairwise(new.payout)
    steps = [
        (f"places {place} and {place + 1}", a - b, c - d)
        for place, ((a, b), (c, d)) in enumerate(zip(before, after, strict=True), 1)
    ]
    factor = _factor(steps, "what lay between them")
    if isinstance(factor, str):
        return factor
    return factor, new.payout[0] - factor * old.payout[0]


def _factor(worth: Sequence[tuple[str, int, int]], than: str) -> Fraction | str:
    """The one factor above 0 from before to after, 1 where nothing counts; or why none is."""
    added = [name for name, before, after in worth if after and not before]
    if added:
        return f"{', '.join(added)}: worth nothing before, so nobody played for it"
    factors = [(name, Fraction(after, before)) for name, before, after in worth if before]
    different = {factor for _, factor in factors} or {Fraction(1)}
    if len(different) > 1:
        told = ", ".join(f"{name} get {_text(factor)} times" for name, factor in factors)
        return f"{told} {than}: play weighs one against the other"
    (factor,) = different
    if factor == 0:
        return "nothing counts any more, so there is nothing to play for"
    if factor < 0:
        return "points change their sign: what was shunned is sought"
    return factor


def _ties(
    there: VariantNumbers, here: VariantNumbers, found: Mapping[str, Affine]
) -> Iterator[str]:
    """Where totals decide whether a tie is played out, all that goes into them has to change by
    one factor; what every seat gets alike does not matter."""
    if there.extra_contract < 0:
        return
    factors = {name: factor for name, (factor, _) in found.items()}
    if there.duty_penalty:
        factors["duty_penalty"] = Fraction(here.duty_penalty, there.duty_penalty)
    if len(set(factors.values())) > 1:
        told = ", ".join(f"{name} {_text(factor)} times" for name, factor in factors.items())
        yield f"ties: totals decide whether one is played out, and contracts change apart ({told})"
        return
    for name, (factor, level) in found.items():
        at = there.contract_names.index(name)
        old, new = (n.contracts[at].total for n in (there, here))
        parts = zip(split(old, there.seats, 0), split(new, here.seats, 0), strict=True)
        if there.undoubled_split and any(b != factor * a + level for a, b in parts):
            yield f"ties: totals decide whether one is played out, and {name} is split otherwise"


def _text(factor: Fraction) -> str:
    return f"{float(factor):g}"
