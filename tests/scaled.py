"""Candidates that change nothing but the scale of contracts."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine_ext.rules.revise import revised
from engine_ext.rules.spec import LayoutContract, TrickContract, Variant


def scaled(parent: Variant, factors: Mapping[str, int], levels: Mapping[str, int]) -> Variant:
    """Every contract's points times its factor (1 unless given), payouts plus their level.

    A contract that includes others takes back what their factors would do to it.
    """
    changes: dict[str, Any] = {}
    for name, contract in parent.contracts.items():
        own = factors.get(name, 1)
        if isinstance(contract, LayoutContract):
            level = levels.get(name, 0)
            changes[f"contracts.{name}.payout"] = [own * p + level for p in contract.payout]
            continue
        assert isinstance(contract, TrickContract)
        for i, term in enumerate(contract.terms):
            changes[f"contracts.{name}.terms[{i}].points"] = own * term.points
        for i, part in enumerate(contract.include):
            times = Fraction(part.times) * own / factors.get(part.contract, 1)
            whole = times.denominator == 1
            changes[f"contracts.{name}.include[{i}].times"] = int(times) if whole else str(times)
        if contract.shooting is not None:
            for key in ("taker", "others"):
                points = own * getattr(contract.shooting, key)
                changes[f"contracts.{name}.shooting.{key}"] = points
    return revised(parent, changes)
