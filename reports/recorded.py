"""What of a run may be looked through game by game: whole blocks from 0 on, where recorded."""

from reports.reading import JOINT_GAMES, Reading

NO_BLOCKS = (
    "The run keeps sums over its blocks, no single blocks or games (its run file says "
    'record = "summary"; "all" would keep them).'
)
"""Of what single blocks or games would tell."""
Values = dict[str, object]


def lacks(run: Reading, variant: str, *tables: str) -> str | None:
    """Why the games of a run cannot be looked through, or None."""
    if not run.blocks(variant) or not run.prefix(variant):
        return "No whole block of this variant was played."
    for table in tables:
        if table in run.config.sampled:
            return f"The run kept its {table} of a share of its blocks alone ([sample])."
        if not run.catalog.contents.files.get(table):
            if not run.config.keeps_totals:
                return NO_BLOCKS
            return f"The run did not record its {table} (key record of the run file)."
    if run.games(variant) > JOINT_GAMES:
        return "So many games are read from their summary alone."
    return None


def values_of(run: Reading, variant: str) -> Values:
    """What stands for the names in a query about whole blocks of a variant."""
    return {"variant": variant, "blocks": run.prefix(variant)}
