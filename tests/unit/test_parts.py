"""Strategies put together of parts: each question is asked of its part, however that is written."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import play_games
from engine_ext.errors import UserError
from pipeline.config import Entrant
from pipeline.run_file import load_run
from strategies import create, info, register, registry
from strategies.registry import StrategyError, names
from strategies.testing import KEY, moves, play, rules_of, same
from tests.runs import played, small
from tests.unit.batched_rows import Rowwise
from tests.unit.duck_model import DuckModel

VARIANTS = ("barbu_52_doubling", "barbu_fr_reussite")
"""Choice, doubles, redoubles, tricks and a layout; further turns in the layout."""


class Pys:
    """``random.v1`` before the first card, in Python: the same draws in the same order."""

    def choose(self, view: Any) -> tuple[int, int]:
        chosen: tuple[int, int] = view.choices[view.random.below(len(view.choices))]
        return chosen

    def double(self, view: Any) -> int:
        seats: int = view.must_double
        for seat in range(view.rules.seats):
            free = view.may_double & ~view.must_double
            if free >> seat & 1 and view.random.below(4) == 0:
                seats |= 1 << seat
        return seats

    def redouble(self, view: Any) -> int:
        wanted = (s for s in range(view.rules.seats) if view.may_redouble >> s & 1)
        return sum(1 << s for s in wanted if view.random.below(2) == 0)

    def play(self, view: Any) -> int:
        return int(view.cards[view.random.below(len(view.cards))])

    lay = play


@pytest.fixture(autouse=True)
def _twins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins in Python and in batches, for the length of a test."""
    names()
    monkeypatch.setattr(registry, "_MAKERS", dict(registry._MAKERS))
    monkeypatch.setattr(registry, "_PARAMETERS", dict(registry._PARAMETERS))
    register("randompy.v1")(type("RandomPy", (Pys,), {"draws": True}))
    # Its contract and doubles are the defaults, which no other strategy answers with.
    register("duckpy.v1")(
        type("DuckPy", (DuckModel,), {"draws": False, "__repr__": object.__repr__})
    )


def games(strategy: str, variant: str) -> Any:
    records = play(variant, [create(strategy), create("random.v1")], range(8))
    assert not records.fouls.any(), records.errors
    return records


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_part_answers_its_questions_whatever_it_is_written_in(variant: str) -> None:
    """Every mixture of compiled and Python parts plays alike, and unlike other mixtures."""
    wanted = {}
    for play_as, choose_as, double_as in product(("duck", "random"), repeat=3):
        compiled = f"play={play_as}.v1, choose={choose_as}.v1, double={double_as}.v1"
        reference = games(compiled, variant)
        wanted[compiled] = reference.score.tobytes()
        play_too = [f"{play_as}.v1", f"{play_as}py.v1"]
        # Only randompy.v1 also chooses and doubles as its compiled twin does.
        choose_too = ["random.v1", "randompy.v1"] if choose_as == "random" else ["duck.v1"]
        double_too = ["random.v1", "randompy.v1"] if double_as == "random" else ["duck.v1"]
        for p, c, d in product(play_too, choose_too, double_too):
            mixed = f"play={p}, choose={c}, double={d}"
            assert same(reference, games(mixed, variant)), mixed
    assert len(set(wanted.values())) == (8 if rules_of(variant).numbers.has_doubling else 4)


