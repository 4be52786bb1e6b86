"""A strategy that heeds all that it sees, bets too, and draws nothing."""

import zlib
from typing import Any


class Steady:
    """Answers by a checksum of what a deal by itself shows too; it draws nothing."""

    def __repr__(self) -> str:
        return "steady.v1"

    def _sum(self, view: Any) -> int:
        names: tuple[str, ...] = (
            "hand",
            "legal",
            "trick",
            "played",
            "seat",
            "deal",
            "dealer",
            "leader",
            "declarer",
        )
        names += ("trump", "start_rank", "doubled", "duty_done", "must_double", "may_double")
        own = view.uses_left[view.declarer] if view.declarer is not None else ()
        return zlib.crc32(repr(([getattr(view, name) for name in names], own)).encode())

    def choose(self, view: Any) -> tuple[int, int]:
        found: tuple[int, int] = view.choices[self._sum(view) % len(view.choices)]
        return found

    def double(self, view: Any) -> int:
        return int(view.must_double | view.may_double & self._sum(view))

    def redouble(self, view: Any) -> int:
        return int(view.may_redouble & self._sum(view))

    def play(self, view: Any) -> int:
        return int(view.cards[self._sum(view) % len(view.cards)])

    def lay(self, view: Any) -> int | None:
        choice = self._sum(view) % (len(view.cards) + view.may_pass)
        return None if choice == len(view.cards) else int(view.cards[choice])
