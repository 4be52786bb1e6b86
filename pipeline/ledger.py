"""The ledger beside the runs: every attempt at a question, so that nobody repeats one unseen.

Who runs a test with new seeds until it passes will see it pass. So each run writes down what
it asks before it plays, in ``ledger.parquet`` of the folder that holds its own, and what came
out at its end. Attempts are the distinct runs at one question; what they may be wrong adds up.
"""

import io
from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple, TypeVar

import polars as pl

from pipeline.config import Entrant, RunConfig
from pipeline.course import has_claim
from pipeline.figures import claimed
from pipeline.files import parquet_of
from pipeline.manifest import Decided, Manifest
from pipeline.schema import LEDGER
from pipeline.seating import tables
from pipeline.stopping import share
from pipeline.store import Run
from pipeline.stores import Changed, Store, StoreError, Tag
from pipeline.verdict import opponent

NAME = "ledger.parquet"
HOW = "(move it away to begin another)"
ANY_ORDER = ("table", "full", "round_robin")
"""Designs in which all entrants sit in seats that are drawn, in whatever order they are listed."""

SCHEMA = {column.name: column.dtype for column in LEDGER}
LATER = ("digest",)
"""Columns that ledgers of earlier versions do not have: of their runs nobody knows."""

Rows = list[dict[str, object]]
T = TypeVar("T")


class Attempt(NamedTuple):
    """A run's place among those that asked the same."""

    variant: str
    number: int
    """From 1."""
    alpha_spent: float
    """Sum of what all attempts up to this may be wrong."""


def begin(runs: Store, manifest: Manifest) -> tuple[Attempt, ...]:
    """Write down in the folder ``runs`` what a run asks, by variant that has a verdict to come.

    Raises ``StoreError`` where the ledger cannot be read or written: nothing is played then.
    """
    config = manifest.config
    asked = [v.name for v in config.variants if has_claim(config, v.rules.seats)]
    if not asked:
        return ()
    return _changed(runs, lambda rows: tuple(_ask(rows, manifest, variant) for variant in asked))


def number_of(run: Run, variant: str) -> int | None:
    """Of a run its place at its question; None where the ledger is not there or knows it not."""
    row = _own(_read(run.store.beside())[0], run.manifest, variant)
    return None if row is None else int(str(row["attempt"]))


def complete(run: Run) -> tuple[Run, tuple[Attempt, ...]]:
    """Write down what came out of a complete run; its manifest gets the number of this attempt.

    That is another than at the beginning where the same run file came to other games before: a
    player's file was edited meanwhile, or he does not repeat himself.
    """
    manifest, runs = run.manifest, run.store.beside()
    if not manifest.decided:
        return run, ()
    try:
        attempts = _changed(
            runs, lambda rows: tuple(_ended(rows, manifest, found) for found in manifest.decided)
        )
    except StoreError as error:
        raise StoreError(
            f"{error}; the run is whole, barbu resume {run.where} writes its verdict down"
        ) from error
    pairs = zip(manifest.decided, attempts, strict=True)
    decided = tuple(found.model_copy(update={"attempt": one.number}) for found, one in pairs)
    return run if decided == manifest.decided else run.with_manifest(decided=decided), attempts


def _ended(rows: Rows, manifest: Manifest, found: Decided) -> Attempt:
    attempt = _ask(rows, manifest, found.variant)  # the ledger may have been moved meanwhile
    row = _own(rows, manifest, found.variant)
    assert row is not None, "it was just added"
    row |= {key: getattr(found, key) for key in ("blocks", "statistic", "decision")}
    row["digest"] = manifest.digest
    return attempt


def question(manifest: Manifest, variant: str) -> str:
    """Short hash of what is asked: rules, design, who sits at the tables, and the claim.

    Strategies count by what the run file says of them, not by their names in it, nor by how
    their parameters are spelled. Seed, blocks, stop rule and what is recorded are no part of it:
    another seed or more blocks ask the same. Nor are words about the rules, nor orders that
    decide nothing: of tables, and of entrants where seats are drawn.
    """
    config = manifest.config
    rules = config.variant(variant)
    entrants = [_strategy(manifest, entrant) for entrant in config.entrants]
    who, against = claimed(config)
    said = (
        rules.model_dump_json(exclude={"title", "language", "source"}),
        config.design,
        _seated(config, rules.seats, entrants),
        sorted(entrants),
        config.streams,
        entrants[who],
        None if against is None else entrants[against],
    )
    return sha256(repr(said).encode()).hexdigest()[:16]


