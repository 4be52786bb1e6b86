"""A unit of a study played again: held against its row, one of its deals as a record."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine_ext.batch import Rules, StopFlag
from engine_ext.errors import UserError
from engine_ext.record import Record
from engine_ext.record_deal import records_of_game
from engine_ext.record_names import Names
from engine_ext.record_trial import record_of_trial
from engine_ext.trials import Trials, hands_of, trials
from pipeline import digest
from pipeline.store import Run, check_files
from pipeline.strategy_files import LOAD, NOT_LOADED, left_out, without
from pipeline.studies.designs import DRAWS, n_steps
from pipeline.studies.digest import unit_hashes
from pipeline.studies.play import play_units
from pipeline.studies.player import Player, walk
from pipeline.studies.units import Units
from strategies.decisions import Strategy


class UnitError(UserError):
    """A unit, or a deal of it, that the study does not have."""


class Asked(NamedTuple):
    """Which deal of a unit."""

    contract: str | None = None
    """As records write it, with trump suit or start rank: ``trumps H``; what the entrant chose
    where nothing is said."""
    world: int = 0
    """0 as dealt, from 1 on dealt anew."""
    who: int = 0
    """Role whose hand stays."""


class Replayed(NamedTuple):
    """A unit, played again."""

    units: Units
    digest: str
    """64 hexadecimal digits."""
    kept: str | None
    """Of the run's row; None where the shard has not landed."""
    records: tuple[Record, ...]
    """The deal that was asked for; all deals of the game in seats."""

    @property
    def same(self) -> bool:
        """Whether it went as in the run, as far as that can be told."""
        return self.kept in (None, self.digest)


class UnitReplayer:
    """Plays units of one variant of a study again."""

    def __init__(
        self,
        run: Run,
        variant: str,
        variant_name: str,
        heard: Callable[[Strategy], Strategy] | None = None,
        load_strategies: bool = False,
    ) -> None:
        """``variant_name``: what records call the rules; ``load_strategies``: run the code of
        entrants whose strategy lies in a file or module, too."""
        self.run, self.variant, self.name = run, variant, variant_name
        self.config = run.manifest.config
        self._left_out = left_out(run, load_strategies=load_strategies)
        config = without(self.config, self._left_out)
        self.player = Player(config, variant, StopFlag(), heard=heard)
        self.steps = n_steps(self.config.design, self.player.numbers)

    def play(self, block: int, table: int, step: int, asked: Asked) -> Replayed:
        """Play one unit again; raises :class:`UnitError` if the study has no such thing."""
        self._check(block, table, step, asked)
        place = np.array([block], np.uint64), np.array([table * self.steps + step])
        units = play_units(self.player, *place, self.run.manifest.seats)
        assert units is not None, "nobody stops this play"
        numbers = self.player.numbers
        hashed = unit_hashes(units, self.variant, numbers.contract_names, numbers.seats)
        source = f"run {self.run.manifest.run}, block {block}, table {table}, step {step}"
        if self.config.design == "seats":
            records = self._game(block, step, source)
        else:
            records = (self._deal(block, step, asked, source),)
        found = digest.text(int.from_bytes(hashed[0].tobytes(), "big"))
        return Replayed(units, found, self.kept(block, table * self.steps + step), records)

    def _check(self, block: int, table: int, step: int, asked: Asked) -> None:
        design = self.config.design
        worlds = {"value": 1, "doubling": DRAWS}.get(design, 0) * self.player.worlds
        seats = self.player.numbers.seats
        bounds = {
            "block": (block, self.config.blocks),
            "table": (table, len(self.config.entrants)),
            "step": (step, self.steps),
            "world": (asked.world, worlds + 1),
            "who": (asked.who, seats if design == "doubling" else 1),
        }
        for name, (value, n) in bounds.items():
            if not 0 <= value < n:
                raise UnitError(
                    f"{self.run.where}: --{name}: {value} (this study has 0 to {n - 1})"
                )
        if table in self._left_out:
            label = self.config.entrants[table].label
            raise UnitError(f"{self.run.where}: {label}: {NOT_LOADED} ({LOAD})")
        if asked.contract is not None and design == "seats":
            raise UnitError(f"{self.run.where}: --contract: a unit of this study is a whole game")

    def _deal(self, block: int, step: int, asked: Asked, source: str) -> Record:
        """One deal: the contract asked for, in the world asked for."""
        player, rules = self.player, self.player.rules
        path = walk(
            player, np.array([block], np.uint64), step + 1, bets=self.config.design == "doubling"
        )
        deal, base = player.declared[step]
        chosen = asked.contract is None
        code = int(path.code[0, step]) if chosen else self._code(rules, str(asked.contract))
        given = {"left": path.left[0, step], "duty": path.duty[0, step]} if chosen else {}
        one = trials(
            rules,
            1,
            block=block,
            deal=deal,
            base=base,
            world=asked.world,
            held=(base + asked.who) % player.numbers.seats,
            code=code,
            **given,
        )
        return self._record(one, f"{source}, world {asked.world}, who {asked.who}")

    def _record(self, one: Trials, source: str) -> Record:
        outcomes = self.player.once_more(one)
        rules = self.player.rules
        hands = hands_of(rules, one, key=self.player.key)[0]
        return record_of_trial(
            rules, outcomes, one, 0, hands, variant_name=self.name, source=source
        )

    def _code(self, rules: Rules, contract: str) -> int:
        """A contract that was named."""
        try:
            number, param = Names(rules.variant, rules).pair(contract)
        except ValueError:
            known = ", ".join(rules.numbers.contract_names)
            raise UnitError(
                f"--contract: no {contract!r} here (has {known}; with the trump suit or start rank "
                "where one is named: 'trumps H')"
            ) from None
        named = rules.numbers.contracts[number].params
        if not named >> param & 1 or (named.bit_count() > 1 and " " not in contract):
            raise UnitError(f"--contract: {contract!r}: say trump suit or start rank: 'trumps H'")
        return number << 8 | param

    def _game(self, block: int, turn: int, source: str) -> tuple[Record, ...]:
        player = self.player
        return tuple(
            records_of_game(
                player.rules,
                player.game_once_more(block, turn),
                0,
                key=player.key,
                block=block,
                variant_name=self.name,
                source=source,
                turn=turn,
            )
        )

    def kept(self, block: int, unit: int) -> str | None:
        """Return the digest in the unit's row, None where its shard has not landed."""
        receipts = self.run.receipts()
        for shard in self.run.planned():
            first, last = shard.first_block, shard.first_block + shard.n_blocks
            inside = first <= block < last and 0 <= unit - shard.first_game < shard.n_games
            if shard.variant != self.variant or not inside:
                continue
            receipt = receipts.get(shard.number)
            if receipt is None:
                return None
            only = receipt.model_copy(update={"files": {"units": receipt.files["units"]}})
            check_files(self.run, [only])
            row = (block - first) * shard.n_games + unit - shard.first_game
            return bytes(self.run.read("units", shard.number)["digest"][row]).hex()
        return None
