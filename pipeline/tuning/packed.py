"""Stored games as re-scoring needs them: what each seat had in each deal, as a number.

There are few things that a seat can have in a deal: so many of this and that in such a contract,
a place, a share of what nobody doubled. Each gets a number, and what it is worth under some
rules is reckoned once, for all deals in which somebody had it.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.rules.numbers import KIND_LAYOUT, ContractNumbers, VariantNumbers
from engine_ext.rules.resolve import REVOKE_SIGN
from engine_ext.sheet_bets import split
from pipeline.tuning.exact import Affine, NotExact
from pipeline.tuning.results import Played

COUNTED, SHARE, REST, TAKER, OTHERS, TOLD = range(6)
"""Why a seat has its points: what it took; its share, or the declarer's rest, of a contract that
nobody doubled; it or another took all that shooting asks for; a sheet says so."""
REVOKED = 8
"""Added where a revoke was charged to the seat besides."""
SLOTS = 8 * np.arange(8, dtype=np.uint64)


class Had(NamedTuple):
    """The K different things that seats had, in one array each."""

    contract: npt.NDArray[np.int64]
    why: npt.NDArray[np.int64]
    body: npt.NDArray[np.uint64]
    """Items; of ``TOLD`` the points."""

    def worth(
        self, rules: VariantNumbers, images: Mapping[str, Affine] | None = None
    ) -> npt.NDArray[np.int32]:
        """(K,) points under these rules.

        ``images`` by contract: what becomes of points that are told without items; they stay as
        they are unless given. Raises :class:`NotExact` where they would not be whole.
        """
        found = np.zeros(len(self.contract), np.int64)
        for number, contract in enumerate(rules.contracts):
            own = self.contract == number
            if own.any():
                image = None if images is None else images.get(rules.contract_names[number])
                part = Had(*(array[own] for array in self))
                found[own] = _worth(part, rules, contract, image)
        points = found.astype(np.int32)
        assert (points == found).all(), "points of a deal fit into 32 bits in a checked variant"
        return points

    def told(self, rules: VariantNumbers) -> set[str]:
        """Contracts of which some points are told without items."""
        numbers = np.unique(self.contract[self.why == TOLD]).tolist()
        return {rules.contract_names[number] for number in numbers}


class Packed(NamedTuple):
    """Played games ready for the kernel: see ``engine_ext/rescore.pyx``."""

    had: Had
    code: npt.NDArray[np.uint32]
    """(D, S) which of ``had``."""
    n_bets: npt.NDArray[np.uint8]
    """(D,)"""
    bets: npt.NDArray[np.uint16]
    """Pairs with a bet: doubler | doubled << 4 | bets between them << 8."""


def packed(played: Played) -> Packed:
    """What games come down to. Raises ``ValueError`` where it is not said who revoked."""
    why, body = _reasons(played)
    head = (played.contract.astype(np.int64) << 4)[:, None] | why
    code = np.empty(body.shape, np.uint32)
    heads, bodies, first = [], [], 0
    for one in np.unique(head).tolist():
        at = head == one
        values, inverse = np.unique(body[at], return_inverse=True)
        code[at] = first + inverse
        first += len(values)
        heads.append(np.full(len(values), one, np.int64))
        bodies.append(values)
    every = np.concatenate(heads) if heads else np.zeros(0, np.int64)
    said = np.concatenate(bodies) if bodies else np.zeros(0, np.uint64)
    bets = played.bets
    pairs = bets.doubler.astype(np.int64) | bets.doubled.astype(np.int64) << 4
    pairs |= (1 + bets.redoubled.astype(np.int64)) << 8
    n_bets = np.bincount(bets.row, minlength=len(body)).astype(np.uint8)
    return Packed(Had(every >> 4, every & 15, said), code, n_bets, pairs.astype(np.uint16))


def _reasons(played: Played) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """(D, S) why each seat has its points, and what it counted."""
    rules, body = played.rules, played.items
    why = np.where(played.counted, COUNTED, TOLD)[:, None].repeat(rules.seats, axis=1)
    if not played.counted.all():
        body = np.where(played.counted[:, None], body, played.points.astype(np.int64).view("u8"))
    for number, contract in enumerate(rules.contracts):
        if contract.shoot_cards:
            own = np.flatnonzero((played.contract == number) & played.counted)
            took = body[own] >> np.uint64(8 * (contract.n_slots - 1)) & np.uint64(1) != 0
            shot = took.any(axis=1)
            why[own[shot]] = np.where(took[shot], TAKER, OTHERS)
    whole = np.flatnonzero(_is_split(played))
    if len(whole):
        why[whole] = SHARE
        why[whole, played.declarer[whole]] = REST
        body = body.copy()
        body[whole] = 0
    if rules.honour:
        if played.revoked is None:
            raise ValueError("players on their honour: the games do not say who revoked")
        charged = np.flatnonzero((played.revoked >= 0) & played.counted)
        why[charged, played.revoked[charged]] += REVOKED
    return why, body


def _is_split(played: Played) -> npt.NDArray[np.bool_]:
    """(D,) whether the contract was not played since nobody doubled."""
    rules = played.rules
    if not rules.undoubled_split:
        return np.zeros(len(played.contract), np.bool_)
    negative = np.array([contract.tone < 0 for contract in rules.contracts])
    found: npt.NDArray[np.bool_] = negative[played.contract]
    found[played.bets.row] = False
    # Nobody bets in a deal that plays out a tie either, but somebody took something there.
    return found & ~played.items.any(axis=1)


def _worth(
    had: Had, rules: VariantNumbers, contract: ContractNumbers, image: Affine | None
) -> npt.NDArray[np.int64]:
    """Points of what was had in one contract."""
    items = (had.body[:, None] >> SLOTS & np.uint64(255)).astype(np.int64)
    if contract.kind == KIND_LAYOUT:
        payout = np.array((0, *contract.payout), np.int64)
        # What is no place is told otherwise.
        points = payout[np.minimum(items[:, 0], len(payout) - 1)]
    else:
        n = contract.n_slots
        points = items[:, :n] @ np.array(contract.slot_points[:n], np.int64)
    rest, share, *_ = split(contract.total, rules.seats, 0)
    why = had.why & ~REVOKED
    fixed = {SHARE: share, REST: rest, TAKER: contract.shoot_taker, OTHERS: contract.shoot_others}
    for one, value in fixed.items():
        points = np.where(why == one, value, points)
    points = points + np.where(had.why & REVOKED, _price(rules, contract.total), 0)
    return np.where(why == TOLD, _image(had.body.view(np.int64), image, why), points)


def _price(rules: VariantNumbers, total: int) -> int:
    """What a revoke brings its player in a contract of this total; inside points."""
    if rules.revoke_sign == REVOKE_SIGN["worsens"]:
        return -abs(total)
    if rules.revoke_sign == REVOKE_SIGN["literal_minus"]:
        return -rules.objective * abs(total)
    return total


def _image(
    points: npt.NDArray[np.int64], image: Affine | None, why: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """a * points + b of those that are told; others are of no use."""
    if image is None or not (why == TOLD).any():
        return points
    factor, level = image
    under = factor.denominator * level.denominator
    times, plus = int(factor * under), int(level * under)
    told = points[why == TOLD]
    odd = (told * times + plus) % under != 0
    if odd.any():
        raise NotExact(
            [f"{int(told[odd][0])} points, told without items, come to no whole number of points"]
        )
    # Items of others read as points may be of any size: what comes of them is not looked at.
    return np.where(why == TOLD, (points * times + plus) // under, 0)
