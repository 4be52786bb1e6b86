"""Single deals with a contract imposed, as benchmarks and studies play them, are the same."""

from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules, play_deals
from engine_ext.build import load
from engine_ext.reference.game import Game
from engine_ext.reference.players import RandomTwin
from engine_ext.reference.streams import run_key
from engine_ext.reference.table import Option, Table
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import Variant
from strategies import create
from tests.differential.numbers import Numbers, engine_deals

Random = load("strategies.random").Random
N = 120


class Imposed(Game):
    """A game whose only deal has a given contract: the declarer, or leader, names trump or start.

    Without side bets, even where the variant has them.
    """

    def __init__(self, variant: Variant, contract: str, block: int) -> None:
        alone = variant.model_copy(update={"doubling": None})
        super().__init__(alone, [RandomTwin()] * variant.seats, key=run_key(8), block=block)
        self.name = contract

    def contract(self, table: Table, hands: list[list[str]]) -> Option:
        seat = table.leader if table.declarer is None else table.declarer
        return self.imposed(table, seat, hands, self.name)


@pytest.mark.parametrize("name", variant_names())
def test_a_contract_imposed_is_played_alike(name: str) -> None:
    variant = load_variant(name)
    rules = Rules(variant)
    contracts = list(range(rules.numbers.n_contracts))
    records = play_deals(
        rules,
        [Random() for _ in range(variant.seats)],
        key=run_key(8),
        contracts=contracts,
        first_block=50,
        n=N,
        log=True,
    )
    numbers = Numbers(variant)
    for i, engine in enumerate(engine_deals(records, 0, N)):
        contract = numbers.contracts[i % len(contracts)]
        deal = Imposed(variant, contract, 50 + i).play_deal(0, first=i % variant.seats)
        # How much was left to choose means nothing in a deal that stands alone.
        assert engine | {"n_left": 0} == numbers.deal(deal) | {"n_left": 0}, f"deal {i}"


def test_who_names_something_in_a_single_deal_sees_no_leader_of_the_deal_before() -> None:
    class Chooser:
        """Plays low and notes who leads while it is asked what to name."""

        def __init__(self) -> None:
            self.seen: list[tuple[int, int]] = []

        def choose(self, view: Any) -> Any:
            self.seen.append((view.trick_leader, view.leader))
            return view.choices[0]

        def play(self, view: Any) -> int:
            return int(view.lowest())

    chooser = Chooser()
    rules = Rules(load_variant("barbu_52_doubling"))
    trumps = list(rules.variant.contracts).index("trumps")
    play_deals(rules, [chooser] * 4, key=run_key(8), contracts=[trumps], first_block=0, n=8)
    assert [lead for lead, _ in chooser.seen] == [leader for _, leader in chooser.seen]
    assert {leader for _, leader in chooser.seen} == {0, 1, 2, 3}


def test_a_single_deal_knows_of_no_revoke_in_the_deal_before() -> None:
    """Where suits are often not followed, deals from the middle on are the same without the
    first ones."""
    rules = Rules(load_variant("barbu_king_br_honour"))
    slipping = [create("slips.v1(revoke=0.3)") for _ in range(4)]
    options: dict[str, Any] = {"key": run_key(8), "contracts": [0]}
    whole = play_deals(rules, slipping, first_block=0, n=12, **options)
    later = play_deals(rules, slipping, first_block=4, n=8, **options)
    assert whole.revoked is not None
    assert later.revoked is not None
    assert (whole.revoked >= 0).sum() > 4
    assert np.array_equal(whole.revoked[4:], later.revoked)
    assert np.array_equal(whole.points[4:], later.points)
