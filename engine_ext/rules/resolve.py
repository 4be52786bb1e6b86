"""A variant as numbers only, as the engine reads it: the fields of ``policy.h``.

Points are turned here, once: inside the engine more is always better. Card sets are
Python integers, sequences are tuples of exactly the length in use.
"""

from dataclasses import dataclass
from typing import Literal

from engine_ext.cards import Pack
from engine_ext.rules.facts import count, n_deals, start_ranks, terms_of
from engine_ext.rules.spec import (
    ChoiceSchedule,
    LayoutContract,
    PerCard,
    PerTrick,
    PerTrickAt,
    Targets,
    Term,
    TrickContract,
    Variant,
)

KIND_TRICK, KIND_LAYOUT = 0, 1
SLOT_TRICKS, SLOT_CARDS, SLOT_TRICK_AT, SLOT_PLACE = 0, 1, 2, 3
TRUMP = {"none": 0, "declarer": 1, "drawn": 2}
VOID = {"free": 0, "must_ruff": 1}
TONE = {"negative": -1, "mixed": 0, "positive": 1}
TARGETS: dict[Targets, int] = {"nobody": 0, "declarer": 1, "anyone": 2}


@dataclass(frozen=True, slots=True)
class ContractNumbers:
    """``contract_t`` of ``policy.h``, and the names of its slots."""

    id: int
    kind: int
    tone: int
    n_slots: int
    slot_names: tuple[str, ...]
    """What each item is called in tables."""
    slot_kind: tuple[int, ...]
    slot_points: tuple[int, ...]
    slot_cards: tuple[int, ...]
    slot_tricks: tuple[int, ...]
    total: int
    params: int
    trump_mode: int = 0
    void_duty: int = 0
    lead_ban: int = 0
    forced: int = 0
    end_cards: int = 0
    face_up: int = 0
    trick_points: int = 0
    scoring_cards: int = 0
    scoring_tricks: int = 0
    n_card_slots: int = 0
    card_slots: tuple[int, ...] = ()
    may_pass: int = 0
    stall_forces: int = 0
    lose_turn: int = 0
    all_out: int = 0
    replay: int = 0
    payout: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class VariantNumbers:
    """``variant_t`` of ``policy.h``, and the names of its contracts."""

    seats: int
    hand_size: int
    n_suits: int
    n_ranks: int
    deck: int
    suit: tuple[int, ...]
    n_contracts: int
    contract_names: tuple[str, ...]
    """By contract number."""
    contracts: tuple[ContractNumbers, ...]
    n_deals: int
    has_choice: int
    uses: tuple[int, ...]
    dealership: int
    dealer_offset: int
    leader_offset: int
    sequence: tuple[int, ...]
    objective: int
    has_doubling: int
    targets: tuple[int, int, int]
    declarer_redoubles: int
    duty: int


def resolve(variant: Variant) -> VariantNumbers:
    """Return the numbers of a checked variant (one that ``load_variant`` gave)."""
    pack = Pack(variant.deck)
    names = tuple(variant.contracts)
    contracts = tuple(_contract(variant, pack, i) for i in range(len(names)))
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
        objective=_sign(variant),
        has_doubling=int(doubling is not None),
        targets=(negative, negative, positive),
        declarer_redoubles=int(doubling is not None and doubling.declarer == "doublers"),
        duty=doubling.duty if doubling and doubling.duty_enforced == "force" else 0,
    )


def _sign(variant: Variant) -> int:
    return -1 if variant.objective == "lowest" else 1


def _offset(variant: Variant, relation: str) -> int:
    """Return a relation as seats onward in playing order, where left follows clockwise."""
    side: Literal[-1, 0, 1] = 0
    if relation.startswith("left_of"):
        side = 1
    elif relation.startswith("right_of"):
        side = -1
    return (side if variant.direction == "clockwise" else -side) % variant.seats


def _contract(variant: Variant, pack: Pack, number: int) -> ContractNumbers:
    name, contract = list(variant.contracts.items())[number]
    if isinstance(contract, LayoutContract):
        return _layout(variant, pack, number, contract)
    return _tricks(variant, pack, number, name, contract)


def _layout(variant: Variant, pack: Pack, number: int, contract: LayoutContract) -> ContractNumbers:
    payout = tuple(_sign(variant) * points for points in contract.payout)
    return ContractNumbers(
        id=number,
        kind=KIND_LAYOUT,
        tone=TONE[contract.tone],
        n_slots=1,
        slot_names=("place",),
        slot_kind=(SLOT_PLACE,),
        slot_points=(0,),
        slot_cards=(0,),
        slot_tricks=(0,),
        total=sum(payout),
        params=start_ranks(contract, pack),
        may_pass=int(contract.passing == "may_pass"),
        stall_forces=int(contract.stall == "force_after_full_circle"),
        lose_turn=int(contract.unplayable == "lose_turn"),
        all_out=int(contract.end == "all_out"),
        replay=pack.select(contract.replay.cards) if contract.replay else 0,
        payout=payout,
    )


def _tricks(
    variant: Variant, pack: Pack, number: int, name: str, contract: TrickContract
) -> ContractNumbers:
    hand_size = pack.size // variant.seats
    terms = terms_of(variant, name)
    points = tuple(_sign(variant) * term.points for term in terms)
    kinds = tuple(_slot_kind(term) for term in terms)
    cards = tuple(pack.select(t.of) if isinstance(t, PerCard) else 0 for t in terms)
    tricks = tuple(_trick_bits(t, hand_size) for t in terms)
    slots = range(len(terms))
    card_slots = sorted((k for k in slots if kinds[k] == SLOT_CARDS), key=lambda k: -abs(points[k]))
    scoring_cards = _union(cards)
    # A term of 0 points counts as scoring too: items are counted for re-scoring.
    ends = contract.early_end == "when_decided" and len(card_slots) == len(terms)
    return ContractNumbers(
        id=number,
        kind=KIND_TRICK,
        tone=TONE[contract.tone],
        n_slots=len(terms),
        slot_names=tuple(term.name for term in terms),
        slot_kind=kinds,
        slot_points=points,
        slot_cards=cards,
        slot_tricks=tricks,
        total=sum(p * count(t, pack, hand_size) for p, t in zip(points, terms, strict=True)),
        params=(1 << len(pack.suits)) - 1 if contract.trump == "declarer" else 1,
        trump_mode=TRUMP[contract.trump],
        void_duty=VOID[contract.void_duty],
        lead_ban=pack.select(contract.lead_ban.cards) if contract.lead_ban else 0,
        forced=pack.select(contract.forced_play.cards) if contract.forced_play else 0,
        end_cards=scoring_cards if ends else 0,
        face_up=pack.select(contract.face_up) if contract.face_up else 0,
        trick_points=sum(points[k] for k in slots if kinds[k] == SLOT_TRICKS),
        scoring_cards=scoring_cards,
        scoring_tricks=_union(tricks),
        n_card_slots=len(card_slots),
        card_slots=tuple(card_slots),
        payout=(0,) * variant.seats,
    )


def _slot_kind(term: Term) -> int:
    if isinstance(term, PerTrick):
        return SLOT_TRICKS
    return SLOT_CARDS if isinstance(term, PerCard) else SLOT_TRICK_AT


def _trick_bits(term: Term, hand_size: int) -> int:
    """Return the tricks of a term as bits, trick t from 0; 0 for other terms."""
    if not isinstance(term, PerTrickAt):
        return 0
    return _union(tuple(1 << (t - 1 if t > 0 else hand_size + t) for t in term.tricks))


def _union(masks: tuple[int, ...]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
