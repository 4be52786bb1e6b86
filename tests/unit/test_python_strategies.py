"""Strategies in Python: what they see, and what becomes of their failures."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine_ext import batch
from engine_ext.errors import FoulPlay
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key

KEY = run_key(11)


def rules(name: str = "barbu_52_doubling") -> batch.Rules:
    return batch.Rules(load_variant(name))


def play(variant: batch.Rules, strategies: list[Any], n: int = 3, **options: Any) -> Any:
    seats = variant.numbers.seats
    seating = np.tile(np.arange(seats, dtype=np.uint8) % len(strategies), (n, 1))
    return batch.play_games(
        variant,
        strategies,
        key=KEY,
        blocks=np.arange(n, dtype=np.uint64),
        seating=seating,
        **options,
    )


class Player:
    """Answers each question with a function given for it."""

    def __init__(self, **answers: Callable[[Any], Any]) -> None:
        vars(self).update(answers)

    def __repr__(self) -> str:
        return "player"


def fail(view: Any) -> int:
    raise RuntimeError("lost my glasses")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("play", fail),
        ("play", lambda view: 63),
        ("play", lambda view: -1),
        ("play", lambda view: "KH"),
        ("play", lambda view: None),
        ("lay", lambda view: 15),
        ("lay", lambda view: None),
        ("choose", lambda view: (31, 0)),
        ("choose", lambda view: (0, 17)),
        ("choose", lambda view: 5),
        ("double", lambda view: 1 << view.seat),
        ("double", lambda view: -1),
        ("redouble", lambda view: 15 & ~view.may_redouble),
    ],
)
def test_a_wrong_answer_is_a_foul_and_the_stand_in_is_played(
    question: str, answer: Callable[[Any], Any]
) -> None:
    always = Player(double=lambda view: view.may_double)
    wrong = Player(**{"double": lambda view: view.may_double, question: answer})
    variant = rules()
    fouled = play(variant, [wrong, always])
    assert fouled.fouls[:, 0::2].all()
    assert not fouled.fouls[:, 1::2].any()
    assert (fouled.foul_seat % 2 == 0).all()
    assert (fouled.deals.points.sum(axis=1) == totals(variant, fouled)).all()


def totals(variant: batch.Rules, games: Any) -> Any:
    return np.array([c.total for c in variant.numbers.contracts])[games.deals.contract]


def test_a_foul_is_played_as_the_default_would_be() -> None:
    variant = rules()
    honest, cheat = play(variant, [Player()]), play(variant, [Player(play=lambda view: 63)])
    assert (honest.score == cheat.score).all()
    assert cheat.fouls.all()


def test_exceptions_are_reported_with_question_deal_and_seat() -> None:
    games = play(rules(), [Player(play=fail), Player()])
    assert games.errors[0].startswith("player play in deal 0, seat ")
    assert games.errors[0].endswith(": RuntimeError: lost my glasses")


def test_stop_on_foul_names_where() -> None:
    with pytest.raises(FoulPlay, match=r"^block 0, deal 0, seat [02]: player: player play in deal"):
        play(rules(), [Player(play=fail), Player()], stop_on_foul=True)


def test_an_interrupt_inside_a_strategy_comes_out_again() -> None:
    def interrupt(view: Any) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(rules(), [Player(play=interrupt)])


def test_after_an_interrupt_no_strategy_is_asked_any_more() -> None:
    asked = []

    def interrupt(view: Any) -> int:
        asked.append(view.seat)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(rules(), [Player(play=interrupt), Player(play=interrupt)])
    assert len(asked) == 1


@pytest.mark.parametrize("leave", [SystemExit(3), GeneratorExit()])
def test_a_strategy_that_leaves_the_program_commits_a_foul(leave: BaseException) -> None:
    def go(view: Any) -> int:
        raise leave

    records = play(rules(), [Player(play=go)])
    assert records.fouls.sum() > 0
    assert any(type(leave).__name__ in error for error in records.errors)


def test_an_exception_that_cannot_be_shown_is_told_by_its_name() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError

    def fail(view: Any) -> int:
        raise Mute

    records = play(rules(), [Player(play=fail)])
    assert records.errors[0].endswith(": Mute")


def test_a_view_is_dead_after_the_question() -> None:
    kept = []

    def keep(view: Any) -> int:
        kept.append((view, view.random))
        return int(view.lowest())

    play(rules(), [Player(play=keep)], n=1)
    view, draws = kept[0]
    with pytest.raises(RuntimeError, match="only valid during the question"):
        _ = view.hand
    with pytest.raises(RuntimeError, match="for the question"):
        draws.u64()


def test_an_unplayable_layout_card_costs_the_turn_where_the_rules_say_so() -> None:
    """Document 000 A23: taken back, the turn is lost; no foul. (Dossier case 18.)"""

    def unplayable(view: Any) -> int:
        held = [c for c in range(64) if view.hand >> c & 1 and not view.legal >> c & 1]
        return held[0] if held and view.may_pass else int(view.lowest())

    games = play(rules("barbu_king_br"), [Player(lay=unplayable), Player()], log=True)
    assert not games.fouls.any()
    moves = games.deals.moves[games.deals.contract == 7]
    taken_back = (moves >= 128) & (moves < 192)
    assert taken_back.any()
    elsewhere = play(rules("barbu_52_doubling"), [Player(lay=lambda view: 14), Player()])
    assert elsewhere.fouls.any()


def test_a_stalled_layout_forces_a_card() -> None:
    """Dossier 2.14: all may pass for a full circle, then whoever can must lay."""
    passer = Player(lay=lambda view: None if view.may_pass else view.lowest())
    games = play(rules("barbu_king_br"), [passer], log=True)
    assert not games.fouls.any()
    layouts = games.deals.contract == 7
    assert (games.deals.n_moves[layouts] <= 2 * 4 * 52).all()
    assert (games.deals.n_moves[layouts] > 4 * 52).all()
    never = play(rules("barbu_king_br"), [Player(lay=lambda view: None)])
    assert never.fouls.any()


def test_memory_is_reset_at_each_game() -> None:
    class Counter:
        games = 0

        def new_game(self) -> None:
            self.games += 1

    counter = Counter()
    play(rules(), [counter], n=5)
    assert counter.games == 4 * 5  # once for each seat that it holds


def test_a_stop_flag_ends_play_between_decisions() -> None:
    stop = batch.StopFlag()
    seen = []

    def stopper(view: Any) -> int:
        seen.append(1)
        if len(seen) == 2000:
            stop.set()
        return int(view.lowest())

    games = play(rules(), [Player(play=stopper)], n=50, stop=stop)
    assert len(games.score) == 2000 // (6 * 4 * 52)
    assert len(seen) == 2000
    assert len(games.deals.contract) == len(games.score) * 28


def test_draws_are_a_function_of_the_position() -> None:
    drawn: dict[tuple[int, int], list[Any]] = {}

    def draw(view: Any) -> int:
        key = (view.deal, view.seat)
        numbers = [view.random.below(1000), view.random.u64(), view.random.random()]
        drawn.setdefault(key, []).append([*numbers, view.random.generator().integers(10**9)])
        return int(view.lowest())

    play(rules(), [Player(play=draw)], n=1)
    first = {key: list(value) for key, value in drawn.items()}
    drawn.clear()
    play(rules(), [Player(play=draw)], n=1)
    assert drawn == first
    flat = [tuple(map(str, n)) for numbers in first.values() for n in numbers]
    assert len(set(flat)) == len(flat)
    with pytest.raises(ValueError, match="n must be in"):
        _out_of_range()


def _out_of_range() -> None:
    errors: list[Exception] = []

    def draw(view: Any) -> int:
        try:
            view.random.below(0)
        except ValueError as error:
            errors.append(error)
        return int(view.lowest())

    play(rules(), [Player(play=draw)], n=1)
    raise errors[0]


def test_shapes_that_do_not_fit_are_refused() -> None:
    variant = rules()
    blocks = np.arange(2, dtype=np.uint64)
    with pytest.raises(ValueError, match="seating"):
        batch.play_games(
            variant, [Player()], key=KEY, blocks=blocks, seating=np.zeros((2, 3), np.uint8)
        )
    with pytest.raises(ValueError, match="beyond"):
        batch.play_games(
            variant, [Player()], key=KEY, blocks=blocks, seating=np.ones((2, 4), np.uint8)
        )
    with pytest.raises(ValueError, match="contracts"):
        batch.play_deals(variant, [Player()] * 4, key=KEY, contracts=[9], first_block=0, n=1)
