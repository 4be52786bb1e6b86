"""How long a page of a long run takes that keeps sums over its blocks, and one with totals of each.

    python benchmarks/sums.py [SHARDS [BLOCKS [summary|totals]]]

plays four shards of BLOCKS blocks and puts copies of what they kept in place of all others, so that
nobody waits for a run of SHARDS shards. Then the verdict, ``barbu status``, ``barbu report`` and
``barbu verify`` are timed, each in a process of its own, with the most memory that it held.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

import polars as pl

from engine_ext.rules.load import load_variant
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.landing import file_metadata
from pipeline.manifest import Audited, Receipt
from pipeline.opening import new_manifest
from pipeline.plan import Bounds
from pipeline.receipts import compact
from pipeline.run import run
from pipeline.store import Run, put_table
from pipeline.stores import store_at

VARIANT = "barbu_52_doubling"
PLAYED = 4
"""Shards that are played."""
COMMANDS = {"verdict": "resume", "status": "status", "report": "report", "verify": "verify"}


def main(shards: int = 1000, blocks: int = 1000, keeps: str = "summary") -> None:
    """Make the run, then time what is asked of it."""
    with tempfile.TemporaryDirectory() as folder:
        seed = _played(Path(folder) / "played" / "run", blocks, keeps)
        where = _copied(seed, Path(folder) / "run", shards, blocks)
        print(f"{keeps}: {shards:,} shards of {blocks:,} blocks, {shards * blocks:,} in all")
        _tell_bytes(seed, blocks)
        for what, command in COMMANDS.items():
            seconds, cpu, peak = _timed(command, where)
            print(f"{what:8} {seconds:6.1f} s, {cpu:5.1f} of a core {peak / 1024:6.0f} MiB")


def _config(blocks: int, keeps: str) -> RunConfig:
    return RunConfig(
        title="A long run",
        seed=8,
        blocks=blocks,
        design="gauntlet",
        record="summary" if keeps == "summary" else (),
        entrants=tuple(Entrant(strategy=f"{name}.v1") for name in ("duck", "count", "random")),
        variants=(NamedVariant(name=VARIANT, rules=load_variant(VARIANT)),),
    )


def _played(out: Path, blocks: int, keeps: str) -> Run:
    out.parent.mkdir()
    bounds = {VARIANT: Bounds(blocks=blocks, parts=1)}
    with patch("pipeline.run.cut", lambda config, pace: bounds):
        run(_config(PLAYED * blocks, keeps), out, executor="local")
    return Run.open(out)


def _copied(seed: Run, out: Path, shards: int, blocks: int) -> Path:
    """A run of so many shards that came to its end but for the verdict."""
    config, store = seed.manifest.config, store_at(out)
    config = config.model_copy(update={"blocks": shards * blocks})
    bounds = {VARIANT: Bounds(blocks=blocks, parts=1)}
    manifest = new_manifest(config, bounds, seed.manifest.strategies)
    # Copies would not come out the same, played again.
    none = Audited(variant=VARIANT, blocks=(), games=0, elsewhere=0, differing=())
    store.begin()
    there = Run.new(store, manifest.model_copy(update={"audited": (none,)}))
    sources = list(seed.receipts().values())
    tables = [{name: seed.read(name, one.shard) for name in one.files} for one in sources]
    metadata = file_metadata(there.manifest.run)
    receipts: dict[int, Receipt] = {}
    for number in range(shards):
        source = sources[number % PLAYED]
        files = {}
        for name, frame in tables[number % PLAYED].items():
            later = (number - source.shard) * blocks
            if "block" in frame.columns:
                own = frame.with_columns(pl.col("block") + pl.lit(later, pl.Int64).cast(pl.UInt64))
            else:
                own = frame.with_columns(pl.lit(number, pl.UInt32).alias("shard"))
            files[name] = put_table(store, name, number, own, metadata)
        changes = {"run": there.manifest.run, "shard": number, "first_block": number * blocks}
        receipts[number] = source.model_copy(update={**changes, "files": files})
    compact(store, there.manifest.run, receipts)
    return out


def _tell_bytes(seed: Run, blocks: int) -> None:
    receipts = list(seed.receipts().values())
    for name in receipts[0].files:
        size = sum(one.files[name].bytes for one in receipts)
        print(f"{name}: {size / PLAYED:,.0f} bytes a shard, {size / PLAYED / blocks:.2f} a block")


def _timed(command: str, where: Path) -> tuple[float, float, int]:
    """Seconds, those of work, and the most memory that the process held in KiB."""
    words = [str(Path(sys.executable).with_name("barbu")), command, str(where)]
    words += ["--executor", "inline"] if command == "resume" else []
    began = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"barbu {command}: exit code {child.returncode}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:])
