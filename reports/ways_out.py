"""A report in the form that is asked for, computed as a whole before anything is written."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from engine_ext.errors import UserError
from reports import exports
from reports.build import build
from reports.forms import Format, Language
from reports.reading import Reading
from reports.survey import survey

ONE: tuple[Format, ...] = ("html", "pdf", "json")
"""Forms that are one file; the others are a file for each section or table."""
LEGEND = "columns.md"


class Asked(NamedTuple):
    """What a reader wants of some runs."""

    format: Format = "html"
    language: Language = "en"
    section: str | None = None
    table: str | None = None


def asked(format: Format, language: Language, section: str | None) -> Asked:
    """``section`` as ``NAME`` or, for tables, ``NAME/TABLE``."""
    name, slash, table = (section or "").partition("/")
    if slash and format in ("html", "pdf", "png"):
        raise UserError(f"--section: {section}: a table goes with csv, parquet, json or md")
    if section is not None and (not name or (slash and not table)):
        raise UserError(f"--section: {section}: want NAME or NAME/TABLE")
    return Asked(format, language, name or None, table or None)


def is_one_file(want: Asked, out: Path | None, found: dict[str, bytes]) -> bool:
    """Whether it is written as a file: one by nature, one table, or the only one and so named."""
    named = out is not None and out.suffix == f".{want.format}" and not out.is_dir()
    return want.format in ONE or want.table is not None or (named and len(found) == 1)


def files(runs: Sequence[Reading], want: Asked) -> dict[str, bytes]:
    """Files by name; forms of one file have one."""
    if want.format in ("html", "pdf", "png"):
        return as_page(build(*runs, language=want.language, only=want.section), want)
    section = want.section
    surveys = survey(runs, want.language, section and section.removeprefix(exports.COMPARED))
    every = exports.sources(surveys, section)
    if want.format == "json":
        facts, missing = exports.facts_of(surveys), exports.missing_of(surveys)
        return {"report.json": exports.document(facts, every, missing, want.table)}
    if not every:
        raise UserError("RUN: no section has anything to say yet, so there are no tables")
    return as_tables(every, want)


def as_tables(every: Sequence[exports.Source], want: Asked) -> dict[str, bytes]:
    """A file for each table of these, and what their columns mean."""
    found = exports.tables(every, want.table)
    if want.format == "md":
        return {f"{of}-{name}.md": exports.markdown(every, of, name) for of, name in found}
    write: Callable[[pl.DataFrame], bytes]
    write = exports.csv if want.format == "csv" else exports.parquet
    whole = {f"{of}-{name}.{want.format}": write(t) for (of, name), t in found.items()}
    return whole if want.table else whole | {LEGEND: exports.columns(found)}


def as_page(html: str, want: Asked) -> dict[str, bytes]:
    """A page as it is, on paper, or as pictures of its sections."""
    if want.format == "html":
        return {"report.html": html.encode()}
    from reports import paper

    if want.format == "pdf":
        return {"report.pdf": paper.pdf(html)}
    shown = paper.pictures(html)
    if want.section:
        shown.pop("head")
    return {f"{name}.png": picture for name, picture in shown.items()}
