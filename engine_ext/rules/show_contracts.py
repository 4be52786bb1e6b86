"""Each contract of a variant in plain words: what scores and what may be played."""

from collections.abc import Iterator

from engine_ext.cards import Pack
from engine_ext.rules import words
from engine_ext.rules.facts import contract_total, start_ranks, terms_of
from engine_ext.rules.house import changed_contracts
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import FixedSchedule, LayoutContract, TrickContract, Variant


def contracts_in_words(variant: Variant, base: Variant | None) -> Iterator[tuple[str, str]]:
    """Yield for each contract its heading and its rules; marked where not as in ``base``."""
    changed = changed_contracts(variant, base) if base else set()
    for name, contract in variant.contracts.items():
        local = f' ("{contract.local}")' if contract.local else ""
        house = ", house rule" if name in changed else ""
        head = f"{contract.title}{local}, {contract.tone}{house}"
        sentences = (
            _tricks(variant, name, contract)
            if isinstance(contract, TrickContract)
            else _layout(variant, contract)
        )
        total = f"In all {words.signed(contract_total(variant, name))}."
        body = " ".join((*sentences, total, f"[{name}: {contract.source}]"))
        yield head, body


def _tricks(variant: Variant, name: str, contract: TrickContract) -> Iterator[str]:
    if contract.include:
        yield from _included(variant, contract)
    terms = terms_of(variant, name)
    yield f"{words.listed([words.scores(term) for term in terms])}."
    if contract.trump == "declarer":
        yield "The declarer names the trump suit; the highest trump takes the trick."
    if contract.trump == "drawn":
        yield "The trump suit is drawn at random; the highest trump takes the trick."
    if contract.void_duty == "must_ruff":
        yield "Who lacks the suit led must play a trump if he has one, high or low."
    if contract.lead_ban:
        banned = words.cards(contract.lead_ban.cards, each=False)
        yield (
            f"{banned[0].upper()}{banned[1:]} may be led only from a hand that holds nothing "
            "else; no discard lifts this ban."
        )
    if contract.forced_play:
        forced = words.cards(contract.forced_play.cards, each=False, last="or")
        ruff = ", even before a trump" if contract.void_duty == "must_ruff" else ""
        yield f"Who lacks the suit led must play {forced} if he can{ruff}."
    numbers = resolve(variant).contracts[list(variant.contracts).index(name)]
    if numbers.end_cards:
        yield "The deal ends with the trick in which the last card that scores is taken."
    if contract.face_up:
        yield f"Captured {words.cards(contract.face_up, each=False)} stay face up."


def _included(variant: Variant, contract: TrickContract) -> Iterator[str]:
    if any(abs(part.times) != 1 for part in contract.include):
        titles = [f'"{variant.contracts[part.contract].title}"' for part in contract.include]
        yield f"Counts what {words.listed(titles)} {'count' if len(titles) > 1 else 'counts'}:"
        return
    for turned in (False, True):
        titles = [
            f'"{variant.contracts[part.contract].title}"'
            for part in contract.include
            if (part.times < 0) == turned
        ]
        if titles:
            signs = ", the signs turned" if turned else ""
            yield f"As in {words.listed(titles)}{' together' * (len(titles) > 1)}{signs}:"


def _layout(variant: Variant, contract: LayoutContract) -> Iterator[str]:
    schedule = variant.schedule
    first = player(schedule.leader)
    namer = first if isinstance(schedule, FixedSchedule) else "the declarer"
    yield f"{namer.capitalize()} names the start rank: {_ranks(variant, contract)}, held or not."
    yield (
        f"One card a turn, {first} first: a card of the start rank, or one that joins up or "
        "down to a card of its suit on the table."
    )
    if _named_ones_lack(variant, contract):
        yield "A start card that is taken out of the pack counts as laid."
    yield "Who can lay a card must." if contract.passing == "must_play" else "Anyone may pass."
    if contract.unplayable == "lose_turn":
        yield "A card that does not fit is taken back and the turn is lost, as by a pass."
    if contract.passing == "may_pass" or contract.unplayable == "lose_turn":
        yield (
            "But once all players still in have passed in turn, whoever can lay a card must, "
            "until one is laid."
        )
    if contract.replay:
        laid = words.cards(contract.replay.cards, each=False)
        yield f"Laying {laid} gives the right to a further turn at once, except when out."
    if contract.end == "all_out":
        yield "Play goes on until everybody is out."
    else:
        yield "Play ends when one player is left."
    places = [
        f"{words.ordinal(i + 1)} {words.signed(points)}" for i, points in enumerate(contract.payout)
    ]
    yield f"By order of going out: {', '.join(places)}."


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
