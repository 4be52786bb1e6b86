"""What a variant must fulfil as a game: schedule, side bets, ties, revokes, size of scores."""

from collections.abc import Iterator

from engine_ext.cards import Pack
from engine_ext.rules.facts import contract_total, fewest_declared, parts_of
from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import (
    ChoiceSchedule,
    Doubling,
    ExtraDeals,
    FixedSchedule,
    Revokes,
    Selector,
    TrickContract,
    Variant,
)

MAX_SCORE = 2**31 - 1
"""Scores are 32-bit integers in the engine and in tables."""
MAX_LEFT = 255
"""What a declarer has left is counted in 8 bits, and 0 stands for no choice."""


def schedule_problems(variant: Variant) -> Iterator[str]:
    """Yield what is wrong with the order of deals and the side bets."""
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule):
        for name in schedule.uses:
            yield from _known(f"schedule.uses.{name}", name, variant)
        own = sum(schedule.uses.values())
        if own > MAX_LEFT:
            yield f"schedule.uses: {own} contracts of a declarer, at most {MAX_LEFT} can be counted"
        if schedule.uses_of == "declarer" and own % schedule.dealership:
            yield (
                f"schedule.dealership: {schedule.dealership} deals in a row do not divide "
                f"the {own} contracts of a declarer evenly"
            )
    else:
        for i, name in enumerate(schedule.sequence):
            yield from _known(f"schedule.sequence[{i}]", name, variant)
        yield from _holder(variant, schedule)
    yield from _doubling(variant)
    yield from _ties(variant)
    yield from _revokes(variant)
    yield from _too_large(variant)


def _known(key: str, name: str, variant: Variant) -> Iterator[str]:
    if name not in variant.contracts:
        hint = nearest(name, variant.contracts) or f"known: {', '.join(variant.contracts)}"
        yield f'{key}: no contract is called "{name}" ({hint})'


def _holder(variant: Variant, schedule: FixedSchedule) -> Iterator[str]:
    """Check that exactly one seat is dealt the card whose holder leads."""
    if schedule.leader != "holder":
        if schedule.holds is not None:
            yield f'schedule.holds: "{schedule.leader}" leads (want leader = "holder")'
        return
    if schedule.holds is None:
        yield 'schedule.holds: missing (leader = "holder": the card, as in "2C")'
        return
    pack = Pack(variant.deck)
    try:
        pack.number(schedule.holds)
    except ValueError as error:
        yield f"schedule.holds: {error}"
        return
    if pack.select(Selector(cards=(schedule.holds,))).bit_count() > 1:
        yield f"schedule.holds: {schedule.holds} is in the pack twice, so two may hold it"


def _doubling(variant: Variant) -> Iterator[str]:
    doubling, schedule = variant.doubling, variant.schedule
    if doubling is None:
        return
    if not isinstance(schedule, ChoiceSchedule):
        yield 'doubling: a fixed schedule has no declarer (want schedule.kind = "choice")'
        return
    if doubling.in_negative == doubling.in_positive == "nobody":
        yield 'doubling: nobody may double (leave the table out, or want "declarer" or "anyone")'
    if not doubling.redoubles and doubling.declarer == "doublers":
        yield (
            'doubling.redoubles: nobody may double back, but doubling.declarer = "doublers" says '
            'that the declarer may (want declarer = "nobody", or redoubles = true)'
        )
    if doubling.rounds == 2 and not doubling.redoubles:
        yield "doubling.rounds: a second round is for redoubles (want redoubles = true, or 1)"
    yield from _duty(variant, doubling, schedule)


def _duty(variant: Variant, doubling: Doubling, schedule: ChoiceSchedule) -> Iterator[str]:
    """Check that the declarer can be doubled as often as he has to be."""
    if (doubling.duty_enforced == "penalty") != (doubling.duty_penalty != 0):
        yield (
            'doubling.duty_penalty: duty_enforced = "penalty" and a penalty that is not 0 '
            "belong together"
        )
    own = fewest_declared(variant)
    if doubling.duty > own:
        yield (
            f"doubling.duty: {doubling.duty} doubles in the {own} deals of a declarer "
            f"(want at most {own})"
        )
    if not doubling.duty:
        if doubling.duty_enforced == "penalty":
            yield "doubling.duty: 0 doubles, so none can lack (want how many, or no penalty)"
        return
    for name in schedule.uses:
        contract = variant.contracts.get(name)
        positive = contract is not None and contract.tone == "positive"
        key = "in_positive" if positive else "in_negative"
        if getattr(doubling, key) == "nobody":
            yield (
                f"doubling.duty: the declarer cannot be doubled in {name}, so the duty might "
                f'not be met (want {key} = "declarer" or "anyone", or no duty)'
            )
            return


def _ties(variant: Variant) -> Iterator[str]:
    if isinstance(variant.ties, ExtraDeals):
        yield from _known("ties.contract", variant.ties.contract, variant)


def _revokes(variant: Variant) -> Iterator[str]:
    rules = variant.legality
    if not isinstance(rules, Revokes):
        return
    played = [variant.contracts.get(name) for name in _times(variant)]
    tricks = [contract for contract in played if isinstance(contract, TrickContract)]
    if not tricks:
        yield (
            'legality: no trick contract is played, so nobody can revoke (want "engine_enforced")'
        )
    elif rules.lead_ban_breach == "as_revoke" and not any(c.lead_ban for c in tricks):
        yield (
            "legality.lead_ban_breach: no contract that is played bans a lead "
            '(want "rejected", or leave it out)'
        )


def _times(variant: Variant) -> dict[str, int]:
    """How often each contract is played in a game, extra deals at most."""
    schedule = variant.schedule
    if isinstance(schedule, ChoiceSchedule):
        each = variant.seats if schedule.uses_of == "declarer" else 1
        times = {name: each * n for name, n in schedule.uses.items()}
    else:
        times = {name: schedule.sequence.count(name) for name in schedule.sequence}
    if isinstance(variant.ties, ExtraDeals):
        extra = variant.ties.contract
        times[extra] = times.get(extra, 0) + variant.ties.at_most
    return times


def _too_large(variant: Variant) -> Iterator[str]:
    """Check that no score can leave 32 bits, however the cards fall."""
    far = reach(variant)
    if far > MAX_SCORE:
        yield f"schedule: a score could reach {far} points, at most {MAX_SCORE} can be counted"


def reach(variant: Variant) -> int:
    """Return how far from 0 a score can come, by a bound that is easy to see.

    A pair that both doubled pays twice a difference of at most two gross totals. A revoke
    can cost the total on top, and every deal be played a second time. Each declarer's last
    deal can bring fines for all doubles that lack.
    """
    bets = 1 + 4 * (variant.seats - 1) if variant.doubling else 1
    honour = variant.legality if isinstance(variant.legality, Revokes) else None
    twice = 2 if honour and honour.then == "replay_deal" else 1
    rules = variant.doubling
    far = (variant.seats - 1) * rules.duty * abs(rules.duty_penalty) if rules else 0
    for name, n in _times(variant).items():
        if name in variant.contracts:
            penalty = abs(contract_total(variant, name)) if honour else 0
            far += n * twice * bets * (_gross(variant, name) + penalty)
    return far


def _gross(variant: Variant, name: str) -> int:
    """Return the most that the points of one deal can come to, without their signs."""
    contract = variant.contracts[name]
    gross = sum(map(abs, parts_of(variant, name)))
    shot = contract.shooting if isinstance(contract, TrickContract) else None
    if shot is None:
        return gross
    return max(gross, abs(shot.taker) + (variant.seats - 1) * abs(shot.others))
