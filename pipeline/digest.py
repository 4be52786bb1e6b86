"""One number that stands for all play of a run.

A game's hash is SHA-256 over its canonical bytes; a run's digest is the sum of the
hashes of its counted games mod 2^256. A sum knows no order, so the digest is the same
for any shards, executor, number of workers, order, interruption and resume, and parts
of it can be added up.

Canonical bytes of a game, all integers little-endian in the type of their column, a
string as its length (u16) and its UTF-8 bytes, seats 0..n-1 of the variant:

1. the variant's name, the number (u16) and the names of its contracts in the order of
   the variant;
2. the row of ``games`` in the order of the schema, without variant and digest;
3. the number (u16) of its ``deals`` rows and of its ``doubles`` rows;
4. its ``deals`` rows, by deal, in the order of the schema without the key columns and
   without ``extra`` and ``revoked``, the contract as its place (u8) in the list above; where
   the variant plays out ties each row ends with ``extra`` as 0 or 1 (u8), where it has revokes
   (behind that) with ``revoked``;
5. its ``doubles`` rows, by deal, doubler, doubled, in the order of the schema without
   the key columns, ``redoubled`` as 0 or 1 (u8).

SHA-256 was taken since it measured cheaper than BLAKE2b (the fastest in hashlib beside
it): 2.0 against 3.5 us for the 3 kB of a 28-deal game, best of 7 times 2000, on a
processor with SHA instructions as every x86 server since 2017 has. BLAKE3 would be a
further dependency.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine_ext.build import load
from pipeline.tables import Games

if TYPE_CHECKING:
    from engine_ext.canonical import canonical_bytes
else:
    canonical_bytes = load("engine_ext.canonical").canonical_bytes

SIZE = 2**256
"""Digests are sums modulo this."""


def game_hashes(games: Games) -> npt.NDArray[np.void]:
    """The 32-byte hash of every game, as V32 of shape (G,)."""
    raw, ends = canonical_bytes(games, [_string(label) for label in games.labels])
    whole = raw.data
    front = sha256(_front(games))
    hashes = bytearray()
    start = 0
    for end in ends[1:].tolist():
        game = front.copy()
        game.update(whole[start:end])
        hashes += game.digest()
        start = end
    return np.frombuffer(bytes(hashes), "V32")


def total(hashes: npt.NDArray[np.void]) -> int:
    """Sum of the hashes, each a big-endian number, mod 2^256."""
    words = np.ascontiguousarray(hashes).view(">u4").reshape(-1, 8)
    sums = words.sum(axis=0, dtype=np.uint64)  # exact below 2^32 games
    return sum(int(s) << 32 * (7 - i) for i, s in enumerate(sums)) % SIZE


def add(digests: Iterable[str]) -> int:
    """Sum of digests as :func:`text` writes them."""
    return sum(int(one, 16) for one in digests) % SIZE


def text(digest: int) -> str:
    """A digest as people and manifests write it: 64 hexadecimal digits."""
    return f"{digest:064x}"


def _string(value: str) -> bytes:
    raw = value.encode()
    return len(raw).to_bytes(2, "little") + raw


def _front(games: Games) -> bytes:
    """Part 1: the same for every game of a variant."""
    contracts = games.rules.contract_names
    listed = (_string(name) for name in contracts)
    return b"".join((_string(games.variant), len(contracts).to_bytes(2, "little"), *listed))
