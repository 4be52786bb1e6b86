"""Oracle 31: re-scored is what comes of playing anew, with contracts and doubles held fixed."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine_ext.rules.load import load_variant
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import Variant
from pipeline.config import NamedVariant
from pipeline.store import Run
from pipeline.tuning.exact import NotExact, why_not
from pipeline.tuning.held import play_held
from pipeline.tuning.rescoring import Rescorer
from pipeline.tuning.results import Played
from pipeline.tuning.stored import read_played
from tests.runs import BASE, entrants, played, small
from tests.scaled import scaled

LOOSE = "play=duck.v1, choose=random.v1, double=random.v1"
THOUGHT = (LOOSE, "count.v1", "mc.v1(worlds=2)")
"""Who plays by what things are worth, whatever is chosen and doubled."""
ODD = ("random.v1", "slips.v1(of=duck.v1, revoke=0.05)", "count.v1")
"""Who draws, and who revokes."""
STORED = (
    *((name, THOUGHT) for name in BASE),
    ("barbu_52_split", THOUGHT),
    ("barbu_52_two_rounds", THOUGHT[:2]),
    ("hearts_moon", ODD),
    ("barbu_king_br_honour", ODD),
    ("barbu_king_br_tiebreak", ODD),
    ("barbu_king_br_3", ODD),
)
factors = st.integers(1, 12)
levels = st.integers(-40, 40)


class Stored:
    """A small run of a variant, ready to be re-scored."""

    def __init__(self, name: str, strategies: tuple[str, ...], folder: Path) -> None:
        self.variant = load_variant(name)
        self.name, self.strategies, self.folder = name, strategies, folder
        self.run = self.play(self.variant, folder / name)
        self.rescorer = Rescorer(read_played(self.run, name))

    def play(self, rules: Variant, out: Path) -> Run:
        one, *others = self.strategies
        line_up = (one, *others, *[one] * rules.seats)[: rules.seats]
        config = small(
            (NamedVariant(name=self.name, rules=rules),),
            entrants=entrants(*self.strategies),
            lineups=(line_up, (one,) * rules.seats),
            blocks=1,
        )
        return played(config, out)[0]

    def held(self, candidate: Variant) -> Played:
        return play_held(self.run, self.name, candidate)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as found:
        yield Path(found)


@pytest.fixture(scope="module", params=STORED, ids=lambda param: param[0])
def stored(request: pytest.FixtureRequest, folder: Path) -> Stored:
    name, strategies = request.param
    return Stored(name, strategies, folder)


def alike(one: Played, other: Played) -> None:
    for name in ("items", "points", "side", "score"):
        here, there = getattr(one, name), getattr(other, name)
        wrong = np.argwhere(here != there)
        assert not len(wrong), (
            f"{name}{wrong[0]}: {here[tuple(wrong[0])]}, {there[tuple(wrong[0])]}"
        )


@given(data=st.data())
@settings(max_examples=3, phases=(Phase.generate,))  # shrinking would play for minutes
def test_rescored_is_what_comes_of_playing_anew(stored: Stored, data: st.DataObject) -> None:
    names = list(stored.variant.contracts)
    if stored.variant.ties == "shared":
        by_name = data.draw(st.fixed_dictionaries(dict.fromkeys(names, factors)))
    else:  # totals decide which deals are played: all together
        by_name = dict.fromkeys(names, data.draw(factors))
    moved = data.draw(st.fixed_dictionaries(dict.fromkeys(names, levels)))
    candidate = scaled(stored.variant, by_name, moved)
    assert why_not(stored.variant, candidate) == ()
    found = stored.rescorer.rescored(candidate)
    assert found.variant == candidate
    alike(found, stored.held(candidate))


def test_played_anew_by_its_own_rules_it_is_what_it_was(stored: Stored) -> None:
    alike(stored.rescorer.played, stored.held(stored.variant))


@cache
def of_base(number: int, folder: Path) -> Stored:
    return Stored(BASE[number], THOUGHT, folder / "base")


def test_bets_and_what_they_answer_are_among_it(folder: Path) -> None:
    bets = of_base(3, folder).rescorer.played.bets
    assert 50 < bets.redoubled.sum() < len(bets.row) - 50


def test_of_a_fixed_schedule_it_is_an_ordinary_run_of_the_candidate(folder: Path) -> None:
    stored = of_base(1, folder)
    names = list(stored.variant.contracts)
    candidate = scaled(stored.variant, {name: 2 + i for i, name in enumerate(names)}, {})
    anew = read_played(stored.play(candidate, folder / "anew"), stored.name)
    alike(stored.rescorer.rescored(candidate), anew)


def test_a_salad_is_refused_and_would_be_played_otherwise(folder: Path) -> None:
    stored = of_base(0, folder)
    candidate = revised(stored.variant, {"contracts.salad.include[3].times": 20})
    with pytest.raises(NotExact, match=r"contracts\.salad: .* king get 20 times") as caught:
        stored.rescorer.rescored(candidate)
    assert caught.value.reasons == why_not(stored.variant, candidate)
    loose, held = stored.rescorer.rescored(candidate, exact=False), stored.held(candidate)
    salad = list(stored.variant.contracts).index("salad")
    assert (loose.points != held.points).any()
    other = held.contract != salad
    assert np.array_equal(loose.points[other], held.points[other])


def test_other_rules_cannot_be_held(folder: Path) -> None:
    stored = of_base(1, folder)
    candidate = revised(stored.variant, {"contracts.hearts.lead_ban": "none"})
    with pytest.raises(NotExact, match=r"contracts\.hearts\.lead_ban: taken away"):
        stored.held(candidate)
