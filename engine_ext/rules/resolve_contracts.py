"""A contract as numbers only."""

from engine_ext.cards import Pack
from engine_ext.rules.facts import count, sign, start_ranks, terms_of
from engine_ext.rules.numbers import (
    KIND_LAYOUT,
    KIND_TRICK,
    SLOT_CARDS,
    SLOT_PLACE,
    SLOT_SHOT,
    SLOT_TRICK_AT,
    SLOT_TRICKS,
    ContractNumbers,
)
from engine_ext.rules.spec import (
    LayoutContract,
    LeadBan,
    PerCard,
    PerTrick,
    PerTrickAt,
    Selector,
    Term,
    TrickContract,
    Variant,
)

TRUMP = {"none": 0, "declarer": 1, "drawn": 2}
VOID = {"free": 0, "must_ruff": 1, "must_overruff": 2, "must_overruff_else_free": 3}
BEAT = {"none": 0, "trump_leads": 1, "all_leads": 2}
BAN_UNTIL = {"nothing_else": 0, "broken": 1, "trick": 2}
FORCED_WHEN = {"void": 0, "void_or_beaten": 1, "first_legal": 2}
COPIES = {"shared_run": 0, "parallel_rows": 1, "stack": 2}
TONE = {"negative": -1, "mixed": 0, "positive": 1}


def contract_numbers(variant: Variant, pack: Pack, number: int) -> ContractNumbers:
    """Return the numbers of a checked variant's contract number ``number``."""
    name, contract = list(variant.contracts.items())[number]
    if isinstance(contract, LayoutContract):
        return _layout(variant, pack, number, contract)
    return _tricks(variant, pack, number, name, contract)


def _layout(variant: Variant, pack: Pack, number: int, contract: LayoutContract) -> ContractNumbers:
    payout = tuple(sign(variant) * points for points in contract.payout)
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
        may_pass=int(contract.passing != "must_play"),
        stall_forces=int(contract.stall == "force_after_full_circle"),
        stall_freezes=int(contract.stall == "freeze"),
        passes=(contract.passes or 0) if contract.passing == "limited" else 0,
        missing_stalls=int(contract.missing_start == "stall"),
        copies=COPIES[contract.copies],
        lose_turn=int(contract.unplayable == "lose_turn"),
        all_out=int(contract.end == "all_out"),
        replay=pack.select(contract.replay.cards) if contract.replay else 0,
        replay_must=int(contract.replay is not None and contract.replay.duty == "mandatory"),
        payout=payout,
    )


def _tricks(
    variant: Variant, pack: Pack, number: int, name: str, contract: TrickContract
) -> ContractNumbers:
    hand_size = pack.size // variant.seats
    terms = terms_of(variant, name)
    points = tuple(sign(variant) * term.points for term in terms)
    kinds = tuple(_slot_kind(term) for term in terms)
    cards = tuple(pack.select(t.of) if isinstance(t, PerCard) else 0 for t in terms)
    tricks = tuple(_trick_bits(t, hand_size) for t in terms)
    slots = range(len(terms))
    card_slots = sorted((k for k in slots if kinds[k] == SLOT_CARDS), key=lambda k: -abs(points[k]))
    scoring_cards = _union(cards)
    # A term of 0 points counts as scoring too: items are counted for re-scoring.
    ends = contract.early_end == "when_decided" and len(card_slots) == len(terms)
    shot = contract.shooting
    return ContractNumbers(
        id=number,
        kind=KIND_TRICK,
        tone=TONE[contract.tone],
        n_slots=len(terms) + bool(shot),
        slot_names=(*(term.name for term in terms), *((shot.name,) if shot else ())),
        slot_kind=(*kinds, *((SLOT_SHOT,) if shot else ())),
        slot_points=(*points, *((0,) if shot else ())),
        slot_cards=(*cards, *((pack.select(shot.cards),) if shot else ())),
        slot_tricks=(*tricks, *((0,) if shot else ())),
        total=sum(p * count(t, pack, hand_size) for p, t in zip(points, terms, strict=True)),
        params=(1 << len(pack.suits)) - 1 if contract.trump == "declarer" else 1,
        trump_mode=TRUMP[contract.trump],
        void_duty=VOID[contract.void_duty],
        # All that shooting asks for has to lie too: before that it may still come.
        end_cards=scoring_cards | (pack.select(shot.cards) if shot else 0) if ends else 0,
        face_up=_optional(pack, contract.face_up),
        trick_points=sum(points[k] for k in slots if kinds[k] == SLOT_TRICKS),
        scoring_cards=scoring_cards,
        scoring_tricks=_union(tricks),
        n_card_slots=len(card_slots),
        card_slots=tuple(card_slots),
        payout=(0,) * variant.seats,
        shoot_cards=pack.select(shot.cards) if shot else 0,
        shoot_taker=sign(variant) * shot.taker if shot else 0,
        shoot_others=sign(variant) * shot.others if shot else 0,
        plain=int(_is_plain(contract)),
        **_duties(contract, pack),
    )


def _duties(contract: TrickContract, pack: Pack) -> dict[str, int]:
    """Return what a seat must or must not play, beyond following suit."""
    ban, forced = contract.lead_ban, contract.forced_play
    return {
        "beat_duty": BEAT[contract.beat_duty],
        "lead_ban": pack.select(ban.cards) if ban else 0,
        "ban_until": BAN_UNTIL[ban.until] if ban else 0,
        "ban_broken_by": _breakers(ban, pack) if ban and ban.until == "broken" else 0,
        "ban_trick": (ban.trick or 1) - 1 if ban else 0,
        "forced": pack.select(forced.cards) if forced else 0,
        "forced_when": FORCED_WHEN[forced.when] if forced else 0,
        "forced_highest": int(forced is not None and forced.choose == "highest"),
        "first_lead": _optional(pack, contract.first_lead),
        "first_trick_ban": _optional(pack, contract.first_trick_ban),
    }


def _breakers(ban: LeadBan, pack: Pack) -> int:
    return pack.select(ban.broken_by or ban.cards)


def _is_plain(contract: TrickContract) -> bool:
    """Return whether the short trick loop knows all rules of a contract."""
    ban, forced = contract.lead_ban, contract.forced_play
    return (
        contract.beat_duty == "none"
        and contract.void_duty in ("free", "must_ruff")
        and (ban is None or ban.until == "nothing_else")
        and (forced is None or (forced.when == "void" and forced.choose == "any"))
        and contract.first_lead is None
        and contract.first_trick_ban is None
    )


def _optional(pack: Pack, selector: Selector | None) -> int:
    return pack.select(selector) if selector else 0


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
