"""Holds a run against what it says of itself: files, digest, verdicts, no game lost or doubled."""

from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import polars as pl

from engine_ext.rules.resolve import VariantNumbers, resolve
from pipeline import digest
from pipeline.derived import PACKAGE
from pipeline.judged import misjudged
from pipeline.manifest import Receipt
from pipeline.plan import Plan, Shard
from pipeline.schema import polars_schema
from pipeline.seating import rotations
from pipeline.store import Run, damaged
from pipeline.stores import StoreError
from pipeline.studies.designs import STUDIES, n_steps
from pipeline.studies.digest import unit_hashes
from pipeline.studies.units import Units
from pipeline.tables import read_games

TABLES = ("games", "deals", "doubles")
"""What a game's hash is made from."""


class Verdict(NamedTuple):
    """What came out."""

    ok: bool
    digest: str | None
    """Of the games that are there, recomputed as far as tables were kept; None where the
    receipts cannot be read."""
    problems: list[str]
    surplus: int = 0
    """Games beyond where a stop rule ended the run: their files are checked too, but they are
    neither counted nor part of the digest."""


def verify(run: Run) -> Verdict:
    """Check a run's files, recompute its digest from its tables and its verdicts from its totals.

    A hash that cannot be recomputed, since not all tables were kept, is taken from
    ``games`` or from the receipt.
    """
    manifest = run.manifest
    try:
        receipts = run.landed()
    except StoreError as error:
        return Verdict(False, None, [str(error)])
    planned = run.planned()
    numbers = {v.name: resolve(v.rules) for v in manifest.config.variants}
    problems = [] if manifest.status == "complete" else [_unfinished(run)]
    problems += _missing(run, planned, receipts)
    total = surplus = 0
    broken = damaged(run.store, receipts.values())
    for shard in planned:
        receipt = receipts.get(shard.number)
        if receipt is None:
            continue
        found = broken.get(shard.number, [])
        if not found:
            try:
                value, found = _recompute(run, shard, receipt, numbers[shard.variant])
                total += value if run.counts(shard) else 0
            except StoreError as error:
                found = [str(error)]
        problems += found
        surplus += 0 if run.counts(shard) else receipt.games
    text = digest.text(total % digest.SIZE)
    if not problems and text != manifest.digest:
        problems.append(f"{run.where}: digest is {text}, the manifest says {manifest.digest}")
    if not problems and manifest.versions[PACKAGE] == version(PACKAGE):  # another may judge else
        problems += misjudged(run, receipts)
    return Verdict(not problems, text, problems, surplus)


def _unfinished(run: Run) -> str:
    """How a run stands that did not come to its end."""
    status = run.manifest.status
    how = "is being played, or was cut off" if status == "running" else f"has {status}"
    if status == "interrupted":
        how = "was interrupted"
    return f"{run.where}: {how} (barbu resume {run.where} goes on)"


def _missing(run: Run, planned: Plan, receipts: dict[int, Receipt]) -> list[str]:
    """By variant, how far whole blocks reach, where shards are missing."""
    lines = []
    for variant in run.manifest.config.variants:
        own = [s for s in planned if s.variant == variant.name and run.counts(s)]
        absent = [shard for shard in own if shard.number not in receipts]
        if absent:
            lines.append(
                f"{variant.name}: {len(own) - len(absent)} of {len(own)} shards are there; "
                f"blocks below {absent[0].first_block} are whole"
            )
    return lines


def _recompute(
    run: Run, shard: Shard, receipt: Receipt, numbers: VariantNumbers
) -> tuple[int, list[str]]:
    """Digest of a shard from its files, and what is wrong with it."""
    if run.manifest.config.design in STUDIES:
        return _recompute_study(run, shard, receipt, numbers)
    where = f"{run.where}: shard {shard.number}"
    kept = run.manifest.config.record
    if "games" not in kept:
        return int(receipt.digest, 16), []
    table = run.read("games", shard.number)
    problems = (
        []
        if _every_game_once(shard, table, rotations(run.manifest.config, numbers.seats))
        else [f"{where}: games are lost or stand twice"]
    )
    stored = table["digest"].to_list()
    hashes = np.frombuffer(b"".join(stored), "V32")
    if set(TABLES) <= set(kept) and not problems:
        frames = {
            name: run.read(name, shard.number) if name in receipt.files else _no_doubles()
            for name in TABLES
        }
        labels = tuple(entrant.label for entrant in run.manifest.config.entrants)
        hashes = digest.game_hashes(read_games(shard.variant, numbers, labels, frames))
        wrong = sum(a != b for a, b in zip(hashes.tolist(), stored, strict=True))
        if wrong:
            problems.append(f"{where}: {wrong} games differ from their digest")
    total = digest.total(hashes)
    if digest.text(total) != receipt.digest:
        problems.append(
            f"{where}: digest is {digest.text(total)}, its receipt says {receipt.digest}"
        )
    return total, problems


def _recompute_study(
    run: Run, shard: Shard, receipt: Receipt, numbers: VariantNumbers
) -> tuple[int, list[str]]:
    """The same of a study's shard."""
    where = f"{run.where}: shard {shard.number}"
    units = Units(run.read("units", shard.number), run.read("trials", shard.number))
    steps = n_steps(run.manifest.config.design, numbers)
    problems = []
    if not _in_place(shard, units.units, ("table", "step"), steps):
        problems.append(f"{where}: units are lost or stand twice")
    if int(units.units["n_rows"].cast(pl.Int64).sum()) != len(units.trials):
        problems.append(f"{where}: rows of trials are lost or stand twice")
    stored = units.units["digest"].to_list()
    hashes = np.frombuffer(b"".join(stored), "V32")
    if not problems:
        hashes = unit_hashes(units, shard.variant, numbers.contract_names, numbers.seats)
        wrong = sum(a != b for a, b in zip(hashes.tolist(), stored, strict=True))
        if wrong:
            problems.append(f"{where}: {wrong} units differ from their digest")
    total = digest.total(hashes)
    if digest.text(total) != receipt.digest:
        problems.append(
            f"{where}: digest is {digest.text(total)}, its receipt says {receipt.digest}"
        )
    return total, problems


def _every_game_once(shard: Shard, table: pl.DataFrame, each: int) -> bool:
    """Whether exactly the planned games stand there, in order; ``each`` of every table."""
    return _in_place(shard, table, ("table", "rotation"), each)


def _in_place(shard: Shard, table: pl.DataFrame, names: tuple[str, str], each: int) -> bool:
    """Whether exactly the planned pieces stand there, in order: of each of the first name
    ``each`` of the second."""
    at = np.arange(shard.n_blocks * shard.n_games)
    piece = shard.games(each)[at % shard.n_games]
    expected = (shard.first_block + at // shard.n_games, piece // each, piece % each)
    return len(table) == len(at) and all(
        np.array_equal(table[name].to_numpy(), values)
        for name, values in zip(("block", *names), expected, strict=True)
    )


def _no_doubles() -> pl.DataFrame:
    return pl.DataFrame(schema=polars_schema("doubles", 0))
