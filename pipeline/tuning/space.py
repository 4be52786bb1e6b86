"""All that knobs can be set to: points, the rules at them, the nearest at which all holds."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import islice
from math import inf, prod

from pydantic import JsonValue

from engine_ext.errors import RuleError
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import Variant
from pipeline.tuning.file import Tuning, TuningError
from pipeline.tuning.hold import broken_sum, layouts_touched, rising_payout
from pipeline.tuning.knobs import Span, overlap
from pipeline.tuning.points import Point
from pipeline.tuning.program import Shape, program_of
from pipeline.tuning.settings import span_of

OPTION = 1000
"""How much more an option weighs than a number of points: more than all knobs together."""
MOST_SHAPES = 1000
"""Combinations of options that are tried before there is said to be none."""
MOST_TRIES = 200
"""Points of one combination that hold by their sums and yet make no rules."""


class Space:
    """The knobs of a tuning.

    Raises ``TuningError`` where they do not fit the parent's rules.
    """

    def __init__(self, tuning: Tuning) -> None:
        self.tuning = tuning
        self.spans = tuple(self._spans())
        self.n_knobs = len(self.spans)
        self.sizes = tuple(len(span.settings) for span in self.spans)
        self.n_points = prod(self.sizes)
        self.most_changes = tuning.file.hold.most_changes
        self.parent: Point = tuple(span.parent for span in self.spans)
        self.linear = tuple(k for k, span in enumerate(self.spans) if span.linear)
        """Knobs that an integer program sets; the others are settled before."""
        self.shapers = tuple(k for k, span in enumerate(self.spans) if not span.linear)
        self._check_overlap()
        keys = [key for span in self.spans for key in span.keys]
        self.layouts = layouts_touched(keys) if tuning.file.hold.payouts_fall else ()
        self._rules = lru_cache(maxsize=4096)(self._built)
        self._shape = lru_cache(maxsize=64)(lambda point: Shape(self, point))

    def _spans(self) -> Iterator[Span]:
        tuning = self.tuning
        for i, knob in enumerate(tuning.file.knobs):
            try:
                yield span_of(knob, tuning.parent, tuning.file.hold)
            except TuningError as error:
                raise TuningError(f"{tuning.where}: knobs[{i}].{error}") from error

    def _check_overlap(self) -> None:
        found = overlap([span.keys for span in self.spans])
        if found:
            number, key, other, before = found
            where = f"{self.tuning.where}: knobs[{number}].key"
            if number == other:
                raise TuningError(f"{where}: {key} stands twice ({before})")
            raise TuningError(f"{where}: {key} is set by knobs[{other}] already ({before})")

    def settings(self, knob: int) -> tuple[JsonValue, ...]:
        """What a knob may be: numbers ascending, others in the file's order."""
        return self.spans[knob].settings

    def title(self, knob: int) -> str:
        """What a knob is called."""
        return self.spans[knob].title

    def keys(self, knob: int) -> tuple[str, ...]:
        """The keys that a knob sets."""
        return self.spans[knob].keys

    def values(self, point: Point) -> tuple[JsonValue, ...]:
        """The setting of each knob, in the document's sign."""
        return tuple(span.settings[i] for span, i in zip(self.spans, point, strict=True))

    def changes(self, point: Point) -> int:
        """How many knobs differ from the parent."""
        return sum(i != own for i, own in zip(point, self.parent, strict=True))

    def rules(self, point: Point) -> Variant:
        """The rules at a point; the parent itself where nothing differs.

        Raises ``RuleError`` where settings do not go together.
        """
        found = self._rules(point)
        if isinstance(found, str):
            raise RuleError(found)
        return found

    def _built(self, point: Point) -> Variant | str:
        changes: dict[str, JsonValue] = {}
        for span, i in zip(self.spans, point, strict=True):
            changes |= span.changes(i)
        parent, file = self.tuning.parent, self.tuning.file
        if not changes:
            return parent
        try:
            rules = revised(parent, changes)
        except RuleError as error:
            return str(error)
        title = file.variant_title or f"{parent.title}, tuned"
        return rules.model_copy(update={"title": title})

    def why_not(self, point: Point) -> str | None:
        """What does not hold at a point, in a sentence; None where all does."""
        rules = self._rules(point)
        if isinstance(rules, str):
            return rules
        hold, moved = self.tuning.file.hold, self.changes(point)
        if hold.most_changes is not None and moved > hold.most_changes:
            return f"{moved} knobs differ from the parent, at most {hold.most_changes} may"
        return broken_sum(hold, rules) or rising_payout(rules, self.layouts)

    def fulfils(self, point: Point) -> bool:
        """Whether a point's rules can be played and all holds that must."""
        return self.why_not(point) is None

    def distance(self, one: Point, other: Point) -> int:
        """How far two points are apart.

        10,000 for a number of points moved over its whole range, a thousand times as much for
        other words of an option: so options stay as they are wherever points can mend it.
        """
        return sum(self.cost(k, i, j) for k, (i, j) in enumerate(zip(one, other, strict=True)))

    def cost(self, knob: int, one: int, other: int) -> int:
        """What a knob adds to a distance."""
        span = self.spans[knob]
        return span.apart(one, other) * (1 if span.prices else OPTION)

    def nearest(self, point: Point, frozen: frozenset[int] = frozenset()) -> Point | None:
        """The nearest point at which all holds, with frozen knobs as the parent has them.

        The same for the same question, always. None where none is found among the thousand
        nearest combinations of options that change totals.
        """
        start = tuple(
            own if k in frozen else i
            for k, (i, own) in enumerate(zip(point, self.parent, strict=True))
        )
        if self.fulfils(start):
            return start
        best: Point | None = None
        nearest: float = inf
        for far, shape in islice(self._shapes(start, frozen), MOST_SHAPES):
            if far >= nearest:
                break
            found = self._within(start, shape, frozen)
            if found is not None and self.distance(start, found) < nearest:
                best, nearest = found, self.distance(start, found)
        return best

    def _shapes(self, start: Point, frozen: frozenset[int]) -> Iterator[tuple[int, Point]]:
        """Settings of the knobs that change what totals are made of, the nearest first; with
        how far each is. Knobs that the program sets are as at the parent."""
        most = self.tuning.file.hold.most_changes
        ways = [self._by_cost(k, start[k], k in frozen) for k in self.shapers]
        base = list(self.parent)
        queue: list[tuple[int, tuple[int, ...], int]] = [(0, (0,) * len(ways), 0)]
        while queue:
            far, ranks, last = heappop(queue)
            for k, way, rank in zip(self.shapers, ways, ranks, strict=True):
                base[k] = way[rank][1]
            if most is None or self.changes(tuple(base)) <= most:
                yield far, tuple(base)
            # Each combination has one way here: ranks grow from the left to the right.
            for at in range(last, len(ways)):
                if ranks[at] + 1 < len(ways[at]):
                    more = ways[at][ranks[at] + 1][0] - ways[at][ranks[at]][0]
                    grown = (*ranks[:at], ranks[at] + 1, *ranks[at + 1 :])
                    heappush(queue, (far + more, grown, at))

    def _by_cost(self, knob: int, start: int, frozen: bool) -> list[tuple[int, int]]:
        """Settings of a knob with their costs, cheapest first."""
        settings = [start] if frozen else range(self.sizes[knob])
        return sorted((self.cost(knob, start, i), i) for i in settings)

    def _within(self, start: Point, shape: Point, frozen: frozenset[int]) -> Point | None:
        """The nearest point at which all holds with these options, or None."""
        program = program_of(self, self._shape(shape))
        if program is None:
            return None
        costs = [self._costs(k, start[k], k in frozen) for k in self.linear]
        for _ in range(MOST_TRIES):
            taken = program.best(costs)
            if taken is None:
                return None
            found = list(shape)
            for k, setting in zip(self.linear, taken, strict=True):
                found[k] = setting
            point = tuple(found)
            if self.fulfils(point):
                return point
            blame = self._blame(point)
            if not blame:
                return None
            program.forbid({self.linear.index(k): point[k] for k in blame})
        return None

    def _costs(self, knob: int, start: int, frozen: bool) -> list[float]:
        """Costs of settings, with a part below 1 that makes a choice between equals: the parent's
        first, and the others in an order that is no pattern of theirs."""
        own = self.parent[knob]
        costs = []
        for i in range(self.sizes[knob]):
            spread = (knob * 1009 + i + 1) * 0.6180339887498949 % 1
            tie = 0.0 if i == own else (1 + spread) / (2 * len(self.linear) + 1)
            barred = frozen and i != own
            costs.append(inf if barred else self.cost(knob, start, i) + tie)
        return costs

    def _blame(self, point: Point) -> list[int]:
        """Knobs of the program whose settings do not go together; empty: it is the options.

        A knob is out of it where nothing else that it may be would mend the rules.
        """
        blame = []
        for k in self.linear:
            others = _some(range(self.sizes[k]), self.parent[k], point[k], self.spans[k].prices)
            tried = ((*point[:k], i, *point[k + 1 :]) for i in others)
            if any(not isinstance(self._rules(other), str) for other in tried):
                blame.append(k)
        return blame or ([*self.linear] if not isinstance(self._rules(point), str) else [])


def _some(settings: Sequence[int], own: int, here: int, prices: bool) -> list[int]:
    """Other settings to try: all words, of numbers those that tell."""
    if not prices:
        return [i for i in settings if i != here]
    near = {own, settings[0], settings[-1], here - 1, here + 1}
    return sorted(i for i in near & set(settings) if i != here)
