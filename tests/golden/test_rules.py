"""Every shipped variant in words and in numbers, as files to be read beside the documents.

``UPDATE_GOLDEN=1 pytest tests/golden/test_rules.py`` writes them anew; look at the difference.
"""

import os
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from engine_ext.cards import Pack
from engine_ext.rules.load import load_base, load_lineage, load_variant, variant_names
from engine_ext.rules.resolve import ContractNumbers, resolve
from engine_ext.rules.show import show
from engine_ext.rules.spec import Variant

FOLDER = Path(__file__).parent / "rules"
SETS = {
    "deck", "suit", "slot_cards", "lead_ban", "forced", "end_cards", "face_up", "scoring_cards",
    "replay", "ban_broken_by", "first_lead", "first_trick_ban", "shoot_cards", "leader_card",
}  # fmt: skip
BITS = {"slot_tricks", "params", "scoring_tricks"}


def numbers_text(variant: Variant) -> str:
    """Return the resolved numbers, a line each; sets as the names of their cards.

    What is as it nearly always is, or nought in a contract, is left out.
    """
    pack, resolved = Pack(variant.deck), resolve(variant)
    whole = Pack(variant.deck.model_copy(update={"remove": ()}))

    def line(key: str, value: Any) -> str:
        values = value if isinstance(value, tuple) else (value,)
        if key in SETS:
            return f"{key} {' | '.join(whole.names(cards) or '-' for cards in values)}"
        return f"{key} {' '.join(f'{v:b}' if key in BITS else str(v) for v in values)}"

    def block(contract: ContractNumbers) -> list[str]:
        values = [
            (f.name, getattr(contract, f.name)) for f in fields(contract) if told(f, contract)
        ]
        return [f"  {line(key, v)}" for key, v in values]

    def told(field: Any, record: Any) -> bool:
        value = getattr(record, field.name)
        if field.default is not MISSING:
            return bool(value != field.default) and (not isinstance(value, tuple) or any(value))
        return record is resolved or any(value if isinstance(value, tuple) else [value])

    lines = []
    for field in fields(resolved):
        if field.name != "contracts":
            if not told(field, resolved):
                continue
            lines.append(line(field.name, getattr(resolved, field.name)))
            continue
        for name, contract in zip(resolved.contract_names, resolved.contracts, strict=True):
            lines += [f"contract {name}", *block(contract)]
    assert pack.deck == resolved.deck
    return "\n".join(lines) + "\n"


def compare(text: str, file: Path) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


@pytest.mark.parametrize("name", variant_names())
def test_a_variant_is_told_in_these_words(name: str) -> None:
    """As ``barbu rules show`` prints it."""
    variant, *ancestors = load_lineage(name)
    compare(show(variant, ancestors, load_base(name)) + "\n", FOLDER / f"{name}.txt")


@pytest.mark.parametrize("name", variant_names())
def test_a_variant_comes_down_to_these_numbers(name: str) -> None:
    compare(numbers_text(load_variant(name)), FOLDER / f"{name}.numbers.txt")
