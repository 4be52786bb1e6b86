"""A game of a run played again: its records, held against the row that the run kept."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from engine_ext.batch import StopFlag
from engine_ext.errors import RuleError, UserError
from engine_ext.record import Record
from engine_ext.record_checks import hold
from engine_ext.record_deal import records_of_game
from engine_ext.record_text import RecordError
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.seeds import run_key
from pipeline import digest
from pipeline.config import BY_PEOPLE, EVENINGS
from pipeline.manifest import Landed
from pipeline.play import TablePlayer
from pipeline.plays import read_plays
from pipeline.sampled import drawn_of
from pipeline.seating import seat_orders
from pipeline.store import Run, check_files
from pipeline.stores import StoreError
from pipeline.strategy_files import LOAD, NOT_LOADED, left_out, without
from pipeline.studies.designs import STUDIES
from pipeline.tables import Games
from strategies.explained import Listener, Thought


class ReplayError(UserError):
    """A game that the run does not have, or that cannot be written down."""


@dataclass(frozen=True)
class Replayed:
    """One game."""

    games: Games
    """It alone."""
    records: tuple[Record, ...]
    digest: str | None
    """Of this playing, 64 hexadecimal digits; None where it was not played again."""
    kept: str | None
    """What the run kept of it; None where it kept no rows of games."""
    thoughts: tuple[Thought, ...] = ()
    """Of those who explain themselves, if they were asked."""

    @property
    def same(self) -> bool:
        """Whether it went as in the run, as far as that can be told."""
        return self.digest is None or self.kept in (None, self.digest)

    @property
    def entrants(self) -> tuple[str, ...]:
        """Who sat where, by seat."""
        return tuple(self.games.labels[i] for i in self.games.entrant[0])


class Replayer:
    """Plays games of one variant of a run again."""

    def __init__(
        self,
        run: Run,
        variant: str | None,
        *,
        explain: bool = False,
        load_strategies: bool = False,
        kept: bool = False,
    ) -> None:
        """``explain``: ask those who can what they thought; ``load_strategies``: run the code of
        entrants whose strategy lies in a file or module, too; ``kept``: nobody is to play, for
        :meth:`read` alone."""
        if run.manifest.config.design in STUDIES:
            raise ReplayError(f"{run.where}: a study has no games (barbu replay shows its deals)")
        if run.manifest.config.design == EVENINGS:
            raise ReplayError(f"{run.where}: {BY_PEOPLE} (barbu sql shows its deals)")
        self.run, self.variant = run, which_variant(run, variant)
        self._listener = Listener()
        everybody = frozenset(range(len(run.manifest.config.entrants)))
        self._left_out = everybody if kept else left_out(run, load_strategies=load_strategies)
        self.player = TablePlayer(
            without(run.manifest.config, self._left_out),
            self.variant,
            StopFlag(),
            heard=self._listener.listen if explain else None,
        )
        self.shipped = is_shipped(self.variant, run)
        """Whether a record may name the variant, and need not bring its file along."""

    @property
    def places(self) -> Iterator[tuple[int, int, int]]:
        """Block, table and rotation of every game, in order."""
        for block in range(self.run.manifest.counted(self.variant)):
            for game in range(self.player.block_games):
                table, rotation = divmod(game, self.player.rotations)
                if self._dropped(table) > block:
                    yield block, table, rotation

    def _dropped(self, table: int) -> int:
        """From which block on a race no longer played it; no block that far where it did."""
        since = self.run.manifest.dropped.get(self.variant, {})
        return since.get(table, self.run.manifest.config.blocks)

    def strangers(self, block: int, table: int) -> tuple[str, ...]:
        """Who sits there whose code is not to be run: such a game is not played again."""
        if not self._left_out:
            return ()
        config, seats = self.run.manifest.config, self.player.rules.numbers.seats
        at = np.array([block], np.uint64)
        order = seat_orders(config, seats, run_key(config.seed), at)[0, table].tolist()
        return tuple(config.entrants[i].label for i in sorted({*order} & self._left_out))

    def play(self, block: int, table: int, rotation: int) -> Replayed:
        """Play one game again; raises ``ReplayError`` if the run has no such game."""
        self._check_place(block, table, rotation)
        strangers = self.strangers(block, table)
        if strangers:
            raise ReplayError(f"{self.run.where}: {strangers[0]}: {NOT_LOADED} ({LOAD})")
        game = table * self.player.rotations + rotation
        self._listener.thoughts.clear()
        games = self.player.play(np.array([block], np.uint64), np.array([game]), log=True)
        assert games is not None, "nobody stops this play"
        records = self._records(games)
        found = digest.text(int.from_bytes(digest.game_hashes(games)[0].tobytes(), "big"))
        thoughts = tuple(self._listener.thoughts)
        return Replayed(games, records, found, self.kept(block, game), thoughts)

    def read(self, block: int, table: int, rotation: int) -> Replayed:
        """The same from the run's table ``plays``, where nothing is played but the cards that were
        kept: the rules must allow them and give the points that stand beside them.

        Raises ``ReplayError`` where they do not, and where the run keeps no plays of the game.
        """
        self._check_place(block, table, rotation)
        game = table * self.player.rotations + rotation
        rows = self.rows("plays", block, game)
        where = f"{self.run.where}: block {block}, table {table}, rotation {rotation}"
        if rows is None:
            raise ReplayError(f"{where}: --kept: the run keeps no plays of it (see [sample])")
        at = np.array([block], np.uint64), np.array([game])
        kept = read_plays(self.player.rules.numbers, rows)
        found = self.player.played(*at, self.player.seating(*at), kept)
        try:
            records = self._records(found)
            for record in records:
                hold(record)
        except RecordError as error:
            raise ReplayError(f"{where}: plays: {error}") from error
        return Replayed(found, records, None, self.kept(block, game))

    def _check_place(self, block: int, table: int, rotation: int) -> None:
        """Raise ``ReplayError`` where the run has no such game."""
        each = self.player.rotations
        bounds = {
            "block": (block, self.run.manifest.counted(self.variant)),
            "table": (table, self.player.block_games // each),
            "rotation": (rotation, each),
        }
        for name, (value, n) in bounds.items():
            if not 0 <= value < n:
                raise ReplayError(
                    f"{self.run.where}: --{name}: {value} (this run has 0 to {n - 1})"
                )
        if block >= self._dropped(table):
            raise ReplayError(
                f"{self.run.where}: --table: {table} was dropped from the race and not played "
                f"from block {self._dropped(table)} on"
            )

    def _records(self, games: Games) -> tuple[Record, ...]:
        """The deals of the one game, whose moves are at hand."""
        block, table, rotation = (int(at[0]) for at in (games.block, games.table, games.rotation))
        try:
            return tuple(
                records_of_game(
                    self.player.rules,
                    games.records,
                    0,
                    key=run_key(self.run.manifest.config.seed),
                    block=block,
                    variant_name=self.variant if self.shipped else f"{self.variant}.toml",
                    source=self.source(block, table, rotation),
                    hands=self.player.hands,
                )
            )
        except ValueError as error:
            where = f"{self.run.where}: block {block}, table {table}, rotation {rotation}"
            raise ReplayError(f"{where}: {error}") from error

    def source(self, block: int, table: int, rotation: int) -> str:
        """Where the game comes from, for the head of its records."""
        run = self.run.manifest.run
        return f"run {run}, block {block}, table {table}, rotation {rotation}"

    def kept(self, block: int, game: int) -> str | None:
        """Return the digest in the game's row, None where the run has none."""
        rows = self.rows("games", block, game)
        return None if rows is None else bytes(rows["digest"][0]).hex()

    def rows(self, table: Landed, block: int, game: int) -> pl.DataFrame | None:
        """Rows of a game in one of the tables, None where the run keeps none of it."""
        config = self.run.manifest.config
        if table in config.sampled and not drawn_of(config, block, 1)[0]:
            return None
        receipts = self.run.receipts()
        for shard in self.run.planned():
            first, last = shard.first_block, shard.first_block + shard.n_blocks
            if shard.variant != self.variant or not first <= block < last:
                continue
            inside = np.flatnonzero(shard.games(self.player.rotations) == game)
            if not len(inside):
                continue
            receipt = receipts.get(shard.number)
            if receipt is None or table not in receipt.files:
                return None
            only = receipt.model_copy(update={"files": {table: receipt.files[table]}})
            check_files(self.run, [only])
            line_up, rotation = divmod(game, self.player.rotations)
            found = self.run.read(table, shard.number).filter(
                block=block, table=line_up, rotation=rotation
            )
            if found.is_empty():
                raise StoreError(f"{self.run.where}: shard {shard.number}: {table} are lost")
            return found
        return None


def which_variant(run: Run, variant: str | None) -> str:
    """The variant that was named, or the run's only one."""
    names = [v.name for v in run.manifest.config.variants]
    if variant is None and len(names) > 1:
        raise ReplayError(f"{run.where}: say which --variant ({', '.join(names)})")
    if variant is not None and variant not in names:
        known = ", ".join(names)
        raise ReplayError(f"{run.where}: --variant: no {variant} here (has {known})")
    return variant or names[0]


def is_shipped(variant: str, run: Run) -> bool:
    """Tell whether a variant of a run is the shipped one of this name, rule for rule."""
    if variant not in variant_names():
        return False
    try:
        return load_variant(variant) == run.manifest.config.variant(variant)
    except RuleError:
        return False
