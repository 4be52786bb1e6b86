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
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.tables import Games

SIZE = 2**256
"""Digests are sums modulo this."""


def game_hashes(games: Games) -> npt.NDArray[np.void]:
    """The 32-byte hash of every game, as V32 of shape (G,)."""
    place = _place_bytes(games)
    result = _result_bytes(games)
    deals = _deal_bytes(games)
    doubles, ends = _double_bytes(games)
    labels = [_string(label) for label in games.labels]
    names: dict[bytes, bytes] = {}
    front = sha256(_front(games))
    row_size = len(deals) // max(len(games.game_of), 1)
    first = (games.first_row * row_size).tolist()
    first.append(len(deals))
    hashes = bytearray()
    start = 0
    for g, entrant in enumerate(map(bytes, games.entrant)):
        if entrant not in names:
            names[entrant] = b"".join([labels[i] for i in entrant])
        game = front.copy()
        game.update(
            b"".join(
                (
                    place[g],
                    names[entrant],
                    result[g],
                    deals[first[g] : first[g + 1]],
                    doubles[start : ends[g]],
                )
            )
        )
        hashes += game.digest()
        start = ends[g]
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


class _Layout(NamedTuple):
    """A packed record: names and numpy formats, little-endian."""

    fields: list[tuple[str, str] | tuple[str, str, int]]

    def empty(self, shape: tuple[int, ...]) -> npt.NDArray[np.void]:
        return np.empty(shape, np.dtype(self.fields))


def _string(value: str) -> bytes:
    raw = value.encode()
    return len(raw).to_bytes(2, "little") + raw


def _front(games: Games) -> bytes:
    """Part 1: the same for every game of a variant."""
    contracts = games.rules.contract_names
    listed = (_string(name) for name in contracts)
    return b"".join((_string(games.variant), len(contracts).to_bytes(2, "little"), *listed))


def _place_bytes(games: Games) -> list[bytes]:
    """Part 2 as far as the entrants' names, by game."""
    rows = _Layout([("block", "<u8"), ("table", "<u2"), ("rotation", "u1")]).empty((len(games),))
    rows["block"], rows["table"], rows["rotation"] = games.block, games.table, games.rotation
    return _rows(rows)


def _result_bytes(games: Games) -> list[bytes]:
    """Part 2 after the names, and part 3, by game."""
    n, records = games.rules.seats, games.records
    rows = _Layout(
        [
            ("score", "<i4", n),
            ("place", "u1", n),
            ("n_first", "u1"),
            ("fouls", "<u2", n),
            ("deals", "<u2"),
            ("doubles", "<u2"),
        ]
    ).empty((len(games),))
    for name in ("score", "place", "n_first", "fouls"):
        rows[name] = getattr(records, name)
    rows["deals"] = records.n_deals
    rows["doubles"] = np.bincount(games.doubles.game, minlength=len(games))
    return _rows(rows)


def _deal_bytes(games: Games) -> bytes:
    """Part 4 of all games, one after the other; each row has the same size."""
    n, deals = games.rules.seats, games.records.deals
    further = [("extra", "u1", deals.extra), ("revoked", "i1", deals.revoked)]
    rows = _Layout(
        [
            ("deal", "<u2"),
            ("contract", "u1"),
            ("param", "i1"),
            ("dealer", "u1"),
            ("declarer", "i1"),
            ("leader", "u1"),
            ("n_left", "u1"),
            ("points", "<i4", n),
            ("side", "<i4", n),
            ("items", "<u8", n),
            ("finish", "u1", n),
            *((name, kind) for name, kind, column in further if column is not None),
        ]
    ).empty((len(deals.contract),))
    rows["deal"] = games.number
    for name in (rows.dtype.names or ())[1:]:
        rows[name] = getattr(deals, name)
    return rows.tobytes()


def _double_bytes(games: Games) -> tuple[bytes, list[int]]:
    """Part 5 of all games, and where each game's ends."""
    game, *columns = games.doubles
    rows = _Layout(
        [
            ("deal", "<u2"),
            ("doubler", "u1"),
            ("doubled", "u1"),
            ("redoubled", "u1"),
            ("difference", "<i4"),
            ("settlement", "<i4"),
        ]
    ).empty((len(game),))
    for name, values in zip(rows.dtype.names or (), columns, strict=True):
        rows[name] = values
    counts = np.bincount(game, minlength=len(games))
    return rows.tobytes(), (np.cumsum(counts) * rows.dtype.itemsize).tolist()


def _rows(rows: npt.NDArray[np.void]) -> list[bytes]:
    """Each record's bytes."""
    raw, size = rows.tobytes(), rows.dtype.itemsize
    return [raw[i : i + size] for i in range(0, len(raw), size)]
