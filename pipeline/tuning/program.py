"""What has to hold of a tuning's numbers, as rows of an integer program."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from engine_ext.errors import RuleError
from engine_ext.rules.facts import sign
from engine_ext.rules.revise import setting_at, unchecked
from engine_ext.rules.spec import LayoutContract, TrickContract, Variant
from pipeline.tuning.hold import sums_of, wanted_sums
from pipeline.tuning.nearest import Program, Row

if TYPE_CHECKING:
    from pipeline.tuning.points import Point
    from pipeline.tuning.space import Space

Weights = tuple[tuple[Fraction, ...], ...]


class Shape:
    """Rules with the options that change what totals are made of settled, and the slope of each
    sum in each number of points."""

    def __init__(self, space: "Space", point: "Point") -> None:
        self.point = point
        self.changes = {
            key: value
            for span, i in zip(space.spans, point, strict=True)
            for key, value in span.changes(i).items()
        }
        self.parent = space.tuning.parent
        self.rules: Variant | None
        try:
            self.rules = space.rules(point)
        except RuleError:
            self.rules = None
            return
        self.sums = sums_of(self.rules)
        keys = {key for k in space.linear for key in space.spans[k].points(space.parent[k])}
        self.points = {key: self._points(key) for key in sorted(keys)}
        self.slopes = {key: self._slopes(key) for key in self.points}

    def _points(self, key: str) -> int:
        assert self.rules is not None
        points = setting_at(self.rules, key)
        assert isinstance(points, int)
        return points

    def _slopes(self, key: str) -> dict[str, Fraction]:
        """How much each sum grows with a point more at a key, read off rules that have more."""
        if key.startswith("doubling."):
            return {}  # what is paid for doubles that lack is in no total
        points = self.points[key]
        assert self.rules is not None
        step = _divisor(self.rules) * (1 if points <= 0 else -1)
        other = sums_of(unchecked(self.parent, self.changes | {key: points + step}))
        slopes = {name: Fraction(other[name] - at, step) for name, at in self.sums.items()}
        return {name: slope for name, slope in slopes.items() if slope}


def _divisor(rules: Variant) -> int:
    """A number of points that every inclusion leaves whole, however deep."""
    contracts = rules.contracts

    def of(name: str) -> int:
        contract = contracts[name]
        parts = contract.include if isinstance(contract, TrickContract) else ()
        return lcm(*(Fraction(part.times).denominator * of(part.contract) for part in parts))

    return lcm(*map(of, contracts))


def program_of(space: "Space", shape: Shape) -> Program | None:
    """Return the program of a shape's knobs, or None where its rules cannot be."""
    if shape.rules is None:
        return None
    rows = [*_sums(space, shape), *_falls(space, shape), *_most(space, shape)]
    return Program([space.sizes[k] for k in space.linear], rows)


def _sums(space: "Space", shape: Shape) -> Iterator[Row]:
    for name, want in wanted_sums(space.tuning.file.hold, shape.sums).items():
        if name not in shape.sums:
            yield _never(space)
            continue
        slopes = {key: slopes.get(name, Fraction(0)) for key, slopes in shape.slopes.items()}
        left = Fraction(want - shape.sums[name])
        yield Row(_weights(space, shape, slopes), left, left)


def _falls(space: "Space", shape: Shape) -> Iterator[Row]:
    assert shape.rules is not None
    turn = sign(shape.rules)
    for name in space.layouts:
        contract = shape.rules.contracts.get(name)
        if not isinstance(contract, LayoutContract):
            continue
        keys = [f"contracts.{name}.payout[{i}]" for i in range(len(contract.payout))]
        worth = [turn * points for points in contract.payout]
        for i in range(len(keys) - 1):
            slopes = {keys[i]: Fraction(turn), keys[i + 1]: Fraction(-turn)}
            yield Row(_weights(space, shape, slopes), Fraction(worth[i + 1] - worth[i]), None)


def _most(space: "Space", shape: Shape) -> Iterator[Row]:
    most = space.tuning.file.hold.most_changes
    if most is None:
        return
    weights = tuple(
        tuple(Fraction(i != space.parent[k]) for i in range(space.sizes[k])) for k in space.linear
    )
    yield Row(weights, None, Fraction(most - space.changes(shape.point)))


def _never(space: "Space") -> Row:
    weights = tuple((Fraction(0),) * space.sizes[k] for k in space.linear)
    return Row(weights, Fraction(1), None)


def _weights(space: "Space", shape: Shape, slopes: Mapping[str, Fraction]) -> Weights:
    """What each setting of each knob adds, against the shape's own points."""

    def added(k: int, setting: int) -> Fraction:
        points = space.spans[k].points(setting)
        return sum(
            (slopes.get(key, Fraction(0)) * (p - shape.points[key]) for key, p in points.items()),
            Fraction(0),
        )

    return tuple(tuple(added(k, i) for i in range(space.sizes[k])) for k in space.linear)
