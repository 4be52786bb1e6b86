"""Who took which trick can be read from the flat list of cards played, and so can the points.

The list is gone through here by plain counting, the leader moving with every trick, and held
against owners, points and movers of the engine.
"""

from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules, as_sets, deal_hands
from engine_ext.position import PLAY, Setup
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.resolve import KIND_LAYOUT
from engine_ext.seeds import run_key
from strategies.registry import create

KEY = run_key(4711)


def rebuilt(rules: Rules, outcome: dict[str, Any], leader: int) -> tuple[list[int], list[int]]:
    """Owners of tricks, and points by seat, from the flat list of cards and the rules."""
    n, contract = rules.numbers.seats, rules.numbers.contracts[outcome["contract"]]
    trump = outcome["param"] if contract.trump_mode else None
    cards: list[int] = outcome["moves"]
    owners: list[int] = []
    points = [0] * n
    taken = [0] * n
    for first in range(0, len(cards), n):
        trick = cards[first : first + n]
        suit = trump if any(card >> 4 & 3 == trump for card in trick) else trick[0] >> 4 & 3
        # From the last one back: of two cards alike the later one is found first.
        in_doubt = [card for card in reversed(trick) if card >> 4 & 3 == suit]
        best = max(in_doubt, key=lambda card: card & 15)
        leader = (leader + trick.index(best)) % n
        number = len(owners)
        owners.append(leader)
        taken[leader] |= sum(1 << card for card in trick)
        for slot in range(contract.n_slots):
            worth = contract.slot_points[slot]
            points[leader] += worth * (
                (contract.slot_kind[slot] == 0)
                + sum(contract.slot_cards[slot] >> card & 1 for card in trick)
                + (contract.slot_tricks[slot] >> number & 1)
            )
    for seat in range(n):
        if contract.shoot_cards and contract.shoot_cards & ~taken[seat] == 0:
            points = [contract.shoot_others] * n
            points[seat] = contract.shoot_taker
    return owners, points


def owners_agree(name: str, deals: int) -> None:
    rules = Rules(load_variant(name))
    table = rules.kernel.Tabletop(rules.packed)
    player: Any = create("random.v1")
    capsules = [player.capsule] * rules.numbers.seats
    dealt = deal_hands(rules, key=KEY, blocks=np.arange(deals, dtype=np.uint64))
    held = [as_sets(hands) for hands in dealt]
    for contract in rules.numbers.contracts:
        if contract.kind == KIND_LAYOUT:
            continue
        moved = False
        for block, hands in enumerate(held):
            leader = block % rules.numbers.seats
            setup = Setup(
                hands=hands,
                dealer=0,
                leader=leader,
                declarer=leader if rules.numbers.has_choice else None,
                to_move=leader,
                contract=contract.id,
                param=block % rules.numbers.n_suits if contract.trump_mode else None,
                key=KEY,
                block=block,
            )
            table.set_up(setup.filled(rules))
            table.play_on(capsules, PLAY)
            outcome = table.outcome()
            owners, points = rebuilt(rules, outcome, leader)
            assert outcome["owners"] == owners
            assert outcome["points"] == points
            # Each card is the mover's own, so the leader has moved as told.
            for mover, card in zip(outcome["movers"], outcome["moves"], strict=True):
                assert hands[mover] >> card & 1
            moved |= len(set(owners)) > 1
        assert moved


@pytest.mark.parametrize("name", variant_names())
def test_owners_of_tricks_are_those_of_the_flat_list_of_cards(name: str) -> None:
    owners_agree(name, 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", variant_names())
def test_owners_of_tricks_are_those_of_the_flat_list_of_cards_in_ten_thousand_deals(
    name: str,
) -> None:
    owners_agree(name, 10_000)
