"""Layouts come to an end: from every start rank, at every table, however the cards lie.

A layout that is stuck would never return from the engine, so the time limit of the test is
what catches it. Where rules can be stuck, they are refused, or freeze the deal.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from engine_ext.batch import DealRecords, Rules, play_deals
from engine_ext.rules.checks import problems
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import LayoutContract, Variant
from engine_ext.seeds import run_key
from strategies.registry import create

MANY = 100_000
"""Deals from each start rank."""


def layouts() -> Iterator[tuple[str, str]]:
    """Yield variant and contract of every shipped layout."""
    for name in variant_names():
        for contract, rules in load_variant(name).contracts.items():
            if isinstance(rules, LayoutContract):
                yield name, contract


def only_from(variant: Variant, contract: str, rank: str, **changes: object) -> Variant:
    """Return the rules with one start rank that may be named, and other keys changed."""
    rules = variant.contracts[contract].model_copy(update={"start": (rank,), **changes})
    papers = {"readings": (), "claims": ()}
    return variant.model_copy(
        update={"contracts": {**variant.contracts, contract: rules}, **papers}
    )


def ended(variant: Variant, contract: str, deals: int) -> DealRecords:
    """Play layouts with random legal cards, and hold each to a place for everybody."""
    rules = Rules(variant)
    number = rules.numbers.contract_names.index(contract)
    records = play_deals(
        rules,
        [create("random.v1") for _ in range(variant.seats)],
        key=run_key(7),
        contracts=[number],
        first_block=0,
        n=deals,
        log=deals < MANY,
    )
    places = np.sort(records.finish, axis=1)
    assert (places == np.arange(1, variant.seats + 1)).all()
    return records


def from_every_rank(name: str, contract: str, deals: int) -> int:
    """Return from how many ranks a layout can start and came to its end."""
    variant = load_variant(name)
    held = 0
    for rank in variant.deck.ranks:
        one = only_from(variant, contract, rank)
        if list(problems(one)):
            continue
        ended(one, contract, deals)
        held += 1
    return held


@pytest.mark.parametrize(("name", "contract"), list(layouts()))
def test_a_layout_ends_from_every_start_rank(name: str, contract: str) -> None:
    rules = load_variant(name).contracts[contract]
    assert isinstance(rules, LayoutContract)
    could = len(load_variant(name).deck.ranks) if rules.start == "any_rank" else len(rules.start)
    assert from_every_rank(name, contract, 200) >= could


@pytest.mark.slow
@pytest.mark.parametrize(("name", "contract"), list(layouts()))
def test_many_layouts_end_from_every_start_rank(name: str, contract: str) -> None:
    assert from_every_rank(name, contract, MANY) > 0


def test_a_start_rank_that_lacks_in_a_suit_is_refused_or_freezes() -> None:
    """Dossier 2.15: with the two of clubs gone, clubs are never opened under ``stall``."""
    variant = load_variant("barbu_5")
    stuck = only_from(variant, "domino", "2", missing_start="stall")
    assert any("the deal never ends where 2 is named" in line for line in problems(stuck))
    frozen = only_from(variant, "domino", "2", missing_start="stall", stall="freeze")
    assert not list(problems(frozen))
    moves = ended(frozen, "domino", 400).moves
    # All clubs and diamonds stay in the hands: 26 cards can be laid, and often are.
    assert moves is not None
    assert (moves < 64).sum(axis=1).max() == 26
