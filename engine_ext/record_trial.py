"""A trial as a record: a deal that begins behind everything that was given."""

from operator import add

import numpy as np
import numpy.typing as npt

from engine_ext.batch import Rules, as_sets
from engine_ext.position import Setup
from engine_ext.record import Record
from engine_ext.record_deal import PlayedDeal
from engine_ext.trials import Outcomes, Trials

Cards = npt.NDArray[np.uint64]


def record_of_trial(
    rules: Rules,
    outcomes: Outcomes,
    asked: Trials,
    row: int,
    hands: Cards,
    *,
    variant_name: str,
    source: str = "",
) -> Record:
    """The record of trial ``row``.

    ``outcomes`` are those of ``asked``, with logged moves; ``hands`` (S,), or (S, 2) with two
    packs, are those it was played with (``trials.hands_of``). Raises ``ValueError`` as
    ``records_of_game`` does.
    """
    n, deals, declarer = rules.numbers, outcomes.deals, int(outcomes.deals.declarer[row])
    # With everything left the deal is the first that he declares, whatever its cards' number.
    whole = n.has_choice and int(asked.left[row].sum()) == sum(n.uses)
    uses = [list(n.uses) for _ in range(n.seats)]
    for seat in range(n.seats):
        if seat == declarer or n.uses_of_table:
            uses[seat][: n.n_contracts] = asked.left[row].tolist()
    # It begins in play, where the bets on the table count for the duty already.
    said = (deals.doubled[row] >> declarer & 1).tolist() if n.has_choice else [0] * n.seats
    setup = Setup(
        hands=as_sets(hands),
        dealer=int(deals.dealer[row]),
        leader=int(deals.leader[row]),
        declarer=declarer if n.has_choice else None,
        deal=declarer * n.dealership if whole else int(asked.deal[row]),
        to_move=int(deals.leader[row]),
        duty_done=tuple(map(add, asked.duty[row].tolist(), said)),
        uses_left=tuple(map(tuple, uses)),
    )
    deal = PlayedDeal(rules, deals, row, setup)
    return deal.record(variant_name, source, set_up=True)
