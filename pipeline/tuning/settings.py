"""Reads a knob against the parent's rules: what it may be, in order."""

import json
from collections.abc import Iterator
from fractions import Fraction

from pydantic import JsonValue

from engine_ext.errors import RuleError
from engine_ext.rules.messages import shown
from engine_ext.rules.revise import revised, setting_at
from engine_ext.rules.spec import TrickContract, Variant
from pipeline.tuning.file import Hold, Knob, TuningError
from pipeline.tuning.knobs import POINTS, Span, each_of, points_of
from pipeline.tuning.titles import title_of

MOST_SETTINGS = 1000


def span_of(knob: Knob, parent: Variant, hold: Hold) -> Span:
    """Read a knob against the parent's rules.

    Raises ``TuningError`` (``KEY: what``, keys counted from the knob) where a key is not
    there, a value does not fit, or rules with one setting alone cannot be played.
    """
    try:
        theirs = [setting_at(parent, key) for key in knob.keys]
    except RuleError as error:
        raise TuningError(f"key: {error}") from error
    own = theirs[0] if all(_same(value, theirs[0]) for value in theirs) else theirs
    if knob.values is None:
        settings = _numbers(knob, theirs, own, hold)
    else:
        settings = _listed(knob, knob.values, own, parent)
    at = next(i for i, value in enumerate(settings) if _same(value, own))
    numbers = [isinstance(v, int) and not isinstance(v, bool) for v in settings]
    ordered = all(numbers) or knob.values is None
    if all(numbers) and knob.values is not None:
        settings.sort(key=_position)
        at = settings.index(own)
    positions = tuple(map(_position, settings)) if ordered else None
    title = knob.title or title_of(parent, knob.keys)
    span = Span(knob.keys, title, tuple(settings), at, positions)
    _check_alone(span, knob, parent, hold)
    return span


def _numbers(knob: Knob, theirs: list[JsonValue], own: JsonValue, hold: Hold) -> list[JsonValue]:
    """The numbers of a range, and the parent's."""
    low, high = knob.low, knob.high
    assert low is not None
    assert high is not None
    for key, value in zip(knob.keys, theirs, strict=True):
        if not isinstance(value, int) or isinstance(value, bool):
            raise TuningError(
                f"low: {key} is {shown(value)}, no number (want values in place of low)"
            )
    step = knob.step
    if hold.multiple_of and all(map(POINTS.fullmatch, knob.keys)):
        step = hold.multiple_of
        low += -low % step
    numbers = range(low, high + 1, step)
    if not numbers:
        raise TuningError(f"high: no multiple of {step} lies from {knob.low} to {knob.high}")
    if len(numbers) > MOST_SETTINGS:
        raise TuningError(
            f"step: {len(numbers)} numbers from {knob.low} to {knob.high} by {step} "
            f"(want {MOST_SETTINGS} at most: a larger step)"
        )
    settings: list[JsonValue] = [*numbers]
    if own not in settings:
        settings.append(own)
    return sorted(settings, key=_position)


def _listed(
    knob: Knob, values: tuple[JsonValue, ...], own: JsonValue, parent: Variant
) -> list[JsonValue]:
    """The values of the file as the rules have them, and the parent's."""
    settings: list[JsonValue] = []
    for i, value in enumerate(values):
        if isinstance(value, list) and len(knob.keys) > 1 and len(value) != len(knob.keys):
            raise TuningError(
                f"values[{i}]: {len(value)} entries for {len(knob.keys)} keys (want one for each)"
            )
        each = each_of(value, len(knob.keys))
        try:
            rules = revised(parent, dict(zip(knob.keys, each, strict=True)))
        except RuleError as error:
            raise TuningError(f"values[{i}]: {error}") from error
        read = [_as_read(rules, *pair) for pair in zip(knob.keys, each, strict=True)]
        alike = all(_same(one, read[0]) for one in read)
        read_value = read[0] if alike else read
        if any(_same(read_value, other) for other in settings):
            raise TuningError(f"values[{i}]: {shown(value)} stands twice")
        settings.append(read_value)
    if not any(_same(own, other) for other in settings):
        settings.insert(0, own)
    return settings


def _as_read(rules: Variant, key: str, value: JsonValue) -> JsonValue:
    """A value as the parent's would be told, so that what is the same looks the same."""
    if isinstance(value, dict | list) or key.startswith("schedule.uses."):
        return setting_at(rules, key)
    return value


def _check_alone(span: Span, knob: Knob, parent: Variant, hold: Hold) -> None:
    """Rules with one setting changed can be played, and changed points are the multiples wanted."""
    theirs = points_of(parent)
    for i in _to_try(span, parent):
        value = shown(span.settings[i])
        where = "values" if knob.values is not None else "low to high"
        try:
            rules = revised(parent, span.changes(i))
        except RuleError as error:
            raise TuningError(f"{where}: with {value}: {error}") from error
        for key, points in points_of(rules).items():
            moved = points != theirs.get(key)
            if hold.multiple_of and moved and points % hold.multiple_of:
                raise TuningError(
                    f"{where}: with {value}: {key} = {points} is no multiple of "
                    f"{hold.multiple_of}, as hold.multiple_of wants"
                )


def _to_try(span: Span, parent: Variant) -> Iterator[int]:
    """Settings whose rules are built: of points the outermost and 0, for all that can go wrong
    between them is that an inclusion makes parts of a point."""
    if not span.prices or _has_fractions(parent):
        yield from range(len(span.settings))
        return
    last = len(span.settings) - 1
    yield from (i for i, value in enumerate(span.settings) if i in (0, last) or value == 0)


def _has_fractions(parent: Variant) -> bool:
    return any(
        Fraction(part.times).denominator > 1
        for contract in parent.contracts.values()
        if isinstance(contract, TrickContract)
        for part in contract.include
    )


def _position(value: JsonValue) -> float:
    """Where a number lies; of several the mean."""
    numbers = value if isinstance(value, list) else [value]
    found = [number for number in numbers if isinstance(number, int)]
    return sum(found) / len(found)


def _same(one: JsonValue, other: JsonValue) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
