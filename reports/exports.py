"""A report's tables for other programs: CSV, Parquet, Markdown, one JSON document.

A table of a section is one file, ``SECTION-TABLE``, with the rows of every run and variant;
what its columns mean stands beside it in ``columns.md`` (or in the JSON document). Numbers
are not rounded, but in Markdown, which is for people.
"""

import io
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import polars as pl

from engine_ext.errors import UserError
from engine_ext.rules.spec import Variant
from reports.columns import meaning
from reports.plain import in_words, word
from reports.section import Answer, Tables
from reports.survey import Survey
from reports.together import compared

COMPARED = "compared-"
"""Before a section's name: several runs side by side."""


class Source(NamedTuple):
    """A section's tables, and what they are of."""

    keys: dict[str, object]
    """Columns that say it: run and variant."""
    rules: Variant
    name: str
    """Of the section; ``compared-`` and the section's for several runs side by side."""
    title: str
    tables: Tables
    answer: Answer
    """Its words."""
    heading: str


def sources(surveys: Sequence[Survey], section: str | None = None) -> list[Source]:
    """Every section of every survey, then the comparisons; or those of one name alone, which
    must be there."""
    found = [one for one in _sources(surveys) if section in (None, one.name)]
    if section is not None and not found:
        raise UserError(f"--section: {section}: the runs have none")
    return found


def _sources(surveys: Sequence[Survey]) -> Iterator[Source]:
    for one in surveys:
        heading = one.rules.title + (f", run {one.run}" if one.runs > 1 else "")
        for piece in one.pieces:
            keys: dict[str, object] = {"run": one.run, "variant": one.variant}
            section = piece.section
            yield Source(
                keys, one.rules, section.name, section.title, piece.tables, piece.answer, heading
            )
    for pair in compared(surveys):
        for part in pair.parts:
            keys = {"variant": pair.variant}
            rules = next(one.rules for one in surveys if one.variant == pair.variant)
            name = COMPARED + part.name
            yield Source(keys, rules, name, part.title, part.tables, part.answer, pair.title)


def tables(every: Sequence[Source], only: str | None = None) -> dict[tuple[str, str], pl.DataFrame]:
    """Every table by section and name, the rows of all runs and variants below each other;
    ``only``: the one table of that name."""
    found: dict[tuple[str, str], list[pl.DataFrame]] = {}
    for source in every:
        for name, table in source.tables.items():
            if only in (None, name):
                found.setdefault((source.name, name), []).append(_named(source, table))
    if only is not None and not found:
        known = dict.fromkeys(name for source in every for name in source.tables)
        raise UserError(f"--section: no table {only} (want {', '.join(known)})")
    return {key: pl.concat(parts, how="diagonal") for key, parts in found.items()}


def _named(source: Source, table: pl.DataFrame) -> pl.DataFrame:
    """The table with what it is of in front, and contracts by name as well as by key."""
    front = [
        pl.lit(value).alias(key) for key, value in source.keys.items() if key not in table.columns
    ]
    if "contract" in table.columns:
        titles = [word("contract", key, source.rules) for key in table["contract"]]
        table = table.clone().insert_column(
            table.columns.index("contract") + 1, pl.Series("contract_title", titles, pl.String)
        )
    return table.select(*front, pl.all())


def csv(table: pl.DataFrame) -> bytes:
    """With a heading, empty where there is nothing."""
    return table.write_csv().encode()


def parquet(table: pl.DataFrame) -> bytes:
    """With the meaning of its columns in its metadata."""
    out = io.BytesIO()
    table.write_parquet(out, metadata={c: meaning(c) for c in table.columns})
    return out.getvalue()


def markdown(every: Sequence[Source], section: str, name: str) -> bytes:
    """A section's table for people: what it says, then the rows, for each run and variant."""
    told = []
    for source in every:
        if source.name != section or name not in source.tables:
            continue
        listing = in_words(name, source.tables[name], source.rules)
        told.append(
            f"# {source.title}: {name}. {source.heading}\n\n{source.answer.finding}\n\n"
            + _rows(listing.columns, listing.rows)
            + "".join(f"\n- {kind}" for kind in source.answer.kinds)
            + "\n"
        )
    return "\n".join(told).encode()


def columns(found: dict[tuple[str, str], pl.DataFrame]) -> bytes:
    """What every column of these tables means, as a page of Markdown."""
    names = dict.fromkeys(c for table in found.values() for c in table.columns)
    rows = [(f"`{name}`", meaning(name)) for name in names]
    return f"# Columns\n\n{_rows(('column', 'meaning'), rows)}".encode()


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(_cell(cell) for cell in line)} |\n" for line in lines)


def _cell(plain: str) -> str:
    """A cell that cannot end its row, or begin a tag."""
    for sign in ("\\", "|", "*", "<"):
        plain = plain.replace(sign, "\\" + sign)
    return " ".join(plain.split())


def document(
    facts: dict[str, object],
    every: Sequence[Source],
    missing: Sequence[dict[str, object]],
    only: str | None = None,
) -> bytes:
    """Facts, what each section found, its tables and the kinds of its intervals."""
    columns_ = dict.fromkeys(c for table in tables(every, only).values() for c in table.columns)
    told = facts | {
        "sections": [
            source.keys
            | {"section": source.name, "title": source.title, "finding": source.answer.finding}
            | {
                "kinds": list(source.answer.kinds),
                "tables": {
                    name: _named(source, table).to_dicts()
                    for name, table in source.tables.items()
                    if only in (None, name)
                },
            }
            for source in every
        ],
        "missing": list(missing),
        "columns": {name: meaning(name) for name in columns_},
    }
    return (json.dumps(told, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def facts_of(surveys: Sequence[Survey]) -> dict[str, object]:
    """The facts of the surveys' runs."""
    return {"runs": [_run(one) for one in {one.run: one for one in surveys}.values()]}


def missing_of(surveys: Sequence[Survey]) -> list[dict[str, object]]:
    """Sections with nothing to say, and why."""
    return [
        {"run": one.run, "variant": one.variant, "section": title, "why": why}
        for one in surveys
        for title, why in one.left_out.items()
    ]


def _run(one: Survey) -> dict[str, object]:
    """The facts of a survey's run."""
    config, facts = one.reading.config, one.reading.facts
    return {
        "run": one.run,
        "title": config.title,
        "design": config.design,
        "seed": config.seed,
        "digest": facts.digest or None,
        "complete": facts.complete,
        "games": facts.games,
        "deals": facts.deals,
        "fouls": facts.fouls,
        "version": facts.version,
        "entrants": one.reading.entrants(),
        "variants": [variant.name for variant in config.variants],
        "command": "barbu run FILE --out RUN",
    }
