"""Can these results be trusted? Replays, fouls, what counts and what was left out."""

from collections.abc import Iterable

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.audit import audit_again
from pipeline.conduct import added_up
from pipeline.manifest import Audited
from reports.frames import frame
from reports.reading import Reading
from reports.section import Answer, Tables
from reports.trust import ABSENT, AGAIN, AT_END, KINDS, finding, tables_in_words

STATE = pl.Schema(
    {
        "status": pl.String,
        "rule": pl.String,
        "blocks": pl.Int64,
        "planned": pl.Int64,
        "foul": pl.String,
        "digest": pl.String,
        "schema_version": pl.Int64,
        "version": pl.String,
    }
)
REPLAYED = pl.Schema(
    {
        "when": pl.String,
        "by": pl.String,
        "blocks": pl.Int64,
        "games": pl.Int64,
        "differing": pl.Int64,
        "bound": pl.Float64,
    }
)
NOTED = pl.Schema({"when": pl.String, "kind": pl.String, "line": pl.String})
FOULS = pl.Schema({"entrant": pl.String, "fouls": pl.Int64, "seat_games": pl.Int64})
CONDUCT = pl.Schema({"entrant": pl.String, "kind": pl.String, "times": pl.Int64, "told": pl.String})
CONFIDENCE = 0.95


class Integrity:
    """What was checked, and what came of it?"""

    name = "integrity"
    title = "Can it be trusted?"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Every run with a whole block can answer."""
        return None if run.blocks(variant) else "No whole block of this variant was played."

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``state`` (one row: what the run says of itself), ``replayed`` (blocks played
        again at the run's end and for this page; ``bound``: with 95 % confidence fewer blocks
        than this share would come out otherwise), ``noted`` (what came out otherwise, and who
        could not be replayed), ``fouls`` by entrant and ``conduct`` (what else strategies did).

        Nothing here depends on the machine or on how many workers there were, unless a replay
        finds a difference.
        """
        source = run.source
        manifest, config = source.manifest, run.config
        state: dict[str, object] = {
            "status": manifest.status,
            "rule": config.stop.rule if config.stop is not None else "fixed",
            "blocks": run.prefix(variant),
            "planned": config.blocks,
            "foul": config.foul,
            "digest": manifest.digest or "",
            "schema_version": manifest.schema_version,
            "version": run.facts.version,
        }
        audits = {AT_END: _of(manifest.audited, variant), AGAIN: _of(_audited(run), variant)}
        found = {when: one for when, one in audits.items() if one is not None}
        cells = [c for c in run.cells(variant, "fouls") if c.table == -1]
        fouls: list[dict[str, object]] = [
            {"entrant": c.entrant, "fouls": c.sums.x, "seat_games": c.sums.n}
            for name in run.entrants()
            for c in cells
            if c.entrant == name
        ]
        receipts = source.receipts().of_variant(variant).rare("conduct")
        conduct: list[dict[str, object]] = [
            {"entrant": one.entrant, "kind": one.kind, "times": one.n, "told": str(one)}
            for one in added_up(one for r in receipts for one in r.conduct)
        ]
        return {
            "state": frame([state], STATE),
            "replayed": frame([_replayed(when, one) for when, one in found.items()], REPLAYED),
            "noted": frame([row for item in found.items() for row in _noted(*item)], NOTED),
            "fouls": frame(fouls, FOULS),
            "conduct": frame(conduct, CONDUCT),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Sentences, and the tables."""
        return Answer(finding(tables), (), tables_in_words(tables), KINDS)


def _audited(run: Reading) -> tuple[Audited, ...]:
    """The replays for this page, made once for all variants; of a run that has ended."""
    source = run.source
    if source.manifest.status != "complete":
        return ()
    return run.once(("audit",), lambda: audit_again(source, load_strategies=run.load_strategies))


def _of(audits: Iterable[Audited], variant: str) -> Audited | None:
    return next((one for one in audits if one.variant == variant), None)


def _replayed(when: str, one: Audited) -> dict[str, object]:
    blocks = len(one.blocks) if one.games else 0
    sure = blocks and not one.differing
    return {
        "when": when,
        "by": one.by,
        "blocks": blocks,
        "games": one.games,
        "differing": len(one.differing),
        # A share p of bad blocks passes with probability (1 - p)^blocks.
        "bound": 1 - (1 - CONFIDENCE) ** (1 / blocks) if sure else None,
    }


def _noted(when: str, one: Audited) -> list[dict[str, object]]:
    """What was found, and who was left out; reasons without the places of files here."""
    lines = [
        *(("differs", line) for line in one.differing),
        *(("suspect", name) for name in one.suspects),
        *((ABSENT, line.partition(" (")[0]) for line in one.left_out),
    ]
    return [{"when": when, "kind": kind, "line": line} for kind, line in lines]
