"""A run as a report reads it: its config, and sums of cells over all shards.

Sections ask for cells of a measure and get exact integer sums; they open no
files. Stored points are inside points, where more is better.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from engine_ext.rules.spec import Variant
from pipeline.catalog import Catalog, contents
from pipeline.conduct import added_up
from pipeline.config import RunConfig
from pipeline.plan import units_of_block
from pipeline.seating import games_of_block, tables
from pipeline.stats.estimate import Sums
from pipeline.stats.simultaneous import Cross
from pipeline.store import Run
from pipeline.studies.designs import STUDIES
from pipeline.studies.study import Study, read_study

JOINT_GAMES = 50_000_000
"""Larger runs are read from their summary alone; a scan would take minutes."""


class Cell(NamedTuple):
    """Sums of a measure in one cell of its table; -1 and "" stand for all."""

    table: int
    entrant: str
    contract: str
    role: int
    target: int
    n_left: int
    sums: Sums


class Facts(NamedTuple):
    """What the head of a report says of the run."""

    digest: str
    """Empty while the run is not complete."""
    games: int
    deals: int
    fouls: int
    conduct: tuple[str, ...]
    """Who fouled, printed, or drew from everybody's random numbers: a line each."""
    version: str
    complete: bool
    """Every planned block was played."""


class Reading:
    """A run's config, its cells and its joint sums."""

    def __init__(self, catalog: Catalog, config: RunConfig, facts: Facts) -> None:
        self.config = config
        self.facts = facts
        self._catalog = catalog
        self._studies: dict[tuple[str, str], Study] = {}

    def rules(self, variant: str) -> Variant:
        """The rules of a variant of the run."""
        return self.config.variant(variant)

    def cells(self, variant: str, measure: str) -> list[Cell]:
        """Every cell of a measure that was counted at all, in a fixed order."""
        return self._cells.get((variant, measure), [])

    @cached_property
    def _cells(self) -> dict[tuple[str, str], list[Cell]]:
        found: dict[tuple[str, str], list[Cell]] = {}
        for row in self._catalog.rows(CELLS):
            variant, measure, table, entrant, contract, role, target, left, *totals = row
            sums = Sums(*totals)
            if sums.n > 0:
                cell = Cell(table, entrant, contract, role, target, left, sums)
                found.setdefault((variant, measure), []).append(cell)
        return found

    def blocks(self, variant: str) -> int:
        """Whole blocks of a variant that were played."""
        if self.config.design in STUDIES:
            return self.study(variant, self.entrants()[0]).blocks
        return max((c.sums.blocks for c in self.cells(variant, "advantage")), default=0)

    def games(self, variant: str) -> int:
        """Games of a variant, units of a study."""
        if self.config.design in STUDIES:
            return self.blocks(variant) * units_of_block(self.config, self.rules(variant))
        seats = self.rules(variant).seats
        everywhere = [c for c in self.cells(variant, "advantage") if c.table == -1]
        return sum(c.sums.n for c in everywhere) // seats

    def entrants(self) -> list[str]:
        """Names of the entrants as the run file lists them."""
        return [entrant.label for entrant in self.config.entrants]

    def ranking(self, variant: str) -> list[str]:
        """Names of the entrants that played, best first; equals by name."""
        cells = {c.entrant: c.sums for c in self.cells(variant, "advantage") if c.table == -1}
        return sorted(cells, key=lambda e: (-Fraction(cells[e].x, cells[e].n), e))

    def planned(self, variant: str) -> int:
        """Games that the whole run has of a variant."""
        return self.config.blocks * units_of_block(self.config, self.rules(variant))

    def lineups(self, variant: str) -> list[str]:
        """What to call each table: entrants in playing order, repeats counted."""
        names = self.entrants()
        return [
            ", ".join(
                names[i] if n == 1 else f"{n} \N{MULTIPLICATION SIGN} {names[i]}"
                for i, n in ((i, len(list(same))) for i, same in groupby(table))
            )
            for table in tables(self.config, self.rules(variant).seats)
        ]

    def study(self, variant: str, entrant: str) -> Study:
        """What an entrant did in a study; only for runs whose design is one."""
        if (variant, entrant) not in self._studies:
            files = self._catalog.contents.files
            found = read_study(self.config, variant, entrant, files["units"], files["trials"])
            self._studies[variant, entrant] = found
        return self._studies[variant, entrant]

    def joint(self, variant: str, entrants: Sequence[str]) -> Cross | None:
        """Cross sums of the entrants' advantages over blocks, from the games.

        None where games were not recorded, or are too many to be scanned.
        """
        if not self._catalog.contents.files.get("games") or self.games(variant) > JOINT_GAMES:
            return None
        seats = self.rules(variant).seats
        games = games_of_block(self.config, seats)
        pairs = {
            (a, b): sums
            for a, b, *sums in self._catalog.rows(
                _joint_sql(seats), {"variant": variant, "games": games}
            )
        }
        nothing = [0, 0, 0]
        grid = [[pairs.get((a, b), nothing) for b in entrants] for a in entrants]
        xx, nx, nn = (tuple(tuple(cell[i] for cell in row) for row in grid) for i in range(3))
        return Cross(xx, nx, nn)


@contextmanager
def opened(folder: str | Path) -> Iterator[Reading]:
    """The run in ``folder``; ``StoreError`` if there is none or it is damaged."""
    run = Run.open(folder)
    receipts = run.receipts().values()
    manifest = run.manifest
    facts = Facts(
        digest=manifest.digest or "",
        games=sum(receipt.games for receipt in receipts),
        deals=sum(receipt.deals for receipt in receipts),
        fouls=sum(receipt.fouls for receipt in receipts),
        conduct=tuple(map(str, added_up(one for r in receipts for one in r.conduct))),
        version=manifest.versions.get("barbu-sim", "unknown"),
        complete=manifest.status == "complete",
    )
    with Catalog(contents(run)) as catalog:
        yield Reading(catalog, manifest.config, facts)


CELLS = """
SELECT variant, measure, "table", entrant, contract, role, target, n_left,
    sum(blocks), sum(n), sum(x), sum(nn), sum(xx), sum(nx)
FROM summary GROUP BY ALL ORDER BY ALL"""


def _joint_sql(seats: int) -> str:
    """Products of block totals for each pair of entrants, as exact integers.

    Blocks of which some games are missing, in a run that was cut off, do not count.
    """
    total = " + ".join(f"score_{s}::HUGEINT" for s in range(seats))
    held = "\nUNION ALL\n".join(
        f"SELECT block, entrant_{s} AS entrant, {seats} * score_{s}::HUGEINT - ({total}) AS x "
        "FROM chosen"
        for s in range(seats)
    )
    return f"""
WITH whole AS (
        SELECT block FROM games WHERE variant = $variant GROUP BY block HAVING count(*) = $games
    ),
    chosen AS (SELECT * FROM games SEMI JOIN whole USING (block) WHERE variant = $variant),
    held AS ({held}),
    totals AS (SELECT block, entrant, count(*)::HUGEINT AS n, sum(x) AS x FROM held GROUP BY ALL)
SELECT a.entrant, b.entrant, sum(a.x * b.x), sum(a.n * b.x), sum(a.n * b.n)
FROM totals a JOIN totals b USING (block) GROUP BY ALL ORDER BY ALL"""
