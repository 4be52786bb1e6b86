"""Tuning files made up at random over shipped variants, small enough to look at every point."""

import random
from functools import cache
from itertools import product

from pydantic import JsonValue

from engine_ext.errors import RuleError
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import ChoiceSchedule, FixedSchedule, LayoutContract, Variant
from pipeline.tuning.file import Tuning, TuningError, TuningFile
from pipeline.tuning.hold import sums_of
from pipeline.tuning.knobs import points_of
from pipeline.tuning.points import Point
from pipeline.tuning.space import Space

HEART_BAN: JsonValue = {"cards": {"suits": ["H"]}}
LARGEST = 150


@cache
def parent_of(base: str) -> Variant:
    return load_variant(base)


def tuning(said: dict[str, object], base: str) -> Tuning:
    """A tuning of a shipped variant from what its file would say beside what it has to."""
    rest = {"title": "made up", "base": base, "name": "made_up", "seed": 1}
    file = TuningFile.model_validate({**rest, "objectives": [{"name": "drama"}], **said})
    return Tuning(file, base, parent_of(base), "made_up.toml")


def any_tuning(seed: int) -> tuple[Tuning, Space]:
    """Knobs of points and of options, and sums that must come out, most of which can be had."""
    draw = random.Random(seed)
    while True:
        base = draw.choice(variant_names())
        parent = parent_of(base)
        knobs = _price_knobs(draw, parent) + _option_knobs(draw, parent)
        try:
            space = Space(tuning({"knobs": knobs, "hold": {"payouts_fall": False}}, base))
            if space.n_points > LARGEST:
                continue
            held = _hold(draw, space)
            made = tuning({"knobs": knobs, "hold": held}, base)
            return made, Space(made)
        except TuningError:  # a setting that cannot be, or no multiple in the range
            continue


def every_point(space: Space) -> list[Point]:
    return list(product(*map(range, space.sizes)))


def _price_knobs(draw: random.Random, parent: Variant) -> list[dict[str, object]]:
    points = points_of(parent)
    knobs: list[dict[str, object]] = []
    for key in draw.sample(sorted(points), min(len(points), draw.randint(1, 3))):
        if key == "doubling.duty_penalty":
            continue
        step = draw.choice([1, 2, 5])
        low = points[key] - draw.randint(0, 3) * step - draw.choice([0, 0, 1])
        knobs.append(
            {"key": key, "low": low, "high": low + draw.randint(1, 4) * step, "step": step}
        )
    return knobs


def _option_knobs(draw: random.Random, parent: Variant) -> list[dict[str, object]]:
    pool: list[tuple[str, list[JsonValue]]] = [("schedule.leader", ["dealer", "left_of_dealer"])]
    for name, contract in parent.contracts.items():
        key = f"contracts.{name}"
        if isinstance(contract, LayoutContract):
            shifted: list[JsonValue] = [[p + 5 for p in contract.payout]]
            pool.append((f"{key}.payout", shifted))
            continue
        pool.append((f"{key}.lead_ban", ["none", HEART_BAN]))
        for i, _ in enumerate(contract.include):
            pool.append((f"{key}.include[{i}].times", [1, 2, -1, "1/2"]))
    if isinstance(parent.schedule, ChoiceSchedule):
        pool += [(f"schedule.uses.{name}", [1, 2, 0]) for name in parent.contracts]
    elif isinstance(parent.schedule, FixedSchedule):
        pool.append(("schedule.sequence", [list(parent.schedule.sequence[1:])]))
    knobs: list[dict[str, object]] = []
    for key, values in draw.sample(pool, min(len(pool), draw.randint(0, 3))):
        may = [value for value in values if _can(parent, key, value)]
        if may:
            knobs.append({"key": key, "values": may})
    return knobs


def _can(parent: Variant, key: str, value: JsonValue) -> bool:
    try:
        revised(parent, {key: value})
    except RuleError:
        return False
    return True


def _hold(draw: random.Random, space: Space) -> dict[str, object]:
    """Some sums of some point, and at times more than that."""
    rules = space.tuning.parent
    for _ in range(20):
        try:
            rules = space.rules(tuple(draw.randrange(size) for size in space.sizes))
            break
        except RuleError:
            continue
    names = [n for n in sums_of(rules) if n in ("game", "declarer") or n.startswith("contracts.")]
    totals = {name: sums_of(rules)[name] for name in draw.sample(names, draw.randint(0, 2))}
    held: dict[str, object] = {"totals": totals, "payouts_fall": draw.random() < 0.5}
    if draw.random() < 0.2:
        held["zero_sum"] = True
        totals.pop("game", None)
    if draw.random() < 0.4:
        held["most_changes"] = draw.randint(1, 3)
    if draw.random() < 0.2:
        held["multiple_of"] = draw.choice([2, 5])
    return held
