"""A knob with all that it may be, and the numbers of points that it sets."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import JsonValue

from engine_ext.rules.revise import inside
from engine_ext.rules.spec import LayoutContract, Variant

POINTS = re.compile(
    r"contracts\.\w+\.(terms\[\d+\]\.points|payout\[\d+\]|shooting\.(taker|others))"
    r"|doubling\.duty_penalty"
)
"""Keys that hold a number of points."""
PAYOUT = re.compile(r"contracts\.\w+\.payout")
FREE = re.compile(
    r"(doubling|ties|legality|direction)\b.*|schedule\.(dealership|dealer|leader|holds|timing)"
    r"|contracts\.\w+\.(?!terms|include|payout|shooting|kind).+"
)
"""Keys that move no total."""
UNIT = 10_000
"""How far it is from one end of a knob's range to the other."""


class Span(NamedTuple):
    """What a knob may be."""

    keys: tuple[str, ...]
    title: str
    settings: tuple[JsonValue, ...]
    """Numbers ascending; else in the file's order, the parent's first where it is not there."""
    parent: int
    """Which of them the parent has."""
    positions: tuple[float, ...] | None
    """Of numbers, where each lies; None where settings are no numbers."""

    @property
    def prices(self) -> bool:
        """Whether it is a number of points."""
        return self.positions is not None and all(map(POINTS.fullmatch, self.keys))

    @property
    def linear(self) -> bool:
        """Whether totals are sums over such knobs, whatever each is set to."""
        return all(
            POINTS.fullmatch(key) or PAYOUT.fullmatch(key) or FREE.fullmatch(key)
            for key in self.keys
        )

    def changes(self, setting: int) -> dict[str, JsonValue]:
        """Each key with its value; nothing at the parent's setting."""
        if setting == self.parent:
            return {}
        return dict(zip(self.keys, each_of(self.settings[setting], len(self.keys)), strict=True))

    def points(self, setting: int) -> dict[str, int]:
        """What it says of single numbers of points, whole payouts place by place."""
        values = each_of(self.settings[setting], len(self.keys))
        found: dict[str, int] = {}
        for key, value in zip(self.keys, values, strict=True):
            if POINTS.fullmatch(key):
                assert isinstance(value, int)
                found[key] = value
            elif PAYOUT.fullmatch(key):
                assert isinstance(value, list)
                found |= {f"{key}[{i}]": v for i, v in enumerate(value) if isinstance(v, int)}
        return found

    def apart(self, one: int, other: int) -> int:
        """How far two settings are apart: ``UNIT`` for the whole range, or for other words."""
        if self.positions is None:
            return UNIT * (one != other)
        width = max(self.positions) - min(self.positions)
        far = abs(self.positions[one] - self.positions[other])
        return max(int(one != other), round(UNIT * far / width)) if width else int(one != other)


def each_of(value: JsonValue, keys: int) -> list[JsonValue]:
    """The value of each of so many keys."""
    return value if keys > 1 and isinstance(value, list) else [value] * keys


def points_of(rules: Variant) -> dict[str, int]:
    """Every number of points that rules write down, by key."""
    found: dict[str, int] = {}
    for name, contract in rules.contracts.items():
        key = f"contracts.{name}"
        if isinstance(contract, LayoutContract):
            found |= {f"{key}.payout[{i}]": p for i, p in enumerate(contract.payout)}
            continue
        found |= {f"{key}.terms[{i}].points": t.points for i, t in enumerate(contract.terms)}
        if contract.shooting:
            found[f"{key}.shooting.taker"] = contract.shooting.taker
            found[f"{key}.shooting.others"] = contract.shooting.others
    if rules.doubling:
        found["doubling.duty_penalty"] = rules.doubling.duty_penalty
    return found


def overlap(knobs: Sequence[tuple[str, ...]]) -> tuple[int, str, int, str] | None:
    """Two knobs by their keys (or one twice) of which one sets what lies in the other: number and
    key of the later and of the earlier; None where there are none."""
    seen: list[tuple[int, str]] = []
    for number, keys in enumerate(knobs):
        for key in keys:
            for other, before in seen:
                if inside(key, before) or inside(before, key):
                    return number, key, other, before
            seen.append((number, key))
    return None
