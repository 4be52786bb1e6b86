"""Receipts of shards that nobody played."""

from hashlib import sha256
from typing import Any

from pipeline.manifest import FileReceipt, Landed, Receipt
from pipeline.plan import Shard


def receipt_of(run: str, shard: Shard, deals: int = 28, **changes: Any) -> Receipt:
    """What a shard might bring; ``deals`` a game."""
    games = shard.n_blocks * shard.n_games
    tables: tuple[Landed, ...] = ("summary" if shard.whole else "parts", "totals")
    said: dict[str, Any] = {
        "run": run,
        "shard": shard.number,
        "variant": shard.variant,
        "first_block": shard.first_block,
        "n_blocks": shard.n_blocks,
        "first_game": shard.first_game,
        "n_games": shard.n_games,
        "games": games,
        "deals": deals * games,
        "fouls": 0,
        "first_fouls": (),
        "digest": _hash(shard.number, "digest"),
        "files": {
            table: FileReceipt(rows=games, bytes=10_000, sha256=_hash(shard.number, table))
            for table in tables
        },
        "build": "kernel v3, compiler none",
        "ms": 2000 + shard.number % 100,
    }
    return Receipt.model_validate(said | changes)


def _hash(number: int, what: str) -> str:
    return sha256(f"{number} {what}".encode()).hexdigest()
