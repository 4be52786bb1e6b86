"""``lowest_batch.v1``: plays as ``lowest.v1`` does, asked about thousands of tables at once.

The shortest batched strategy there is, to be copied, and the yardstick for what asking in
batches costs. ``docs/strategies_batched.md`` says what else a batch shows.
"""

from typing import TYPE_CHECKING

from engine_ext import sets
from strategies.registry import register

if TYPE_CHECKING:
    from engine_ext.kernel import Views


@register("lowest_batch.v1")
class LowestBatch:
    """The lowest legal card by rank at every table; takes the first contract."""

    batched = True
    draws = False
    same_as = "lowest.v1"

    def play(self, views: "Views") -> sets.Numbers:
        """Return the lowest legal card of each row, among equal ranks the first suit."""
        return sets.lowest(sets.merged(views.legal, views.rules.copies))

    def lay(self, views: "Views") -> sets.Numbers:
        """Return the lowest card that fits; it never passes."""
        return self.play(views)
