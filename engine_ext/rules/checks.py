"""What a variant must fulfil beyond its schema: the pack, what scores, the layouts.

Every problem is one line, ``key.path: what (and what would be right)``. Later checks build
on earlier ones, so each stage runs only once the one before found nothing.
"""

from collections.abc import Iterator

from engine_ext.cards import Pack
from engine_ext.rules.checks_game import claim_problems, reading_problems, schedule_problems
from engine_ext.rules.messages import nearest
from engine_ext.rules.resolve import MAX_SLOTS, count, start_ranks, terms_of
from engine_ext.rules.spec import (
    LayoutContract,
    PerCard,
    PerTrickAt,
    Selector,
    TrickContract,
    Variant,
)

MAX_POINTS = 100_000


def problems(variant: Variant) -> Iterator[str]:
    """Yield what is wrong with a variant that its schema accepts; nothing if it can be played."""
    stages = (
        _deck,
        _contracts,
        _scores,
        _totals,
        schedule_problems,
        reading_problems,
        claim_problems,
    )
    for stage in stages:
        found = list(stage(variant))
        if found:
            yield from found
            return


def _deck(variant: Variant) -> Iterator[str]:
    deck = variant.deck
    for key, letters in (("suits", deck.suits), ("ranks", deck.ranks)):
        for letter in letters:
            if len(letter) != 1 or letter.isspace():
                hint = " (write T for the ten)" if letter == "10" else ""
                yield f'deck.{key}: "{letter}" is not one letter{hint}'
        yield from _twice(f"deck.{key}", letters)
    yield from _twice("deck.remove", deck.remove)
    cards = {rank + suit for rank in deck.ranks for suit in deck.suits}
    for name in deck.remove:
        if name not in cards:
            yield f'deck.remove: "{name}" is no card of this pack ({_pack_text(variant)})'
    left = cards - set(deck.remove)
    for key, letters, at in (("ranks", deck.ranks, 0), ("suits", deck.suits, 1)):
        for letter in letters:
            if not any(name[at : at + 1] == letter for name in left):
                yield f'deck.remove: takes out every "{letter}"; leave it out of deck.{key}'
    over = len(left) % variant.seats
    if over:
        yield (
            f"deck: {len(left)} cards do not divide by {variant.seats} seats "
            f"({over} left over; take them out with deck.remove)"
        )
    if len(left) < variant.seats:
        yield f"deck: {len(left)} cards for {variant.seats} seats; each needs at least one"


def _pack_text(variant: Variant) -> str:
    return f"ranks {' '.join(variant.deck.ranks)}; suits {' '.join(variant.deck.suits)}"


def _twice(key: str, names: tuple[str, ...]) -> Iterator[str]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f'{key}: "{name}" is listed twice'


def _contracts(variant: Variant) -> Iterator[str]:
    pack = Pack(variant.deck)
    for name, contract in variant.contracts.items():
        key = f"contracts.{name}"
        if isinstance(contract, TrickContract):
            yield from _tricks(variant, pack, key, contract)
        else:
            yield from _layout(variant, pack, key, contract)


def _selector(pack: Pack, key: str, selector: Selector | None) -> Iterator[str]:
    """Check that every suit, rank and card named is in the pack, and that some card is meant."""
    if selector is None:
        return
    found = []
    for part, letters, known in (
        ("suits", selector.suits, pack.suits),
        ("ranks", selector.ranks, pack.ranks),
    ):
        found += _twice(f"{key}.{part}", letters)
        for letter in letters:
            if letter not in known:
                thing = part.removesuffix("s")
                found.append(
                    f'{key}.{part}: "{letter}" is not a {thing} of this pack ({" ".join(known)})'
                )
    for part, names in (("cards", selector.cards), ("but", selector.but)):
        found += _twice(f"{key}.{part}", names)
        for name in names:
            try:
                pack.number(name)
            except ValueError as error:
                found.append(f"{key}.{part}: {error}")
    if not found:
        whole = pack.select(selector.model_copy(update={"but": ()}))
        for name in selector.but:
            if not whole >> pack.number(name) & 1:
                found.append(f"{key}.but: {name} is not among the cards it is left out of")
        if not pack.select(selector):
            found.append(f"{key}: no card of this pack is meant")
    yield from found


def _tricks(variant: Variant, pack: Pack, key: str, contract: TrickContract) -> Iterator[str]:
    for i, term in enumerate(contract.terms):
        if isinstance(term, PerCard):
            yield from _selector(pack, f"{key}.terms[{i}].of", term.of)
        if isinstance(term, PerTrickAt):
            yield from _indices(pack.size // variant.seats, f"{key}.terms[{i}].tricks", term.tricks)
    for i, inclusion in enumerate(contract.include):
        yield from _include(variant, f"{key}.include[{i}].contract", inclusion.contract)
    if contract.lead_ban:
        yield from _selector(pack, f"{key}.lead_ban.cards", contract.lead_ban.cards)
    if contract.forced_play:
        yield from _selector(pack, f"{key}.forced_play.cards", contract.forced_play.cards)
    yield from _selector(pack, f"{key}.face_up", contract.face_up)
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
    if contract.passing == "may_pass" and contract.stall == "none":
        yield (
            f'{key}.stall: with passing = "may_pass" the deal might never end '
            '(want "force_after_full_circle")'
        )
    if contract.replay:
        yield from _selector(pack, f"{key}.replay.cards", contract.replay.cards)
    if contract.start == "any_rank":
        yield from _reachable(pack, key, contract)
        return
    found = list(_twice(f"{key}.start", contract.start))
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
    for at in (i for i in range(len(pack.ranks)) if allowed >> i & 1):
        for suit in range(len(pack.suits)):
            row = pack.deck >> 16 * suit & pack.lane | 1 << at
            first_gap = ~row & (row + (row & -row))
            gaps = ~row & pack.lane & ((1 << row.bit_length()) - 1) & ~((row & -row) - 1)
            if gaps:
                gap = pack.ranks[first_gap.bit_length() - 1] + pack.suits[suit]
                yield (
                    f"{key}.start: from {pack.ranks[at]} the cards beyond {gap} can never be "
                    "laid, as it is taken out of the pack"
                )
                return


def _scores(variant: Variant) -> Iterator[str]:
    for name, contract in variant.contracts.items():
        if not isinstance(contract, TrickContract):
            continue
        terms = terms_of(variant, name)
        names = [term.name for term in terms]
        key = f"contracts.{name}"
        if not terms:
            yield f"{key}: nothing scores (give terms or include)"
        if len(terms) > MAX_SLOTS:
            yield f"{key}: {len(terms)} items score, at most {MAX_SLOTS} can be counted"
        for item in sorted({item for item in names if names.count(item) > 1}):
            yield f'{key}: two items are called "{item}" (give each term a name of its own)'
        for term in terms:
            if abs(term.points) > MAX_POINTS:
                yield f"{key}.include: {term.name} come to {term.points} points, want {MAX_POINTS}"


def _totals(variant: Variant) -> Iterator[str]:
    for name, contract in variant.contracts.items():
        comes_out = contract_total(variant, name)
        if contract.total is not None and contract.total != comes_out:
            yield f"contracts.{name}.total: says {contract.total}, but {comes_out} comes out"


def contract_total(variant: Variant, name: str) -> int:
    """Return what all hands of a contract add up to, in the document's sign."""
    contract = variant.contracts[name]
    if isinstance(contract, LayoutContract):
        return sum(contract.payout)
    pack = Pack(variant.deck)
    hand_size = pack.size // variant.seats
    return sum(t.points * count(t, pack, hand_size) for t in terms_of(variant, name))