def test_a_part_left_out_is_answered_by_play() -> None:
    three = "play=duck.v1, choose=random.v1, double=duck.v1"
    assert same(games("play=duck.v1, choose=random.v1", VARIANTS[0]), games(three, VARIANTS[0]))
    # lowest.v1 has no doubles of its own: what play names answers with the default then.
    left_out = games("play=lowest.v1, choose=cautious.v1", VARIANTS[0])
    assert same(
        left_out, games("play=lowest.v1, choose=cautious.v1, double=lowest.v1", VARIANTS[0])
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("play=duck.v1", "duck.v1"),
        ("play=duck.v1, double=duck.v1, choose=duck.v1", "duck.v1"),
        (" double = random.v1 ,play=duck.v1", "play=duck.v1, double=random.v1"),
        ("choose=random.v1,play=duck.v1,double=duck.v1", "play=duck.v1, choose=random.v1"),
        ("play=lowest.v1, choose=duck.v1", "play=lowest.v1, choose=duck.v1"),
        (
            "double=duck.v1, choose=random.v1, play=slips.v1( of = cautious.v1, revoke=0.010)",
            "play=slips.v1(of=cautious.v1), choose=random.v1, double=duck.v1",
        ),
        ("play=lowest_batch.v1, choose=lowest_batch.v1", "lowest_batch.v1"),
    ],
)
def test_equal_ones_are_spelled_alike(text: str, name: str) -> None:
    assert repr(create(text)) == name == info(text).name
    assert repr(create(name)) == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("choose=duck.v1", "play is missing: it answers what no other part does"),
        ("plays=duck.v1", "unknown part 'plays' (want play, choose, double)"),
        ("play=duck.v1, lay=duck.v1", "unknown part 'lay' (want play, choose, double)"),
        ("play=duck.v1, play=duck.v1", "play is given twice"),
        ("play=duck.v1, choose=(play=duck.v1)", "choose: want one strategy, not one put together"),
        ("play=play=duck.v1", "play: want one strategy, not one put together of parts"),
        ("slips.v1(of=play=duck.v1)", "of: want one strategy, not one put together of parts"),
        ("play=ducks.v1", "unknown strategy 'ducks.v1'"),
        ("play=duck.v1, choose=slips.v1(revoke=2)", "revoke: 2.0, want a probability"),
        ("play=duck.v1,", "at the end"),
        ("play=duck.v1 choose=random.v1", "at 'choose=random.v1'"),
        ("play=3", "unknown strategy '3'"),
        (
            "play=lowest_batch.v1, double=duck.v1",
            "play: lowest_batch.v1 is batched, double: duck.v1 is not: batched ones go with batched",
        ),
        ("play=duck.v1, choose=lowest_batch.v1", "choose: lowest_batch.v1 is batched, play: duck"),
    ],
)
def test_what_cannot_be_put_together_is_told_in_a_line(text: str, why: str) -> None:
    with pytest.raises(StrategyError) as caught:
        create(text)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_compiled_parts_stay_compiled_and_mixtures_do_not() -> None:
    assert info("play=duck.v1, choose=random.v1").releases_gil
    assert not info("play=duck.v1, choose=cautious.v1").releases_gil
    assert info("play=duck.v1, choose=random.v1").draws is True
    assert info("play=duck.v1, choose=cautious.v1").draws is False
    assert info("play=lowest.v1, choose=duck.v1").answers == (
        "choose", "play", "lay",
    )  # fmt: skip


def test_a_strategy_in_python_that_is_named_twice_is_one_object() -> None:
    made: Any = create("play=duck.v1, choose=cautious.v1, double=cautious.v1")
    assert made.parts["choose"] is made.parts["double"]


@pytest.mark.parametrize("play_part", ["duck.v1", "told.v1", "lowest.v1"])
def test_every_part_with_memory_hears_of_each_new_game_once(play_part: str) -> None:
    heard = []

    @register("told.v1")
    class Told(Pys):
        def new_game(self) -> None:
            heard.append(id(self))

    made = create(f"play={play_part}, choose=told.v1, double=told.v1")
    play(VARIANTS[0], [made], range(5))
    seats = 4  # told once for each, as any strategy is
    assert len(heard) == 5 * seats
    assert len(set(heard)) == 1


def test_a_compiled_part_forgets_the_rules_between_games_of_different_variants() -> None:
    """duck.v1 has what it works out of the rules cleared at a new game: in both forms."""
    for mixture in ("play=duck.v1, choose=random.v1", "play=cautious.v1, double=duck.v1"):
        used = create(mixture)
        for variant in (*VARIANTS, *VARIANTS):
            assert same(play(variant, [used], range(3)), play(variant, [create(mixture)], range(3)))


