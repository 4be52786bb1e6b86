"""A strategy whose answers are now and then those of another, for tests of how sharp a design is."""

from typing import Any


class Careless:
    """The lowest legal card; once in ``every`` cards any legal one."""

    every = 50

    def __repr__(self) -> str:
        return f"careless.v1(every={self.every})"

    def play(self, view: Any) -> int:
        if view.random.below(self.every) == 0:
            return int(view.cards[view.random.below(len(view.cards))])
        return int(view.lowest())

    def lay(self, view: Any) -> int:
        return self.play(view)


class Reckless(Careless):
    """The same, once in ten cards."""

    every = 10
