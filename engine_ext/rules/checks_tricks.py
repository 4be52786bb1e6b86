"""What a trick contract must fulfil: cards, tricks, inclusions that exist; duties that can be."""

from collections.abc import Iterator

from engine_ext.cards import Pack
from engine_ext.rules.checks_cards import selector_problems
from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import LeadBan, PerCard, PerTrickAt, TrickContract, Variant


def trick_problems(
    variant: Variant, pack: Pack, key: str, contract: TrickContract
) -> Iterator[str]:
    """Yield what is wrong with one trick contract, looked at alone; ``key`` is its place."""
    hand_size = pack.size // variant.seats
    for i, term in enumerate(contract.terms):
        if isinstance(term, PerCard):
            yield from selector_problems(pack, f"{key}.terms[{i}].of", term.of)
        if isinstance(term, PerTrickAt):
            yield from _indices(hand_size, f"{key}.terms[{i}].tricks", term.tricks)
    for i, inclusion in enumerate(contract.include):
        yield from _include(variant, f"{key}.include[{i}].contract", inclusion.contract)
    yield from _cards(pack, key, contract)
    yield from _trump_duties(key, contract)
    if contract.lead_ban:
        yield from _ban(hand_size, f"{key}.lead_ban", contract.lead_ban)
    if contract.trump == "declarer" and variant.schedule.kind == "fixed":
        yield f'{key}.trump: a fixed schedule has no declarer to name it (want "drawn" or "none")'


def _cards(pack: Pack, key: str, contract: TrickContract) -> Iterator[str]:
    ban, forced, shot = contract.lead_ban, contract.forced_play, contract.shooting
    for part, selector in (
        ("lead_ban.cards", ban.cards if ban else None),
        ("lead_ban.broken_by", ban.broken_by if ban else None),
        ("forced_play.cards", forced.cards if forced else None),
        ("first_lead", contract.first_lead),
        ("first_trick_ban", contract.first_trick_ban),
        ("shooting.cards", shot.cards if shot else None),
        ("face_up", contract.face_up),
    ):
        yield from selector_problems(pack, f"{key}.{part}", selector)


def _trump_duties(key: str, contract: TrickContract) -> Iterator[str]:
    if contract.trump != "none":
        return
    if contract.void_duty != "free":
        yield f'{key}.void_duty: "{contract.void_duty}" needs a trump suit (set {key}.trump)'
    if contract.beat_duty == "trump_leads":
        yield (
            f'{key}.beat_duty: "trump_leads" needs a trump suit '
            f'(set {key}.trump, or want "all_leads")'
        )


def _ban(hand_size: int, key: str, ban: LeadBan) -> Iterator[str]:
    """Check that what lifts a ban is told, and nothing that does not."""
    if ban.broken_by is not None and ban.until != "broken":
        yield f'{key}.broken_by: nothing breaks a ban until "{ban.until}" (want until = "broken")'
    if ban.until == "trick" and ban.trick is None:
        yield f'{key}.trick: missing (until = "trick": the first trick that the ban is lifted for)'
    if ban.trick is None:
        return
    if ban.until != "trick":
        yield f'{key}.trick: no trick lifts a ban until "{ban.until}" (want until = "trick")'
    elif ban.trick > hand_size:
        yield (
            f"{key}.trick: {ban.trick} is behind the last of the {hand_size} tricks "
            '(want until = "nothing_else")'
        )


def _indices(hand_size: int, key: str, tricks: tuple[int, ...]) -> Iterator[str]:
    for trick in tricks:
        if not 1 <= abs(trick) <= hand_size:
            yield f"{key}: {trick} is none of the {hand_size} tricks (1 the first, -1 the last)"
            return
    counted = [trick if trick > 0 else hand_size + 1 + trick for trick in tricks]
    for trick in sorted({trick for trick in counted if counted.count(trick) > 1}):
        yield f"{key}: trick {trick} is meant twice"


def _include(variant: Variant, key: str, name: str) -> Iterator[str]:
    contract = variant.contracts.get(name)
    if contract is None:
        hint = nearest(name, variant.contracts) or f"known: {', '.join(variant.contracts)}"
        yield f'{key}: no contract is called "{name}" ({hint})'
    elif not isinstance(contract, TrickContract):
        yield f'{key}: "{name}" is a layout, only trick contracts can be included'
    else:
        seen: set[str] = set()
        ahead = [inclusion.contract for inclusion in contract.include]
        while ahead:
            other = variant.contracts.get(ahead.pop())
            if other is contract:
                yield f'{key}: "{name}" includes itself in the end'
                return
            if isinstance(other, TrickContract):
                fresh = {inclusion.contract for inclusion in other.include} - seen
                seen |= fresh
                ahead += sorted(fresh)
