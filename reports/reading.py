"""A run as a report reads it: its config, and sums of cells over all shards.

Sections ask for cells of a measure and get exact integer sums; they open no
files. Stored points are inside points, where more is better.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from engine_ext.rules.spec import Variant
from pipeline.catalog import Catalog, contents
from pipeline.catalog_checks import check_rows
from pipeline.conduct import added_up
from pipeline.figures import ranked
from pipeline.plan import units_of_block
from pipeline.seating import changes_company, games_of_block, tables
from pipeline.stats import score_model
from pipeline.stats.company import Met
from pipeline.stats.estimate import Sums
from pipeline.stats.joint import Joint
from pipeline.stats.lineups import Played
from pipeline.store import Run
from pipeline.studies.designs import STUDIES
from pipeline.studies.study import Study, read_study
from reports.cells import CELLS, Cell, joint_sql
from reports.counted import Counted, counted
from reports.facts import Facts, told
from reports.prefixes import Piece, pieces, played, whole
from reports.single_games import net_of_company

Made = TypeVar("Made")
JOINT_GAMES = 50_000_000
"""Larger runs are read from their summary alone; a scan would take minutes."""


class Reading:
    """A run's config, its cells and its joint sums."""

    def __init__(
        self,
        catalog: Catalog,
        run: Run,
        found: Counted,
        facts: Facts,
        *,
        load_strategies: bool = False,
    ) -> None:
        self.config = run.manifest.config
        self.facts = facts
        self.catalog = catalog
        """The run's database, for what is not summed up beforehand."""
        self.source = run
        """The run itself, for its manifest and the totals of its blocks."""
        self.load_strategies = load_strategies
        """Whether code that the run loads from files or modules may be run to play it again."""
        self._counted = found
        self._once: dict[tuple[str, ...], Any] = {}

    def once(self, key: tuple[str, ...], make: Callable[[], Made]) -> Made:
        """What ``make`` makes, made once for this key: several sections rest on the same."""
        if key not in self._once:
            self._once[key] = make()
        made: Made = self._once[key]
        return made

    def rules(self, variant: str) -> Variant:
        """The rules of a variant of the run."""
        return self.config.variant(variant)

    def prefix(self, variant: str) -> int:
        """Blocks 0..B-1 that count: of a run that is not complete those without a gap."""
        return self._counted.blocks[variant]

    def cells(self, variant: str, measure: str) -> list[Cell]:
        """Every cell of a measure that was counted at all, in a fixed order."""
        return self._cells.get((variant, measure), [])

    @cached_property
    def _cells(self) -> dict[tuple[str, str], list[Cell]]:
        found: dict[tuple[str, str], list[Cell]] = {}
        for row in self.catalog.rows(CELLS):
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

    def ranked(self) -> list[str]:
        """Names of the entrants that have a figure in the league."""
        names = self.entrants()
        return [names[i] for i in ranked(self.config)]

    def ranking(self, variant: str) -> list[str]:
        """Names of the entrants that played, best first; equals by name.

        In ``candidates`` those who are compared come before the field that they met.
        """
        cells = {c.entrant: c.sums for c in self.cells(variant, "advantage") if c.table == -1}
        first = self.ranked()
        return sorted(cells, key=lambda e: (e not in first, -Fraction(cells[e].x, cells[e].n), e))

    @cached_property
    def watched(self) -> str:
        """Why intervals must hold at every moment, a sentence; empty where the number of blocks
        was fixed before and all of them are there."""
        if not self.facts.complete:
            return (
                "Who looks before the end could stop at a lucky moment, so every interval here "
                "holds at every moment (95 % confidence sequence)."
            )
        if self.config.stop is not None:
            return (
                f"How many blocks were played depends on what came out (stop rule "
                f"{self.config.stop.rule}), so every interval here holds at every moment (95 % "
                "confidence sequence)."
            )
        return ""

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
        store, files = self.source.store, self.catalog.contents.files

        def read() -> Study:
            units, trials = ([*map(store.source, files[table])] for table in ("units", "trials"))
            return read_study(self.config, variant, entrant, units, trials)

        return self.once(("study", variant, entrant), read)

    def pieces(self, variant: str) -> tuple[Piece, ...] | None:
        """The variant's blocks in pieces; None where nothing was played, or where neither totals
        nor sums of them were kept."""
        return self.once(("pieces", variant), lambda: pieces(self.source, self._counted, variant))

    def joint(
        self, variant: str, entrants: Sequence[str], blocks: int | None = None
    ) -> Joint | None:
        """Exact sums of these entrants' figures over blocks, up to the end of the piece that ends
        at ``blocks`` unless all.

        Of a run that keeps no totals they come from its games; None where these were not
        recorded either, or are too many to be scanned.
        """
        parts = self.pieces(variant)
        if parts is not None:
            names = self.ranked()
            chosen = [p for p in parts if blocks is None or p.end <= blocks]
            return whole(chosen).entrants.only([names.index(e) for e in entrants])
        return self.once(
            ("joint", variant, *entrants), lambda: self._joint_of_games(variant, entrants)
        )

    def net_pieces(self, variant: str) -> tuple[Piece, ...] | None:
        """The pieces; where company changes, less what the strength of who sat there explains."""
        changes = changes_company(self.config) and self.config.keeps_totals
        if not changes or self.blocks(variant) < 2:
            return self.pieces(variant)
        fitted = score_model.fit(self.played(variant))
        if fitted is None:
            return self.pieces(variant)
        net = partial(net_of_company, theta=fitted.theta)
        return self.once(
            ("net pieces", variant), lambda: pieces(self.source, self._counted, variant, net)
        )

    def played(self, variant: str) -> Played | Met:
        """Who sat where in each block, and what each entrant made: for the score model."""
        return played(self.source, self._counted, variant)

    def dropped(self, variant: str) -> dict[str, int]:
        """Candidates that left the race, and after how many blocks."""
        if self.config.stop is None:
            return {}
        gone = self.source.manifest.dropped.get(variant, {})
        names = self.ranked()
        return {names[table - 1]: block for table, block in gone.items()}

    def whole(self, variant: str) -> Piece | None:
        """The sums of all counted blocks, the claim's among them; None without totals."""
        parts = self.pieces(variant)
        return None if parts is None else self.once(("whole", variant), lambda: whole(list(parts)))

    def _joint_of_games(self, variant: str, entrants: Sequence[str]) -> Joint | None:
        if "games" in self.config.sampled or self.games(variant) > JOINT_GAMES:
            return None
        if not self.catalog.contents.files.get("games"):
            return None
        seats = self.rules(variant).seats
        games = games_of_block(self.config, seats)
        pairs = {
            (a, b): sums
            for a, b, *sums in self.catalog.rows(
                joint_sql(seats), {"variant": variant, "games": games}
            )
        }
        nothing = [0, 0, 0]
        grid = [[pairs.get((a, b), nothing) for b in entrants] for a in entrants]
        xx, nx, nn = (tuple(tuple(cell[i] for cell in row) for row in grid) for i in range(3))
        cells = {c.entrant: c.sums for c in self.cells(variant, "advantage") if c.table == -1}
        there, n, x = (
            tuple(getattr(cells[e], part) for e in entrants) for part in ("blocks", "n", "x")
        )
        return Joint(self.blocks(variant), there, n, x, xx, nx, nn)


@contextmanager
def opened(folder: str | Path, *, load_strategies: bool = False) -> Iterator[Reading]:
    """The run in ``folder``; ``StoreError`` if there is none or it is damaged.

    ``load_strategies``: what is played again may run code that the run names.
    """
    run = Run.open(folder)
    found, manifest = counted(run), run.manifest
    receipts = found.receipts
    facts = Facts(
        digest=manifest.digest or "",
        games=receipts.total("games"),
        deals=receipts.total("deals"),
        fouls=receipts.total("fouls"),
        conduct=tuple(map(str, added_up(c for r in receipts.rare("conduct") for c in r.conduct))),
        version=manifest.versions.get("barbu-sim", "unknown"),
        complete=manifest.status == "complete",
        decided=manifest.decided,
        set_aside=told(manifest.set_aside),
    )
    with Catalog(contents(run, receipts.values())) as catalog:
        check_rows(catalog, run)
        yield Reading(catalog, run, found, facts, load_strategies=load_strategies)
