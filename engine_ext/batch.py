"""The engine's public calls: rules and strategies in, arrays of whole games out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from engine_ext.build import load
from engine_ext.cards import WORD
from engine_ext.errors import FoulPlay, UserError
from engine_ext.fixed import Hands, checked_hands
from engine_ext.played import (
    DealRecords,
    GameRecords,
    deal_records,
    empty_rows,
    rows_played,
)
from engine_ext.rules.resolve import VariantNumbers, resolve
from engine_ext.rules.spec import Variant

if TYPE_CHECKING:
    import engine_ext.kernel as _kernel
    from engine_ext.kernel import Views
    from engine_ext.pypolicy import View
else:
    _kernel = load("engine_ext.kernel")
    Views = _kernel.Views
    View = load("engine_ext.pypolicy").View

__all__ = [
    "DealRecords",
    "GameRecords",
    "Rules",
    "StopFlag",
    "Strategy",
    "View",
    "Views",
    "as_sets",
    "check_capsule",
    "deal_hands",
    "errors_of",
    "is_batched",
    "play_deals",
    "play_games",
    "policies_of",
]

TABLES = 1024
"""Tables at play together where a strategy is batched: more answers a call, less in the cache."""


def check_capsule(capsule: object) -> None:
    """Raise ``ValueError`` if a strategy's capsule is no policy, or one built for another ABI."""
    _kernel.check_capsule(capsule)


class Strategy(Protocol):
    """Anything that answers questions: compiled (``capsule``) or with Python methods, which
    are asked one table at a time, or many at once where it says ``batched = True``."""


def is_batched(strategy: object) -> bool:
    """Whether a strategy (or its class) is asked about many tables at once."""
    return getattr(strategy, "batched", False) is True and not hasattr(strategy, "capsule")


class StopFlag:
    """Set from any thread to end running games at their next decision."""

    def __init__(self) -> None:
        self.word = np.zeros(1, np.intc)
        """Not 0 once it is set: the kernel polls this."""

    def set(self) -> None:
        """Ask every game that polls this flag to stop."""
        self.word[0] = 1

    def clear(self) -> None:
        """Allow play again."""
        self.word[0] = 0

    def is_set(self) -> bool:
        """Whether stopping was asked for."""
        return bool(self.word[0])