def rows_of(strategy: str) -> type:
    """The same, asked in batches."""

    class Rows:
        batched = True
        draws = True

        def __init__(self) -> None:
            rows = Rowwise(create(strategy))
            for question in ("choose", "double", "redouble", "play", "lay"):
                if hasattr(create(strategy), question):
                    setattr(self, question, getattr(rows, question))

        def play(self, views: Any) -> Any: ...

    return Rows


def test_batched_parts_go_with_batched_parts() -> None:
    register("duckrows.v1")(rows_of("duckpy.v1"))
    register("randomrows.v1")(rows_of("randompy.v1"))
    for variant in VARIANTS:
        batched = games("play=duckrows.v1, choose=randomrows.v1, double=randomrows.v1", variant)
        wanted = games("play=duck.v1, choose=random.v1, double=random.v1", variant)
        assert same(batched, wanted)
    assert info("play=duckrows.v1, choose=randomrows.v1").batched


def test_two_packs_want_parts_that_all_look_at_both(tmp_path: Path) -> None:
    rules = rules_of("barbu_king_br_6")
    seating = np.zeros((2, rules.numbers.seats), np.uint8)
    blocks = np.arange(2, dtype=np.uint64)

    def scores(strategy: str) -> Any:
        made = [create(strategy)]
        records = play_games(rules, made, key=KEY, blocks=blocks, seating=seating, log=True)
        assert not records.fouls.any(), records.errors
        return moves(records).tobytes()

    duck = scores("duck.v1")
    assert duck == scores("play=duck.v1, double=random.v1")  # nobody doubles there
    assert duck == scores("play=duck.v1, double=cautious.v1")
    assert scores("play=duck.v1, choose=cautious.v1") not in (duck, scores("cautious.v1"))


def test_a_run_names_its_entrants_parts_and_files_in_them(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "mine.py").write_text(
        "from strategies import register\n\n"
        '@register("part.v1")\nclass Mine:\n    """Chooses the last."""\n\n'
        "    def choose(self, view):\n        return view.choices[-1]\n",
        "utf-8",
    )
    file = folder / "run.toml"
    file.write_text(
        'title = "x"\nvariants = ["barbu_52_doubling"]\nseed = 1\nblocks = 1\ndesign = "table"\n'
        '[[entrants]]\nstrategy = "choose=mine.py:Mine, play=duck.v1"\n'
        '[[entrants]]\nstrategy = "play=duck.v1, choose=random.v1"\n'
        '[[entrants]]\nstrategy = "duck.v1"\n[[entrants]]\nstrategy = "random.v1"\n',
        "utf-8",
    )
    config = load_run(file)
    assert config.entrants[0].label == "choose=mine.py:Mine, play=duck.v1"  # as the file has it
    there, result = played(config, tmp_path / "out")
    assert there.manifest.strategies["choose=mine.py:Mine, play=duck.v1"] == (
        "play=duck.v1, choose=part.v1"
    )
    again = played(config, tmp_path / "processes", executor="local", workers=1)[1]
    assert (result.fouls, again.digest) == (0, result.digest)


def test_threads_play_compiled_mixtures_as_one_does(tmp_path: Path) -> None:
    mixture = "play=duck.v1, choose=random.v1"
    config = small(
        entrants=(Entrant(strategy=mixture, name="mixed"), Entrant(strategy="random.v1")),
        lineups=(("mixed", "random.v1", "mixed", "random.v1"),),
    )
    one = played(config, tmp_path / "one")[1].digest
    assert one == played(config, tmp_path / "two", executor="local", workers=2)[1].digest
    swapped = config.model_copy(
        update={"entrants": (Entrant(strategy="duck.v1", name="mixed"), config.entrants[1])}
    )
    assert one != played(swapped, tmp_path / "three")[1].digest


def test_a_compiled_part_for_one_pack_is_refused_with_two(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def knows(capsule: object) -> bool:
        seen.append(capsule)
        return False

    monkeypatch.setattr("engine_ext.batch._kernel.knows_two_packs", knows)
    with pytest.raises(UserError, match="knows one pack only"):
        play("barbu_king_br_6", [create("play=cautious.v1, choose=duck.v1")], range(1))
    assert seen
