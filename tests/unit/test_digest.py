"""The digest is what docs/data.md says, byte for byte, and knows no order."""

import struct
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline import digest
from pipeline.store import Run
from tests.runs import by_game, played, small


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return played(small(), tmp_path_factory.mktemp("digest") / "run")[0]


def string(text: str) -> bytes:
    return struct.pack("<H", len(text.encode())) + text.encode()


def seats(code: str, row: dict[str, Any], name: str, n: int) -> bytes:
    return b"".join(struct.pack(f"<{code}", row[f"{name}_{s}"]) for s in range(n))


def canonical(
    game: dict[str, Any],
    deals: list[dict[str, Any]],
    doubles: list[dict[str, Any]],
    contracts: list[str],
    n: int,
) -> bytes:
    """A game's canonical bytes, written from docs/data.md alone."""
    out = string(game["variant"]) + struct.pack("<H", len(contracts))
    out += b"".join(map(string, contracts))
    out += struct.pack("<QHB", game["block"], game["table"], game["rotation"])
    out += b"".join(string(game[f"entrant_{s}"]) for s in range(n))
    out += seats("i", game, "score", n) + seats("B", game, "place", n)
    out += struct.pack("<B", game["n_first"]) + seats("H", game, "fouls", n)
    out += struct.pack("<HH", len(deals), len(doubles))
    for d in deals:
        out += struct.pack("<HBb", d["deal"], contracts.index(d["contract"]), d["param"])
        out += struct.pack("<BbBB", d["dealer"], d["declarer"], d["leader"], d["n_left"])
        out += seats("i", d, "points", n) + seats("i", d, "side", n)
        out += seats("Q", d, "items", n) + seats("B", d, "finish", n)
    for d in doubles:
        out += struct.pack("<HBBB", d["deal"], d["doubler"], d["doubled"], d["redoubled"])
        out += struct.pack("<ii", d["difference"], d["settlement"])
    return out


def test_every_hash_and_the_sum_follow_from_the_tables(there: Run) -> None:
    total = 0
    n_doubles = 0
    for game, deals, doubles in by_game(there):
        rules = there.manifest.config.variant(game["variant"])
        raw = canonical(game, deals, doubles, list(rules.contracts), rules.seats)
        assert game["digest"] == sha256(raw).digest()
        total += int.from_bytes(game["digest"], "big")
        n_doubles += len(doubles)
    assert n_doubles > 100
    assert there.manifest.digest == f"{total % 2**256:064x}"


def test_a_sum_of_hashes_wraps_at_two_to_the_256() -> None:
    hashes = np.frombuffer(b"\xff" * 32 + b"\xff" * 31 + b"\xfe" + b"\0" * 31 + b"\x05", "V32")
    assert digest.total(hashes) == (-1 - 2 + 5) % 2**256
    assert digest.text(2) == "0" * 63 + "2"


def test_the_digest_does_not_depend_on_what_is_recorded(there: Run, tmp_path: Path) -> None:
    _, result = played(small(record=()), tmp_path / "run")
    assert result.digest == there.manifest.digest


def test_another_seed_or_another_line_up_has_another_digest(there: Run, tmp_path: Path) -> None:
    others = small(seed=8), small(lineups=(("random.v1",) * 4, ("duck.v1",) * 4))
    for i, config in enumerate(others):
        assert played(config, tmp_path / str(i))[1].digest != there.manifest.digest
