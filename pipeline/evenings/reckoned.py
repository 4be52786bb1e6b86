"""Games of people held against the rules, and turned into the arrays that played games come in."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine_ext.batch import DealRecords, GameRecords
from engine_ext.rules.facts import contract_total
from engine_ext.rules.resolve import (
    KIND_LAYOUT,
    SLOT_CARDS,
    SLOT_SHOT,
    ContractNumbers,
    VariantNumbers,
    resolve,
)
from engine_ext.rules.spec import Variant
from engine_ext.rules.totals import totals
from engine_ext.sheet import Reckoned, Reckoning
from engine_ext.sheet_items import items_of
from engine_ext.sheet_results import Results
from engine_ext.sheet_text import DealLine, Sheet, row_text
from pipeline.evenings.told import SheetError, Told, final_totals
from pipeline.untold import UNTOLD

Row = tuple[int, ...]


class Game(NamedTuple):
    """A whole game that adds up."""

    evening: str | None
    players: tuple[str, ...]
    deals: tuple[Reckoned, ...]
    """Empty where the totals alone are known."""
    scores: Row
    """In the document's sign."""
    first: frozenset[int]
    """Seats that are first."""


def check_variant(name: str, variant: Variant) -> None:
    """Refuse rules of which a sheet cannot tell who led; ``SheetError`` says so."""
    numbers = resolve(variant)
    if numbers.leader_card and not numbers.has_choice:
        raise SheetError(
            f"{name}: whoever holds a certain card leads, and nobody declares: a sheet does not "
            "tell the roles (want rules with a leader by the schedule, or a declarer)"
        )


def game_of(told: Told, name: str, variant: Variant) -> Game:
    """Reckon a game; ``RecordError`` for the first line that is wrong, or one that lacks."""
    scores = final_totals(told, variant)
    if scores is not None:
        numbers = resolve(variant)
        _check_sum(told, variant, numbers, scores)
        best = max(numbers.objective * score for score in scores)
        won = (s for s, score in enumerate(scores) if numbers.objective * score == best)
        return Game(told.evening, told.players, (), scores, frozenset(won))
    sheet = Sheet(told.head.file, name, variant, told.players, told.lines)
    reckoning = Reckoning(sheet, points_alone=True)
    deals = []
    for line in told.lines:
        if isinstance(line, DealLine):
            deals.append(reckoning.reckon(line))
        else:
            reckoning.ending(line)
    if not reckoning.is_over:
        last = told.lines[-1]
        at = last.head if isinstance(last, DealLine) else last
        raise at.wrong(
            f"the game ends here after {len(deals)} deals and is not over (want "
            f"{reckoning.n_due}; of a game of which not all is known give the final totals alone)"
        )
    return Game(
        told.evening, told.players, tuple(deals), tuple(reckoning.scores), reckoning.first()
    )


def _check_sum(told: Told, variant: Variant, n: VariantNumbers, scores: Row) -> None:
    """Hold final totals against what all hands of a game add up to, where that is fixed."""
    shooting = any(contract.shoot_cards for contract in n.contracts)
    if n.honour or n.duty_penalty or shooting:
        return  # a revoke, a fine or a shot changes it
    game = totals(variant)["game"]
    extra = 0 if n.extra_contract < 0 else n.max_extra
    each = contract_total(variant, n.contract_names[n.extra_contract]) if extra else 0
    could = {game + k * each for k in range(extra + 1)}
    if sum(scores) not in could:
        want = " or ".join(map(str, sorted(could)[:3]))
        raise told.head.wrong(f"totals: {row_text(scores)} make {sum(scores)}, a game has {want}")


def records_of(games: Sequence[Game], variant: Variant) -> GameRecords:
    """Games as arrays of inside points, their deals one after the other; what no sheet tells is
    :data:`pipeline.untold.UNTOLD`."""
    n = resolve(variant)
    scores = n.objective * np.array([game.scores for game in games], np.int32)
    deals = [deal for game in games for deal in game.deals]
    return GameRecords(
        n_deals=np.array([len(game.deals) for game in games], np.uint16),
        score=scores,
        place=_places(scores, games),
        n_first=np.array([len(game.first) for game in games], np.uint8),
        fouls=np.zeros(scores.shape, np.uint16),
        foul_deal=np.full(len(games), -1, np.int16),
        foul_seat=np.full(len(games), -1, np.int8),
        deals=_deal_records(deals, n),
        errors=(),
    )


