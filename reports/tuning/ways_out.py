"""A tuning's report in the form that is asked for."""

from pipeline.tuning.outcome import Outcome
from reports import exports
from reports.tuning.page import tuning_page
from reports.tuning.told import Told, sources, told
from reports.ways_out import Asked, as_page, as_tables


def files(outcome: Outcome, want: Asked) -> dict[str, bytes]:
    """Files by name; forms of one file have one."""
    if want.format in ("html", "pdf", "png"):
        return as_page(tuning_page(outcome, want.language, want.section), want)
    found = told(outcome, want.language, want.section)
    every = sources(found)
    if want.format == "json":
        return {
            "report.json": exports.document(_facts(outcome), every, _missing(found), want.table)
        }
    return as_tables(every, want)


def _facts(outcome: Outcome) -> dict[str, object]:
    file = outcome.file
    return {
        "tuning": {
            "title": file.title,
            "name": file.name,
            "parent": outcome.parent_name,
            "seed": file.seed,
            "winner": outcome.winner_number,
            "candidates": len(outcome.candidates),
            "by": outcome.by,
            "stopped": outcome.stopped,
            "versions": outcome.versions,
            "command": "barbu tune FILE --out FOLDER",
        }
    }


def _missing(found: Told) -> list[dict[str, object]]:
    return [{"section": title, "why": why} for title, why in found.left_out.items()]
