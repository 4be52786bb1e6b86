"""What every strategy owes, as tests that anybody can run on theirs.

In a test file of your own::

    @pytest.mark.parametrize("spec", ["mine.v1"])
    class TestMine(StrategyConformance):
        pass

``spec`` is what :func:`strategies.create` takes. Each test plays whole games of the
four base variants, a few each.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine_ext import batch
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from strategies.about import info
from strategies.decisions import Strategy, is_strategy
from strategies.registry import NAME, create

if TYPE_CHECKING:
    from engine_ext.kernel import Views
    from engine_ext.pypolicy import View

BASE_VARIANTS = ("barbu_king_br", "king_ru_fixed14", "barbu_fr_reussite", "barbu_52_doubling")
"""The base form of each of the four documents."""
KEY = run_key(20_000)
N_GAMES = 6


@cache
def rules_of(variant: str) -> batch.Rules:
    """Return a shipped variant, packed; read once in a process."""
    return batch.Rules(load_variant(variant))


def play(
    variant: str,
    players: Sequence[batch.Strategy],
    blocks: Sequence[int],
    *,
    replicate: int = 0,
    tables: int = batch.TABLES,
) -> batch.GameRecords:
    """Play a game of each block, ``players`` around the table (in turn, if too few)."""
    rules = rules_of(variant)
    around = np.arange(rules.numbers.seats, dtype=np.uint8) % len(players)
    return batch.play_games(
        rules,
        players,
        key=KEY,
        blocks=np.array(blocks, np.uint64),
        seating=np.tile(around.astype(np.uint8), (len(blocks), 1)),
        replicates=np.full(len(blocks), replicate, np.uint32),
        log=True,
        tables=tables,
    )


def moves(records: batch.GameRecords) -> npt.NDArray[np.uint8]:
    """Return every move of every game, (games, deals * 512)."""
    assert records.deals.moves is not None, "played with log=True"
    return records.deals.moves.reshape(len(records.score), -1)


def same(one: batch.GameRecords, other: batch.GameRecords) -> bool:
    """Whether two sets of games went alike, move for move and bet for bet."""
    return (
        np.array_equal(moves(one), moves(other))
        and np.array_equal(one.deals.doubled, other.deals.doubled)
        and np.array_equal(one.score, other.score)
    )


class Forgetful:
    """A strategy in Python that is made anew for every seat of every deal."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._answers = info(spec).answers
        self._deal = -1
        self._made: dict[int, Strategy] = {}

    def __getattr__(self, question: str) -> Callable[["View"], object]:
        if question not in self._answers:
            raise AttributeError(question)

        def answer(view: "View") -> object:
            if view.deal != self._deal:
                self._deal = view.deal
                self._made.clear()
            if view.seat not in self._made:
                self._made[view.seat] = create(self._spec)
            return getattr(self._made[view.seat], question)(view)

        return answer


class ForgetfulBatch(Forgetful):
    """The same of a batched one, made anew for every question."""

    batched = True

    def __getattr__(self, question: str) -> Callable[["Views"], object]:  # type: ignore[override]
        if question not in self._answers:
            raise AttributeError(question)

        def answer(views: "Views") -> object:
            return getattr(create(self._spec), question)(views)

        return answer


class StrategyConformance:
    """The tests; each is given ``spec``, and fails with the variant it fails in."""

    def test_is_shown_by_its_name(self, spec: str) -> None:
        """Results, run files and reports know a strategy by its repr alone."""
        shown = repr(create(spec))
        assert NAME.fullmatch(shown), shown
        assert shown == repr(create(spec))
        assert info(spec).name == shown

    def test_says_in_a_line_what_it_does(self, spec: str) -> None:
        """``barbu strategies list`` has nothing else to say about it."""
        assert is_strategy(create(spec))
        assert 10 <= len(info(spec).about) <= 100, info(spec).about

    def test_answers_within_the_rules_among_its_own(self, spec: str) -> None:
        """No foul and no exception in any base variant, all seats its own."""
        for variant in BASE_VARIANTS:
            records = play(variant, [create(spec)], range(N_GAMES))
            assert not records.fouls.any(), (variant, records.errors)

    def test_answers_within_the_rules_among_random_players(self, spec: str) -> None:
        """The same in positions that only careless opponents bring about."""
        for variant in BASE_VARIANTS:
            for others in (["random.v1"], ["random.v1"] * 3):
                players = [create(spec), *map(create, others)]
                records = play(variant, players, range(N_GAMES))
                assert not records.fouls.any(), (variant, records.errors)

    def test_plays_the_same_again(self, spec: str) -> None:
        """Cards, key and seats decide everything; a new object plays alike."""
        for variant in BASE_VARIANTS:
            once = play(variant, [create(spec)], range(N_GAMES))
            assert same(once, play(variant, [create(spec)], range(N_GAMES))), variant

    def test_plays_the_same_with_one_object_or_one_for_each_seat(self, spec: str) -> None:
        """Whoever counts calls, or remembers its last seat, is found out here."""
        for variant in BASE_VARIANTS:
            one = play(variant, [create(spec)], range(N_GAMES))
            seats = rules_of(variant).numbers.seats
            each = play(variant, [create(spec) for _ in range(seats)], range(N_GAMES))
            assert same(one, each), variant

    def test_keeps_nothing_from_deal_to_deal(self, spec: str) -> None:
        """Made anew for every deal it plays alike. (Compiled ones cannot be; of them
        the two tests below ask as much as shows.)"""
        if info(spec).compiled:
            return
        forgetful = ForgetfulBatch if info(spec).batched else Forgetful
        for variant in BASE_VARIANTS:
            lasting = play(variant, [create(spec)], range(N_GAMES))
            assert same(lasting, play(variant, [forgetful(spec)], range(N_GAMES))), variant

    def test_plays_the_same_at_any_number_of_tables(self, spec: str) -> None:
        """A batched one answers each row by itself, whatever rows stand beside it."""
        if not info(spec).batched:
            return
        for variant in BASE_VARIANTS:
            together = play(variant, [create(spec)], range(N_GAMES))
            for tables in (1, 2, 5):
                apart = play(variant, [create(spec)], range(N_GAMES), tables=tables)
                assert same(together, apart), (variant, tables)

    def test_keeps_nothing_from_game_to_game(self, spec: str) -> None:
        """Games come in any order on any worker: backwards they go alike."""
        for variant in BASE_VARIANTS:
            forward = play(variant, [create(spec)], range(N_GAMES))
            backward = play(variant, [create(spec)], range(N_GAMES)[::-1])
            assert np.array_equal(moves(forward), moves(backward)[::-1]), variant
            assert np.array_equal(forward.score, backward.score[::-1]), variant

    def test_keeps_nothing_from_variant_to_variant(self, spec: str) -> None:
        """A worker plays shards of different variants with one object."""
        used = create(spec)
        for variant in BASE_VARIANTS * 2:
            fresh = play(variant, [create(spec)], range(N_GAMES))
            assert same(fresh, play(variant, [used], range(N_GAMES))), variant

    def test_draws_only_if_it_says_so(self, spec: str) -> None:
        """With ``draws = False`` other random numbers change nothing."""
        if info(spec).draws is not False:
            return
        for variant in BASE_VARIANTS:
            one = play(variant, [create(spec)], range(N_GAMES))
            other = play(variant, [create(spec)], range(N_GAMES), replicate=1)
            assert same(one, other), variant
