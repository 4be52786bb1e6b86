"""What was played again, in words: one line where all is well, loud where it is not."""

from collections.abc import Sequence

from pipeline.cli.output import note, one_line
from pipeline.manifest import Audited

MOST_TOLD = 3
"""Games that came out otherwise that are listed for each variant; the manifest has all."""
WHAT = {
    "games": ("game", "games"),
    "totals": ("table of a block", "tables of blocks"),
    "shards": ("shard", "shards"),
}
"""What came out otherwise, one and many, by what was compared."""


def audit_line(audited: Sequence[Audited], pieces: str) -> str | None:
    """One line for standard output; None where nothing was played again."""
    games = sum(one.games for one in audited)
    if not games:
        return None
    blocks = sum(len(one.blocks) for one in audited)
    wrong = sum(len(one.differing) for one in audited)
    how = "all came out the same" if not wrong else "NOT all came out the same"
    piece = "shard" if any(one.by == "shards" for one in audited) else "block"
    whence = f"1 {piece}" if blocks == 1 else f"{blocks:,} {piece}s"
    return f"{games:,} {pieces} of {whence} played again: {how}"


def note_audit(audited: Sequence[Audited]) -> None:
    """On standard error: what came out otherwise, and whose games cannot be replayed."""
    for line in dict.fromkeys(line for one in audited for line in one.left_out):
        note(one_line(line))
    for one in audited:
        if not one.differing:
            continue
        what = WHAT[one.by][len(one.differing) > 1]
        note(
            f"WARNING: {one.variant}: {len(one.differing):,} {what} of {one.games:,} games played "
            "again came out otherwise: a strategy or a machine does not repeat itself, and the "
            "results are worth no more than that"
        )
        for line in one.differing[:MOST_TOLD]:
            note(f"  {one_line(line)}")
        if one.suspects:
            note(f"  in all of them: {one_line(', '.join(one.suspects))}")
