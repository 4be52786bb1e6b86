"""Perfect information: what a camp makes sure of when all hands lie open.

A question fixes the contract, whose points count and who pulls which way; a
:class:`Solver` then answers it for any number of endings. Two camps only, so every value
is that of best play by both and does not depend on how ties are broken: a seat against
the coalition of the others, or a partnership against another. Points are inside points
(more is better, whatever the document calls winning), and only those still to come.

Good for bounds of luck and regret, for the last tricks, and as an oracle in tests. It is
not how good players play: they do not see the other hands.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from engine_ext.batch import Rules
from engine_ext.build import load
from engine_ext.rules.resolve import KIND_TRICK

if TYPE_CHECKING:
    import engine_ext.solver as _solver
else:
    _solver = load("engine_ext.solver")

__all__ = ["MOST_SEATS", "MOST_TRICKS", "Solver"]

MOST_SEATS = 4
"""Larger tables are not solved."""
MOST_TRICKS = 13
"""Cards in each hand that an ending may have."""
TABLE_BITS = 12
"""2^12 endings are remembered unless more is asked for: 128 KB, fit for five cards a hand."""


class Solver:
    """One question about a trick contract, asked of any number of endings.

    Parameters
    ----------
    rules : Rules
        The variant: 2 to 4 seats, one pack.
    contract : int
        Number of a trick contract in the variant.
    trump : int, optional
        The suit, where the contract has trumps.
    seats : collection of int
        Those whose points count, added up; a partnership has two.
    aim : "most" or "fewest"
        What they want of these points. The others want the contrary.
    helped_by : collection of int, optional
        Seats that play for the aim where these are not the seats that count. With all
        seats the value is the best of all lines of play, with none the worst.
    table_bits : int
        The solver remembers up to 2^table_bits endings, 32 bytes each. Up to five cards a
        hand the default is right; 2 more for each further card, 20 for nine.

    Raises ``ValueError`` where the question makes no sense.

    A solver may be used by one thread at a time; the batch call releases the GIL.
    """

    def __init__(
        self,
        rules: Rules,
        contract: int,
        *,
        trump: int | None = None,
        seats: Collection[int],
        aim: Literal["most", "fewest"] = "most",
        helped_by: Collection[int] | None = None,
        table_bits: int = TABLE_BITS,
    ) -> None:
        numbers = rules.numbers
        if numbers.seats > MOST_SEATS:
            raise ValueError(f"{numbers.seats} seats: a table of at most {MOST_SEATS} is solved")
        if numbers.copies > 1:
            raise ValueError("two packs: a table with one is solved")
        if not 0 <= contract < numbers.n_contracts:
            raise ValueError(f"contract {contract}: want 0..{numbers.n_contracts - 1}")
        terms = numbers.contracts[contract]
        if terms.kind != KIND_TRICK:
            raise ValueError(f"contract {contract} is a layout: only tricks are solved")
        if not terms.plain:
            raise ValueError(
                f"contract {contract}: its duties or lead ban are not solved (only lead bans for "
                "good, cards forced out when void, and ruffing that is free or must be)"
            )
        if terms.shoot_cards:
            raise ValueError(
                f"contract {contract}: whoever takes all changes the points of all, "
                "which is not solved"
            )
        if (trump is not None) != (terms.trump_mode != 0):
            raise ValueError(f"contract {contract}: a trump suit belongs to a contract with trumps")
        if trump is not None and not 0 <= trump < numbers.n_suits:
            raise ValueError(f"trump {trump}: want a suit 0..{numbers.n_suits - 1}")
        if aim not in ("most", "fewest"):
            raise ValueError(f'aim {aim!r}: want "most" or "fewest"')
        if not 1 <= table_bits <= 28:
            raise ValueError(f"table_bits {table_bits}: want 1..28")
        self.rules = rules
        self.contract = contract
        self.trump = trump
        self._solver = _solver.Solver(
            numbers,
            contract,
            0 if trump is None else numbers.suit[trump],
            _seat_set(seats, numbers.seats),
            _seat_set(seats if helped_by is None else helped_by, numbers.seats),
            1 if aim == "most" else -1,
            table_bits,
        )

    @property
    def n_nodes(self) -> int:
        """Positions looked at so far: the work done, whatever the machine."""
        return self._solver.n_nodes

    def value(self, hands: Sequence[int], leader: int, trick: Sequence[int] = ()) -> int:
        """Return the inside points still to come for the seats that count.

        ``hands`` are the cards held by seat (card sets). ``trick`` are the cards (numbers)
        that lie on the table, the leader's first; they are in no hand any more.
        Raises ``ValueError`` for hands that cannot be.
        """
        self._check(hands, leader, trick)
        return self._solver.value(tuple(hands), leader, tuple(trick))

    def by_card(
        self, hands: Sequence[int], leader: int, trick: Sequence[int] = ()
    ) -> dict[int, int]:
        """Return the value after each legal card of the seat to play: {card number: points}.

        Arguments and errors as in :meth:`value`.
        """
        self._check(hands, leader, trick)
        return self._solver.by_card(tuple(hands), leader, tuple(trick))

    def values(
        self, hands: npt.NDArray[np.uint64], leaders: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int32]:
        """Return the values (N,) of endings that stand at the start of a trick.

        ``hands`` (N, S) are card sets, ``leaders`` (N,) the seats on lead. What is found of
        one ending helps with the next, so endings of a kind are best asked together.
        Raises ``ValueError`` for hands that cannot be.
        """
        numbers = self.rules.numbers
        hands = np.ascontiguousarray(hands, np.uint64)
        leaders = np.ascontiguousarray(leaders, np.uint8)
        if hands.shape != (len(leaders), numbers.seats):
            raise ValueError(
                f"hands {hands.shape}, leaders {leaders.shape}: want (N, {numbers.seats}) and (N,)"
            )
        sizes = np.bitwise_count(hands)
        whole = np.bitwise_or.reduce(hands, axis=1)
        wrong = (
            (sizes != sizes[:, :1]).any(axis=1)
            | (sizes[:, 0] == 0)
            | (sizes[:, 0] > min(MOST_TRICKS, numbers.hand_size))
            | (np.bitwise_count(whole) != sizes.sum(axis=1))
            | (whole & ~np.uint64(numbers.deck) != 0)
            | (leaders >= numbers.seats)
        )
        if wrong.any():
            row = int(np.argmax(wrong))
            self._check([int(hand) for hand in hands[row]], int(leaders[row]), ())
        out = np.zeros(len(leaders), np.int32)
        self._solver.values(hands, leaders, out)
        return out

    def _check(self, hands: Sequence[int], leader: int, trick: Sequence[int]) -> None:
        """Raise ``ValueError`` unless these hands, trick and leader can be."""
        numbers = self.rules.numbers
        n = numbers.seats
        if len(hands) != n or not 0 <= leader < n or len(trick) >= n:
            raise ValueError(
                f"{len(hands)} hands, leader {leader}, {len(trick)} cards lying: "
                f"want {n} hands, a leader among them and less than a whole trick"
            )
        played = {(leader + k) % n for k in range(len(trick))}
        sizes = {hand.bit_count() + (seat in played) for seat, hand in enumerate(hands)}
        if len(sizes) != 1 or not 1 <= max(sizes) <= min(MOST_TRICKS, numbers.hand_size):
            raise ValueError(
                f"hands of {[hand.bit_count() for hand in hands]} cards and {len(trick)} lying: "
                f"want as many for each, 1 to {min(MOST_TRICKS, numbers.hand_size)}"
            )
        whole, n_cards = sum(1 << card for card in trick), len(trick)
        for hand in hands:
            whole |= hand
            n_cards += hand.bit_count()
        if whole.bit_count() != n_cards or whole & ~numbers.deck:
            raise ValueError("a card is held twice or is no card of the pack")


def _seat_set(seats: Collection[int], n: int) -> int:
    mask = 0
    for seat in seats:
        if not 0 <= seat < n:
            raise ValueError(f"seat {seat}: want 0..{n - 1}")
        mask |= 1 << seat
    return mask
