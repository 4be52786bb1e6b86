"""A game of a run played again: its records, held against the row that the run kept."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine_ext.batch import StopFlag
from engine_ext.errors import RuleError, UserError
from engine_ext.record import Record
from engine_ext.record_deal import records_of_game
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.seeds import run_key
from pipeline import digest
from pipeline.play import TablePlayer
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
    digest: str
    """Of this playing, 64 hexadecimal digits."""
    kept: str | None
    """What the run kept of it; None where it kept no rows of games."""
    thoughts: tuple[Thought, ...] = ()
    """Of those who explain themselves, if they were asked."""

    @property
    def same(self) -> bool:
        """Whether it went as in the run, as far as that can be told."""
        return self.kept in (None, self.digest)

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
    ) -> None:
        """``explain``: ask those who can what they thought; ``load_strategies``: run the code of
        entrants whose strategy lies in a file or module, too."""
        if run.manifest.config.design in STUDIES:
            raise ReplayError(f"{run.where}: a study has no games (barbu replay shows its deals)")
        self.run, self.variant = run, which_variant(run, variant)
        self._listener = Listener()
        self._left_out = left_out(run, load_strategies=load_strategies)
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
        strangers = self.strangers(block, table)
        if strangers:
            raise ReplayError(f"{self.run.where}: {strangers[0]}: {NOT_LOADED} ({LOAD})")
        game = table * each + rotation
        self._listener.thoughts.clear()
        games = self.player.play(np.array([block], np.uint64), np.array([game]), log=True)
        assert games is not None, "nobody stops this play"
        try:
            records = tuple(
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
        found = digest.text(int.from_bytes(digest.game_hashes(games)[0].tobytes(), "big"))
        thoughts = tuple(self._listener.thoughts)
        return Replayed(games, records, found, self.kept(block, game), thoughts)

    def source(self, block: int, table: int, rotation: int) -> str:
        """Where the game comes from, for the head of its records."""
        run = self.run.manifest.run
        return f"run {run}, block {block}, table {table}, rotation {rotation}"

    def kept(self, block: int, game: int) -> str | None:
        """Return the digest in the game's row, None where the run has none."""
        receipts = self.run.receipts()
        for shard in self.run.planned():
            first, last = shard.first_block, shard.first_block + shard.n_blocks
            if shard.variant != self.variant or not first <= block < last:
                continue
            inside = np.flatnonzero(shard.games(self.player.rotations) == game)
            if not len(inside):
                continue
            receipt = receipts.get(shard.number)
            if receipt is None or "games" not in receipt.files:
                return None
            only = receipt.model_copy(update={"files": {"games": receipt.files["games"]}})
            check_files(self.run, [only])
            row = (block - first) * shard.n_games + int(inside[0])
            hashes = self.run.read("games", shard.number)["digest"]
            if row >= len(hashes):
                raise StoreError(f"{self.run.where}: shard {shard.number}: games are lost")
            return bytes(hashes[row]).hex()
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
