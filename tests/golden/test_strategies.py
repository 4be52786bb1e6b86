"""A versioned strategy plays for ever as it did: what each played, as one number.

A change of a single play is a new version. Where a rule or the dealing changed on purpose:
``UPDATE_GOLDEN=1 pytest tests/golden/test_strategies.py``; look at the difference, and say why
in CHANGELOG.md.
"""

import os
from hashlib import sha256
from pathlib import Path

import pytest

import strategies
from engine_ext.batch import Rules
from engine_ext.rules.load import load_variant
from strategies.testing import BASE_VARIANTS, moves, play
from tests.quick import QUICK

FILE = Path(__file__).parent / "strategies.txt"
OURS = tuple(
    name
    for name in strategies.names()
    if type(strategies.create(name)).__module__.startswith("strategies.")
)
"""Read before other tests register theirs."""


def played(spec: str, variant: str) -> str:
    """Hash of every move and bet of a few games, alone and among ``random.v1``."""
    outcome, spec = sha256(), QUICK.get(spec, spec)
    for seats in ([spec], [spec, "random.v1"]):
        records = play(variant, [strategies.create(seat) for seat in seats], range(40))
        for array in (moves(records), records.deals.contract, records.deals.param):
            outcome.update(array.tobytes())
        outcome.update(records.deals.doubled.astype("<u2").tobytes())
    return outcome.hexdigest()[:16]


def test_every_version_plays_as_it_always_did() -> None:
    lines = [f"{QUICK.get(s, s)} {v} {played(s, v)}\n" for s in OURS for v in BASE_VARIANTS]
    if os.environ.get("UPDATE_GOLDEN"):
        FILE.write_text("".join(lines), "utf-8")
    assert "".join(lines) == FILE.read_text("utf-8")


@pytest.mark.parametrize("variant", BASE_VARIANTS)
def test_no_two_strategies_play_alike_but_those_that_are_meant_to(variant: str) -> None:
    hashes = {spec: played(spec, variant) for spec in OURS}
    assert hashes.pop("lowest_batch.v1") == hashes["lowest.v1"]
    if variant != "barbu_king_br":  # where the rules know no slips it is the duck
        assert hashes.pop("slips.v1") == hashes["duck.v1"]
    rules = Rules(load_variant(variant)).numbers
    named = rules.has_choice or any(c.params & (c.params - 1) for c in rules.contracts)
    if not named:  # where nothing is named or doubled these are the duck too
        assert hashes.pop("dp.v1") == hashes["duck.v1"]
    if not rules.has_doubling:
        assert hashes.pop("ev.v1") == hashes["duck.v1"]
    assert len(set(hashes.values())) == len(hashes)
