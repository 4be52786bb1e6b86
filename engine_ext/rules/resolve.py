"""A variant as numbers only, as the engine reads it.

Points are turned here, once: inside the engine more is always better.
"""

from typing import Literal

from engine_ext.cards import Pack
from engine_ext.rules.facts import n_deals, sign
from engine_ext.rules.numbers import (
    KIND_LAYOUT,
    KIND_TRICK,
    SLOT_CARDS,
    SLOT_PLACE,
    SLOT_SHOT,
    SLOT_TRICK_AT,
    SLOT_TRICKS,
    ContractNumbers,
    VariantNumbers,
)
from engine_ext.rules.resolve_contracts import TRUMP, contract_numbers
from engine_ext.rules.spec import ChoiceSchedule, ExtraDeals, Revokes, Selector, Targets, Variant

__all__ = [
    "KIND_LAYOUT",
    "KIND_TRICK",
    "REVOKE_SIGN",
    "SLOT_CARDS",
    "SLOT_PLACE",
    "SLOT_SHOT",
    "SLOT_TRICKS",
    "SLOT_TRICK_AT",
    "TRUMP",
    "ContractNumbers",
    "VariantNumbers",
    "resolve",
]

TARGETS: dict[Targets, int] = {"nobody": 0, "declarer": 1, "anyone": 2}
REVOKE_SIGN = {"worsens": 0, "literal_minus": 1, "signed_total": 2}


def resolve(variant: Variant) -> VariantNumbers:
    """Return the numbers of a checked variant (one that ``load_variant`` gave)."""
    pack = Pack(variant.deck)
    names = tuple(variant.contracts)
    contracts = tuple(contract_numbers(variant, pack, i) for i in range(len(names)))
    schedule = variant.schedule
    deals = n_deals(variant)
    uses, sequence = (0,) * len(names), (0,) * deals
    dealership, dealer_offset = 1, 0
    if isinstance(schedule, ChoiceSchedule):
        uses = tuple(schedule.uses.get(name, 0) for name in names)
        dealership, dealer_offset = schedule.dealership, _offset(variant, schedule.dealer)
    else:
        sequence = tuple(map(names.index, schedule.sequence))
    doubling = variant.doubling
    negative, positive = (
        (TARGETS[doubling.in_negative], TARGETS[doubling.in_positive]) if doubling else (0, 0)
    )
    return VariantNumbers(
        seats=variant.seats,
        hand_size=pack.size // variant.seats,
        n_suits=len(pack.suits),
        n_ranks=len(pack.ranks),
        deck=pack.deck,
        suit=tuple(pack.suit_mask(i) for i in range(len(pack.suits))),
        n_contracts=len(names),
        contract_names=names,
        contracts=contracts,
        n_deals=deals,
        has_choice=int(isinstance(schedule, ChoiceSchedule)),
        uses=uses,
        dealership=dealership,
        dealer_offset=dealer_offset,
        leader_offset=_offset(variant, schedule.leader),
        sequence=sequence,
        objective=sign(variant),
        has_doubling=int(doubling is not None),
        targets=(negative, negative, positive),
        declarer_redoubles=int(doubling is not None and doubling.declarer == "doublers"),
        duty=doubling.duty if doubling and doubling.duty_enforced != "none" else 0,
        copies=variant.deck.copies,
        first_wins=int(variant.deck.identical == "first_wins"),
        leader_card=_leader_card(variant, pack),
        uses_of_table=int(isinstance(schedule, ChoiceSchedule) and schedule.uses_of == "table"),
        **_ties(variant, names),
        **_revokes(variant),
        **_side_bets(variant),
    )


def _leader_card(variant: Variant, pack: Pack) -> int:
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule) or schedule.holds is None:
        return 0
    return pack.select(Selector(cards=(schedule.holds,)))


def _ties(variant: Variant, names: tuple[str, ...]) -> dict[str, int]:
    ties = variant.ties
    if not isinstance(ties, ExtraDeals):
        return {}
    return {
        "extra_contract": names.index(ties.contract),
        "max_extra": ties.at_most,
        "extra_for_all": int(ties.eligible == "all"),
    }


def _revokes(variant: Variant) -> dict[str, int]:
    rules = variant.legality
    if not isinstance(rules, Revokes):
        return {}
    return {
        "honour": 1,
        "revoke_at_end": int(rules.proof == "end_of_deal"),
        "revoke_sign": REVOKE_SIGN[rules.sign],
        "revoke_keeps": int(rules.other_scores == "keep_so_far"),
        "revoke_replays": int(rules.then == "replay_deal"),
        "ban_as_revoke": int(rules.lead_ban_breach == "as_revoke"),
    }


def _side_bets(variant: Variant) -> dict[str, int]:
    rules = variant.doubling
    if rules is None:
        return {}
    return {
        "redoubles": int(rules.redoubles),
        "rounds": rules.rounds,
        "duty_penalty": sign(variant) * rules.duty_penalty
        if rules.duty_enforced == "penalty"
        else 0,
        "duty_forced": int(rules.duty_enforced == "force"),
        "undoubled_split": int(rules.undoubled == "split"),
    }


def _offset(variant: Variant, relation: str) -> int:
    """Return a relation as seats onward in playing order, where left follows clockwise."""
    side: Literal[-1, 0, 1] = 0
    if relation.startswith("left_of"):
        side = 1
    elif relation.startswith("right_of"):
        side = -1
    return (side if variant.direction == "clockwise" else -side) % variant.seats
