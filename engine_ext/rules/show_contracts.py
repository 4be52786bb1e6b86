"""Each contract of a variant in plain words: what scores and what may be played."""

from collections.abc import Iterator

from engine_ext.cards import Pack
from engine_ext.rules import words
from engine_ext.rules.facts import contract_total, start_ranks, unplayed
from engine_ext.rules.house import changed_contracts
from engine_ext.rules.show_tricks import tricks_in_words
from engine_ext.rules.spec import Contract, FixedSchedule, LayoutContract, TrickContract, Variant


def contracts_in_words(variant: Variant, base: Variant | None) -> Iterator[tuple[str, str]]:
    """Yield for each contract its heading and its rules; marked where not as in ``base``."""
    changed = changed_contracts(variant, base) if base else set()
    idle = unplayed(variant)
    for name, contract in variant.contracts.items():
        local = f' ("{contract.local}")' if contract.local else ""
        house = ", house rule" if name in changed else ""
        head = f"{contract.title}{local}, {contract.tone}{house}"
        sentences = (
            tricks_in_words(variant, name, contract)
            if isinstance(contract, TrickContract)
            else _layout(variant, contract)
        )
        total = f"In all {words.signed(contract_total(variant, name))}{_unless(contract)}."
        never = ("No deal of the game plays this contract.",) if name in idle else ()
        body = " ".join((*never, *sentences, total, f"[{name}: {contract.source}]"))
        yield head, body


def _unless(contract: Contract) -> str:
    shot = contract.shooting if isinstance(contract, TrickContract) else None
    return ", unless one player takes all as told" if shot else ""


def _layout(variant: Variant, contract: LayoutContract) -> Iterator[str]:
    schedule = variant.schedule
    first = player(schedule.leader)
    namer = first if isinstance(schedule, FixedSchedule) else "the declarer"
    yield f"{namer.capitalize()} names the start rank: {_ranks(variant, contract)}, held or not."
    yield (
        f"One card a turn, {first} first: a card of the start rank, or one that joins up or "
        "down to a card of its suit on the table."
    )
    yield from _alike(variant, contract)
    if _named_ones_lack(variant, contract):
        yield (
            "A suit whose start card is taken out of the pack is never opened."
            if contract.missing_start == "stall"
            else "A start card that is taken out of the pack counts as laid."
        )
    yield _passing(contract)
    if contract.unplayable == "lose_turn":
        yield "A card that does not fit is taken back and the turn is lost, as by a pass."
    yield from _stalled(contract)
    if contract.replay:
        laid = words.cards(contract.replay.cards, each=False)
        yield (
            f"Laying {laid} gives the right to a further turn at once, except when out."
            if contract.replay.duty == "optional"
            else f"Who lays {laid} must at once lay a further card if he can, except when out."
        )
    if contract.end == "all_out":
        yield "Play goes on until everybody is out."
    else:
        yield "Play ends when one player is left."
    places = [
        f"{words.ordinal(i + 1)} {words.signed(points)}" for i, points in enumerate(contract.payout)
    ]
    yield f"By order of going out: {', '.join(places)}."


def _alike(variant: Variant, contract: LayoutContract) -> Iterator[str]:
    """Yield where cards alike lie, with two packs."""
    if variant.deck.copies == 2:
        yield {
            "shared_run": "Cards alike lie together: either of them opens the next rank.",
            "parallel_rows": "Each suit has two rows, and cards alike lie one in each.",
            "stack": "Cards alike lie together: the next rank opens once all of them lie.",
        }[contract.copies]


def _passing(contract: LayoutContract) -> str:
    if contract.passes is not None:
        often = words.times(contract.passes)
        return f"Who can lay a card must, but may pass {often} in a deal."
    return "Who can lay a card must." if contract.passing == "must_play" else "Anyone may pass."


def _stalled(contract: LayoutContract) -> Iterator[str]:
    """Yield what happens when nobody lays a card, where that can be."""
    free = contract.passing != "must_play" or contract.unplayable == "lose_turn"
    if contract.stall == "freeze":
        yield (
            "Once all players still in have passed in turn, the deal is over: they come by "
            "fewest cards, equal ones by who would move first."
        )
    elif contract.stall == "force_after_full_circle" and free:
        yield (
            "But once all players still in have passed in turn, whoever can lay a card must, "
            "until one is laid."
        )


def _ranks(variant: Variant, contract: LayoutContract) -> str:
    """Return which ranks may be named as the start."""
    if contract.start != "any_rank":
        return words.listed([words.rank(rank) for rank in contract.start], "or")
    pack = Pack(variant.deck)
    allowed = start_ranks(contract, pack)
    lacking = [words.rank(r) for i, r in enumerate(pack.ranks) if not allowed >> i & 1]
    return f"any rank but {words.listed(lacking)}" if lacking else "any rank"


def _named_ones_lack(variant: Variant, contract: LayoutContract) -> bool:
    """Whether a rank can be named that some suit lacks."""
    pack = Pack(variant.deck)
    everywhere = contract.model_copy(update={"missing_start": "forbid"})
    return start_ranks(contract, pack) != start_ranks(everywhere, pack)


def player(relation: str) -> str:
    """Return a relation such as ``left_of_dealer`` as words."""
    side, of, who = relation.partition("_of_")
    return f"the player on the {who}'s {side}" if of else f"the {relation}"
