"""What each contract must fulfil: cards and tricks that exist, layouts that can end."""

from collections.abc import Iterator

from engine_ext.cards import LANE, WORD, Pack, cards_in
from engine_ext.rules.checks_cards import selector_problems, twice
from engine_ext.rules.checks_tricks import trick_problems
from engine_ext.rules.facts import start_ranks
from engine_ext.rules.spec import LayoutContract, TrickContract, Variant


def contract_problems(variant: Variant) -> Iterator[str]:
    """Yield what is wrong with contracts, each looked at alone."""
    pack = Pack(variant.deck)
    for name, contract in variant.contracts.items():
        key = f"contracts.{name}"
        if isinstance(contract, TrickContract):
            yield from trick_problems(variant, pack, key, contract)
        else:
            yield from _layout(variant, pack, key, contract)


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
                '(want "force_after_full_circle" or "freeze")'
            )
    if contract.copies != "shared_run" and pack.copies == 1:
        yield f'{key}.copies: "{contract.copies}" needs two packs (set deck.copies = 2)'
    if (contract.passing == "limited") != (contract.passes is not None):
        yield (
            f"{key}.passes: missing (want how many a seat has in a deal)"
            if contract.passes is None
            else f'{key}.passes: only with passing = "limited"'
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
    if contract.stall == "freeze":
        return  # a deal that is stuck ends
    if contract.missing_start == "stall":
        everywhere = start_ranks(contract.model_copy(update={"missing_start": "forbid"}), pack)
        for at in cards_in(allowed & ~everywhere):
            yield (
                f'{key}.missing_start: with "stall" the deal never ends where {pack.ranks[at]} is '
                'named, which lacks in a suit (want "virtual", "forbid" or stall = "freeze")'
            )
            return
    for at in cards_in(allowed):
        for suit, letter in enumerate(pack.suits):
            gap = _gap(pack.ranks_in(suit) | 1 << at)
            if gap is not None:
                yield (
                    f"{key}.start: from {pack.ranks[at]} no card beyond {pack.ranks[gap]}{letter} "
                    "can be laid, as that is taken out of the pack"
                )
                return
    if contract.copies == "parallel_rows":
        yield from _rows_reachable(pack, key, allowed)


def _rows_reachable(pack: Pack, key: str, allowed: int) -> Iterator[str]:
    """Check that every second copy can be laid in a row of its own (dossier 2.16)."""
    for at in cards_in(allowed):
        for suit, letter in enumerate(pack.suits):
            gap = _gap(pack.deck >> WORD + LANE * suit & pack.lane | 1 << at)
            if gap is not None:
                yield (
                    f'{key}.copies: with "parallel_rows" from {pack.ranks[at]} no second card '
                    f"beyond {pack.ranks[gap]}{letter} can ever be laid, as there is one of that "
                    '(want "shared_run", or stall = "freeze")'
                )
                return


def _gap(row: int) -> int | None:
    """Return the lowest rank that is missing between two others of a suit, if one is."""
    lowest = row & -row
    above = row + lowest  # the run of ranks from the lowest carries into the first gap
    first_missing = above & ~row & -(above & ~row)
    return first_missing.bit_length() - 1 if row > first_missing else None
