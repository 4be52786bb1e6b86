"""What a variant must fulfil as a game: schedule, side bets, readings and printed totals."""

import re
from collections.abc import Iterator

from pydantic import BaseModel

from engine_ext.rules.facts import parts_of
from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import ChoiceSchedule, Reading, Variant

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
        if own % schedule.dealership:
            yield (
                f"schedule.dealership: {schedule.dealership} deals in a row do not divide "
                f"the {own} contracts of a declarer evenly"
            )
    else:
        for i, name in enumerate(schedule.sequence):
            yield from _known(f"schedule.sequence[{i}]", name, variant)
    yield from _doubling(variant)
    yield from _too_large(variant)


def _known(key: str, name: str, variant: Variant) -> Iterator[str]:
    if name not in variant.contracts:
        hint = nearest(name, variant.contracts) or f"known: {', '.join(variant.contracts)}"
        yield f'{key}: no contract is called "{name}" ({hint})'


def _doubling(variant: Variant) -> Iterator[str]:
    doubling, schedule = variant.doubling, variant.schedule
    if doubling is None:
        return
    if not isinstance(schedule, ChoiceSchedule):
        yield 'doubling: a fixed schedule has no declarer (want schedule.kind = "choice")'
        return
    if doubling.in_negative == doubling.in_positive == "nobody":
        yield 'doubling: nobody may double (leave the table out, or want "declarer" or "anyone")'
    if doubling.duty > schedule.dealership:
        yield (
            f"doubling.duty: {doubling.duty} doubles in the {schedule.dealership} deals of a "
            f"dealership (want at most {schedule.dealership})"
        )
    if not doubling.duty:
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


def _too_large(variant: Variant) -> Iterator[str]:
    """Check that no score can leave 32 bits, however the cards fall.

    A pair that both doubled pays twice a difference of at most two gross totals.
    """
    schedule = variant.schedule
    bets = 1 + 4 * (variant.seats - 1) if variant.doubling else 1
    if isinstance(schedule, ChoiceSchedule):
        times = {name: variant.seats * n for name, n in schedule.uses.items()}
    else:
        times = {name: schedule.sequence.count(name) for name in schedule.sequence}
    reach = sum(
        n * bets * sum(map(abs, parts_of(variant, name)))
        for name, n in times.items()
        if name in variant.contracts
    )
    if reach > MAX_SCORE:
        yield f"schedule: a score could reach {reach} points, at most {MAX_SCORE} can be counted"


def reading_problems(variant: Variant) -> Iterator[str]:
    """Yield every reading whose key does not have the value that it tells."""
    for i, reading in enumerate(variant.readings):
        for option, want in reading_values(reading):
            key = f"readings[{i}]"
            try:
                got = value_at(variant, option)
            except LookupError as error:
                yield f"{key}.option: {error.args[0]}"
                continue
            if type(got) is not type(want) or got != want:
                yield f"{key}.value: says {value_text(want)}, but {option} is {value_text(got)}"


def reading_values(reading: Reading) -> list[tuple[str, object]]:
    """Return each key of a reading with the value that it should have."""
    if isinstance(reading.option, str):
        return [(reading.option, reading.value)]
    keys, value = reading.option, reading.value
    if isinstance(value, tuple) and len(value) == len(keys) > 1:
        return list(zip(keys, value, strict=True))
    return [(key, value) for key in keys]


def value_at(variant: Variant, option: str) -> object:
    """Return what a variant says at a key such as ``contracts.kings.terms[0].of.ranks``.

    An optional table that is absent reads ``none``. Raises ``LookupError`` with the reason
    for a key that does not exist or holds a table.
    """
    here: object = variant
    done = ""
    for part in re.findall(r"\[\d+\]|[^.\[\]]+", option):
        if part.startswith("["):
            inside = isinstance(here, tuple) and int(part[1:-1]) < len(here)
            if not inside:
                raise LookupError(f"{done} has no entry {part}")
            assert isinstance(here, tuple)
            here, done = here[int(part[1:-1])], done + part
            continue
        if here is None:
            raise LookupError(f'{done} is absent, so it has no "{part}"')
        known = list(type(here).model_fields) if isinstance(here, BaseModel) else here
        if not isinstance(known, list | dict) or part not in known:
            hint = nearest(part, known) if isinstance(known, list | dict) else ""
            raise LookupError(f'{done or "the file"} has no key "{part}"{hint and f" ({hint})"}')
        here = here[part] if isinstance(here, dict) else getattr(here, part)
        done = f"{done}.{part}".lstrip(".")
    here = "none" if here is None else here
    parts = here if isinstance(here, tuple) else (here,)
    if not done or any(not isinstance(part, str | int) for part in parts):
        raise LookupError(f'"{option}" is a table; name one of its keys')
    return here


def value_text(value: object) -> str:
    """Return a value as it stands in a variant file."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def claim_problems(variant: Variant) -> Iterator[str]:
    """Yield every claim about a total that the game does not have."""
    known = ["game", "gross_positive", "gross_negative"]
    if isinstance(variant.schedule, ChoiceSchedule):
        known.append("declarer")
    known += [f"contracts.{name}" for name in variant.contracts]
    for i, claim in enumerate(variant.claims):
        if claim.what not in known:
            hint = nearest(claim.what, known) or f"known: {', '.join(known)}"
            yield f'claims[{i}].what: no total is called "{claim.what}" ({hint})'
