"""Where the numbers of a block stand, and what is summed of them: the plan of a ``Tally``.

A block is one row of integers. Its numbers (games, points, doubles made, ...) stand in it one
after the other, each as an array over its axes, and behind them the same numbers summed over
axes. Sums over blocks are wanted of some of these (powers: how many blocks are not 0, sum, sum
of squares) and of products of two.
"""

from math import prod

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Keep = tuple[int, ...]
"""Axes of a number that are not summed over, ascending."""

OF_ALL, OF_MEMBERS, OF_ENTRANTS = range(3)
"""Whose cells a number has, one behind the other, as tally_sums.pxd has it."""


class Layout:
    """Collects numbers and what is wanted of them."""

    def __init__(self) -> None:
        self.size = 0
        """Integers of a block."""
        self.n_powers = self.n_products = 0
        self._shape: list[tuple[int, ...]] = []
        self._owners: list[int] = []
        self._places: dict[tuple[int, Keep], int] = {}
        self._powers: dict[tuple[int, Keep], int] = {}
        self._products: dict[tuple[int, int, Keep], int] = {}
        self._rows: dict[str, list[tuple[int, ...]]] = {
            name: [] for name in ("numbers", "steps", "powers", "products")
        }

    def rows(self, name: str) -> Ints:
        """``numbers``, ``steps``, ``powers`` or ``products``, a row for each."""
        width = {"numbers": 3, "steps": 7, "powers": 4, "products": 5}[name]
        return np.array(self._rows[name], np.int64).reshape(-1, width)

    def number(self, shape: tuple[int, ...], owners: int) -> int:
        """A further number over axes of these lengths, the first its ``owners``."""
        self._shape.append(shape)
        self._owners.append(owners)
        number, every = len(self._shape) - 1, tuple(range(len(shape)))
        self._rows["numbers"].append((owners, self.size, self._width(number, every)[1]))
        self._place(number, every)
        return number

    def at(self, number: int, keep: Keep | None = None) -> slice:
        """Where a number stands in a block, summed over all axes but ``keep``."""
        if keep is None:
            keep = tuple(range(len(self._shape[number])))
        if (number, keep) not in self._places:
            self._sum_over(number, keep)
        first = self._places[number, keep]
        return slice(first, first + self._cells(number, keep))

    def power(self, number: int, keep: Keep) -> slice:
        """Where count, sum and sum of squares over blocks stand, cell by cell."""
        cells = self._cells(number, keep)
        if (number, keep) not in self._powers:
            first = self._powers[number, keep] = self.n_powers
            owners, width = self._width(number, keep)
            self._rows["powers"].append((owners, self.at(number, keep).start, width, first))
            self.n_powers += cells
        first = self._powers[number, keep]
        return slice(first, first + cells)

    def product(self, n: int, x: int, keep: Keep) -> slice:
        """Where the sum over blocks of the product of two numbers stands, cell by cell."""
        cells = self._cells(n, keep)
        if (n, x, keep) not in self._products:
            first = self._products[n, x, keep] = self.n_products
            owners, width = self._width(n, keep)
            factors = self.at(n, keep).start, self.at(x, keep).start
            self._rows["products"].append((owners, *factors, width, first))
            self.n_products += cells
        first = self._products[n, x, keep]
        return slice(first, first + cells)

    def _cells(self, number: int, keep: Keep) -> int:
        return prod(self._shape[number][axis] for axis in keep)

    def _width(self, number: int, keep: Keep) -> tuple[int, int]:
        """Whose cells these are, and how many each has."""
        owners = self._owners[number] if 0 in keep else OF_ALL
        inner = keep[1:] if owners != OF_ALL else keep
        return owners, self._cells(number, inner)

    def _place(self, number: int, keep: Keep) -> int:
        first = self._places[number, keep] = self.size
        self.size += self._cells(number, keep)
        return first

    def _sum_over(self, number: int, keep: Keep) -> None:
        """Sum over one axis after the other, from the fewest cells that have all to keep."""
        there = [k for n, k in self._places if n == number and set(keep) < set(k)]
        source = min(there, key=lambda k: self._cells(number, k))
        while source != keep:
            gone = next(axis for axis in source if axis not in keep)
            target = tuple(axis for axis in source if axis != gone)
            first = self._places[number, source]
            owners, width = self._width(number, target)
            if gone == 0 and self._owners[number] != OF_ALL:
                over, within = self._owners[number], (1, 1, width)
            else:
                inside = [axis for axis in source if axis != 0 or owners == OF_ALL]
                at = inside.index(gone)
                before, behind = inside[:at], inside[at + 1 :]
                over, within = (
                    OF_ALL,
                    (
                        self._cells(number, tuple(before)),
                        self._shape[number][gone],
                        self._cells(number, tuple(behind)),
                    ),
                )
            self._rows["steps"].append((owners, over, first, self._place(number, target), *within))
            source = target
