"""A batched strategy that takes its batch apart and asks a one-call strategy row by row.

So any strategy can be played both ways; the rows are to show and draw what single views do.
"""

from typing import Any

import numpy as np

from strategies.decisions import QUESTIONS

NONE = 255


class RowDraws:
    """One row's random numbers, drawn through the batch's calls."""

    def __init__(self, views: Any, row: int) -> None:
        self._draws = views.random
        self._row = row
        self._where = np.arange(len(views)) == row

    def u64(self) -> int:
        return int(self._draws.u64(self._where)[self._row])

    def below(self, n: int) -> int:
        return int(self._draws.below(n, self._where)[self._row])

    def random(self) -> float:
        return float(self._draws.random(self._where)[self._row])


def _none(value: int) -> int | None:
    return None if value == NONE else value


class Row:
    """A row of ``Views`` with the face of a ``View``."""

    def __init__(self, views: Any, row: int) -> None:
        self._views = views
        self._row = row
        self.rules = views.rules
        self.random = RowDraws(views, row)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._views, name)[self._row].tolist()

    @property
    def contract(self) -> Any:
        number = self._views.contract[self._row]
        return None if number == NONE else self.rules.contracts[number]

    @property
    def declarer(self) -> int | None:
        return _none(int(self._views.declarer[self._row]))

    @property
    def trump(self) -> int | None:
        return _none(int(self._views.trump[self._row]))

    @property
    def start_rank(self) -> int | None:
        return _none(int(self._views.start_rank[self._row]))

    @property
    def may_pass(self) -> bool:
        return bool(self._views.may_pass[self._row])

    @property
    def cards(self) -> list[int]:
        return [card for card in range(64) if self.legal >> card & 1]

    @property
    def choices(self) -> list[tuple[int, int]]:
        named = int(self._views.choices[self._row])
        return [
            (c, p)
            for c, contract in enumerate(self.rules.contracts)
            if named >> c & 1
            for p in range(32)
            if contract.params >> p & 1
        ]

    @property
    def moves(self) -> list[tuple[int, int]]:
        both = zip(self._views.movers[self._row], self._views.moves[self._row], strict=True)
        return [(int(seat), int(move)) for seat, move in both if move != 254]

    def lowest(self) -> int:
        return min(self.cards, key=lambda card: (card & 15, card))

    def highest(self) -> int:
        return min(self.cards, key=lambda card: (-(card & 15), card))


def _number(answer: Any) -> int:
    """An answer to a single view as one of a batch."""
    if answer is None:
        return NONE
    return int(answer[0] << 8 | answer[1] if isinstance(answer, tuple) else answer)


class Rowwise:
    """``strategy``, asked in batches."""

    batched = True

    def __init__(self, strategy: Any) -> None:
        self._strategy = strategy
        self.sizes: list[int] = []
        """Rows of each batch."""

    def __repr__(self) -> str:
        return repr(self._strategy)

    def __getattr__(self, question: str) -> Any:
        if question not in QUESTIONS:
            raise AttributeError(question)
        ask = getattr(self._strategy, question)

        def answer(views: Any) -> Any:
            self.sizes.append(len(views))
            return np.array([_number(ask(Row(views, row))) for row in range(len(views))])

        return answer
