"""Rows of a whole run held against what it can have, in a query a table, before a report counts
with them: a run may come from anybody, and fit its own receipts."""

from collections.abc import Iterator

from engine_ext.rules.resolve import resolve
from pipeline.catalog import Catalog
from pipeline.row_checks import Limits, limits
from pipeline.schema import TABLES
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.views import columns


def check_rows(catalog: Catalog, run: Run) -> None:
    """:class:`StoreError` names the first table and column with what the run cannot have."""
    config, last = run.manifest.config, 2**32 - 1
    every = {
        variant.name: limits(
            config,
            variant.name,
            resolve(variant.rules),
            (0, config.blocks - 1),
            (0, last),
        )
        for variant in config.variants
    }
    for table in TABLES:
        if not catalog.contents.files.get(table):
            continue
        names = [name for name, _, _ in columns(table, run.manifest.seats)]
        for row in catalog.rows(_query(table, names, every)):
            variant, *found = row
            if variant not in every:
                raise _wrong(run, table, "variant", f"{str(variant)[:80]!r}")
            for name, what in zip(names, _judged(names, found, every[variant]), strict=True):
                if what is not None:
                    raise _wrong(run, table, name, what)


def _wrong(run: Run, table: str, column: str, what: str) -> StoreError:
    return StoreError(
        f"{run.where}: table {table}: {column}: {what} (barbu verify {run.where} names the file)"
    )


def _query(table: str, names: list[str], every: dict[str, Limits]) -> str:
    """By variant, four figures for each column: missing, strange, lowest, highest."""
    words = {name: set[str]() for name in names}
    numbers = set[str]()
    for found in every.values():
        for name in names:
            words[name] |= found.words_of(table, name) or set()
        numbers |= found.ranges.keys()
    asked = []
    for name in names:
        column = f'"{name}"'
        known = ", ".join("'" + word.replace("'", "''") + "'" for word in sorted(words[name]))
        asked.append(f"count(*) - count({column})")
        strange = f"{column} NOT IN ({known})" if known else f"octet_length({column}) <> 32"
        asked.append(f"min({column}) FILTER ({strange})" if known or name == "digest" else "NULL")
        asked += [f"min({column})", f"max({column})"] if name in numbers else ["NULL", "NULL"]
    return f"SELECT variant, {', '.join(asked)} FROM {table} GROUP BY variant ORDER BY variant"


def _judged(names: list[str], found: list[object], allowed: Limits) -> Iterator[str | None]:
    """By column what is wrong with it."""
    for i, name in enumerate(names):
        lacking, strange, least, most = found[4 * i : 4 * i + 4]
        low, high = allowed.ranges.get(name, (0, 0))
        if lacking and not allowed.may_lack(name):
            yield f"{lacking} values are missing"
        elif strange is not None:
            yield f"{str(strange)[:80]!r} (the run has none such)"
        elif isinstance(least, int) and isinstance(most, int) and not low <= least <= most <= high:
            yield f"{least} to {most} (want {low} to {high})"
        else:
            yield None
