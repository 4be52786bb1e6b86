"""A trick contract in plain words: what scores, what may be played, when it ends."""

from collections.abc import Iterator
from fractions import Fraction

from engine_ext.rules import words
from engine_ext.rules.facts import terms_of
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import ForcedPlay, LeadBan, TrickContract, Variant

VOID = {
    "must_ruff": "Who lacks the suit led must play a trump if he has one, high or low.",
    "must_overruff": "Who lacks the suit led must play a trump higher than those in the trick if "
    "he has one, otherwise a lower one if he has that.",
    "must_overruff_else_free": "Who lacks the suit led must play a trump higher than those in the "
    "trick if he has one; otherwise he may play any card.",
}
BEAT = {
    "trump_leads": "When trumps are led, everyone must play one that wins the trick so far if he "
    "has it.",
    "all_leads": "Who follows suit must play a card that wins the trick so far if he has one.",
}


def tricks_in_words(variant: Variant, name: str, contract: TrickContract) -> Iterator[str]:
    """Yield the rules of a trick contract, a sentence or two at a time."""
    if contract.include:
        yield from _included(variant, contract)
    terms = terms_of(variant, name)
    yield f"{words.listed([words.scores(term) for term in terms])}."
    if contract.shooting:
        shot = contract.shooting
        yield (
            f"But if one player takes all of these, {words.cards(shot.cards, each=False)}, he "
            f"gets {words.signed(shot.taker)} and each other {words.signed(shot.others)}, in "
            "place of everything else in this deal."
        )
    if contract.trump == "declarer":
        yield "The declarer names the trump suit; the highest trump takes the trick."
    if contract.trump == "drawn":
        yield "The trump suit is drawn at random; the highest trump takes the trick."
    yield from _duties(contract)
    numbers = resolve(variant).contracts[list(variant.contracts).index(name)]
    if numbers.end_cards:
        last = "that scores is taken"
        if contract.shooting:
            last = f"that scores or counts for taking all ({contract.shooting.name}) is taken"
        yield f"The deal ends with the trick in which the last card {last}."
    if contract.face_up:
        yield f"Captured {words.cards(contract.face_up, each=False)} stay face up."


def _duties(contract: TrickContract) -> Iterator[str]:
    if contract.first_lead:
        yield (
            "Whoever leads to the first trick and can must lead "
            f"{words.cards(contract.first_lead, each=False, last='or')}."
        )
    if contract.lead_ban:
        yield _ban(contract.lead_ban)
    if contract.first_trick_ban:
        banned = words.cards(contract.first_trick_ban, each=False)
        yield (
            f"{_capital(banned)} may not be played to the first trick by a player who may play "
            "another card."
        )
    if contract.void_duty in VOID:
        yield VOID[contract.void_duty]
    if contract.beat_duty in BEAT:
        yield BEAT[contract.beat_duty]
    if contract.forced_play:
        yield from _forced(contract, contract.forced_play)


def _ban(ban: LeadBan) -> str:
    start = (
        f"{_capital(words.cards(ban.cards, each=False))} may be led only from a hand that holds "
        "nothing else"
    )
    if ban.until == "nothing_else":
        return f"{start}; no discard lifts this ban."
    if ban.until == "trick":
        assert ban.trick is not None
        return f"{start}, or from {words.trick(ban.trick)} on."
    if ban.broken_by is None:
        return f"{start}, or once such a card was played in an earlier trick."
    breakers = words.cards(ban.broken_by, each=False, last="or")
    return f"{start}, or once any of these was played in an earlier trick: {breakers}."


def _forced(contract: TrickContract, forced: ForcedPlay) -> Iterator[str]:
    what = words.cards(forced.cards, each=False, last="or")
    if forced.choose == "highest":
        what += " (of several the highest)"
    if forced.when == "first_legal":
        yield (
            f"Who may play {what} to a trick that another player has led must do so, before any "
            "other card."
        )
        return
    ruff = ", even before a trump" if contract.void_duty != "free" else ""
    yield f"Who lacks the suit led must play {what} if he can{ruff}."
    if forced.when == "void_or_beaten":
        yield (
            "So must who follows suit and can play it under a higher card of that suit which "
            "wins the trick so far."
        )


def _included(variant: Variant, contract: TrickContract) -> Iterator[str]:
    if any(abs(Fraction(part.times)) != 1 for part in contract.include):
        titles = [f'"{variant.contracts[part.contract].title}"' for part in contract.include]
        times = {str(part.times) for part in contract.include}
        counts, factor = "counts" if len(titles) == 1 else "count", ""
        if len(times) == 1 and len(titles) > 1:
            factor = f", times {times.pop()}"
        yield f"Counts what {words.listed(titles)} {counts}{factor}:"
        return
    for turned in (False, True):
        titles = [
            f'"{variant.contracts[part.contract].title}"'
            for part in contract.include
            if (Fraction(part.times) < 0) == turned
        ]
        if titles:
            signs = ", the signs turned" if turned else ""
            yield f"As in {words.listed(titles)}{' together' * (len(titles) > 1)}{signs}:"


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