def _strategy(manifest: Manifest, entrant: Entrant) -> str:
    """What an entrant plays: of one in a file or a module where it stands, since what that calls
    itself is its author's; of others the name without what goes without saying."""
    plays = entrant.strategy
    return plays if ":" in plays else manifest.strategies[entrant.label]


def _seated(config: RunConfig, seats: int, entrants: list[str]) -> list[list[str]]:
    """Who sits together, whatever the order of tables, and whose place is named first."""
    if config.design in ANY_ORDER:
        return []
    orders = [[entrants[i] for i in table] for table in tables(config, seats)]
    return sorted(min(order[i:] + order[:i] for i in range(seats)) for order in orders)


def in_words(config: RunConfig, variant: str) -> str:
    """The claim in words."""
    labels = [entrant.label for entrant in config.entrants]
    who, against = claimed(config)
    other = opponent(config, None if against is None else labels[against])
    of = f" ({', '.join(config.field)})" if config.design == "candidates" else ""
    return f"{labels[who]} against {other}{of}, {config.design}, {variant}"


def _ask(rows: Rows, manifest: Manifest, variant: str) -> Attempt:
    """The run's place at the question; a row for it is added if there is none."""
    config = manifest.config
    asked = question(manifest, variant)
    same = [row for row in rows if row["question"] == asked]
    own = _own(same, manifest, variant)
    if own is None:
        own = dict.fromkeys(SCHEMA) | {
            "question": asked,
            "variant": variant,
            "words": in_words(config, variant),
            "run": manifest.run,
            "attempt": 1 + len(same),
            "seed": config.seed,
            "rule": "fixed" if config.stop is None else config.stop.rule,
            "alpha": share(config),
            "cap": config.blocks,
        }
        rows.append(own)
        same.append(own)
    number = 1 + next(i for i, row in enumerate(same) if row is own)
    spent = sum(float(str(row["alpha"])) for row in same[:number])
    return Attempt(variant, number, spent)


def _own(rows: Rows, manifest: Manifest, variant: str) -> dict[str, object] | None:
    """The row of a run: once it has a digest the one with just that, or one that was begun and
    has none yet. Before, the last with its name."""
    asked = question(manifest, variant)
    mine = [row for row in rows if (row["question"], row["run"]) == (asked, manifest.run)]
    if manifest.digest is None:
        return mine[-1] if mine else None
    for digest in (manifest.digest, None):
        for row in mine:
            if row["digest"] == digest:
                return row
    return None


def _changed(runs: Store, change: Callable[[Rows], T]) -> T:
    """Change the ledger and say what came of it; it is swapped in whole, so that a reader or a
    crash never meets half of it, and again from the start where another run was quicker."""
    while True:
        rows, tag = _read(runs)
        found = change(rows)
        buffer = io.BytesIO()
        pl.DataFrame(rows, schema=SCHEMA).write_parquet(buffer)
        try:
            runs.swap(NAME, buffer.getvalue(), tag)
        except Changed:
            continue
        except StoreError as error:
            raise StoreError(
                f"{error} (the ledger of attempts lies beside the runs: want a folder for them "
                "that may be written)"
            ) from error
        return found


def _read(runs: Store) -> tuple[Rows, Tag | None]:
    path = runs.path(NAME)
    try:
        there = runs.tagged(NAME)
        if there is None:
            return [], None
        whole, tag = there
        frame = parquet_of(io.BytesIO(whole), path)
    except StoreError as error:
        raise StoreError(f"{error} {HOW}") from error
    lacking = [name for name in LATER if name not in frame.columns]
    frame = frame.with_columns(pl.lit(None, SCHEMA[name]).alias(name) for name in lacking)
    for name, dtype in SCHEMA.items():
        if frame.schema.get(name) != dtype:
            raise StoreError(f"{path}: damaged: {name}: want a column of {dtype} {HOW}")
    return frame.select(list(SCHEMA)).to_dicts(), tag
