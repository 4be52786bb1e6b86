"""House rules for tests of trials and studies: what no shipped variant has, but anybody may."""

import tempfile
from functools import cache
from pathlib import Path

from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant

HOUSES = {
    "drawn": """
        extends = "bga_barbu_52_geronimo"
        title = "A declarer chooses, a trump suit is drawn"
        [contracts.trumps]
        trump = "drawn"
        """,
    "stock": """
        extends = "barbu_52_doubling"
        title = "One stock for the table, and a duty to double"
        [schedule]
        uses_of = "table"
        dealership = 1
        [doubling]
        duty = 1
        duty_enforced = "force"
        """,
    "fined": """
        extends = "barbu_52_doubling"
        title = "One stock for the table, and a fine for each double that lacks"
        [schedule]
        uses_of = "table"
        dealership = 1
        [doubling]
        duty = 1
        duty_enforced = "penalty"
        duty_penalty = -15
        """,
    "mute": """
        extends = "barbu_52_doubling"
        title = "A declarer never doubles back"
        [doubling]
        declarer = "nobody"
        """,
    "six": """
        extends = "barbu_king_br_6"
        title = "Two packs, and a declarer chooses"
        [schedule]
        kind = "choice"
        uses = { tricks = 1, hearts = 1, queens = 1, king = 1, salad = 1, take_tricks = 1, \
first_last = 1, domino = 1 }
        dealership = 8
        dealer = "declarer"
        leader = "declarer"
        """,
}


@cache
def house(name: str) -> Variant:
    """Load a variant of ``HOUSES``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text("\n".join(line.strip() for line in HOUSES[name].splitlines()), "utf-8")
        return load_variant(path)


def any_variant(name: str) -> Variant:
    """Load a house's rules or shipped ones."""
    return house(name) if name in HOUSES else load_variant(name)
