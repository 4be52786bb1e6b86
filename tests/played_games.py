"""Games for objectives: played here by the engine, or made up deal by deal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

import strategies
from engine_ext.batch import GameRecords, Rules, Strategy, play_games
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from pipeline.tables import Games, find_doubles
from pipeline.tuning.objectives import OBJECTIVES, Objective
from pipeline.tuning.results import Bets, Played, Results
from pipeline.tuning.stored import played_of


def of_engine(
    variant: str | Variant,
    games: int,
    *,
    seed: int = 1,
    who: str | Strategy = "duck.v1",
    moves: bool = False,
) -> Played:
    """So many games, each a block, with one player in every seat."""
    rules = load_variant(variant) if isinstance(variant, str) else variant
    return as_played(rules, engine_games(rules, games, seed=seed, who=who, moves=moves))


def engine_games(
    variant: Variant,
    games: int,
    *,
    seed: int = 1,
    who: str | Strategy = "duck.v1",
    moves: bool = False,
) -> GameRecords:
    """The same as the engine records them."""
    rules = Rules(variant)
    return play_games(
        rules,
        [strategies.create(who) if isinstance(who, str) else who],
        seating=np.zeros((games, rules.numbers.seats), np.uint8),
        key=run_key(seed),
        blocks=np.arange(games, dtype=np.uint64),
        log=moves,
    )


def as_played(variant: Variant, games: GameRecords) -> Played:
    """The same as objectives look at them."""
    n = len(games.n_deals)
    of_run = Games(
        variant="made",
        rules=Rules(variant).numbers,
        labels=("who",),
        block=np.arange(n, dtype=np.uint64),
        table=np.zeros(n, np.uint16),
        rotation=np.zeros(n, np.uint8),
        entrant=np.zeros(games.score.shape, np.uint8),
        records=games,
        doubles=find_doubles(games),
    )
    n_moves = games.deals.n_moves
    return played_of(of_run, variant, moves=None if n_moves is None else n_moves.astype(np.int64))


def made_up(
    variant: str | Variant, games: Sequence[Sequence[tuple[int | str, Sequence[int]]]], **more: Any
) -> Played:
    """Games of deals (contract, points by seat); arrays of ``more`` in place of what follows."""
    rules = Rules(load_variant(variant) if isinstance(variant, str) else variant)
    names, seats = rules.numbers.contract_names, rules.numbers.seats
    deals = [deal for game in games for deal in game]
    n_deals = np.array([len(game) for game in games], np.int64)
    contract = [names.index(c) if isinstance(c, str) else c for c, _ in deals]
    said: dict[str, Any] = {
        "blocks": len(games),
        "block": np.arange(len(games), dtype=np.int64),
        "declarer": np.zeros(len(deals), np.int8),
        "leader": np.zeros(len(deals), np.uint8),
        "side": np.zeros((len(deals), seats), np.int32),
        "bets": pairs(),
        "n_moves": None,
    } | more
    points = np.array([p for _, p in deals], np.int32)
    score = np.add.reduceat(points + said["side"], np.cumsum(n_deals) - n_deals, axis=0)
    return Played(
        variant=rules.variant,
        rules=rules.numbers,
        labels=("made up",),
        entrant=np.zeros((len(games), seats), np.uint8),
        n_deals=n_deals,
        score=score.astype(np.int32),
        contract=np.array(contract, np.uint8),
        n_left=np.ones(len(deals), np.uint8),
        points=points,
        items=np.zeros((len(deals), seats), np.uint64),
        counted=np.zeros(len(deals), bool),
        **said,
    )


def pairs(*bets: tuple[int, int, int, bool]) -> Bets:
    """Bets (row, doubler, doubled, redoubled), by row."""
    columns: list[Sequence[int]] = list(zip(*bets, strict=True)) or [(), (), (), ()]
    kinds: tuple[npt.DTypeLike, ...] = (np.int64, np.uint8, np.uint8, np.bool_)
    return Bets(*(np.array(c, kind) for c, kind in zip(columns, kinds, strict=True)))


def measured(name: str, played: Played) -> float:
    """The figure of an objective."""
    return named(name).measure(Results(games=played)).value


def named(name: str) -> Objective:
    """An objective of the registry."""
    return next(objective for objective in OBJECTIVES if objective.name == name)


def part(played: Played, first: int, behind: int) -> Played:
    """Games ``first`` to ``behind`` - 1 of such as are a block each, as if they were all."""
    starts = [*played.first_row.tolist(), len(played.contract)]
    rows, games = slice(starts[first], starts[behind]), slice(first, behind)
    lowest, behind_them = np.searchsorted(played.bets.row, (rows.start, rows.stop))
    bets = slice(lowest, behind_them)
    kept = Bets(
        played.bets.row[bets] - rows.start,
        played.bets.doubler[bets],
        played.bets.doubled[bets],
        played.bets.redoubled[bets],
    )
    by_deal = ("contract", "declarer", "leader", "n_left", "points", "side", "items", "counted")
    return replace(
        played,
        blocks=behind - first,
        block=np.arange(behind - first),
        bets=kept,
        n_moves=None if played.n_moves is None else played.n_moves[rows],
        revoked=None if played.revoked is None else played.revoked[rows],
        **{name: getattr(played, name)[games] for name in ("entrant", "n_deals", "score")},
        **{name: getattr(played, name)[rows] for name in by_deal},
    )
