"""The run key: what a user's seed becomes (docs/seeds.md)."""

from hashlib import sha256


def run_key(seed: int) -> tuple[int, int]:
    """Two 64-bit key words for ``seed``, an integer 0..2^64-1.

    Raises ``ValueError`` outside that range.
    """
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed {seed} is not in 0..2^64-1")
    key = sha256(b"barbu-rng-v1" + str(seed).encode("ascii")).digest()
    return int.from_bytes(key[:8], "little"), int.from_bytes(key[8:16], "little")
