"""The hash of a unit, the summands of a study's digest.

SHA-256 over its canonical bytes, all integers little-endian in the type of their column, a string
as its length (u16) and its UTF-8 bytes:

1. the variant's name, the number (u16) and the names of its contracts in the order of the
   variant;
2. the row of ``units`` in the order of the schema, without variant and digest;
3. its rows of ``trials`` in the order of the schema without the key columns and columns beyond
   the variant's seats, the kind as its place (u8) in ``designs.KINDS``, the contract as its place
   (u8) in the list above from 1, 0 for all. Rows stand by kind, contract, param, who, whom,
   weight, half.
"""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import numpy.typing as npt
import polars as pl

from pipeline.studies.designs import KINDS
from pipeline.studies.units import Units


def unit_hashes(
    units: Units, variant: str, contracts: Sequence[str], seats: int
) -> npt.NDArray[np.void]:
    """The 32-byte hash of every unit, as V32 of shape (U,)."""
    listed = b"".join(map(_string, contracts))
    front = sha256(_string(variant) + len(contracts).to_bytes(2, "little") + listed)
    rows, size = _rows(units, contracts, seats)
    table = units.units
    words = zip(table["entrant"], table["hand"], table["left"], strict=True)
    places = _packed(table, (("block", "<u8"), ("table", "<u2"), ("step", "<u2")))
    counts = _packed(
        table, (("n_left", "<u2"), ("fouls", "<u4"), ("n_trials", "<u4"), ("n_rows", "<u4"))
    )
    hashes, start = bytearray(), 0
    ends = (np.cumsum(table["n_rows"].to_numpy().astype(np.int64)) * size).tolist()
    for place, said, count, end in zip(places, words, counts, ends, strict=True):
        one = front.copy()
        one.update(place + b"".join(map(_string, said)) + count + rows[start:end])
        hashes += one.digest()
        start = end
    return np.frombuffer(bytes(hashes), "V32")


def _string(value: str) -> bytes:
    raw = value.encode()
    return len(raw).to_bytes(2, "little") + raw


def _packed(table: pl.DataFrame, fields: Sequence[tuple[str, str]]) -> list[bytes]:
    rows = np.empty(len(table), np.dtype(list(fields)))
    for name, _ in fields:
        rows[name] = table[name].to_numpy()
    raw, size = rows.tobytes(), rows.dtype.itemsize
    return [raw[i : i + size] for i in range(0, len(raw), size)]


def _rows(units: Units, contracts: Sequence[str], seats: int) -> tuple[bytes, int]:
    """The rows of all units, one after the other, and the size of one."""
    table = units.trials
    numbers = {name: i for i, name in enumerate(("", *contracts))}
    rows = np.empty(
        len(table),
        np.dtype(
            [
                ("kind", "u1"),
                ("contract", "u1"),
                ("param", "i1"),
                ("who", "i1"),
                ("whom", "i1"),
                ("weight", "u1"),
                ("half", "i1"),
                ("n_left", "<u2"),
                ("n", "<u4"),
                ("points", "<i8", (seats,)),
                ("squares", "<i8"),
            ]
        ),
    )
    kinds = {name: i for i, name in enumerate(KINDS)}
    rows["kind"] = table["kind"].replace_strict(kinds, return_dtype=pl.UInt8).to_numpy()
    rows["contract"] = table["contract"].replace_strict(numbers, return_dtype=pl.UInt8).to_numpy()
    for name in ("param", "who", "whom", "weight", "half", "n_left", "n", "squares"):
        rows[name] = table[name].to_numpy()
    for k in range(seats):
        rows["points"][:, k] = table[f"points_{k}"].to_numpy()
    return rows.tobytes(), rows.dtype.itemsize
