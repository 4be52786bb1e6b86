"""One number over all that the engine plays: ``python -m tests.golden.signature`` prints it.

Every contract of every base variant, alone and in whole games, by ``random.v1`` and
``duck.v1``: cards dealt, moves, bets, items, points, scores, places.
"""

from hashlib import sha256

import numpy as np

from engine_ext.batch import DealRecords, Rules, deal_hands, play_deals, play_games
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from strategies.registry import create

VARIANTS = ("barbu_52_doubling", "barbu_fr_reussite", "barbu_king_br", "king_ru_fixed14")
KEY = run_key(1)
DEALS, GAMES = 60, 30


def signature() -> str:
    """Sixteen hexadecimal digits."""
    everything = sha256()
    for name in VARIANTS:
        rules = Rules(load_variant(name))
        seats = rules.numbers.seats
        blocks = np.arange(GAMES, dtype=np.uint64)
        everything.update(deal_hands(rules, key=KEY, blocks=blocks, deal=1).astype("<u8").tobytes())
        for line_up in (["random.v1"], ["duck.v1"], ["duck.v1", "random.v1"]):
            around = [create(line_up[seat % len(line_up)]) for seat in range(seats)]
            for contract in range(rules.numbers.n_contracts):
                deals = play_deals(
                    rules, around, key=KEY, contracts=[contract], first_block=0, n=DEALS, log=True
                )
                everything.update(_bytes(deals))
            games = play_games(
                rules,
                around,
                key=KEY,
                blocks=blocks,
                seating=np.tile(np.arange(seats, dtype=np.uint8), (GAMES, 1)),
                log=True,
            )
            everything.update(_bytes(games.deals))
            everything.update(games.score.astype("<i4").tobytes() + games.place.tobytes())
    return everything.hexdigest()[:16]


def _bytes(deals: DealRecords) -> bytes:
    """All columns that the variant has, little-endian."""
    every = [getattr(deals, name) for name in DealRecords.__slots__]
    columns = [column for column in every if column is not None]
    return b"".join(c.astype(c.dtype.newbyteorder("<")).tobytes() for c in columns)


if __name__ == "__main__":
    print(signature())