def _places(scores: npt.NDArray[np.int32], games: Sequence[Game]) -> npt.NDArray[np.uint8]:
    """Places from 1: the first as the rules have it, the others by their scores."""
    won = np.array([[seat in game.first for seat in range(scores.shape[1])] for game in games])
    better = (scores[:, None, :] > scores[:, :, None]) & ~won[:, None, :]
    others = 1 + won.sum(axis=1, keepdims=True) + better.sum(axis=2)
    return np.where(won, 1, others).astype(np.uint8)


def _deal_records(deals: Sequence[Reckoned], n: VariantNumbers) -> DealRecords:
    base = [deal.step // n.dealership % n.seats for deal in deals]
    rows = [_row(deal, n) for deal in deals]

    def by_seat(name: str, dtype: type[np.generic]) -> npt.NDArray[Any]:
        return np.array([row[name] for row in rows], dtype).reshape(-1, n.seats)

    contract = np.array([deal.named.number for deal in deals], np.uint8)
    param = [UNTOLD["param"] if d.named.param is None else d.named.param for d in deals]
    led = (np.array(base, np.int64) + n.leader_offset) % n.seats
    return DealRecords(
        contract=contract,
        param=np.array(param, np.int8),
        dealer=((np.array(base, np.int64) + n.dealer_offset) % n.seats).astype(np.uint8),
        declarer=np.array([seat if n.has_choice else -1 for seat in base], np.int8),
        leader=np.where(n.leader_card != 0, UNTOLD["leader"], led).astype(np.uint8),
        n_left=np.array([deal.n_left for deal in deals], np.uint8),
        points=by_seat("points", np.int32),
        side=by_seat("side", np.int32),
        items=by_seat("items", np.uint64),
        finish=by_seat("finish", np.uint8),
        doubled=by_seat("doubled", np.uint16),
        extra=np.array([d.extra for d in deals], np.uint8) if n.extra_contract >= 0 else None,
        revoked=_revoked(deals) if n.honour else None,
    )


def _revoked(deals: Sequence[Reckoned]) -> npt.NDArray[np.int8]:
    return np.array([-1 if d.revoked is None else d.revoked for d in deals], np.int8)


def _row(deal: Reckoned, n: VariantNumbers) -> dict[str, list[int]]:
    """What a deal has by seat."""
    contract = n.contracts[deal.named.number]
    doubled = [0] * n.seats
    for one, other in deal.pairs:
        doubled[one] |= 1 << other
    finish, items = _counted(deal.results, contract, n)
    return {
        "points": [n.objective * points for points in deal.score.points],
        "side": [n.objective * side for side in deal.score.side],
        "items": items,
        "finish": finish,
        "doubled": doubled,
    }


def _counted(
    found: Results, contract: ContractNumbers, n: VariantNumbers
) -> tuple[list[int], list[int]]:
    """Finishing places and items by seat."""
    nothing, unknown = [0] * n.seats, [UNTOLD["items"]] * n.seats
    if contract.kind == KIND_LAYOUT:
        if found.taken is not None:  # nobody doubled it, so it was split
            return nothing, nothing
        if found.places is None:
            return [UNTOLD["finish"]] * n.seats, unknown
        return list(found.places), list(found.places)
    if found.taken is None:
        return nothing, unknown
    items = list(nothing)
    rows = dict(zip(((i.cards, i.things) for i in items_of(contract, n)), found.taken, strict=True))
    for slot, kind in enumerate(contract.slot_kind):
        if kind == SLOT_SHOT:
            row = tuple(int(seat == found.shot) for seat in range(n.seats))
        else:
            cards = kind == SLOT_CARDS
            things = contract.slot_cards[slot] if cards else contract.slot_tricks[slot]
            row = rows[cards, things]
        items = [have | count << 8 * slot for have, count in zip(items, row, strict=True)]
    return nothing, items