class Rules:
    """A variant ready to be played, with its numbers and the kernel that plays it."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.numbers: VariantNumbers = resolve(variant)
        self.kernel = load("engine_ext.kernel", self.numbers.copies)
        """The compiled loop: one for one pack, another for two."""
        self.asking = load("engine_ext.pypolicy", self.numbers.copies)
        """What asks strategies written in Python."""
        self.packed = self.kernel.Rules(self.numbers)


class _Silent:
    """Answers nothing: every question takes its default."""


def policies_of(rules: Rules, strategies: Sequence[Strategy]) -> list[Any]:
    """What the kernel asks; an object that holds several seats is one of them.

    Raises ``UserError`` for a compiled strategy that would not see second copies.
    """
    made: dict[int, Any] = {}
    one_pack = rules.numbers.copies == 1
    for strategy in strategies:
        if id(strategy) in made:
            continue
        if is_batched(strategy):
            defaults = rules.asking.PyPolicy(_Silent(), rules.numbers)
            made[id(strategy)] = rules.kernel.Asked(
                strategy, rules.asking.QUESTIONS, defaults, rules.numbers
            )
            continue
        compiled = hasattr(strategy, "capsule")
        policy: Any = strategy if compiled else rules.asking.PyPolicy(strategy, rules.numbers)
        if not one_pack and not _kernel.knows_two_packs(policy.capsule):
            raise UserError(
                f"{strategy!r} knows one pack only, {rules.variant.title} has two (a strategy "
                "that looks at both words of a set says so: POLICY_TWO_PACKS in policy.h)"
            )
        made[id(strategy)] = policy
    return [made[id(strategy)] for strategy in strategies]


def errors_of(rules: Rules, policies: Sequence[Any]) -> tuple[str, ...]:
    """First failures of Python strategies; a pending interrupt is raised again."""
    found: list[str] = []
    for policy in {id(policy): policy for policy in policies}.values():
        if isinstance(policy, rules.asking.PyPolicy) and policy.interrupt is not None:
            raise policy.interrupt
        if isinstance(policy, rules.asking.PyPolicy | rules.kernel.Asked):
            found += [f"{policy.strategy!r} {error}" for error in policy.errors]
    return tuple(found)


def play_games(
    rules: Rules,
    strategies: Sequence[Strategy],
    *,
    key: tuple[int, int],
    blocks: npt.NDArray[np.uint64],
    seating: npt.NDArray[np.uint8],
    replicates: npt.NDArray[np.uint32] | None = None,
    turns: npt.NDArray[np.uint8] | None = None,
    hands: Hands | None = None,
    stop: StopFlag | None = None,
    log: bool = False,
    stop_on_foul: bool = False,
    tables: int = TABLES,
) -> GameRecords:
    """Play G whole games.

    Parameters
    ----------
    rules : Rules
        The variant.
    strategies : sequence of at most 256
        Those who play; an object may hold several seats. A compiled one (with a
        ``capsule``) runs without the GIL. None may be in use by another thread.
    key : two 64-bit words
        From :func:`engine_ext.seeds.run_key`.
    blocks : uint64 array (G,)
        Block index of each game: with the key it fixes the cards.
    seating : uint8 array (G, S)
        Index into ``strategies`` by seat.
    replicates : uint32 array (G,), optional
        Below 2^23; 0 (the default) for common streams, else the arrangement.
    turns : uint8 array (G,), optional
        In every deal seat s holds the hand dealt to seat (s + turn) mod S; 0 unless given.
    hands : uint64 array (B, D, S), optional
        Card sets as :func:`deal_hands` gives them, with two packs (B, D, S, 2): what is dealt
        in the first D deals of the games of blocks 0 to B-1, in place of the key's cards. The
        deals behind them, a drawn trump suit and the players' draws are still the key's.
    stop : StopFlag, optional
        When set, play ends at the next decision and the games finished are returned.
    log : bool
        Keep the moves of every deal.
    stop_on_foul : bool
        Raise ``FoulPlay`` if any answer was illegal or failed.
    tables : int
        Games at play together if a strategy is batched; what comes of them is the same for
        any number. One that has memory makes it one game after the other.

    Returns
    -------
    GameRecords
        Of the games that were finished: all G unless ``stop`` was set.

    Raises
    ------
    ValueError
        Shapes or indices that do not fit; hands that are not a whole pack.
    FoulPlay
        See ``stop_on_foul``; names game, deal, seat and strategy.
    """
    seats, deals, n = rules.numbers.seats, rules.numbers.max_deals, len(blocks)
    if seating.shape != (n, seats):
        raise ValueError(f"seating {seating.shape} must be (games, seats) = {(n, seats)}")
    if not 1 <= len(strategies) <= 256 or (n and int(seating.max()) >= len(strategies)):
        raise ValueError(f"seating names strategies beyond the {len(strategies)} given")
    if replicates is None:
        replicates = np.zeros(n, np.uint32)
    if replicates.shape != (n,) or (n and int(replicates.max()) >= 1 << 23):
        raise ValueError("replicates must be one number below 2^23 for each game")
    if turns is None:
        turns = np.zeros(n, np.uint8)
    if turns.shape != (n,) or (n and int(turns.max()) >= seats):
        raise ValueError(f"turns must be one number below {seats} for each game")
    if tables < 1:
        raise ValueError(f"tables {tables}: want at least 1")
    rows = empty_rows(n * deals, rules.numbers, log=log)
    games: dict[str, npt.NDArray[Any]] = {
        "score": np.zeros((n, seats), np.int32),
        "place": np.zeros((n, seats), np.uint8),
        "n_first": np.zeros(n, np.uint8),
        "n_deals": np.zeros(n, np.uint16),
        "fouls": np.zeros((n, seats), np.uint16),
        "foul_deal": np.full(n, -1, np.int16),
        "foul_seat": np.full(n, -1, np.int8),
    }
    policies = policies_of(rules, strategies)
    asked = (
        key,
        np.ascontiguousarray(blocks, np.uint64),
        np.ascontiguousarray(seating, np.uint8),
        np.ascontiguousarray(replicates, np.uint32),
        np.ascontiguousarray(turns, np.uint8),
        checked_hands(rules.numbers, hands, blocks),
        games,
        rows,
        (StopFlag() if stop is None else stop).word,
    )
    if any(map(is_batched, strategies)):
        done: int = rules.kernel.play_games_in_step(rules.packed, policies, *asked, tables)
    else:
        done = rules.kernel.play_games(rules.packed, [p.capsule for p in policies], *asked)
    errors = errors_of(rules, policies)
    foul_deal, foul_seat = games["foul_deal"], games["foul_seat"]
    if stop_on_foul and (foul_deal[:done] >= 0).any():
        raise FoulPlay(_first_foul(strategies, blocks, seating, foul_deal, foul_seat, errors))
    whole = {name: array[:done] for name, array in games.items()}
    kept = rows_played(whole["n_deals"], n * deals, deals)
    return GameRecords(
        **whole,
        deals=deal_records(rows, kept, seats),
        errors=errors,
    )


def _first_foul(
    strategies: Sequence[Strategy],
    blocks: npt.NDArray[np.uint64],
    seating: npt.NDArray[np.uint8],
    foul_deal: npt.NDArray[np.int16],
    foul_seat: npt.NDArray[np.int8],
    errors: tuple[str, ...],
) -> str:
    game = int(np.argmax(foul_deal >= 0))
    seat = int(foul_seat[game])
    who = strategies[int(seating[game, seat])]
    why = errors[0] if errors else "an answer that is not allowed"
    return f"block {blocks[game]}, deal {foul_deal[game]}, seat {seat}: {who!r}: {why}"


def play_deals(
    rules: Rules,
    strategies: Sequence[Strategy],
    *,
    key: tuple[int, int],
    contracts: Sequence[int],
    first_block: int,
    n: int,
    stop: StopFlag | None = None,
    log: bool = False,
    tables: int = TABLES,
) -> DealRecords:
    """Play ``n`` single deals through the loop that whole games use.

    Deal i takes the cards of deal 0 of block ``first_block + i``, the contract
    ``contracts[i mod len]`` and, as declarer (or dealer), seat i mod S; one strategy for
    each seat. Trump suit and start rank are named as in a game; nobody is asked to
    double.
    """
    seats = rules.numbers.seats
    if len(strategies) != seats:
        raise ValueError(f"{len(strategies)} strategies, the table has {seats} seats")
    wrong = [c for c in contracts if not 0 <= c < rules.numbers.n_contracts]
    if wrong or not contracts:
        raise ValueError(f"contracts {list(contracts)}: want 0..{rules.numbers.n_contracts - 1}")
    rows = empty_rows(n, rules.numbers, log=log)
    fouls = np.zeros((n, seats), np.uint16)
    policies = policies_of(rules, strategies)
    asked = (
        key,
        np.array(contracts, np.uint8),
        first_block,
        n,
        fouls,
        rows,
        (StopFlag() if stop is None else stop).word,
    )
    if any(map(is_batched, strategies)):
        done: int = rules.kernel.play_deals_in_step(rules.packed, policies, *asked, tables)
    else:
        done = rules.kernel.play_deals(rules.packed, [p.capsule for p in policies], *asked)
    errors = errors_of(rules, policies)
    if fouls.any():
        seat = int(np.argmax(fouls.any(axis=0)))
        why = errors[0] if errors else "an answer that is not allowed"
        raise FoulPlay(f"seat {seat}: {strategies[seat]!r}: {why}")
    return deal_records(rows, slice(done), seats)


def deal_hands(
    rules: Rules,
    *,
    key: tuple[int, int],
    blocks: npt.NDArray[np.uint64],
    deal: int = 0,
    hands: Hands | None = None,
) -> npt.NDArray[np.uint64]:
    """Return the hands (len(blocks), S) of deal number ``deal`` of each block, as card sets.

    With two packs (len(blocks), S, 2): first copies and second copies. ``hands``: those that
    are given, as in :func:`play_games`; the deals behind them are dealt.
    """
    if hands is not None and deal < hands.shape[1]:
        given: Hands = hands[blocks, deal]
        return given
    copies = rules.numbers.copies
    dealt = np.zeros((len(blocks), rules.numbers.seats, copies), np.uint64)
    order = np.ascontiguousarray(blocks, np.uint64)
    rules.kernel.deal_blocks(rules.packed, key, order, deal, dealt)
    return dealt if copies == 2 else dealt[:, :, 0]


def as_sets(hands: npt.NDArray[np.uint64]) -> tuple[int, ...]:
    """Return one deal of :func:`deal_hands`, (S,) or (S, 2), as Python sets by seat."""
    if hands.ndim == 1:
        return tuple(map(int, hands))
    return tuple(int(first) | int(second) << WORD for first, second in hands)
