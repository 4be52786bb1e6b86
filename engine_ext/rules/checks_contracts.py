"""What each contract must fulfil: cards and tricks that exist, layouts that can end."""

from collections.abc import Iterator

from engine_ext.cards import Pack, cards_in
from engine_ext.rules.checks_cards import selector_problems, twice
from engine_ext.rules.facts import start_ranks
from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import LayoutContract, PerCard, PerTrickAt, TrickContract, Variant


def contract_problems(variant: Variant) -> Iterator[str]:
    """Yield what is wrong with contracts, each looked at alone."""
    pack = Pack(variant.deck)
    for name, contract in variant.contracts.items():
        key = f"contracts.{name}"
        if isinstance(contract, TrickContract):
            yield from _tricks(variant, pack, key, contract)
        else:
            yield from _layout(variant, pack, key, contract)


def _tricks(variant: Variant, pack: Pack, key: str, contract: TrickContract) -> Iterator[str]:
    for i, term in enumerate(contract.terms):
        if isinstance(term, PerCard):
            yield from selector_problems(pack, f"{key}.terms[{i}].of", term.of)
        if isinstance(term, PerTrickAt):
            yield from _indices(pack.size // variant.seats, f"{key}.terms[{i}].tricks", term.tricks)
    for i, inclusion in enumerate(contract.include):
        yield from _include(variant, f"{key}.include[{i}].contract", inclusion.contract)
    if contract.lead_ban:
        yield from selector_problems(pack, f"{key}.lead_ban.cards", contract.lead_ban.cards)
    if contract.forced_play:
        yield from selector_problems(pack, f"{key}.forced_play.cards", contract.forced_play.cards)
    yield from selector_problems(pack, f"{key}.face_up", contract.face_up)
    if contract.void_duty == "must_ruff" and contract.trump == "none":
        yield f'{key}.void_duty: "must_ruff" needs a trump suit (set {key}.trump)'
    if contract.trump == "declarer" and variant.schedule.kind == "fixed":
        yield f'{key}.trump: a fixed schedule has no declarer to name it (want "drawn" or "none")'


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


def _layout(variant: Variant, pack: Pack, key: str, contract: LayoutContract) -> Iterator[str]:
    if len(contract.payout) != variant.seats:
        yield (
            f"{key}.payout: {len(contract.payout)} places for {variant.seats} seats "
            f"(want {variant.seats} numbers)"
        )
    if contract.stall == "none":
        idle = [
            f'{name} = "{value}"'
            for name, value in (("passing", contract.passing), ("unplayable", contract.unplayable))
            if value in ("may_pass", "lose_turn")
        ]
        if idle:
            yield (
                f"{key}.stall: with {' and '.join(idle)} the deal might never end "
                '(want "force_after_full_circle")'
            )
    if contract.replay:
        yield from selector_problems(pack, f"{key}.replay.cards", contract.replay.cards)
    if contract.start == "any_rank":
        yield from _reachable(pack, key, contract)
        return
    found = list(twice(f"{key}.start", contract.start))
    for rank in contract.start:
        if rank not in pack.ranks:
            found.append(
                f'{key}.start: "{rank}" is not a rank of this pack ({" ".join(pack.ranks)})'
            )
    yield from found or _reachable(pack, key, contract)


def _reachable(pack: Pack, key: str, contract: LayoutContract) -> Iterator[str]:
    """Check that every card can be laid, whichever start rank is named."""
    allowed = start_ranks(contract, pack)
    if not allowed:
        yield f"{key}.start: no rank is left to name (list ranks that every suit has)"
    if contract.start != "any_rank":
        for rank in contract.start:
            if not allowed >> pack.ranks.index(rank) & 1:
                yield f'{key}.start: "{rank}" lacks in a suit and missing_start forbids that'
    for at in cards_in(allowed):
        for suit, letter in enumerate(pack.suits):
            gap = _gap(pack.ranks_in(suit) | 1 << at)
            if gap is not None:
                yield (
                    f"{key}.start: from {pack.ranks[at]} no card beyond {pack.ranks[gap]}{letter} "
                    "can be laid, as that is taken out of the pack"
                )
                return


def _gap(row: int) -> int | None:
    """Return the lowest rank that is missing between two others of a suit, if one is."""
    lowest = row & -row
    above = row + lowest  # the run of ranks from the lowest carries into the first gap
    first_missing = above & ~row & -(above & ~row)
    return first_missing.bit_length() - 1 if row > first_missing else None
