"""Can it be trusted? The runs behind the page, and what it does not say."""

import polars as pl

from pipeline.tuning.outcome import Outcome
from reports.frames import frame
from reports.section import Answer, Listing, Tables
from reports.tuning.wording import player
from reports.words import counted, listed, whole

RUNS = pl.Schema({"path": pl.String, "deals": pl.Int64, "digest": pl.String})
VERSIONS = pl.Schema({"what": pl.String, "version": pl.String})
SIGNS = 16
"""Of a digest that the page shows; the tables have all."""


class Trust:
    """Runs, seeds, players, versions."""

    name = "trust"
    title = "Can it be trusted?"

    def missing(self, outcome: Outcome) -> str | None:
        """Never."""
        return None

    def compute(self, outcome: Outcome) -> Tables:
        """Tables ``runs`` and ``versions``; exact."""
        runs: list[dict[str, object]] = [one.model_dump() for one in outcome.runs]
        versions: list[dict[str, object]] = [
            {"what": what, "version": version} for what, version in sorted(outcome.versions.items())
        ]
        return {"runs": frame(runs, RUNS), "versions": frame(versions, VERSIONS)}

    def render(self, tables: Tables, outcome: Outcome) -> Answer:
        """Two tables, and what all this holds for."""
        runs, versions = tables["runs"], tables["versions"]
        digests = tuple(
            (path, whole(deals), f"{digest[:SIGNS]}\N{HORIZONTAL ELLIPSIS}")
            for path, deals, digest in runs.rows()
        )
        caption = f"Runs in the tuning's folder, with the first {SIGNS} signs of their digests"
        return Answer(
            _finding(runs, outcome),
            (),
            (
                Listing(caption, ("run", "deals", "digest"), digests),
                Listing("Programs", ("what", "version"), tuple(versions.rows())),
            ),
            (),
        )


def _finding(runs: pl.DataFrame, outcome: Outcome) -> str:
    file = outcome.file
    players = file.players
    deals = int(runs["deals"].sum())
    searching = f" (those of the search: {player(players.full)})" if players.proof else ""
    lines = [
        f"All of this rests on {counted(deals, 'deal')} in {counted(len(runs), 'run')}; "
        f"every card comes from seed {file.seed}, and each candidate is played on the same deals.",
        *_judged(outcome),
        f"It holds for players such as these in every seat: {player(players.judging.full)}"
        f"{searching}. People "
        "play otherwise; an adaptation gap that is large beside its effect says how much that "
        "may matter.",
    ]
    if players.restricted:
        lacking = [f"{name} ({player(who)})" for name, who in players.restricted.items()]
        lines.append(
            f"Players who lack something, each at a table of full ones: {listed(lacking)}."
        )
    return "\n".join(lines)


def _judged(outcome: Outcome) -> list[str]:
    """What the verdict rests on."""
    blocks = sorted({one.effect.blocks for one in outcome.effects})
    if not blocks:
        return []
    many = " or ".join(counted(n, "block") for n in blocks)
    return [f"The verdict on each objective rests on {many} of deals that the search had not seen."]
