"""``lowest.v1``: the lowest legal card by rank, whatever is played for.

The shortest strategy there is, and the yardstick for what a call into Python costs.
"""

from typing import TYPE_CHECKING

from strategies.registry import register

if TYPE_CHECKING:
    from engine_ext.pypolicy import View


@register("lowest.v1")
class Lowest:
    """Plays and lays the lowest legal card by rank; takes the first contract."""

    draws = False

    def play(self, view: "View") -> int:
        """Return the lowest legal card, among equal ranks the first suit."""
        return view.lowest()

    def lay(self, view: "View") -> int | None:
        """Return the lowest card that fits; it never passes."""
        return view.lowest()
